// Package planning finds headings of planning documents that nothing stands below.
package planning

import (
	"fmt"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "planning/empty-section",
	Types:    []workflow.Type{workflow.Vision, workflow.Scope, workflow.Roadmap},
	Severity: workflow.Note,
	Category: workflow.Clarity,
	Advice:   true,
	Title:    "A heading has no text below it",
	Why: "A heading without text is a promise that nobody can hold the project to. Told where " +
		"the change adds one that has nothing below it.",
	Fix: "Write the section, or take its heading away.",
	Run: find,
}

func find(s *check.Subject) check.Result {
	return check.InDocuments(s, "section", func(d *check.Document) ([]workflow.Finding, int) {
		var issues []workflow.Finding
		for i, sec := range d.Sections {
			last := i+1 == len(d.Sections) || d.Sections[i+1].Level <= sec.Level
			if sec.Level > 0 && len(sec.Blocks) == 0 && last && d.Added(sec.Line) {
				title := fmt.Sprintf("%q has no text", markdown.Line(sec.Title, 60))
				found := workflow.Finding{File: d.Path, Line: sec.Line, Title: title}
				issues = append(issues, found)
			}
		}
		return issues, len(d.Sections) - 1
	})
}
