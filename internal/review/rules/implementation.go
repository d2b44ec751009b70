package rules

import (
	"workflow-reviewer/internal/workflow"
)

func implementationRules() []rule {
	types := only(workflow.Implementation)
	return []rule{
		{
			Rule: Rule{
				ID: "implementation/no-tests", Types: types, Severity: workflow.Medium, Criterion: "Tests",
				Title:       "The feature has no tests",
				Explanation: "No test file of this feature is in the head commit, so nothing says that the code does what it should.",
			},
			pass: "the feature has tests",
			fix:  "Write the tests first and have them approved.",
			run:  issues(noFeatureTests),
		},
		{
			Rule: Rule{
				ID: "implementation/no-spec", Types: types, Severity: workflow.Low, Criterion: "Spec",
				Title:       "There is no spec to hold the implementation against",
				Explanation: "No spec of the feature was found in the head commit.",
			},
			pass: "the feature has a spec",
			fix:  "Name the feature as its spec is named, or write the spec first.",
			run:  issues(noSpec),
		},
	}
}

func noFeatureTests(s *subject) []workflow.Issue {
	for _, f := range s.Artifact.Tests {
		if _, err := s.Set.HeadTree.Stat(f); err == nil {
			return nil
		}
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}
