package report

import (
	"strings"

	"workflow-reviewer/internal/workflow"
)

// figures are what a run or a review was given and measured, as numbers.
type figures struct {
	// null where none were provided, or they have no counts
	Tests *testFigures `json:"test_results" jsonschema:"nullable"`
	// null where none was provided
	Coverage *coverageFigures `json:"coverage" jsonschema:"nullable"`
}

// testFigures counts tests; Total leaves out the skipped ones.
type testFigures struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errors  int `json:"errors"`
	Skipped int `json:"skipped"`
	Total   int `json:"total"`
}

// coverageFigures are percentages from 0 to 100, null where not measured.
type coverageFigures struct {
	Line   *float64 `json:"line" jsonschema:"nullable"`
	Branch *float64 `json:"branch" jsonschema:"nullable"`
}

// figuresOf takes the numbers from the first review of several that has them;
// those of this run go before recorded ones.
func figuresOf(results ...workflow.Result) figures {
	var out figures
	for _, cached := range []bool{false, true} {
		for _, res := range results {
			for _, c := range res.Checks {
				if res.Cached == cached {
					out.take(c)
				}
			}
		}
	}
	return out
}

// take takes over what a check measured. Of several checks the first counts.
func (f *figures) take(c workflow.Check) {
	count := func(name string) int { return int(c.Figures[name]) }
	percent := func(name string) *float64 {
		if n, ok := c.Figures[name]; ok {
			return &n
		}
		return nil
	}
	switch {
	case len(c.Figures) == 0:
	case strings.HasSuffix(c.ID, workflow.ResultsCheck) && f.Tests == nil:
		f.Tests = &testFigures{
			count("passed"), count("failed"), count("errors"), count("skipped"), count("total"),
		}
	case c.ID == workflow.CoverageCheck && f.Coverage == nil:
		f.Coverage = &coverageFigures{percent("line"), percent("branch")}
	}
}
