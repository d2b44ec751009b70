package review

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// maxPlaces is how many questions the finding of a review without a model names.
const maxPlaces = 10

// checkQuestions are the findings of built-in checks that do not decide by themselves, the High
// ones and those of checks that ask: a model says of each whether it is a problem of this change.
// However many there are, an approval needs an answer to each.
func checkQuestions(r workflow.Result) []workflow.Finding {
	var out []workflow.Finding
	idOf := checkIDs(r.Artifact)
	for _, c := range r.Checks {
		for _, i := range c.Issues {
			id := idOf(i)
			if c.Gate || !checks.Asks(c.ID, i.Level) {
				continue
			}
			out = append(out, workflow.Finding{
				Key: id, Kind: answers.OfChecks, File: i.File, Line: i.Line,
				Text: questionLead(i) + markdown.Line(i.Text, 400),
			})
		}
	}
	return out
}

// questionLead begins the question about a finding of a check.
func questionLead(i workflow.Finding) string {
	title := strings.TrimSuffix(markdown.Line(i.Title, answers.MaxTitle), ".")
	return fmt.Sprintf("%s: %s. ", i.Kind, title)
}

// checkIDs gives the ids of questions about checks' findings, in their order: of several on the
// same code each has its own.
func checkIDs(a workflow.Artifact) func(workflow.Finding) string {
	taken := map[string]bool{}
	return func(i workflow.Finding) string {
		for n := 0; ; n++ {
			id := workflow.Fingerprint(i.Kind, a.Lasting(i.File), i.Subject, fmt.Sprint(n))
			if !taken[id] {
				taken[id] = true
				return id
			}
		}
	}
}

// withAnswers is a result whose questions carry the answers of another result of the same context:
// a recorded one.
func withAnswers(r, of workflow.Result) workflow.Result {
	var given []answers.Question
	for _, q := range of.AllQuestions() {
		given = append(given, answers.Question{ID: q.Key, Answer: q.Answer, Reason: q.Reason})
	}
	return answerQuestions(r, given)
}

// answerQuestions writes answers into a result, whose integrity is shared with others.
func answerQuestions(r workflow.Result, given []answers.Question) workflow.Result {
	r.Questions = answers.AnswerQuestions(r.Questions, given)
	if r.Integrity == nil {
		return r
	}
	own := *r.Integrity
	own.Questions = answers.AnswerQuestions(own.Questions, given)
	r.Integrity = &own
	return r
}

// unsettled says what keeps a model's approval from counting because of questions, nil if nothing
// does.
func unsettled(r workflow.Result) (out []string) {
	if byRules(r.Engine) {
		return nil
	}
	tally := map[workflow.QuestionAnswer]int{}
	for _, q := range r.AllQuestions() {
		if !isDismissed(r, q) {
			tally[q.Answer]++
		}
	}
	for _, against := range []workflow.QuestionAnswer{workflow.Cheat, workflow.Confirmed} {
		if n := tally[against]; n > 0 {
			out = append(out, workflow.Count(n, "question")+" answered with "+string(against))
		}
	}
	if n := tally[""]; n > 0 {
		out = append(out, workflow.Count(n, "unanswered question"))
	}
	return out
}

// isDismissed reports whether a person set aside the finding of a check that a question is about.
func isDismissed(r workflow.Result, q workflow.Finding) bool {
	return q.Kind == answers.OfChecks && slices.ContainsFunc(r.Dismissed,
		func(d workflow.Dismissal) bool {
			isThere := d.Issue.File == q.File && d.Covers(q.Line)
			return isThere && strings.HasPrefix(q.Text, questionLead(d.Issue))
		})
}

// confirmsDismissed reports whether an answer confirms what a person set aside.
func confirmsDismissed(r workflow.Result) bool {
	return slices.ContainsFunc(r.Questions, func(q workflow.Finding) bool {
		return q.Answer == workflow.Confirmed && isDismissed(r, q)
	})
}

