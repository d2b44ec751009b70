package rules

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// codeDimensions are those in which code is looked at, in their order.
func codeDimensions() []string {
	return []string{"quality", "security", "architecture", "requirements"}
}

// inDimensions sums the rules that ran before it up by their dimension. It is
// the last of code and finds nothing of its own.
func inDimensions(s *subject) workflow.Check {
	c := workflow.Check{Outcome: workflow.Passed, Figures: map[string]float64{}}
	var parts []string
	for _, d := range codeDimensions() {
		c.Figures[d] = float64(s.dimensions[d])
		part := d + ": nothing found"
		if n := s.dimensions[d]; n > 0 {
			c.Outcome = workflow.Noted
			part = d + ": " + workflow.Count(n, "finding")
		}
		parts = append(parts, part)
	}
	if total := len(s.Requirements); total > 0 {
		named := 0
		for _, q := range s.Requirements {
			if len(q.Tests)+len(q.Code) > 0 {
				named++
			}
		}
		c.Figures["requirements_named"], c.Figures["requirements_total"] = float64(named), float64(total)
		parts[len(parts)-1] += fmt.Sprintf(", %d of %d named by tests or code", named, total)
	}
	c.Summary = strings.Join(parts, "; ")
	return c
}
