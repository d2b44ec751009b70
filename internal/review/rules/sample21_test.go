package rules_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestCriteriaOfOthers: a document that only refers to others has nothing to accept, and
// a title speaks of the document.
func TestCriteriaOfOthers(t *testing.T) {
	const index = "# Specs\n\n## Index\n\n| Domain | Spec |\n|---|---|\n| Drafts | [drafts](drafts/spec.md) |\n"
	const listed = "\n\n**Acceptance Scenarios**:\n\n1. **Given** a draft, **When** it is saved, **Then** the list shows it\n"
	for name, c := range map[string]struct {
		file, text string
		want       int
	}{
		"superseded":                 {"s.md", "# Registry\n\n> **ARCHIVED** - superseded by `model/spec.md`. Do not use it.\n", 0},
		"not superseded":             {"s.md", "# Registry\n\n> The list of drafts is sorted by the title of the draft.\n", 1},
		"superseded in part":         {"s.md", "# Registry\n\nThis is superseded.\n\n## Purpose\n\nDrafts are sorted by title.\n", 1},
		"superseded, but demands":    {"s.md", "# Registry\n\nThe old list was deprecated: the list MUST be sorted.\n", 1},
		"an index":                   {"specs/index.md", index, 0},
		"the same, no index":         {"specs/all.md", index, 1},
		"core scenarios":             {"s.md", "# A\n\n## Core scenarios\n\n1. A member signs in and sees the loans.\n", 0},
		"evidence":                   {"s.md", "# A\n\n## Acceptance evidence\n\n- The demo shows a loan.\n", 0},
		"other scenes":               {"s.md", "# A\n\n## Core screens\n\n1. A member signs in and sees the loans.\n", 1},
		"a checklist is the feature": {"s.md", "# Feature Specification: Onboarding Checklist\n\n## Stories" + listed, 0},
		"a checklist is a section":   {"s.md", "# Feature Specification: Onboarding\n\n## Checklist" + listed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(t, input(workflow.Spec, nil, one(c.file, c.text), c.file), "spec/no-acceptance-criteria"); len(got) != c.want {
				t.Errorf("want %d: %+v", c.want, got)
			}
		})
	}
}
