package rules

import (
	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

func noReport(s *subject) []workflow.Issue {
	if d := s.main(); d != nil && d.words() >= 15 {
		return nil
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}

func noFix(s *subject) []workflow.Issue {
	for _, f := range s.Artifact.Files {
		if !isReport(f.Path) && !s.isTest(f.Path) {
			return nil
		}
	}
	for _, f := range s.Set.Files {
		if f.Status == change.Deleted && !isReport(f.Path) && !s.isTest(f.Path) {
			return nil // the fix takes code away
		}
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}
