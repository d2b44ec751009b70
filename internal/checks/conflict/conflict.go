// Package conflict finds merges that were committed before they were finished.
package conflict

import (
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "code/conflict-marker",
	Types:    workflow.Types(),
	Severity: workflow.Block,
	Category: workflow.Correctness,
	Fact:     true,
	Title:    "A conflict marker is left",
	Why: "A merge was committed before it was finished. Looked for are lines that begin with " +
		"seven < or >, and a space.",
	Fix: "Finish the merge.",
	Run: find,
}

func find(s *check.Subject) check.Result {
	var issues []workflow.Finding
	var looked []*check.Source
	for _, f := range s.Artifact.Files {
		source := s.Source(f.Path)
		if source == nil {
			continue
		}
		looked = append(looked, source)
		for i, line := range source.Lines {
			isMarker := strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ")
			if isMarker && source.Added(i+1) {
				issues = append(issues, workflow.Finding{File: f.Path, Line: i + 1})
				break
			}
		}
	}
	return check.Lines(issues, looked)
}
