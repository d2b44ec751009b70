package rules_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// TestRulesByLayout: a document is not held to what its layout keeps elsewhere.
func TestRulesByLayout(t *testing.T) {
	spec := map[string]string{"a.md": "# Spec\n\nText.\n"}
	for layout, want := range map[string][]string{
		"":         {"spec/no-interface", "spec/not-in-roadmap"},
		"openspec": {"spec/requirement-without-scenario"},
		"spec-kit": {},
		"kiro":     {},
	} {
		in := input(workflow.Spec, nil, spec, "a.md")
		in.Artifact.Layout = layout
		var got []string
		for _, c := range rules.Check(t.Context(), in) {
			got = append(got, c.ID)
		}
		for _, id := range []string{"spec/no-interface", "spec/not-in-roadmap", "spec/requirement-without-scenario"} {
			if slices.Contains(got, id) != slices.Contains(want, id) {
				t.Errorf("layout %q: %s ran: %t", layout, id, slices.Contains(got, id))
			}
		}
	}
}

// TestTemplatesAreNoPlaceholders: what a template tells its users, and a ticked
// check list, say nothing of what is not written.
func TestTemplatesAreNoPlaceholders(t *testing.T) {
	for line, want := range map[string]bool{
		"- [x] No [NEEDS CLARIFICATION] markers remain":                          false,
		"- [x] No TODO is left":                                                  false,
		"Mark what is unclear with [NEEDS CLARIFICATION] and go on.":             false,
		"[Add more user stories as needed, each with an assigned priority]":      false,
		"- **FR-006**: System MUST sign users in by [NEEDS CLARIFICATION: SSO?]": true,
		"- [ ] TODO: decide":                     true,
		"Users of [describe the users] sign in.": true,
	} {
		in := input(workflow.Spec, nil, map[string]string{"a.md": "# Spec\n\n" + line + "\n"}, "a.md")
		c := find(t, rules.Check(t.Context(), in), "document/placeholder")
		if got := len(c.Issues) > 0; got != want {
			t.Errorf("%s: placeholder %t", line, got)
		}
	}
}

// TestCriterionIDs: a point with the number of a criterion is one.
func TestCriterionIDs(t *testing.T) {
	for point, want := range map[string]bool{
		"- **FR-003**: System MUST sign out after 30 minutes.": true,
		"- AC12: the answer is 401.":                           true,
		"- US1 A user signs in.":                               true,
		"- HTTP2 is used.":                                     false,
		"- UTF-8 is used.":                                     false,
	} {
		in := input(workflow.Spec, nil, map[string]string{"a.md": "# Spec\n\n## Points\n\n" + point + "\n"}, "a.md")
		c := find(t, rules.Check(t.Context(), in), "spec/no-acceptance-criteria")
		if got := len(c.Issues) == 0; got != want {
			t.Errorf("%s: criterion %t", strings.TrimSpace(point), got)
		}
	}
}

// TestSteeringIsNoVision: what Kiro tells its agent of the product argues for nothing.
func TestSteeringIsNoVision(t *testing.T) {
	for path, want := range map[string]bool{".kiro/steering/product.md": false, "VISION.md": true} {
		checks := rules.Check(t.Context(), input(workflow.Vision, nil, one(path, "# Product\n\nIt lists debts.\n"), path))
		if got := slices.ContainsFunc(checks, func(c workflow.Check) bool { return c.ID == "vision/no-problem" }); got != want {
			t.Errorf("%s: looked at %t", path, got)
		}
	}
}
