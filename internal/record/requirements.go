package record

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Requirements is the ledger of a review as a table: each acceptance criterion, whether it is met,
// where and why, and the tests and code that name it. "" for none.
func Requirements(rs []workflow.Requirement) string {
	if len(rs) == 0 {
		return ""
	}
	if Unjudged(rs) {
		return named(rs)
	}
	var b strings.Builder
	b.WriteString(
		RequirementCounts(
			rs,
		) + "\n\n| Requirement | Status | Where | Why | Tests | Code |\n|---|---|---|---|---|---|",
	)
	for _, r := range rs {
		status := markdown.Cell(string(r.Status))
		if r.Status == workflow.NotMet {
			status = "**" + status + "**"
		}
		text := "**" + markdown.Cell(r.ID) + "** " + markdown.Cell(markdown.Clip(r.Text, 300))
		if r.Changed != "" {
			text += "<br>**Of the base;** " + markdown.Cell(r.Changed)
		}
		fmt.Fprintf(
			&b, "\n| %s | %s | %s | %s | %s | %s |", text, status,
			markdown.CodeCell(Location(r.File, r.Line)), markdown.Cell(r.Reason), places(r.Tests),
			places(r.Code),
		)
	}
	return b.String()
}

// Unjudged reports whether no model was asked how requirements stand.
func Unjudged(rs []workflow.Requirement) bool {
	return !slices.ContainsFunc(rs, func(r workflow.Requirement) bool { return r.Status != "" })
}

// shownUnjudged limits the list of requirements that no model was asked about.
const shownUnjudged = 20

// named lists which tests name which requirements: those that none names first.
func named(rs []workflow.Requirement) string {
	sorted := slices.SortedStableFunc(slices.Values(rs), func(a, b workflow.Requirement) int {
		return min(len(a.Tests), 1) - min(len(b.Tests), 1)
	})
	var b strings.Builder
	b.WriteString(RequirementCounts(rs) + "\n\n| Requirement | Named by |\n|---|---|")
	for _, r := range sorted[:min(len(sorted), shownUnjudged)] {
		text := "**" + markdown.Cell(r.ID) + "** " + markdown.Cell(markdown.Clip(r.Text, 120))
		if r.Changed != "" {
			text += "<br>**Of the base;** " + markdown.Cell(r.Changed)
		}
		fmt.Fprintf(&b, "\n| %s | %s |", text, orElse(places(r.Tests), "no test"))
	}
	if n := len(rs) - shownUnjudged; n > 0 {
		fmt.Fprintf(&b, "\n\n%s in `report.html`.", workflow.Count(n, "more requirement"))
	}
	return b.String()
}

// RequirementCounts is "3 requirements: 1 met, 1 not met, 1 cannot tell. Named by tests: 2.".
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
	for _, s := range []workflow.RequirementStatus{
		workflow.Met, workflow.NotMet, workflow.CannotTell,
	} {
		if n := count(func(r workflow.Requirement) bool { return r.Status == s }); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	noun := "requirements"
	if len(rs) == 1 {
		noun = "requirement"
	}
	named := count(func(r workflow.Requirement) bool { return len(r.Tests) > 0 })
	if Unjudged(rs) {
		return fmt.Sprintf("%d %s, %d named by tests.", len(rs), noun, named)
	}
	return fmt.Sprintf(
		"%d %s: %s. Named by tests: %d.",
		len(rs), noun, strings.Join(parts, ", "), named,
	)
}

// places lists places of code for a cell, one a line.
func places(list []string) string {
	var out []string
	for _, p := range list {
		out = append(out, markdown.CodeCell(p))
	}
	return strings.Join(out, "<br>")
}
