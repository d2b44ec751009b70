package report

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// section is a part of the report, apart from where it is shown.
type section struct {
	Name  string // what is left out where there is no room
	Title string // plain text, "" for none
	Fold  bool   // opens on a click
	Open  bool   // it is, on a page
	Class string // of a page's style
	Body  string // Markdown that markdown.HTML takes; "" for a section that is not there
}

// text is the section in Markdown.
func (s section) text() string {
	switch {
	case s.Body == "" || s.Title == "":
		return s.Body
	case s.Fold:
		return fold(s.Title, s.Body)
	}
	return "### " + markdown.Inline(s.Title) + "\n\n" + s.Body
}

// fold is a block that opens on a click.
func fold(title, body string) string {
	safe := html.EscapeString(noReference.Replace(markdown.Line(title, 300)))
	return "<details>\n<summary>" + safe + "</summary>\n\n" + body + "\n\n</details>"
}

// noReference breaks up what GitHub links in HTML, too.
var noReference = strings.NewReplacer("@", "@\u200b", "#", "#\u200b", "GH-", "GH\u200b-")

// shownReviews are listed before the others, which open on a click.
const shownReviews = 20

// overview is what a reader must see first: what to do, why, which reviews, the worst first.
// Nothing of it is said twice.
func (r Report) overview() []section {
	opening := ""
	if len(r.Results) != 1 && !r.page || r.Cancelled { // a page begins with the reason
		opening = markdown.Inline(r.opening())
	}
	shown, more := r, r
	sorted := slices.SortedStableFunc(slices.Values(r.Results),
		func(a, b workflow.Result) int { return cmp.Compare(a.Decision, b.Decision) })
	n := min(len(sorted), shownReviews)
	shown.Results, more.Results = sorted[:n], sorted[n:]
	out := []section{
		{Name: "the other verdicts on this commit", Body: fill("held", r)},
		{Name: "what to do", Class: "NOTE", Body: fill("to-merge", r)},
		{Name: "the summary", Body: opening},
		{Name: "violations of test integrity", Body: fill("breach", r)},
		{Name: "the reviews", Body: fill("reviews", shown)},
		{Name: "what did not run", Title: "What did not run", Body: fill("failures", r)},
	}
	out = append(out, r.findingLists()...)
	return append(
		out,
		section{
			Name: "unapproved tests that were weakened", Title: weakenedTitle(len(r.Weakened)),
			Body: fill("weakened", r),
		},
		section{Name: "what people decided", Title: "Decided by people", Body: fill("people", r)},
		section{Name: "warnings", Title: "Warnings", Body: fill("bullets", r.warnings())},
		section{
			Name: "more reviews", Title: workflow.Count(len(more.Results), "more review"),
			Fold: true, Body: fill("reviews", more),
		},
	)
}

func weakenedTitle(n int) string { return countWere(n, "unapproved test", "weakened") }

