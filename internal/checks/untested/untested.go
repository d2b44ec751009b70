// Package untested says whether tests come with the code.
package untested

import (
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/functions"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "implementation/no-tests",
	Types:    []workflow.Type{workflow.Implementation},
	Severity: workflow.Note,
	Category: workflow.Testing, Advice: true,
	Title: "No test was changed, and none was found",
	Why: "The change adds functions, and neither it nor the feature has a test file. Rust's " +
		"tests within the sources count.",
	Fix: "Write the tests first and have them approved.",
	Run: find,
}

func find(s *check.Subject) check.Result {
	files := check.ReadBy("tests", s.Code())
	var first *check.Source
	added := 0
	for _, f := range files {
		if len(f.Matches("tests")) > 0 {
			return check.Result{Summary: "tests stand within " + f.Path}
		}
		for _, fn := range functions.Of(f.Tree) {
			if fn.Kind == functions.Defined && !fn.Stub && f.Added(fn.StartLine) {
				if added++; first == nil {
					first = f
				}
			}
		}
	}
	switch {
	case added == 0:
		return check.NotLooked("the change adds no function in a language that it reads")
	case len(s.Artifact.Tests) > 0:
		return check.Result{
			Summary: workflow.Count(len(s.Artifact.Tests), "test file") + " of the feature",
		}
	case slices.ContainsFunc(s.Set.Files, func(f change.File) bool {
		_, isCode := syntax.LanguageOf(f.Path)
		return isCode && s.IsTest(f.Path)
	}):
		return check.Result{Summary: "the change touches tests"}
	default:
		return check.Result{Issues: []workflow.Finding{{
			File: first.Path,
			Title: workflow.Count(added, "added function") +
				" without a test: the change has none, and none was found",
		}}}
	}
}
