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

// maxCheckQuestions is how many findings of checks one review is asked about.
const maxCheckQuestions = 20

// checkQuestions are the findings of built-in checks that do not decide by themselves, the High
// ones and those of checks that ask: a model says of each whether it is a problem of this change.
func checkQuestions(r workflow.Result) []workflow.Question {
	var out []workflow.Question
	idOf := checkIDs(r.Artifact)
	for _, c := range r.Checks {
		for _, i := range c.Issues {
			id := idOf(i)
			if c.Gate || !checks.Asks(c.ID, i.Severity) || len(out) == maxCheckQuestions {
				continue
			}
			out = append(out, workflow.Question{
				ID: id, Kind: answers.OfChecks, File: i.File, Line: i.Line,
				Question: fmt.Sprintf(
					"%s: %s. %s",
					c.ID,
					strings.TrimSuffix(markdown.Line(i.Title, answers.MaxTitle), "."),
					markdown.Line(i.Description, 400),
				),
			})
		}
	}
	return out
}

// checkIDs gives the ids of questions about checks' findings, in their order: of several on the
// same code each has its own.
func checkIDs(a workflow.Artifact) func(workflow.Issue) string {
	taken := map[string]bool{}
	return func(i workflow.Issue) string {
		for n := 0; ; n++ {
			id := workflow.Fingerprint(i.Rule, a.Lasting(i.File), i.Subject, fmt.Sprint(n))
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
	for _, q := range answers.QuestionsOf(of) {
		given = append(given, answers.Question{ID: q.ID, Answer: q.Answer, Reason: q.Reason})
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

// unsettled says what keeps a model's approval from counting because of questions, "" if nothing
// does.
func unsettled(r workflow.Result) string {
	if engine, _, _ := strings.Cut(r.Engine, " "); engine == EngineRules {
		return ""
	}
	questions := answers.QuestionsOf(r)
	var out []string
	for _, against := range []workflow.QuestionAnswer{workflow.Cheat, workflow.Confirmed} {
		if n := count(questions, func(q workflow.Question) bool { return q.Answer == against }); n > 0 {
			out = append(out, workflow.Count(n, "question")+" answered with "+string(against))
		}
	}
	if n := count(questions, func(q workflow.Question) bool { return q.Answer == "" }); n > 0 {
		out = append(out, workflow.Count(n, "unanswered question"))
	}
	return strings.Join(out, " and ")
}

// issuesOfAnswers are the issues that follow from questions answered with cheat, and
// the findings of checks that the reviewer confirmed.
func issuesOfAnswers(r workflow.Result) []workflow.Issue {
	var out []workflow.Issue
	confirmed := map[string]string{}
	for _, q := range r.Questions {
		if q.Answer == workflow.Confirmed {
			confirmed[q.ID] = q.Reason
		}
	}
	idOf := checkIDs(r.Artifact)
	for _, c := range r.Checks {
		for _, i := range c.Issues {
			if reason, ok := confirmed[idOf(i)]; ok && !c.Gate {
				i.Severity = workflow.High
				i.Description = foreign.Block(i.Description + "\n\nThe reviewer: " + reason)
				out = append(out, i)
			}
		}
	}
	title, remedy := "The implementation works around its tests", "Implement what the tests ask for."
	if r.Artifact.Type == workflow.Tests {
		title, remedy = "The tests demand less than before", "Put back what the tests asked for."
	}
	for _, q := range answers.QuestionsOf(r) {
		if q.Answer == workflow.Cheat {
			out = append(out, workflow.Issue{
				Severity: workflow.High, Category: workflow.Compliance, Title: title,
				File: q.File, Line: q.Line, Rule: "integrity/" + q.Kind,
				Description:    foreign.Block(q.Question + "\n\nThe reviewer: " + q.Reason),
				Recommendation: remedy, Subject: q.ID,
			})
		}
	}
	return out
}

// newQuestions are the questions of a job that no earlier one tells: reviews of one change share
// them.
func (r *runner) newQuestions(j Job) []workflow.Question {
	questions := slices.Clone(answers.QuestionsOf(j.result))
	for _, earlier := range r.jobs {
		if earlier.Artifact.Name() == j.Artifact.Name() {
			break
		}
		if earlier.Kind == Computes || earlier.Kind == Recorded || earlier.Kind == Carried {
			questions = slices.DeleteFunc(questions, func(q workflow.Question) bool {
				return slices.ContainsFunc(
					answers.QuestionsOf(earlier.result),
					func(o workflow.Question) bool { return o.ID == q.ID },
				)
			})
		}
	}
	return questions
}

// questionTitle is a question's kind in words.
func questionTitle(kind string) string {
	switch kind {
	case "unread":
		return "a changed file was not read"
	default:
		return strings.ReplaceAll(kind, "_", " ")
	}
}
