package answers

import (
	"slices"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// Caps on what is taken over from a model, in characters.
const (
	MaxTitle      = 200
	MaxSuggestion = 8_000
	ShortestCut   = 80 // what is shorter stays whole until it is searched for secrets
)

// Question is what a model says of one question.
type Question struct {
	ID     string                  `json:"id"`
	Answer workflow.QuestionAnswer `json:"answer"`
	Reason string                  `json:"reason"`
}

// MaxReason is the longest reason that is taken over, in characters.
const MaxReason = 1_000

// OfChecks is the kind of a question about the finding of a built-in check.
const OfChecks = "check"

// QuestionsOf are the questions that a review must answer.
func QuestionsOf(r workflow.Result) []workflow.Question {
	if r.Integrity == nil {
		return r.Questions
	}
	return slices.Concat(r.Integrity.Questions, r.Questions)
}

// answersTo are the answers that a question takes.
func answersTo(q workflow.Question) []workflow.QuestionAnswer {
	if q.Kind == OfChecks {
		return []workflow.QuestionAnswer{workflow.Confirmed, workflow.Refuted}
	}
	return []workflow.QuestionAnswer{workflow.Honest, workflow.Cheat}
}

// AnswerQuestions takes an assessment's answers over into a copy of the questions. One that is
// given twice counts as the worse; one that settles a question without a reason is none.
func AnswerQuestions(questions []workflow.Question, answers []Question) []workflow.Question {
	out := slices.Clone(questions)
	for i := range out {
		q := &out[i]
		q.Answer, q.Reason = "", ""
		for _, a := range answers {
			reason := markdown.Line(a.Reason, MaxReason)
			if a.ID != q.ID || q.Answer.Against() || !slices.Contains(answersTo(*q), a.Answer) ||
				a.Answer.Settles() && !foreign.HasWords(a.Reason) {
				continue
			}
			q.Answer, q.Reason = a.Answer, reason
		}
	}
	return out
}
