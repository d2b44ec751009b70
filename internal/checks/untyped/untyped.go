// Package untyped finds values of which TypeScript checks nothing.
package untyped

import (
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "code/untyped",
	Types:    []workflow.Type{workflow.Implementation, workflow.BugFix},
	Severity: workflow.Note,
	Category: workflow.Maintainability, Advice: true,
	Title: "Values have the type any",
	Why: "TypeScript checks nothing of a value of the type `any`. Told of files to which the " +
		"change adds four lines with one at least.",
	Fix: "Name the type, or use `unknown` and narrow it.",
	Run: find,
}

// fewLines is the number of added lines with the type from which on a file is told of.
const fewLines = 4

func find(s *check.Subject) check.Result {
	files := check.ReadBy("any", s.Code())
	var issues []workflow.Finding
	for _, f := range files {
		lines := map[int]bool{}
		first := 0
		for _, m := range f.Matches("any") {
			line := m.Node("any").StartLine()
			if f.Added(line) && !strings.HasSuffix(f.Path, ".d.ts") {
				lines[line] = true
				if first == 0 {
					first = line
				}
			}
		}
		if len(lines) >= fewLines {
			title := workflow.Count(len(lines), "added line") + " have the type any"
			issues = append(issues, workflow.Finding{File: f.Path, Line: first, Title: title})
		}
	}
	return check.Lines(issues, files)
}
