// Package bugfix holds what a bug fix must bring: a change of the code, and a test.
package bugfix

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entries are the checks.
var Entries = []check.Entry{
	{
		ID:       "bug-fix/no-fix",
		Types:    []workflow.Type{workflow.BugFix},
		Severity: workflow.Block,
		Category: workflow.Correctness,
		Title:    "Nothing is fixed",
		Why:      "The change has no source file besides the report and tests.",
		Fix: "Commit the fix with the report, or leave the report out of bugs/fixing/ until " +
			"there is one.",
		Run: noFix,
	},
	{
		ID: "bug-fix/no-sentinel-test", Types: []workflow.Type{workflow.BugFix},
		Severity: workflow.Block, Category: workflow.Testing, Gate: true,
		Title: "No regression test accompanies the fix",
		Why: "The change must add lines to a test file: a test that fails without the fix keeps " +
			"the bug from coming back.",
		Fix: "Add a test that reproduces the bug and name it after the report.",
		Run: noSentinel,
	},
}

func noFix(s *check.Subject) check.Result {
	isFix := func(file string) bool { return !check.Report(file) && !s.IsTest(file) }
	isFixFile := func(f workflow.File) bool { return isFix(f.Path) }
	fixes := slices.ContainsFunc(s.Artifact.Files, isFixFile) ||
		slices.ContainsFunc(
			s.Set.Files,
			func(f change.File) bool { return f.Status == change.Deleted && isFix(f.Path) },
		)
	if isPending(s) {
		return check.NotLooked(pending)
	}
	if fixes {
		return check.Result{Looked: workflow.Count(len(s.Artifact.Files), "file")}
	}
	return check.Result{Issues: []workflow.Finding{{File: s.Artifact.Path()}}}
}

// pending says why a report is not held against a fix.
const pending = "nothing but documents of the bug: its fix is yet to come"

// isPending reports whether a change has nothing but a report where the layout keeps reports before
// there is a fix.
func isPending(s *check.Subject) bool {
	isCode := func(f workflow.File) bool { return !check.Report(f.Path) }
	return s.Artifact.Layout != "" && !slices.ContainsFunc(s.Artifact.Files, isCode)
}

func noSentinel(s *check.Subject) check.Result {
	if isPending(s) {
		return check.NotLooked(pending)
	}
	for _, f := range s.TestFiles() {
		if _, changed := s.Changed(f.Path); changed && addsCode(f) {
			name := markdown.Line(f.Path, 120)
			return check.Result{Summary: "a test is added or changed: " + name}
		}
	}
	return check.Result{Issues: []workflow.Finding{{File: s.Artifact.Path()}}}
}

// addsCode reports whether the change adds a line to a file that is no comment.
func addsCode(f *check.Source) bool {
	comment := map[int]bool{}
	if f.Tree != nil {
		for n := range f.Tree.All() {
			for l := n.StartLine(); n.IsComment() && l <= n.EndLine(); l++ {
				comment[l] = true
			}
		}
	}
	for i, line := range f.Lines {
		if f.Added(i+1) && strings.TrimSpace(line) != "" && !comment[i+1] {
			return true
		}
	}
	return false
}
