package rules

import (
	"fmt"
	"maps"
	"regexp"

	"workflow-reviewer/internal/workflow"
)

// Limits of the quality score's gates.
const (
	scorePass   = 80
	scoreReview = 60
)

// edgeCase is how a spec speaks of limits.
var edgeCase = regexp.MustCompile(`(?i)\b(?:edge|corner|special|boundary) (?:cases?|conditions?|values?)\b|\bboundar(?:y|ies)\b|\blimits?\b|\bempty\b|\bmissing\b|\bduplicates?\b|\bmaximum\b|\bminimum\b|\bat most\b|\bat least\b|\bconcurren\w+|\binvalid\b|\balready\b|\bnull\b|\bzero\b|\bunknown\b|\bexpired?\b|\btime-?outs?\b|\btoo (?:long|large|many|short|few)\b|\botherwise\b|\bdo(?:es)? not exist`)

// unsaid is what a spec leaves out that only its score tells: in the layouts
// other documents say it.
func (d *document) unsaid(layout string) map[string]int {
	out := map[string]int{}
	for what, said := range map[string]bool{
		"edge cases": d.has(edgeCase), "purpose": layout != "" || d.saysPurpose(), "exclusions": layout != "" || d.has(excludes),
	} {
		if !said && d.english() {
			out[what] = 1
		}
	}
	return out
}

// qualityScore sums the rules that ran before it up in one figure: it is the
// last of a spec.
func qualityScore(s *subject) workflow.Check {
	d := s.main()
	if d == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "no score: the spec cannot be read"}
	}
	found := s.found
	maps.Copy(found, d.unsaid(s.Artifact.Layout))
	completeness := scored(found, map[string]int{
		"spec/no-acceptance-criteria": 40, "spec/no-interface": 15, "spec/no-error-handling": 10, "edge cases": 15, "purpose": 10, "exclusions": 10,
		"document/empty-section": 5, "document/placeholder": 5, "document/too-short": 30,
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
