// Package scenario finds requirements of OpenSpec without a scenario.
package scenario

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "spec/requirement-without-scenario",
	Types:    []workflow.Type{workflow.Spec},
	Severity: workflow.Block,
	Category: workflow.Testing,
	Title:    "A requirement has no scenario",
	Why: "In the layout openspec every `### Requirement:` that a change adds or modifies has a " +
		"`#### Scenario:`, or `openspec validate` refuses it. Requirements that are removed or " +
		"renamed need none. Only lines of the change count.",
	Fix: "Add a `#### Scenario:` with what is given, done and observed.",
	Run: find,
}

const requirementLevel = 3

var (
	requirement = lazyregexp.New(`(?i)^requirement:`)
	withdrawn   = lazyregexp.New(`(?i)^(?:removed|renamed) requirements`)
	scenario    = lazyregexp.New(`(?im)^\W*scenario\b|\|\W*when\W*\|`)
)

func find(s *check.Subject) check.Result {
	if s.Artifact.Layout != "openspec" {
		return check.NotLooked("no document of OpenSpec")
	}
	return check.InDocuments(s, "requirement", bare)
}

func bare(d *check.Document) (issues []workflow.Finding, count int) {
	skip := false
	for i, sec := range d.Sections {
		if sec.Level > 0 && sec.Level < requirementLevel {
			skip = withdrawn.MatchString(sec.Raw)
		}
		if skip || sec.Level != requirementLevel || !requirement.MatchString(sec.Raw) {
			continue
		}
		if count++; d.Added(sec.Line) && !hasScenario(d.Sections[i:]) {
			issues = append(issues, workflow.Finding{
				File:  d.Path,
				Line:  sec.Line,
				Title: fmt.Sprintf("%q has no scenario", markdown.Line(sec.Raw, 70)),
			})
		}
	}
	return issues, count
}

// hasScenario looks below the first of the sections.
func hasScenario(sections []markdown.Section) bool {
	for i, sec := range sections {
		if i > 0 && sec.Level <= requirementLevel {
			return false
		}
		title := strings.ToLower(sec.Title)
		isOne := sec.Level == requirementLevel+1 || strings.HasPrefix(title, "scenario")
		says := func(b markdown.Part) bool { return scenario.MatchString(b.Text) }
		if i > 0 && isOne || slices.ContainsFunc(sec.Blocks, says) {
			return true
		}
	}
	return false
}
