package record

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Requirements is the ledger of a review as a table: each acceptance criterion, whether it is met, where and why, and
// the tests and code that name it. "" for none.
func Requirements(rs []workflow.Requirement) string {
	if len(rs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(RequirementCounts(rs) + "\n\n| Requirement | Status | Where | Why | Tests | Code |\n|---|---|---|---|---|---|")
	for _, r := range rs {
		status := markdown.Cell(string(r.Status))
		if r.Status == workflow.NotMet {
			status = "**" + status + "**"
		}
		text := "**" + markdown.Cell(r.ID) + "** " + markdown.Cell(markdown.Clip(r.Text, 300))
		if r.Changed != "" {
			text += "<br>**Of the base;** " + markdown.Cell(r.Changed)
		}
		fmt.Fprintf(&b, "\n| %s | %s | %s | %s | %s | %s |", text, status, markdown.CodeCell(Location(r.File, r.Line)),
			markdown.Cell(r.Reason), places(r.Tests), places(r.Code))
	}
	return b.String()
}

// RequirementCounts is "3 requirements: 1 met, 1 not met, 1 cannot tell; 2 named by tests".
func RequirementCounts(rs []workflow.Requirement) string {
	count := func(is func(workflow.Requirement) bool) int {
		n := 0
		for _, r := range rs {
			if is(r) {
				n++
			}
		}
		return n
	}
	var parts []string
	for _, s := range []workflow.RequirementStatus{workflow.Met, workflow.NotMet, workflow.CannotTell} {
		if n := count(func(r workflow.Requirement) bool { return r.Status == s }); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	noun := "requirements"
	if len(rs) == 1 {
		noun = "requirement"
	}
	named := count(func(r workflow.Requirement) bool { return len(r.Tests) > 0 })
	return fmt.Sprintf("%d %s: %s. Named by tests: %d.", len(rs), noun, strings.Join(parts, ", "), named)
}

func places(list []string) string {
	var out []string
	for _, p := range list {
		out = append(out, markdown.CodeCell(p))
	}
	return strings.Join(out, "<br>")
}
