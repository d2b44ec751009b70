package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Saved is what is read back of a report.json, which may be anybody's.
type Saved struct {
	Schema  string `json:"schema"`
	Reviews []struct {
		Type     string             `json:"type"`
		Feature  string             `json:"feature"`
		Decision string             `json:"decision"`
		Issues   []workflow.Finding `json:"issues"`
	} `json:"reviews"`
	Issues []workflow.Finding `json:"issues"`
}

// ParseSaved reads a report.json.
func ParseSaved(data []byte) (s Saved, err error) {
	if err := json.Unmarshal(data, &s); err != nil {
		return s, err
	}
	if s.Schema != JSONSchema {
		return s, fmt.Errorf("its schema is %.100q, not %q", s.Schema, JSONSchema)
	}
	return s, nil
}

// Finding is the whole text of the finding of an id; without one, the ids that there are.
func (s Saved) Finding(id string) (text string, ids []string) {
	for _, i := range s.Issues {
		if ids = append(ids, i.Key); i.Key == id {
			return wholeText(i, ""), nil
		}
	}
	for _, r := range s.Reviews {
		for _, i := range r.Issues {
			if ids = append(ids, i.Key); i.Key == id {
				return wholeText(i, fmt.Sprintf("%s: %s, %s", r.Type, r.Feature, r.Decision)), nil
			}
		}
	}
	return "", ids
}

// wholeText is a finding with all its texts, for a terminal.
func wholeText(i workflow.Finding, review string) string {
	var b strings.Builder
	part := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, markdown.Clean(text))
		}
	}
	fmt.Fprintf(&b, "%s  %s\n\n", markdown.Clean(i.Key), markdown.Clean(i.Title))
	part("Severity", string(i.Level)+", "+string(i.Category))
	part("Place", record.Location(i.File, i.Line))
	part("Review", review)
	part("Check", i.Kind)
	part("State", string(i.State))
	for _, text := range []string{i.Text, i.Trigger, i.Fix} {
		if text != "" {
			b.WriteString("\n" + markdown.Clean(text) + "\n")
		}
	}
	if i.Suggestion != nil {
		b.WriteString("\nSuggestion for these lines:\n\n" + markdown.Clean(*i.Suggestion) + "\n")
	}
	if i.Level == workflow.Block {
		fmt.Fprintf(&b, "\nSet it aside: somebody with write permission comments /dismiss %s REASON\n", markdown.Clean(i.Key))
	}
	return b.String()
}
