package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// section is a part of the report, apart from where it is shown.
type section struct {
	name  string // what is left out where there is no room
	title string // plain text, "" for none
	fold  bool   // opens on a click
	open  bool   // it is, on a page
	class string // of a page's style
	body  string // Markdown that markdown.HTML takes; "" for a section that is not there
}

// text is the section in Markdown.
func (s section) text() string {
	switch {
	case s.body == "" || s.title == "":
		return s.body
	case s.fold:
		return fold(s.title, s.body)
	}
	return "### " + markdown.Inline(s.title) + "\n\n" + s.body
}

// overview is what a reader must see first: what to do, why, which reviews. Nothing of it is said
// twice.
func (r Report) overview() []section {
	out := []section{
		{name: "the other verdicts on this commit", body: r.heldBack()},
		{name: "what to do", class: "NOTE", body: r.toMerge()},
	}
	if len(r.Results) != 1 && !r.page || r.Cancelled { // a page begins with the reason
		out = append(out, section{name: "the summary", body: markdown.Inline(r.opening())})
	}
	out = append(
		out,
		section{name: "violations of test integrity", body: r.breach()},
		section{name: "the reviews", body: r.reviewLines()},
		section{name: "what did not run", title: "What did not run", body: r.failures()},
	)
	out = append(out, r.findingLists()...)
	return append(
		out,
		section{name: "unapproved tests that were weakened", title: weakenedTitle(len(r.Weakened)), body: r.weakened()},
		section{name: "what people decided", title: "Decided by people", body: r.decidedByPeople()},
		section{name: "warnings", title: "Warnings", body: bullets(r.allWarnings())},
	)
}

func weakenedTitle(n int) string {
	if n == 1 {
		return "1 unapproved test was weakened"
	}
	return workflow.Count(n, "unapproved test") + " were weakened"
}

// opening is the first sentence where the sections below do not say it.
func (r Report) opening() string {
	switch {
	case r.Cancelled:
		return "The run was cancelled before it came to a verdict."
	case len(r.Results) > 1:
		return r.tally() + "."
	case len(r.Results)+len(r.AllViolations())+len(r.Issues) == 0 && r.Failure == nil:
		return r.nothing()
	}
	return ""
}

// full is a review as its file has it, in at most so many bytes, without what the overview says of
// tests already.
func (r Report) full(res workflow.Result, level, limit int) section {
	if len(r.AllViolations()) <= shownViolations {
		res.Violations = nil
	}
	if res.Integrity != nil && len(r.Weakened) <= shownViolations {
		own := *res.Integrity
		own.Questions = slices.DeleteFunc(slices.Clone(own.Questions), func(q workflow.Finding) bool { return q.Shown })
		res.Integrity = &own
	}
	title := res.Artifact.Name() + " – " + decisionName(res)
	if c := count(res.Issues); c != "" {
		title += ", " + c
	}
	return section{
		name: res.Artifact.Name(), title: title, fold: true, open: res.Decision <= workflow.NeedsChanges, class: res.Decision.String(),
		body: markdown.Cut(record.Body(record.Fit(res, limit/2), level), limit, cutNote),
	}
}

func decisionName(res workflow.Result) string {
	if res.Decision == workflow.Error {
		return "Did not run"
	}
	return res.Decision.String()
}

// asides are what explains the rest.
func (r Report) asides() []section {
	return []section{
		{
			name: "what was not looked at", title: partly(len(r.omitted())), fold: true, body: bullets(r.omitted()),
		},
		{name: "notes", title: "How this was decided", fold: true, body: bullets(r.notes())},
	}
}

func partly(n int) string {
	if n == 1 {
		return "1 file was only partly reviewed"
	}
	return workflow.Count(n, "file") + " were only partly reviewed"
}

// ledgers show how the requirements of each review stand.
func (r Report) ledgers() []section {
	var out []section
	for _, res := range r.Results {
		name := "Requirements of " + res.Artifact.Name()
		out = append(out, section{
			name: name, title: name, fold: true, body: record.Requirements(record.Fit(res, maxComment/4).Requirements),
		})
	}
	return out
}

// heading is the verdict in a line.
func (r Report) heading() string {
	pull := 0
	if r.passed {
		pull = r.held.Pull
	}
	title := r.sign() + " " + linked(r.Title(), pull)
	if r.Scope != "" {
		title += " – " + markdown.Inline(markdown.Clip(r.Scope, 200))
	}
	return title
}

func (r Report) sign() string {
	switch {
	case r.Title() == TitleBreach:
		return "⛔"
	case r.Cancelled:
		return "⏹️"
	case r.unread():
		return unreadMark
	}
	return decisionMark(r.Decision)
}

// footer tells how to review again, the cost, the commits, and where the rest is.
func (r Report) footer() string {
	var parts []string
	add := func(part string) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if r.Label != "" && r.isPull() {
		add("Review again: comment " + r.command(workflow.CommandReview) + " or set the label " + markdown.Code(r.Label))
	}
	add(r.Cost())
	if n := r.cached(); n > 0 {
		add(workflow.Count(n, "review") + " recorded earlier and not paid for again")
	}
	if r.Head != "" {
		add("reviewed " + short(r.Head))
	}
	if r.NewHead != "" {
		add("reviews committed in " + short(r.NewHead))
	}
	if r.RunURL != "" {
		add(fmt.Sprintf("[run](%s)", r.RunURL))
	}
	add("workflow-reviewer " + markdown.Inline(cmp.Or(r.Version, "dev")))
	return strings.Join(parts, " · ")
}

func (r Report) cached() int {
	n := 0
	for _, res := range r.Results {
		if res.Cached {
			n++
		}
	}
	return n
}

// short is a commit id as people read it.
func short(sha string) string { return markdown.Inline(sha[:min(7, len(sha))]) }
