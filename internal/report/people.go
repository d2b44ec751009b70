package report

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// approvedTitle is TitleApproved with who is answerable for it where a review
// refused: "Approved, overridden by octocat", "Approved, 2 reviews overridden".
func (r Report) approvedTitle() string {
	var by []string
	for _, res := range r.Results {
		if res.Override != nil {
			by = append(by, res.Override.By)
		}
	}
	switch len(by) {
	case 0:
		return TitleApproved
	case 1:
		return TitleApproved + ", overridden by " + oneLine(by[0], 100)
	}
	return TitleApproved + ", " + workflow.Count(len(by), "review") + " overridden"
}

// peopleTitle is the title of a review's check where a person decided or must.
func peopleTitle(res workflow.Result, title string) string {
	switch {
	case res.Override != nil && res.Decision == workflow.Approved:
		return "Overridden by " + oneLine(res.Override.By, 100)
	case res.Unasked == workflow.ByLimit && res.Decision == workflow.NeedsChanges:
		return "A person must decide"
	}
	return title
}

// decidedByPeople lists overrides and dismissals, each with who and why.
func (r Report) decidedByPeople() string {
	var lines []string
	for _, res := range r.Results {
		if o := res.Override; o != nil {
			lines = append(lines, fmt.Sprintf("- **%s** overridden by **%s:** %s", markdown.Inline(res.Artifact.Name()),
				markdown.Inline(o.By), markdown.Inline(o.Reason)))
		}
		if d := record.Dismissed(res.Dismissed); d != "" {
			lines = append(lines, strings.Split(d, "\n")...)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return "### Decided by people\n\n" + bullets(lines)
}
