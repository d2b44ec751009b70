// Package criteria finds specs in which nothing can be accepted.
package criteria

import (
	"slices"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       "spec/no-acceptance-criteria",
	Types:    []workflow.Type{workflow.Spec},
	Severity: workflow.Block,
	Category: workflow.Testing,
	Title:    "The spec has no acceptance criteria",
	Why: "Tests are derived from acceptance criteria. Told only where the section is missing and " +
		"nothing in the document can be one: no list, no table, and no sentence that says what " +
		"must, shall or should be.",
	Fix: "Add a section \"Acceptance criteria\" that lists what can be observed when each " +
		"promised behaviour works.",
	Run: find,
}

// demand matches how a sentence says what is to be.
var demand = lazyregexp.New(
	`(?i)\b(?:must|shall|should|required?|will|when|given|then|returns?|rejects?|allows?)\b`,
)

func find(s *check.Subject) check.Result {
	documents := s.Documents()
	if len(documents) == 0 || s.Bundle != nil {
		return check.NotLooked("no document that holds all criteria")
	}
	criteria := 0
	for _, d := range documents {
		criteria += len(d.Criteria)
	}
	if criteria > 0 {
		return check.Result{Summary: workflow.Count(criteria, "acceptance criterion")}
	}
	for _, d := range documents {
		if slices.ContainsFunc(d.Prose(), mayDemand) {
			return check.NotProvided(
				"no section of criteria; what else may be one is for a reader to say",
			)
		}
	}
	return check.Result{Issues: []workflow.Finding{{File: documents[0].Path, Line: 1}}}
}

// mayDemand reports whether a part of a text may be a criterion: a list or table may, and so may
// what says what is to be, or is written in a script that is not read.
func mayDemand(part markdown.Part) bool {
	isListed := part.Kind == markdown.Item || part.Kind == markdown.Row
	return isListed || demand.MatchString(part.Plain) || foreign.MatchString(part.Plain)
}

// foreign matches scripts other than the Latin one; arrows and signs are of none.
var foreign = lazyregexp.New(`[\x{250}-\x{1fff}\x{2c00}-\x{fffe}]`)
