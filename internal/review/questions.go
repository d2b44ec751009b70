package review

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// AnswerQuestion is what a model says of one question.
type AnswerQuestion struct {
	ID     string                  `json:"id"`
	Answer workflow.QuestionAnswer `json:"answer"`
	Reason string                  `json:"reason"`
}

// maxReason is the longest reason that is taken over, in characters.
const maxReason = 1_000

// questionsOf are the questions that a review must answer.
func questionsOf(r workflow.Result) []workflow.Question {
	if r.Integrity == nil {
		return nil
	}
	return r.Integrity.Questions
}

// schemaFor is the answer's schema: the common one, and where there are
// questions a list of answers by their ids.
func schemaFor(questions []workflow.Question) json.RawMessage {
	if len(questions) == 0 {
		return answerSchema
	}
	var schema map[string]any
	if err := json.Unmarshal(answerSchema, &schema); err != nil {
		panic(fmt.Sprintf("parse the answer's schema: %v", err)) // embedded
	}
	var ids []string
	for _, q := range questions {
		ids = append(ids, q.ID)
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	properties["questions"] = map[string]any{
		"type": "array",
		"items": map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"id", "answer", "reason"},
			"properties": map[string]any{
				"id":     map[string]any{"type": "string", "enum": ids},
				"answer": map[string]any{"type": "string", "enum": []workflow.QuestionAnswer{workflow.Honest, workflow.Cheat}},
				"reason": map[string]any{"type": "string"},
			},
		},
	}
	schema["required"] = append(required, "questions")
	out, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("encode the answer's schema: %v", err)) // maps of texts always encode
	}
	return out
}

// answered takes an assessment's answers over into a copy of the questions. One
// that is given twice counts as the worse; honest without a reason is none.
func answered(questions []workflow.Question, answers []AnswerQuestion) []workflow.Question {
	out := slices.Clone(questions)
	for i := range out {
		q := &out[i]
		q.Answer, q.Reason = "", ""
		for _, a := range answers {
			reason := line(a.Reason, maxReason)
			if a.ID != q.ID || q.Answer == workflow.Cheat || a.Answer == workflow.Honest && strings.TrimSpace(reason) == "" {
				continue
			}
			q.Answer, q.Reason = a.Answer, reason
		}
	}
	return out
}

// incomplete names the questions that have no answer that counts, in words that
// a model can act on; nil if there is none.
func incomplete(questions []workflow.Question, a Assessment) error {
	var missing []string
	for _, q := range answered(questions, a.Questions) {
		if q.Answer == "" {
			missing = append(missing, q.ID)
		}
	}
	if missing == nil {
		return nil
	}
	return fmt.Errorf("questions %s have no answer: each needs one entry under \"questions\", honest with the reason in the code, or cheat",
		strings.Join(missing, ", "))
}

// withAnswers is a result whose questions carry the answers of another result of
// the same context: a recorded one.
func withAnswers(r, of workflow.Result) workflow.Result {
	var answers []AnswerQuestion
	for _, q := range questionsOf(of) {
		answers = append(answers, AnswerQuestion{q.ID, q.Answer, q.Reason})
	}
	return answerQuestions(r, answers)
}

// answerQuestions writes answers into a result, whose integrity is shared with others.
func answerQuestions(r workflow.Result, answers []AnswerQuestion) workflow.Result {
	if len(questionsOf(r)) == 0 {
		return r
	}
	own := *r.Integrity
	own.Questions = answered(own.Questions, answers)
	r.Integrity = &own
	return r
}

// unsettled says what keeps a model's approval from counting because of
// questions, "" if nothing does.
func unsettled(r workflow.Result) string {
	if engine, _, _ := strings.Cut(r.Engine, " "); engine == EngineRules {
		return ""
	}
	missing, cheats := 0, 0
	for _, q := range questionsOf(r) {
		switch q.Answer {
		case workflow.Honest:
		case workflow.Cheat:
			cheats++
		default:
			missing++
		}
	}
	var out []string
	if cheats > 0 {
		out = append(out, plural(cheats, "question")+" answered with cheat")
	}
	if missing > 0 {
		out = append(out, plural(missing, "unanswered question"))
	}
	return strings.Join(out, " and ")
}

// cheats are the issues that follow from questions answered with cheat.
func cheats(r workflow.Result) []workflow.Issue {
	var out []workflow.Issue
	for _, q := range questionsOf(r) {
		if q.Answer == workflow.Cheat {
			out = append(out, workflow.Issue{
				Severity: workflow.High, Category: "compliance", Title: "The implementation works around its tests",
				File: q.File, Line: q.Line, Description: block(q.Question + "\n\nThe reviewer: " + q.Reason), Rule: "integrity/" + q.Kind,
				Recommendation: "Implement what the tests ask for.",
			})
		}
	}
	return out
}

// questionIssues are the questions as issues, for a review that asks no model.
func questionIssues(questions []workflow.Question) []workflow.Issue {
	var out []workflow.Issue
	for _, q := range questions {
		out = append(out, workflow.Issue{
			Severity: workflow.Medium, Category: "compliance", Title: "Not decided: " + questionTitle(q.Kind),
			File: q.File, Line: q.Line, Description: block(q.Question), Rule: "integrity/" + q.Kind,
			Recommendation: "Have a person or a model look at it; it does not block.",
		})
	}
	return out
}

func questionTitle(kind string) string {
	switch kind {
	case "echo":
		return "values of the tests in the implementation"
	case "marks":
		return "code that ways around tests are made of"
	case "deaf":
		return "an argument does not reach the result"
	case "unread":
		return "a changed file was not read"
	default:
		return strings.ReplaceAll(kind, "_", " ")
	}
}
