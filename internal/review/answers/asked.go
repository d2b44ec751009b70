// Package answers says what an answer to a review must look like, reads it, and holds it to what
// was asked and to the head.
package answers

import (
	"bytes"
	_ "embed" // the schema
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Asked is what an answer must speak of, entry by entry.
type Asked struct {
	Rubric       prompt.Rubric
	Requirements []workflow.Requirement
	Questions    []workflow.Finding
	Open         []string // titles of earlier findings of which an approval must speak
}

//go:embed answer.schema.tmpl
var schemaText string

// Schema is the answer's schema for a model, which enumerates the ids of what was asked.
func (a Asked) Schema() json.RawMessage {
	return a.schema(func(ids []string) map[string]any {
		return map[string]any{"type": "string", "enum": ids}
	})
}

// openSchema is the same with any id: entries that were made up are told by their ids.
func (a Asked) openSchema() json.RawMessage {
	return a.schema(func([]string) map[string]any { return map[string]any{"type": "string"} })
}

// schema fills the schema in, which is part of the program: one that is no JSON is a defect.
func (a Asked) schema(id func(ids []string) map[string]any) json.RawMessage {
	encode := func(v any) (string, error) {
		text, err := json.Marshal(v)
		return string(text), err
	}
	form := template.Must(template.New("answer.schema.tmpl").Funcs(template.FuncMap{
		"json": encode,
		"id":   func(ids []string) (string, error) { return encode(id(ids)) },
	}).Parse(schemaText))
	var filled, schema bytes.Buffer
	err := form.Execute(&filled, map[string]any{
		"Requirements": requirementIDs(a.Requirements), "Questions": questionIDs(a.Questions),
		"Criteria": a.Rubric.IDs(), "Answers": a.answers(), "Categories": workflow.Categories(),
	})
	if err = errors.Join(err, json.Compact(&schema, filled.Bytes())); err != nil {
		panic(fmt.Sprintf("write the answer's schema: %v", err))
	}
	return schema.Bytes()
}

// answers are what the questions take, each once.
func (a Asked) answers() []workflow.QuestionAnswer {
	var out []workflow.QuestionAnswer
	for _, q := range a.Questions {
		for _, answer := range answersTo(q) {
			if !slices.Contains(out, answer) {
				out = append(out, answer)
			}
		}
	}
	return out
}

// Incomplete says which criteria, requirements and questions have no entry that counts, or more
// than one, and which entries were made up, in words that a model can act on; nil if each has one.
func (a Asked) Incomplete(given Assessment, at *Anchors) error {
	var open []string
	add := func(name string, problems, given, wanted []string, wants string) {
		if problems = append(problems, irregular(given, wanted)...); problems != nil {
			open = append(open, fmt.Sprintf("under %q: %s. Each needs one entry %s", name,
				strings.Join(problems, "; "), wants))
		}
	}
	_, missing := JudgeRequirements(a.Requirements, given.Requirements, at)
	add("requirements", missing, idsOf(given.Requirements, Requirement.id),
		requirementIDs(a.Requirements),
		"with status, reason and, if it is met, the file and line of the head that show it")
	missing = nil
	for _, q := range AnswerQuestions(a.Questions, given.Questions) {
		if q.Answer == "" {
			missing = append(missing, q.Key+" has no answer")
		}
	}
	add("questions", missing, idsOf(given.Questions, Question.id), questionIDs(a.Questions),
		"with an answer that fits it and the reason in the code")
	_, missing = Grade(a.Rubric, given.Criteria)
	add("criteria", missing, idsOf(given.Criteria, Criterion.id), a.Rubric.IDs(),
		"with a result, what you found and the evidence")
	add("previous_findings", a.unanswered(given), nil, nil,
		"of its title, word for word, that says whether it is resolved")
	if open == nil {
		return nil
	}
	return errors.New(strings.Join(open, ". "))
}

// unanswered says which earlier findings an approval does not speak of; of several of one title
// each needs an entry.
func (a Asked) unanswered(given Assessment) (problems []string) {
	told := slices.Clone(given.Previous)
	for _, title := range a.Open {
		k := slices.IndexFunc(told, func(p Previous) bool {
			return workflow.PlainWords(p.Title) == workflow.PlainWords(title)
		})
		switch {
		case k >= 0:
			told = slices.Delete(told, k, k+1)
		case given.Decision == workflow.Approved.String():
			problems = append(problems, fmt.Sprintf("%q needs an entry of its own", title))
		}
	}
	return problems
}
