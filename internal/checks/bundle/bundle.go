// Package bundle finds what a spec in several documents lacks.
package bundle

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "spec/bundle",
	Types:    []workflow.Type{workflow.Spec},
	Severity: workflow.Warn,
	Category: workflow.Compliance,
	Title:    "The bundle has a gap",
	Why: "A bundle has its documents, and each requirement names its goal, its epic and its " +
		"criteria by id, so that a goal can be followed to what is tested.",
	Fix: "Add the document or the id that is missing.",
	Run: find,
}

// maxIDs limits the ids in the title of a gap.
const maxIDs = 6

func find(s *check.Subject) check.Result {
	if s.Bundle == nil {
		return check.NotLooked("the spec is one document")
	}
	figures := map[string]float64{}
	var issues []workflow.Finding
	if lacks := s.Bundle.Dimensions[0].Issues; len(lacks) > 0 {
		title := markdown.Line(strings.Join(lacks, ", "), 160)
		issues = append(issues, workflow.Finding{File: s.Artifact.Path(), Title: title})
	}
	var stages []string
	for _, stage := range s.Bundle.Chain.Stages {
		stages = append(stages, fmt.Sprintf("%s %d of %d", stage.Name, stage.Covered, stage.Of))
		figures[stage.Name], figures[stage.Name+", of"] = float64(stage.Covered), float64(stage.Of)
	}
	for _, gap := range s.Bundle.Chain.Gaps {
		ids := strings.Join(gap.IDs[:min(len(gap.IDs), maxIDs)], ", ")
		issues = append(issues, workflow.Finding{
			File:    gap.File,
			Line:    1,
			Title:   markdown.Line(fmt.Sprintf("%s: %s (%d)", gap.Kind, ids, len(gap.IDs)), 160),
			Subject: strings.Join(gap.IDs, " "),
		})
	}
	return check.Result{Issues: issues, Looked: strings.Join(stages, " · "), Figures: figures}
}
