// Package results holds the results of the tests that the user ran against the review.
package results

import (
	"fmt"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// Entries are the checks, one for each type of artifact that has code.
var Entries = []check.Entry{
	entry(workflow.Implementation, "implementation"), entry(workflow.BugFix, "bug-fix"),
}

func entry(t workflow.Type, prefix string) check.Entry {
	return check.Entry{
		ID:       prefix + workflow.ResultsCheck,
		Types:    []workflow.Type{t},
		Severity: workflow.Block,
		Category: workflow.Testing,
		Gate:     true,
		Title:    "The tests do not pass",
		Why: "Code whose tests fail, or of which no test ran, is not reviewed: NEEDS-CHANGES " +
			"without asking a model. Results that were not provided are said to be so; with " +
			"`require_test_results` they fail too.",
		Fix: "Make the tests pass, then push again.",
		Run: func(s *check.Subject) check.Result { return find(s, prefix) },
	}
}

func find(s *check.Subject, kind string) check.Result {
	switch {
	case s.Tests == nil && s.RequireTestResults:
		return check.Result{
			Failed:  true,
			Summary: "Cannot review " + kind + " without test results: require_test_results is set",
			Issues: []workflow.Finding{{
				Title: "Test results are required but not provided",
				Fix: "Run the tests in an earlier step and name their report in the input " +
					"test-results.",
			}},
		}
	case s.Tests == nil:
		return check.NotProvided("test results: not provided")
	case s.Tests.OK():
		said := "test results: " + s.Tests.String()
		return check.Result{Summary: said, Figures: figures(*s.Tests)}
	default:
		return check.Result{
			Failed:  true,
			Summary: "Cannot review " + kind + " with failing tests: " + failing(*s.Tests),
			Issues:  failures(s), Figures: figures(*s.Tests),
		}
	}
}

// figures are the counts of test results, nil if somebody only stated them.
func figures(t testresult.Summary) map[string]float64 {
	if t.Stated && t.Run() == 0 {
		return nil
	}
	return map[string]float64{
		"passed": float64(t.Passed), "failed": float64(t.Failed), "errors": float64(t.Errors),
		"skipped": float64(t.Skipped), "total": float64(t.Run()),
	}
}

// failing is "2 of 47 failed", or that none ran.
func failing(t testresult.Summary) string {
	if t.Run() == 0 {
		return t.String()
	}
	return fmt.Sprintf("%d of %d failed", t.Broken(), t.Run())
}

// maxFailures limits the failing tests that are findings of their own.
const maxFailures = 100

func failures(s *check.Subject) (out []workflow.Finding) {
	if s.Tests.Broken() == 0 {
		return []workflow.Finding{{
			Title: "No test ran",
			Text:  "The test results hold no test that ran, so they prove nothing.",
		}}
	}
	for _, f := range s.Tests.Failures[:min(len(s.Tests.Failures), maxFailures)] {
		title := "Failing test: " + markdown.Line(f.Name, 120)
		i := workflow.Finding{Title: title, Text: f.Message, Subject: f.Name}
		if _, err := s.Set.HeadTree.Stat(f.File); f.File != "" && err == nil {
			i.File, i.Line = f.File, f.Line
		}
		out = append(out, i)
	}
	return out
}
