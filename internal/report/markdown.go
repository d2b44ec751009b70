package report

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

const (
	maxComment    = 65536
	maxJobSummary = 1 << 20
	leastShare    = 2000 // bytes below which a review is not worth showing
)

// JobSummary is the report for the run's page with the reviews in full, at most 1 MiB.
func (r Report) JobSummary() string {
	return r.whole(maxJobSummary-1, func(d *document) { r.addDetails(d) })
}

// whole is overview, more, and the footer.
func (r Report) whole(limit int, more func(*document)) string {
	footer := r.footer()
	d := document{max: limit - len(footer) - 2}
	d.add("the overview", r.heading()+"\n\n"+r.overview(min(limit/2, 200<<10)))
	more(&d)
	return d.String() + "\n\n" + footer + "\n"
}

func (r Report) heading() string {
	pull := 0
	if r.passed {
		pull = r.held.Pull
	}
	title := "## " + r.sign() + " " + linked(r.Title(), pull)
	if r.Scope != "" {
		title += " – " + markdown.Inline(markdown.Clip(r.Scope, 200))
	}
	return title
}

func (r Report) sign() string {
	switch r.Title() {
	case TitleBreach:
		return "⛔"
	case TitleCancelled:
		return "⏹️"
	}
	if r.unread() {
		return unreadMark
	}
	return decisionMark(r.Decision)
}

// overview is what a reader must see first: why, what to do, which reviews, what
// was not looked at. Nothing of it is said twice.
func (r Report) overview(limit int) string {
	d := document{max: limit}
	d.add("the other verdicts on this commit", r.heldBack())
	if len(r.Results) != 1 || r.Cancelled {
		d.add("the summary", markdown.Inline(r.opening()))
	}
	d.add("violations of test integrity", r.breach())
	d.add("the reviews", r.reviewLines())
	d.add("what did not run", r.failures())
	d.add("tests that demand less", r.weakened())
	d.add("the list of findings", r.fixFirst())
	d.add("what people decided", r.decidedByPeople())
	d.add("warnings", r.warnings())
	return d.String()
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

// lead is the first sentence: the summary without the title above it.
func (r Report) lead() string {
	s := strings.TrimPrefix(r.Summary(), r.Title()+": ")
	if r.Cancelled {
		s = strings.TrimSuffix("The run was cancelled before it came to a verdict. "+s, " "+r.Title()+".")
	}
	return s
}

func (r Report) details(limit int) string {
	d := document{max: limit}
	r.addDetails(&d)
	return d.String()
}

func (r Report) addDetails(d *document) {
	for i, res := range r.Results {
		// A long review gets its share of the room, so that all are shown.
		share := d.room() / (len(r.Results) - i)
		name := res.Artifact.Name()
		title := name + " – " + strings.TrimPrefix(headline(res), mark(res)+" ") + countSuffix(res)
		if share < leastShare {
			d.left = append(d.left, name)
			continue
		}
		d.add(name, fold(title, markdown.Cut(record.Body(record.Fit(res, share/2), 4), share, cutNote)))
	}
	r.addNotes(d)
}

func (r Report) addNotes(d *document) {
	if lines := r.omitted(); len(lines) > 0 {
		d.add("what was not looked at", fold(fmt.Sprintf("Not looked at in full: %d", len(lines)), bullets(lines)))
	}
	if lines := r.noticeLines(false); len(lines) > 0 {
		d.add("notes", fold("How this was decided", bullets(lines)))
	}
}

func countSuffix(res workflow.Result) string {
	if c := findingCount(res); c != "" {
		return ", " + c
	}
	return ""
}

func (r Report) resultSummary(res workflow.Result) string {
	lead := "The review did not run."
	if res.Decision != workflow.Error {
		lead = res.Decision.String()
		if c := findingCount(res); c != "" {
			lead += " · " + c
		}
	}
	if p := record.Progress(res); p != "" {
		lead += " · " + p
	}
	parts := []string{
		"**" + lead + "** · " + cost(res.Tokens, res.Duration) + " · " + markdown.Inline(record.Reviewer(res)),
	}
	if res.Failure != nil {
		parts = append(parts, failure("What happened", *res.Failure))
	}
	if s := markdown.Block(res.Summary); s != "" {
		parts = append(parts, s)
	}
	if p := r.reviewLink(res); p != "" {
		parts = append(parts, "Review file: "+p)
	}
	return strings.Join(parts, "\n\n")
}

// footer tells how to review again, the cost, the commits, and where the rest is.
func (r Report) footer() string {
	var parts []string
	if r.Label != "" && r.Event.Number > 0 {
		parts = append(
			parts,
			"Review again: comment "+markdown.Code(
				r.Commands.Of(workflow.CommandReview),
			)+" or set the label "+markdown.Code(
				r.Label,
			),
		)
	}
	parts = append(parts, r.Cost())
	if n := r.cached(); n > 0 {
		parts = append(parts, workflow.Count(n, "review")+" recorded earlier and not paid for again")
	}
	if r.Head != "" {
		parts = append(parts, "reviewed "+short(r.Head))
	}
	if r.NewHead != "" {
		parts = append(parts, "reviews committed in "+short(r.NewHead))
	}
	if r.RunURL != "" {
		parts = append(parts, fmt.Sprintf("[run](%s)", r.RunURL))
	}
	return "<sub>" + strings.Join(append(parts, "workflow-reviewer "+markdown.Inline(r.Version)), " · ") + "</sub>"
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
