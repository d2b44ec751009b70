package report

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Marker is the first line of the sticky comment, by which it is found again.
const Marker = "<!-- workflow-reviewer -->"

const (
	maxComment    = 65536
	maxJobSummary = 1 << 20
	leastShare    = 2000 // bytes below which a review is not worth showing
)

// Comment is the sticky comment, at most 65,536 bytes.
func (r Report) Comment() string {
	return Marker + "\n" + r.whole(maxComment-len(Marker)-1)
}

// JobSummary is the same report for the run's page, at most 1 MiB.
func (r Report) JobSummary() string { return r.whole(maxJobSummary - 1) }

// whole is overview, details and footer.
func (r Report) whole(limit int) string {
	footer := r.footer()
	d := document{max: limit - len(footer) - 2}
	d.add("the overview", r.heading()+"\n\n"+r.overview(min(limit/2, 200<<10)))
	r.addDetails(&d)
	return d.String() + "\n\n" + footer + "\n"
}

func (r Report) heading() string {
	return "## " + r.sign() + " " + r.Title()
}

func (r Report) sign() string {
	switch r.Title() {
	case TitleBreach:
		return "⛔"
	case TitleCancelled:
		return "⏹️"
	}
	return mark(r.Decision)
}

// overview is what a reader must see first: why, which reviews, what to fix,
// what was not looked at.
func (r Report) overview(limit int) string {
	d := document{max: limit}
	d.add("the summary", markdown.Inline(r.lead()))
	d.add("the table of reviews", r.table())
	d.add("what did not run", r.failures())
	d.add("violations of test integrity", r.violationSection())
	d.add("tests that demand less", r.weakened())
	d.add("the list of findings", r.fixFirst())
	d.add("what people decided", r.decidedByPeople())
	d.add("warnings", r.warnings())
	d.add("what was not looked at", r.omitted())
	return d.String()
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
		title := name + " – " + strings.TrimPrefix(headline(res), mark(res.Decision)+" ") + countSuffix(res)
		if share < leastShare {
			d.left = append(d.left, name)
			continue
		}
		d.add(name, fold(title, markdown.Cut(record.Body(record.Fit(brief(res), share/2), 4), share, cutNote)))
	}
	if lines := r.noticeLines(false); len(lines) > 0 {
		d.add("notes", fold("How this was decided", strings.Join(lines, "\n")))
	}
}

// brief is a result whose passed checks are counted, not listed, but for those
// that measured something: what people skim has to show what needs a look. The
// review file lists them all.
func brief(res workflow.Result) workflow.Result {
	var rest []workflow.Check
	for _, c := range res.Checks {
		if c.Outcome != workflow.Passed || c.Gate || strings.ContainsAny(c.Summary, "0123456789") {
			rest = append(rest, c)
		}
	}
	if n := len(res.Checks) - len(rest); n > 0 {
		rest = append(rest, workflow.Check{ID: "others", Outcome: workflow.Passed, Summary: plural(n, "check") + " passed; the review file lists them"})
	}
	res.Checks = rest
	return res
}

func countSuffix(res workflow.Result) string {
	if c := tableCount(res); c != "" {
		return ", " + c
	}
	return ""
}

func (r Report) resultSummary(res workflow.Result) string {
	lead := "The review did not run."
	if res.Decision != workflow.Error {
		lead = res.Decision.String()
		if c := tableCount(res); c != "" {
			lead += " · " + c
		}
	}
	if p := record.Progress(res); p != "" {
		lead += " · " + p
	}
	parts := []string{"**" + lead + "** · " + cost(res.Tokens, res.Duration) + " · " + markdown.Inline(record.Reviewer(res))}
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

// footer tells the cost, the commits, and where the rest is.
func (r Report) footer() string {
	parts := []string{r.Cost()}
	if n := r.cached(); n > 0 {
		parts = append(parts, plural(n, "review")+" recorded earlier and not paid for again")
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
