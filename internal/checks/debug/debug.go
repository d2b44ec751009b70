// Package debug finds code that was written to debug.
package debug

import (
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "code/debug-leftover",
	Types:    []workflow.Type{workflow.Implementation, workflow.BugFix},
	Severity: workflow.Note,
	Category: workflow.Maintainability, Advice: true,
	Title: "Debugging code is left",
	Why: "Breakpoints, and console.log of a bare value in code that is no script, are left from " +
		"debugging.",
	Fix: "Take it away, or use the project's logger.",
	Run: find,
}

// prints matches the paths of code whose business it is to print.
var prints = lazyregexp.New(
	`(?i)(?:^|/)(?:scripts?|tools?|bin|cmd|cli|commands?|examples?|samples?|demos?|bench\w*|e2e|\.\w+)/` +
		`|(?:cli|main|program|setup|seed)\.\w+$`,
)

func find(s *check.Subject) check.Result {
	files := check.ReadBy("debug", s.Code())
	var issues []workflow.Finding
	for _, f := range files {
		if prints.MatchString(f.Path) || strings.HasPrefix(f.Lines[0], "#!") {
			continue
		}
		for _, m := range f.Matches("debug") {
			if n := m.Node("debug"); f.Added(n.StartLine()) {
				title := markdown.Line(n.Text(), 60) + " is left"
				issues = append(issues,
					workflow.Finding{File: f.Path, Line: n.StartLine(), Title: title})
			}
		}
	}
	return check.Lines(issues, files)
}
