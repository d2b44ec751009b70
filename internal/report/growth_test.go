package report

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// TestReportGrowsLinearly: ten times the reviews take no more than about ten times the memory on each
// surface. Nothing is built for each review out of all of them, nor again and again to be cut.
func TestReportGrowsLinearly(t *testing.T) {
	const few, many, tolerated = 80, 800, 1.3 // lists grow in steps
	for name, do := range map[string]func(*testing.T, Report){
		"build":   func(_ *testing.T, r Report) { Build(r.Run) },
		"outputs": func(_ *testing.T, r Report) { r.Outputs() },
		"summary": func(_ *testing.T, r Report) { r.JobSummary() },
		"comment": func(_ *testing.T, r Report) { r.Comment("") },
		"gate":    func(_ *testing.T, r Report) { r.Check() },
		"log":     func(_ *testing.T, r Report) { r.LogAnnotations() },
		"diff": func(_ *testing.T, r Report) {
			r.InDiff(workflow.Note, func(string) []change.Hunk { return nil })
		},
		"page": func(t *testing.T, r Report) {
			if _, err := r.HTML(); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			small, large := allocated(t, few, do), allocated(t, many, do)
			growth := large / small / (many / few)
			t.Logf("%.1f MB, then %.1f MB: %.2f of linear", small/1e6, large/1e6, growth)
			if growth > tolerated {
				t.Errorf("%d reviews take %.2f times their share of %d", many, growth, few)
			}
		})
	}
}

// allocated is how many bytes something allocates for a report of so many reviews.
func allocated(t *testing.T, n int, do func(*testing.T, Report)) float64 {
	long := strings.Repeat("It is said at length why. ", 20)
	run := Run{}
	for i := range n {
		issue := workflow.Finding{
			Level: workflow.Warn, Kind: "rule", Title: fmt.Sprint("It may overflow ", i), Text: long, Fix: long,
			File: fmt.Sprintf("feature_%04d.py", i), Line: 1,
		}
		run.Results = append(run.Results, workflow.Result{
			Artifact: workflow.Artifact{Type: workflow.Implementation, Feature: fmt.Sprintf("feature_%04d", i)},
			Decision: workflow.NeedsChanges, Summary: long, Issues: []workflow.Finding{issue, issue, issue},
			Violations: []workflow.Finding{{Kind: "assertion_removed", File: issue.File, Line: i, Text: long}},
		})
		run.Weakened = append(run.Weakened, workflow.Finding{Kind: "test_removed", File: issue.File, Line: 2})
	}
	rep := Build(run)
	do(t, rep) // what is parsed once
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do(t, rep)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}
