package rules

import (
	"fmt"

	"workflow-reviewer/internal/workflow"
)

// Limits of the quality score's gates.
const (
	scorePass   = 80
	scoreReview = 50
)

// qualityScore sums the rules that ran before it up in one figure: it is the
// last of a spec.
func qualityScore(s *subject) workflow.Check {
	d := s.main()
	if d == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "no score: the spec cannot be read"}
	}
	found := s.found
	completeness := scored(found, map[string]int{
		"spec/no-acceptance-criteria": 40, "spec/no-interface": 15, "spec/no-edge-cases": 15, "spec/no-error-handling": 10,
		"spec/no-purpose": 10, "spec/out-of-scope-missing": 10, "document/empty-section": 5, "document/placeholder": 5,
		"document/too-short": 30,
	})
	clarity := scored(found, map[string]int{"spec/vague-term": 5, "spec/open-question": 5, "document/placeholder": 10})
	consistency := scored(found, map[string]int{
		"document/contradiction": 50, "document/duplicate-heading": 10, "document/broken-link": 10, "spec/not-in-roadmap": 20,
	})
	testability := testability(d, found["spec/criterion-not-testable"])
	score := (40*completeness + 30*testability + 20*clarity + 10*consistency + 50) / 100
	c := workflow.Check{Outcome: workflow.Passed}
	gate := "PASS"
	switch {
	case score < scoreReview:
		c.Outcome, gate = workflow.Failed, "FAIL"
	case score < scorePass:
		c.Outcome, gate = workflow.Noted, "REVIEW"
	}
	c.Summary = fmt.Sprintf("quality score %d of 100, %s (completeness %d, testability %d, clarity %d, consistency %d)",
		score, gate, completeness, testability, clarity, consistency)
	return c
}

// scored takes from 100 the weight of each finding, the fourth and later of
// one rule not counted.
func scored(found, weights map[string]int) int {
	score := 100
	for id, weight := range weights {
		score -= weight * min(found[id], 4)
	}
	return max(0, score)
}

// testability is the share of criteria that can be tested. A lone criterion,
// or demands without criteria, are half the way.
func testability(d *document, untestable int) int {
	n := len(d.criteriaOf())
	switch {
	case n == 0 && d.demands() >= 3:
		return 50
	case n == 0:
		return 0
	case n == 1:
		return 50 * (n - untestable)
	default:
		return 100 * (n - untestable) / n
	}
}
