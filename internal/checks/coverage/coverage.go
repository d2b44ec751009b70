// Package coverage holds measured coverage against the thresholds of the config.
package coverage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Entry is the check.
var Entry = check.Entry{
	ID:       workflow.CoverageCheck,
	Types:    []workflow.Type{workflow.Tests},
	Severity: workflow.Block,
	Category: workflow.Testing,
	Gate:     true,
	Title:    "The coverage is below its threshold",
	Why: "Line and branch coverage are held against `thresholds` of the config. A report that " +
		"measured no branches does not fail for it; one that measured no line does.",
	Fix: "Add tests for what is not covered; the report lists the lines.",
	Run: find,
}

func find(s *check.Subject) check.Result {
	if s.Coverage == nil {
		return check.NotProvided("coverage: not provided")
	}
	lines, branches, least := s.Coverage.Lines, s.Coverage.Branches, s.Thresholds
	r := check.Result{Figures: map[string]float64{}}
	r.Summary = fmt.Sprintf("coverage: line %s, branch %s", lines, branches)
	for name, ratio := range map[string]coverage.Ratio{"line": lines, "branch": branches} {
		if ratio.Measured() {
			r.Figures[name] = ratio.Percent()
		}
	}
	var below []string
	if lines.Below(least.Line) {
		below = append(below, fmt.Sprintf("line %s < %g %%", lines, least.Line))
	} else if !lines.Measured() && least.Line > 0 {
		below = append(below, "the report measured no line")
	}
	if branches.Below(least.Branch) {
		below = append(below, fmt.Sprintf("branch %s < %g %%", branches, least.Branch))
	}
	if len(below) > 0 {
		r.Summary = "Coverage below threshold: " + strings.Join(below, ", ")
		r.Issues = []workflow.Finding{{Title: r.Summary, Text: leastCovered(s.Coverage.Files)}}
	}
	return r
}

// leastCovered names the files with the most lines that no test reaches.
func leastCovered(files []coverage.FileCoverage) string {
	missed := func(f coverage.FileCoverage) int { return f.Lines.Total - f.Lines.Covered }
	sorted := slices.SortedStableFunc(slices.Values(files), func(a, b coverage.FileCoverage) int {
		return cmp.Compare(missed(b), missed(a))
	})
	var names []string
	for _, f := range sorted[:min(len(sorted), 5)] {
		if missed(f) > 0 {
			name := markdown.Line(f.Path, 120)
			names = append(names, fmt.Sprintf("%s (%s, %d not covered)", name, f.Lines, missed(f)))
		}
	}
	if len(names) == 0 {
		return "The report names no file with lines that are not covered."
	}
	return "Most is missing in " + strings.Join(names, ", ") + "."
}
