package rules

import (
	"workflow-reviewer/internal/workflow"
)

func noFeatureTests(s *subject) []workflow.Issue {
	for _, f := range s.Artifact.Tests {
		if _, err := s.Set.HeadTree.Stat(f); err == nil {
			return nil
		}
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}
