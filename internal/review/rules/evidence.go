package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

func testResults(s *subject) workflow.Check {
	kind := noun(s.Artifact.Type)
	if s.Tests == nil {
		c := workflow.Check{Outcome: workflow.Absent, Summary: "test results: not provided"}
		if s.RequireTestResults {
			c.Gate, c.Outcome = true, workflow.Failed
			c.Summary = fmt.Sprintf("Cannot review %s without test results: require_test_results is set", kind)
			c.Issues = []workflow.Issue{{
				Title:          "Test results are required but not provided",
				Recommendation: "Run the tests in an earlier step and name their report in the input test-results.",
			}}
		}
		return c
	}
	if s.Tests.OK() {
		return workflow.Check{
			Gate: true, Outcome: workflow.Passed, Summary: "test results: " + s.Tests.String(),
			Figures: testFigures(*s.Tests),
		}
	}
	return workflow.Check{
		Gate: true, Outcome: workflow.Failed,
		Summary: fmt.Sprintf("Cannot review %s with failing tests: %s", kind, failing(*s.Tests)),
		Issues:  failures(s),
		Figures: testFigures(*s.Tests),
	}
}

// testFigures are the counts of test results, nil if somebody only stated them.
func testFigures(t testresult.Summary) map[string]float64 {
	if t.Stated && t.Run() == 0 {
		return nil
	}
	return map[string]float64{
		"passed": float64(t.Passed), "failed": float64(t.Failed), "errors": float64(t.Errors), "skipped": float64(t.Skipped),
		"total": float64(t.Run()),
	}
}

// failing is "2 of 47 failed", or that none ran.
func failing(t testresult.Summary) string {
	if t.Run() == 0 {
		return t.String()
	}
	return fmt.Sprintf("%d of %d failed", t.Broken(), t.Run())
}

func failures(s *subject) []workflow.Issue {
	if s.Tests.Broken() == 0 {
		return []workflow.Issue{{Title: "No test ran", Description: "The test results hold no test that ran, so they prove nothing."}}
	}
	var out []workflow.Issue
	for _, f := range s.Tests.Failures {
		i := workflow.Issue{Title: "Failing test: " + cutLine(f.Name, 120), Description: f.Message}
		if _, err := s.Set.HeadTree.Stat(f.File); f.File != "" && err == nil {
			i.File, i.Line = f.File, f.Line
		}
		out = append(out, i)
	}
	return out
}

func coverageGate(s *subject) workflow.Check {
	if s.Coverage == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "coverage: not provided"}
	}
	lines, branches, min := s.Coverage.Lines, s.Coverage.Branches, s.Thresholds
	c := workflow.Check{
		Gate: true, Outcome: workflow.Passed,
		Summary: fmt.Sprintf("coverage: line %s, branch %s", lines, branches),
		Figures: map[string]float64{},
	}
	for name, r := range map[string]coverage.Ratio{"line": lines, "branch": branches} {
		if r.Measured() {
			c.Figures[name] = r.Percent()
		}
	}
	var below []string
	if lines.Below(min.Line) {
		below = append(below, fmt.Sprintf("line %s < %g %%", lines, min.Line))
	} else if !lines.Measured() && min.Line > 0 {
		below = append(below, "the report measured no line")
	}
	if branches.Below(min.Branch) {
		below = append(below, fmt.Sprintf("branch %s < %g %%", branches, min.Branch))
	}
	if len(below) > 0 {
		c.Outcome = workflow.Failed
		c.Summary = "Coverage below threshold: " + strings.Join(below, ", ")
		c.Issues = []workflow.Issue{{Title: c.Summary, Description: leastCovered(s)}}
	}
	return c
}

// leastCovered names the files with the most lines that no test reaches.
func leastCovered(s *subject) string {
	files := slices.Clone(s.Coverage.Files)
	missed := func(f coverage.FileCoverage) int { return f.Lines.Total - f.Lines.Covered }
	slices.SortStableFunc(files, func(a, b coverage.FileCoverage) int { return missed(b) - missed(a) })
	var names []string
	for _, f := range files {
		if missed(f) > 0 && len(names) < 5 {
			names = append(names, fmt.Sprintf("%s (%s, %d not covered)", cutLine(f.Path, 120), f.Lines, missed(f)))
		}
	}
	if len(names) == 0 {
		return "The report names no file with lines that are not covered."
	}
	return "Most is missing in " + strings.Join(names, ", ") + "."
}
