package review

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// maxPlaces is how many questions the finding of a review that asks no model names.
const maxPlaces = 10

// questionIssues are the questions as one issue, for a review that asks no model; the review lists
// each.
func questionIssues(questions []workflow.Question) []workflow.Issue {
	if len(questions) == 0 {
		return nil
	}
	first, others := questions[0], questions[1:]
	issue := workflow.Issue{
		Severity: workflow.Medium, Category: workflow.Compliance, Title: "Not decided: " + questionTitle(first.Kind),
		File: first.File, Line: first.Line, Description: foreign.Block(first.Question + places(others)), Rule: "integrity/" + first.Kind,
		Recommendation: "Have a person or a model look at it; it does not block.", Subject: first.ID,
	}
	if len(others) > 0 {
		issue.Title += ", and " + workflow.Count(len(others), "other question")
	}
	return []workflow.Issue{issue}
}

// telling are the kinds of losses that were of use to who reviewed a change in two of
// three judged findings, or are too rare to say (docs/review-types.md).
var telling = map[string]string{
	"test_skipped": "test skipped", "test_focused": "test focused", "retries_added": "retry added",
	"threshold_lowered": "threshold lowered",
}

// lossIssues are, as one issue, what tests that nobody approved lost by what the change
// itself shows, for a review that asks no model, of the kinds that are telling. All that
// they lost is a warning of the run; no finding repeats the rest.
func lossIssues(questions []workflow.Question) []workflow.Issue {
	losses := slices.DeleteFunc(questions, func(q workflow.Question) bool { return !q.Shown || telling[q.Kind] == "" })
	if len(losses) == 0 {
		return nil
	}
	var kinds, parts []string
	for _, q := range losses {
		if !slices.Contains(kinds, q.Kind) {
			kinds = append(kinds, q.Kind)
			last := strings.LastIndexByte(telling[q.Kind], ' ') // "test skipped"
			noun, done := telling[q.Kind][:last], telling[q.Kind][last:]
			parts = append(
				parts,
				workflow.Count(count(losses, func(o workflow.Question) bool { return o.Kind == q.Kind }), noun)+done,
			)
		}
	}
	first := losses[0]
	return []workflow.Issue{{
		Severity: workflow.Medium, Category: workflow.Compliance, Title: "Tests demand less than before: " + strings.Join(parts, ", "),
		File: first.File, Line: first.Line, Rule: "integrity/" + first.Kind,
		Description: foreign.Block(
			"Nobody is known to have approved these tests, so that this does not block." + places(losses),
		),
		Recommendation: "Look whether it is meant; else put back what the tests asked for.", Subject: first.ID,
	}}
}

// places are where questions are about, a line each.
func places(questions []workflow.Question) string {
	var b strings.Builder
	for _, q := range questions[:min(len(questions), maxPlaces)] {
		fmt.Fprintf(&b, "\n- %s: %s:%d", questionTitle(q.Kind), foreign.Label(q.File), q.Line)
	}
	if n := len(questions) - maxPlaces; n > 0 {
		fmt.Fprintf(&b, "\n- and %d more", n)
	}
	return b.String()
}
