package review

import (
	"encoding/json"
	"fmt"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// asked is what an answer must speak of, entry by entry.
type asked struct {
	requirements []workflow.Requirement
	questions    []workflow.Question
}

func askedOf(r workflow.Result) asked { return asked{r.Requirements, questionsOf(r)} }

// schema is the answer's schema: the common one, and first in it lists of what was asked, by their ids. A model writes
// its answer in the order of the schema, so that the verdict follows from these.
func (a asked) schema() json.RawMessage {
	schema := string(answerSchema)
	prepend := func(name string, entry map[string]any, ids []string) {
		if len(ids) == 0 {
			return
		}
		text := map[string]any{"type": "string"}
		entry["id"], entry["reason"] = map[string]any{"type": "string", "enum": ids}, text
		required := []string{"id"}
		for _, key := range []string{"status", "answer", "file", "line"} {
			if entry[key] != nil {
				required = append(required, key)
			}
		}
		list, err := json.Marshal(map[string]any{"type": "array", "items": map[string]any{
			"type": "object", "additionalProperties": false, "required": append(required, "reason"), "properties": entry,
		}})
		if err != nil {
			panic(fmt.Sprintf("encode the answer's schema: %v", err)) // maps of texts always encode
		}
		schema = strings.Replace(schema, `"required": [`, fmt.Sprintf(`"required": [%q, `, name), 1)
		schema = strings.Replace(schema, `"properties": {`, fmt.Sprintf("\"properties\": {\n    %q: %s,", name, list), 1)
	}
	var ids []string
	kinds := map[workflow.QuestionAnswer]bool{}
	var answers []workflow.QuestionAnswer
	for _, q := range a.questions {
		ids = append(ids, q.ID)
		for _, answer := range answersTo(q) {
			if !kinds[answer] {
				kinds[answer], answers = true, append(answers, answer)
			}
		}
	}
	prepend("questions", map[string]any{"answer": map[string]any{"type": "string", "enum": answers}}, ids)
	ids = nil
	for _, r := range a.requirements {
		ids = append(ids, r.ID)
	}
	prepend("requirements", map[string]any{
		"status": map[string]any{
			"type": "string",
			"enum": []workflow.RequirementStatus{workflow.Met, workflow.NotMet, workflow.CannotTell},
		},
		"file": map[string]any{"type": []string{"string", "null"}}, "line": map[string]any{"type": []string{"integer", "null"}},
	}, ids)
	return json.RawMessage(schema)
}

// incomplete says which requirements and questions have no entry that counts, in
// words that a model can act on; nil if each has.
func (a asked) incomplete(given Assessment, at *anchors) error {
	var open []string
	if _, missing := stands(a.requirements, given.Requirements, at); missing != nil {
		open = append(open, "under \"requirements\": "+strings.Join(missing, "; ")+
			". Each id needs one entry with status, reason and, if it is met, the file and line of the head that show it")
	}
	var missing []string
	for _, q := range answered(a.questions, given.Questions) {
		if q.Answer == "" {
			missing = append(missing, q.ID)
		}
	}
	if missing != nil {
		open = append(open, fmt.Sprintf("questions %s have no answer: each needs one entry under \"questions\" with an answer that fits "+
			"it and the reason in the code", strings.Join(missing, ", ")))
	}
	if open == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(open, ". "))
}
