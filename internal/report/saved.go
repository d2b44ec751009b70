package report

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/internal/workflow"
)

// Saved is what is read back of a report.json, which may be anybody's.
type Saved struct{ document1 }

// ParseSaved reads a report.json.
func ParseSaved(data []byte) (s Saved, err error) {
	if err := strictjson.Unmarshal(data, &s); err != nil {
		return s, err
	}
	if s.Schema != JSONSchema {
		return s, fmt.Errorf("its schema is %.100q, not %q", s.Schema, JSONSchema)
	}
	return s, nil
}

// Finding is the whole text of the finding of an id; without one, the ids that there are.
func (s Saved) Finding(id string) (text string, ids []string) {
	ofRun := review1{Output: Output{Issues: s.Issues}}
	reviews := slices.Concat(s.Reviews, []review1{ofRun})
	for _, r := range reviews {
		for _, i := range r.Issues {
			if ids = append(ids, i.Key); i.Key == id {
				return withoutCommands(fill("explained", explained{i, r})) + "\n", nil
			}
		}
	}
	return "", ids
}

// explained is a finding with its review, for a terminal.
type explained struct {
	workflow.Finding
	Review review1
}
