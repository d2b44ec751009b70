package report

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// approvedTitle is TitleApproved with who is answerable for it where a review
// refused: "Approved, overridden by octocat", "Approved, 2 reviews overridden".
// Where neither a model nor a person read anything, nobody approved it.
func (r Report) approvedTitle() string {
	var by []string
	for _, res := range r.Results {
		if res.Override != nil {
			by = append(by, res.Override.By)
		}
	}
	switch {
	case r.unread():
		return unreadTitle(r.Results...)
	case len(by) == 0:
		return TitleApproved
	case len(by) == 1:
		return TitleApproved + ", overridden by " + oneLine(by[0], 100)
	}
	return TitleApproved + ", " + workflow.Count(len(by), "review") + " overridden"
}

// unread reports whether the run is approved, and neither a model nor a person read anything of it.
func (r Report) unread() bool {
	return r.Decision == workflow.Approved && r.allByRules()
}

// allByRules reports whether neither a model nor a person read anything of the run.
func (r Report) allByRules() bool {
	return !slices.ContainsFunc(r.Results, func(res workflow.Result) bool {
		return res.ReviewedBy() != workflow.ByRules
	})
}

// unreadTitle says of approvals by the built-in checks that nobody read what they looked at.
func unreadTitle(results ...workflow.Result) string {
	looked, found := map[string]bool{}, 0
	for _, res := range results {
		found += len(res.Issues)
		for _, c := range res.Checks {
			if c.Outcome != workflow.NotLooked {
				looked[c.ID] = true
			}
		}
	}
	what := "No findings"
	if found > 0 {
		what = "Nothing blocks, " + workflow.Count(found, "finding")
	}
	return fmt.Sprintf("%s by %s – not read by a model", what, workflow.Count(len(looked), "check"))
}

// peopleTitle is the title of a review's check where a person decided or must.
func peopleTitle(res workflow.Result, title string) string {
	switch {
	case res.Override != nil && res.Decision == workflow.Approved:
		return "Overridden by " + oneLine(res.Override.By, 100)
	case res.Unasked == workflow.ByLimit && res.Decision == workflow.NeedsChanges:
		return "A person must decide"
	case res.MustBeReadBy != "" && res.Decision == workflow.NeedsChanges:
		return "Must be read by a " + string(res.MustBeReadBy)
	case res.Decision == workflow.Approved && res.ReviewedBy() == workflow.ByRules:
		return unreadTitle(res)
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
	const shown = 30
	return strings.Join(more(slices.Clip(lines[:min(len(lines), shown)]), len(lines)-shown), "\n")
}
