package report

import (
	"fmt"
	"path"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// bundleView is a review of a spec in several documents, for the forms of bundle.tmpl.
type bundleView struct {
	workflow.Result
	Gate                 string
	Pass, Review, Weight int
	Approved             bool
}

// bundleFiles are the reports on specs in several documents, by their names below the report's
// folder: in its root, or where there are several bundles in a folder each.
func (r Report) bundleFiles() map[string]string {
	with := filter(r.Results, func(res workflow.Result) bool { return res.Bundle != nil })
	out := map[string]string{}
	for _, res := range with {
		dir := ""
		if len(with) > 1 {
			dir = path.Join("bundles", record.Slug(res.Artifact.Feature))
		}
		v := bundleView{
			res, workflow.ScoreGate(res.Bundle.Score), workflow.ScorePass, workflow.ScoreReview,
			100 / max(1, len(res.Bundle.Dimensions)), res.Decision == workflow.Approved,
		}
		for _, name := range []string{"readiness-report", "spec-summary"} {
			out[path.Join(dir, name+".md")] = fill(name, v) + "\n"
		}
	}
	return out
}

// Count is how many documents of a name the bundle has.
func (v bundleView) Count(name string) int {
	for _, d := range v.Bundle.Documents {
		if d.Name == name {
			return d.Count
		}
	}
	return 0
}

// Deliverable tells a part of the bundle that has an index and files.
func (v bundleView) Deliverable(index, files, noun string) string {
	n := v.Count(files)
	if n == 0 {
		return "✗"
	}
	line := fmt.Sprintf("✓ (%s)", workflow.Count(n, noun))
	if v.Count(index) == 0 {
		line += ", without " + index
	}
	return line
}

// Share tells how much of a link of the chain is covered, in numbers and percent.
func (v bundleView) Share(s workflow.ChainStage) string {
	if s.Of == 0 {
		return "none to cover"
	}
	return fmt.Sprintf("%d of %d (%d%%)", s.Covered, s.Of, (100*s.Covered+s.Of/2)/s.Of)
}
