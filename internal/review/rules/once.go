package rules

import (
	"slices"

	"workflow-reviewer/internal/workflow"
)

// OnceARun leaves of the findings that are made once a run the first, and lets it
// name the other artifacts it is true of. checks are those of the artifacts, in
// their order; what is left out stays in the other checks' summaries.
func OnceARun(artifacts []workflow.Artifact, checks [][]workflow.Check) {
	for _, r := range all() {
		if !r.Once {
			continue
		}
		var first *workflow.Check
		var where workflow.Artifact
		var others []string
		for i := range checks {
			at := slices.IndexFunc(checks[i], func(c workflow.Check) bool { return c.ID == r.ID && len(c.Issues) > 0 })
			switch {
			case at < 0:
			case first == nil:
				first, where = &checks[i][at], artifacts[i]
			default:
				others = append(others, artifacts[i].Name())
				checks[i][at].Issues = nil
				checks[i][at].Summary += " (told under " + where.Name() + ")"
			}
		}
		if len(others) > 0 {
			first.Issues = slices.Clone(first.Issues)
			first.Issues[0].Description += " The same goes for " + some(others) + "."
		}
	}
}
