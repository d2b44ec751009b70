package record

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// Unjudged reports whether no model was asked how requirements stand.
func Unjudged(rs []workflow.Requirement) bool {
	return !slices.ContainsFunc(rs, func(r workflow.Requirement) bool { return r.Status != "" })
}

// unnamedFirst are requirements in their order, those that no test names first.
func unnamedFirst(rs []workflow.Requirement) []workflow.Requirement {
	return slices.SortedStableFunc(slices.Values(rs), func(a, b workflow.Requirement) int {
		return min(len(a.Tests), 1) - min(len(b.Tests), 1)
	})
}

// RequirementCounts is "3 requirements: 1 met, 1 not met, 1 cannot tell. Named by tests: 2.".
func RequirementCounts(rs []workflow.Requirement) string {
	named, of := 0, map[workflow.RequirementStatus]int{}
	for _, r := range rs {
		of[r.Status]++
		named += min(len(r.Tests), 1)
	}
	all := workflow.Count(len(rs), "requirement")
	if Unjudged(rs) {
		return fmt.Sprintf("%s, %d named by tests.", all, named)
	}
	var parts []string
	for _, s := range []workflow.RequirementStatus{
		workflow.Met, workflow.NotMet, workflow.CannotTell,
	} {
		if of[s] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", of[s], s))
		}
	}
	return fmt.Sprintf("%s: %s. Named by tests: %d.", all, strings.Join(parts, ", "), named)
}