// issuesOfAnswers are the issues that follow from questions answered with cheat, and the findings
// of checks that the reviewer confirmed.
func issuesOfAnswers(r workflow.Result) []workflow.Finding {
	var out []workflow.Finding
	confirmed := map[string]string{}
	for _, q := range r.Questions {
		if q.Answer == workflow.Confirmed && !isDismissed(r, q) {
			confirmed[q.Key] = q.Reason
		}
	}
	idOf := checkIDs(r.Artifact)
	for _, c := range r.Checks {
		for _, i := range c.Issues {
			if reason, ok := confirmed[idOf(i)]; ok && !c.Gate {
				i.Level = workflow.Block
				i.Text = foreign.Block(i.Text + "\n\nThe reviewer: " + reason)
				out = append(out, i)
			}
		}
	}
	title := "The implementation works around its tests"
	remedy := "Implement what the tests ask for."
	if r.Artifact.Type == workflow.Tests {
		title, remedy = "The tests demand less than before", "Put back what the tests asked for."
	}
	for _, q := range r.AllQuestions() {
		if q.Answer == workflow.Cheat {
			i := issueOf(q, workflow.Block, title, remedy)
			i.Text = foreign.Block(q.Text + "\n\nThe reviewer: " + q.Reason)
			out = append(out, i)
		}
	}
	return out
}

// issueOf is the issue that a question of test integrity becomes.
func issueOf(q workflow.Finding, s workflow.Level, title, remedy string) workflow.Finding {
	return workflow.Finding{
		Level: s, Category: workflow.Compliance, Title: title, File: q.File, Line: q.Line,
		Kind: "integrity/" + q.Kind, Subject: q.Key, Fix: remedy,
	}
}

// openQuestions are questions as one issue, for a review that asks no model; the review lists each.
func openQuestions(questions []workflow.Finding) []workflow.Finding {
	if len(questions) == 0 {
		return nil
	}
	first, others := questions[0], questions[1:]
	title := "Not decided: " + kindInWords(first)
	if len(others) > 0 {
		title += ", and " + workflow.Count(len(others), "other question")
	}
	i := issueOf(
		first,
		workflow.Warn,
		title,
		"Have a person or a model look at it; it does not block.",
	)
	i.Text = foreign.Block(first.Text + places(others))
	return []workflow.Finding{i}
}

// telling are the kinds of losses that were of use to who reviewed a change in two of three judged
// findings, or are too rare to say (docs/review-types.md).
var telling = []string{"test_skipped", "test_focused", "retries_added", "threshold_lowered"}

// losses are, as one issue, what tests that nobody approved lost by what the change itself shows,
// for a review that asks no model, of the kinds that are telling. All that they lost is a warning
// of the run.
func losses(questions []workflow.Finding) []workflow.Finding {
	var lost []workflow.Finding
	var kinds []string
	for _, q := range questions {
		if q.Shown && slices.Contains(telling, q.Kind) {
			lost = append(lost, q)
			kinds = append(kinds, kindInWords(q))
		}
	}
	if lost == nil {
		return nil
	}
	slices.Sort(kinds)
	i := issueOf(lost[0], workflow.Warn,
		"Tests demand less than before: "+strings.Join(slices.Compact(kinds), ", "),
		"Look whether it is meant; else put back what the tests asked for.")
	i.Text = foreign.Block("Nobody is known to have approved these tests, so that this does " +
		"not block." + places(lost))
	return []workflow.Finding{i}
}

// places are where questions are about, a line each.
func places(questions []workflow.Finding) string {
	var b strings.Builder
	for _, q := range questions[:min(len(questions), maxPlaces)] {
		fmt.Fprintf(&b, "\n- %s: %s:%d", kindInWords(q), foreign.Label(q.File), q.Line)
	}
	if n := len(questions) - maxPlaces; n > 0 {
		fmt.Fprintf(&b, "\n- and %d more", n)
	}
	return b.String()
}

// kindInWords is a question's kind for people.
func kindInWords(q workflow.Finding) string {
	if q.Kind == "unread" {
		return "a changed file was not read"
	}
	return strings.ReplaceAll(q.Kind, "_", " ")
}
