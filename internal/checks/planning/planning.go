// Package planning holds one check for each planning document. Each only says what the document's
// form lacks.
package planning

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entries are the checks.
var Entries = []check.Entry{
	{
		ID:       "vision/form",
		Types:    []workflow.Type{workflow.Vision},
		Severity: workflow.Note,
		Category: workflow.Clarity,
		Advice:   true,
		Title:    "The vision has no text below its headings",
		Why: "A vision says what is wrong today, for whom, and what success looks like. Told " +
			"where a heading has nothing below it.",
		Fix: "Write the section, or take its heading away.",
		Run: emptySections,
	},
	{
		ID:       "scope/form",
		Types:    []workflow.Type{workflow.Scope},
		Severity: workflow.Note,
		Category: workflow.ScopeCategory,
		Advice:   true,
		Title:    "The scope does not say what is left out",
		Why: "What is left out is half of a scope. Told where no heading and no sentence says " +
			"that something is out of scope.",
		Fix: "Add a section \"Out of scope\" with what a reader might expect but will not get.",
		Run: exclusions,
	},
	{
		ID: "roadmap/form", Types: []workflow.Type{workflow.Roadmap},
		Severity: workflow.Note, Category: workflow.ScopeCategory, Advice: true,
		Title: "The roadmap lists nothing",
		Why: "Specs refer to features by name. Told where a roadmap has no list, no table and " +
			"fewer than three headings.",
		Fix: "List the features, each under a heading or as an item of its own.",
		Run: features,
	},
}

func emptySections(s *check.Subject) check.Result {
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

var excludes = lazyregexp.New(
	`(?i)\bout[ -]of[ -]scope\b|\bnot in scope\b|\bnon-?goals?\b|\bexclu(?:d|s)|\bwill not\b|\bwon't\b` +
		`|\bdoes not\b|\bno plans?\b`,
)

func exclusions(s *check.Subject) check.Result {
	return check.InDocuments(s, "section", func(d *check.Document) ([]workflow.Finding, int) {
		inTitle := func(sec markdown.Section) bool { return excludes.MatchString(sec.Raw) }
		inText := func(part markdown.Part) bool { return excludes.MatchString(part.Plain) }
		if slices.ContainsFunc(d.Sections, inTitle) || slices.ContainsFunc(d.Prose(), inText) {
			return nil, len(d.Sections) - 1
		}
		return []workflow.Finding{{File: d.Path, Line: 1}}, len(d.Sections) - 1
	})
}

// minHeadings is the number of headings from which on they may be a roadmap's features.
const minHeadings = 3

func features(s *check.Subject) check.Result {
	return check.InDocuments(s, "section", func(d *check.Document) ([]workflow.Finding, int) {
		headings := 0
		for _, sec := range d.Sections {
			if sec.Level > 1 {
				headings++
			}
		}
		lists := slices.ContainsFunc(d.Prose(), func(part markdown.Part) bool {
			return part.Kind == markdown.Item || part.Kind == markdown.Row
		})
		if lists || headings >= minHeadings {
			return nil, len(d.Sections) - 1
		}
		return []workflow.Finding{{File: d.Path, Line: 1}}, len(d.Sections) - 1
	})
}
