package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// maxPlaces is how many questions the finding of a review that asks no model names.
const maxPlaces = 10

// questionIssues are the questions as one issue, for a review that asks no model;
// the review lists each.
func questionIssues(questions []workflow.Question) []workflow.Issue {
	if len(questions) == 0 {
		return nil
	}
	first, others := questions[0], questions[1:]
	issue := workflow.Issue{
		Severity: workflow.Medium, Category: workflow.Compliance, Title: "Not decided: " + questionTitle(first.Kind),
		File: first.File, Line: first.Line, Description: block(first.Question + places(others)), Rule: "integrity/" + first.Kind,
		Recommendation: "Have a person or a model look at it; it does not block.",
	}
	if len(others) > 0 {
		issue.Title += ", and " + workflow.Count(len(others), "other question")
	}
	return []workflow.Issue{issue}
}

// lossIssues are, as one issue, what tests that nobody approved lost by what the change
// itself shows, for a review that asks no model. What else is asked of such tests, and
// of the code beside them, was next to never of use to who reviewed a change
// (docs/review-types.md): the review lists it, and no finding repeats it.
func lossIssues(questions []workflow.Question) []workflow.Issue {
	losses := slices.DeleteFunc(questions, func(q workflow.Question) bool { return !q.Shown })
	if len(losses) == 0 {
		return nil
	}
	files := slices.DeleteFunc(slices.Clone(losses), func(q workflow.Question) bool { return q.Line != 1 || q.Kind != "test_deleted" })
	for _, f := range files { // that are gone with the tests in them, which are told as well
		if count(losses, func(q workflow.Question) bool { return q.File == f.File && q.Kind == f.Kind }) > 1 {
			losses = slices.DeleteFunc(losses, func(q workflow.Question) bool { return q.ID == f.ID })
		}
	}
	var kinds, parts []string
	for _, q := range losses {
		if !slices.Contains(kinds, q.Kind) {
			kinds = append(kinds, q.Kind)
			parts = append(parts, lost(q.Kind, count(losses, func(o workflow.Question) bool { return o.Kind == q.Kind })))
		}
	}
	first := losses[0]
	return []workflow.Issue{{
		Severity: workflow.Medium, Category: workflow.Compliance, Title: "Tests demand less than before: " + strings.Join(parts, ", "),
		File: first.File, Line: first.Line, Rule: "integrity/" + first.Kind,
		Description:    block("Nobody is known to have approved these tests, so that this does not block." + places(losses)),
		Recommendation: "Look whether it is meant; else put back what the tests asked for.",
	}}
}

// lost says how often something was done to tests.
func lost(kind string, n int) string {
	words := cmp.Or(map[string]string{
		"params_dropped": "case dropped", "early_return": "early return added", "tautology": "tautology added",
		"retries_added": "retry added",
	}[kind], questionTitle(kind))
	noun, done, _ := strings.Cut(words, " ")
	if before, last, ok := strings.Cut(done, " "); ok { // "early return added", "test script neutered"
		noun, done = noun+" "+before, last
	}
	return workflow.Count(n, noun) + " " + done
}

// places are where questions are about, a line each.
func places(questions []workflow.Question) string {
	var b strings.Builder
	for _, q := range questions[:min(len(questions), maxPlaces)] {
		fmt.Fprintf(&b, "\n- %s: %s:%d", questionTitle(q.Kind), label(q.File), q.Line)
	}
	if n := len(questions) - maxPlaces; n > 0 {
		fmt.Fprintf(&b, "\n- and %d more", n)
	}
	return b.String()
}
