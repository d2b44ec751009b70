// Package answers says what an answer to a review must look like, reads it, and holds it to what
// was asked and to the head.
package answers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Asked is what an answer must speak of, entry by entry.
type Asked struct {
	Rubric       prompt.Rubric
	Requirements []workflow.Requirement
	Questions    []workflow.Question
}

func (a Asked) requirementIDs() []string {
	return idsOf(a.Requirements, func(r workflow.Requirement) string { return r.ID })
}

func (a Asked) questionIDs() []string {
	return idsOf(a.Questions, func(q workflow.Question) string { return q.ID })
}

// object is a JSON Schema of an object in the strict form of the Responses API: every property is
// required, none is additional. A model writes its answer in this order, so that the decision
// follows from what comes before it.
type object []property

// property is a member of an object of a schema. Objects keep their order, as a model answers in
// it.
type property struct {
	name   string
	schema any
}

// MarshalJSON implements json.Marshaler; the order of the properties stays.
func (o object) MarshalJSON() ([]byte, error) {
	var properties bytes.Buffer
	for i, p := range o {
		schema, err := json.Marshal(p.schema)
		if err != nil {
			return nil, fmt.Errorf("encode the schema of %s: %w", p.name, err)
		}
		if i > 0 {
			properties.WriteByte(',')
		}
		fmt.Fprintf(&properties, "%q:%s", p.name, schema)
	}
	required, err := json.Marshal(idsOf(o, func(p property) string { return p.name }))
	return fmt.Appendf(nil, `{"type":"object","additionalProperties":false,"required":%s,"properties":{%s}}`,
		required, properties.Bytes()), err
}

// typed is a JSON Schema of one or more types.
func typed(names ...string) map[string]any {
	if len(names) == 1 {
		return map[string]any{"type": names[0]}
	}
	return map[string]any{"type": names}
}

func oneOf[T ~string](values ...T) map[string]any {
	return map[string]any{"type": "string", "enum": values}
}

func listOf(entry object) map[string]any { return map[string]any{"type": "array", "items": entry} }

// Schema is the answer's schema for a model, which enumerates the ids of what was asked.
func (a Asked) Schema() json.RawMessage { return a.schemaBy(oneOf[string]) }

// openSchema is the same with any id: entries that were made up are told by their ids.
func (a Asked) openSchema() json.RawMessage {
	return a.schemaBy(func(...string) map[string]any { return typed("string") })
}

// schemaBy is the schema of an answer. Requirements, questions and criteria stand before the
// decision, since a model writes in that order.
func (a Asked) schemaBy(id func(...string) map[string]any) json.RawMessage {
	text, optional, number := typed("string"), typed("string", "null"), typed("integer", "null")
	var out object
	if len(a.Requirements) > 0 {
		out = append(out, property{"requirements", listOf(object{
			{"id", id(a.requirementIDs()...)},
			{"status", oneOf(workflow.Met, workflow.NotMet, workflow.CannotTell)},
			{"file", optional},
			{"line", number},
			{"reason", text},
		})})
	}
	if len(a.Questions) > 0 {
		out = append(out, property{"questions", listOf(object{
			{"id", id(a.questionIDs()...)}, {"answer", oneOf(a.answers()...)}, {"reason", text},
		})})
	}
	out = append(out, object{
		{"criteria", listOf(object{
			{"id", id(a.Rubric.IDs()...)},
			{"result", oneOf(workflow.Pass, workflow.Concern, workflow.Fail)},
			{"finding", text},
			{"evidence", text},
			{"impact", text},
		})},
		{"issues", listOf(object{
			{"severity", oneOf(workflow.High, workflow.Medium, workflow.Low)},
			{"category", oneOf(workflow.Categories()...)},
			{"title", text},
			{"file", optional},
			{"line", number},
			{"end_line", number},
			{"description", text},
			{"trigger", text},
			{"recommendation", text},
			{"suggestion", optional},
		})},
		{"previous_findings", listOf(object{{"title", text}, {"resolved", typed("boolean")}, {"note", text}})},
		{"decision", oneOf(workflow.Approved.String(), workflow.NeedsChanges.String())},
		{"summary", text},
	}...)
	schema, err := json.Marshal(out)
	if err != nil {
		panic(fmt.Sprintf("encode the answer's schema: %v", err)) // texts and maps of texts always encode
	}
	return schema
}

// answers are what the questions take, each once.
func (a Asked) answers() []workflow.QuestionAnswer {
	var out []workflow.QuestionAnswer
	seen := map[workflow.QuestionAnswer]bool{}
	for _, q := range a.Questions {
		for _, answer := range answersTo(q) {
			if !seen[answer] {
				seen[answer], out = true, append(out, answer)
			}
		}
	}
	return out
}

// Incomplete says which criteria, requirements and questions have no entry that counts, or more
// than one, and which entries were made up, in words that a model can act on; nil if each has one.
func (a Asked) Incomplete(given Assessment, at *Anchors) error {
	var open []string
	add := func(name string, problems []string, wants string) {
		if problems != nil {
			open = append(
				open,
				fmt.Sprintf("under %q: %s. Each id needs one entry %s", name, strings.Join(problems, "; "), wants),
			)
		}
	}
	_, requirements := JudgeRequirements(a.Requirements, given.Requirements, at)
	requirements = append(requirements, doubled(requirementIDs(given.Requirements), a.requirementIDs())...)
	add(
		"requirements",
		requirements,
		"with status, reason and, if it is met, the file and line of the head that show it",
	)

	var questions []string
	for _, q := range AnswerQuestions(a.Questions, given.Questions) {
		if q.Answer == "" {
			questions = append(questions, q.ID+" has no answer")
		}
	}
	ids := idsOf(given.Questions, func(q Question) string { return q.ID })
	questions = append(questions, madeUp(ids, a.questionIDs())...)
	questions = append(questions, doubled(ids, a.questionIDs())...)
	add("questions", questions, "with an answer that fits it and the reason in the code")

	_, criteria := Grade(a.Rubric, given.Criteria)
	add("criteria", criteria, "with a result, what you found and the evidence")
	if open == nil {
		return nil
	}
	return errors.New(strings.Join(open, ". "))
}