// countWere is a sentence about so many things.
func countWere(n int, what, done string) string {
	verb := " were "
	if n == 1 {
		verb = " was "
	}
	return workflow.Count(n, what) + verb + done
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

// findingLists are what blocks, and what does not: folded beside what blocks, and where built-in
// checks advise, which is often of no use to who reviews.
func (r Report) findingLists() []section {
	_, other := r.splitFindings()
	findings, requirements, criteria := r.blockers()
	blocking := slices.Concat(findings, requirements, criteria)
	var advice []finding
	beside := section{Name: "findings that do not block", Title: "Worth a look"}
	if len(blocking) > 0 {
		beside.Title, beside.Fold = "Does not block: "+workflow.Count(len(other), "finding"), true
	} else {
		advice = filter(other, finding.isAdvice)
		other = filter(other, func(f finding) bool { return !f.isAdvice() })
	}
	beside.Body = r.findingList(other, "")
	mark := "🔴"
	if r.page {
		mark = ""
	}
	return []section{
		{
			Name: "what blocks", Title: "What blocks", Class: "BLOCKS",
			Body: r.findingList(blocking, mark),
		},
		beside,
		{
			Name: "advice", Title: fmt.Sprintf("Advice of the built-in checks: %d", len(advice)),
			Fold: true,
			Body: r.findingList(advice, ""),
		},
	}
}

// full is a review as its file has it, in at most so many bytes, without what the overview says of
// tests already.
func (r Report) full(res workflow.Result, level, limit int) section {
	const shown = 20 // by the overview
	if len(r.AllViolations()) <= shown {
		res.Violations = nil
	}
	if res.Integrity != nil && len(r.Weakened) <= shown {
		own := *res.Integrity
		own.Questions = filter(own.Questions, func(q workflow.Finding) bool { return !q.Shown })
		res.Integrity = &own
	}
	title := res.Artifact.Name() + " – Did not run"
	if res.Decision != workflow.Error {
		title = res.Artifact.Name() + " – " + res.Decision.String()
	}
	if c := count(res.Issues); c != "" {
		title += ", " + c
	}
	return section{
		Name: res.Artifact.Name(), Title: markdown.Line(title, 300), Fold: true,
		Open: res.Decision <= workflow.NeedsChanges, Class: res.Decision.String(),
		Body: markdown.Cut(record.Body(record.Fit(res, limit/2), level), limit, cutNote),
	}
}

// asides are what explains the rest.
func (r Report) asides() []section {
	omitted := r.omitted()
	return []section{
		{
			Name:  "what was not looked at",
			Title: countWere(len(omitted), "file", "only partly reviewed"), Fold: true,
			Body: fill("bullets", omitted),
		},
		{
			Name: "notes", Title: "How this was decided", Fold: true,
			Body: fill("bullets", r.noticeTexts(workflow.Note)),
		},
	}
}

// addLedgers shows how the requirements of each review stand, as far as there is room.
func (r Report) addLedgers(d *document) {
	for _, res := range r.Results {
		name := "Requirements of " + res.Artifact.Name()
		switch {
		case len(res.Requirements) == 0:
		case d.room() == 0:
			d.left = append(d.left, name)
		default:
			d.sections([]section{{
				Name: name, Title: name, Fold: true,
				Body: record.Requirements(record.Fit(res, maxComment/4).Requirements),
			}})
		}
	}
}

// heading is the verdict in a line.
func (r Report) heading() string {
	pull := 0
	if r.Passed {
		pull = r.Held.Pull
	}
	title := r.look().sign + " " + linked(pull, r.Title())
	if r.Scope != "" {
		title += " – " + markdown.Inline(markdown.Clip(r.Scope, 200))
	}
	return title
}

// linked is a line of text in which GitHub links the pull request that it names.
func linked(pull int, s string) string {
	ref := fmt.Sprintf("#%d", pull)
	before, after, ok := strings.Cut(s, ref)
	if pull == 0 || !ok {
		return markdown.Inline(s)
	}
	return strings.TrimSpace(markdown.Inline(before) + " " + ref + " " + markdown.Inline(after))
}

// short is a commit id as people read it.
func short(sha string) string { return markdown.Inline(sha[:min(7, len(sha))]) }

// recorded is how many reviews were not paid for again.
func (r Report) recorded() (n int) {
	for _, res := range r.Results {
		if res.Cached {
			n++
		}
	}
	return n
}

// warnings are the reviews' and the run's, each with what it speaks of, in plain text.
func (r Report) warnings() []string {
	lines := r.perReview(func(res workflow.Result) []string { return res.Warnings })
	return append(lines, r.noticeTexts(workflow.Warn)...)
}

// omitted is what the reviewers were not shown whole.
func (r Report) omitted() []string {
	return r.perReview(func(res workflow.Result) []string { return res.Omitted })
}

// perReview are lines of the reviews, each behind the name of its review.
func (r Report) perReview(of func(workflow.Result) []string) (lines []string) {
	for _, res := range r.Results {
		for _, l := range of(res) {
			lines = append(lines, res.Artifact.Name()+": "+l)
		}
	}
	return lines
}

// noticeTexts are the notices of a level.
func (r Report) noticeTexts(level workflow.Level) []string {
	var lines []string
	for _, n := range r.Notices {
		if n.Warns() == (level == workflow.Warn) {
			lines = append(lines, NoticeText(n))
		}
	}
	return lines
}

// NoticeText is the notice with the path it speaks of.
func NoticeText(n workflow.Finding) string {
	if n.File == "" || strings.Contains(n.Text, n.File) {
		return n.Text
	}
	return n.File + ": " + n.Text
}
