package report

import (
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
	footer := "<sub>" + r.footer() + "</sub>"
	d := document{max: limit - len(footer) - 2}
	d.add("the overview", "## "+r.heading()+"\n\n"+r.overviewText(min(limit/2, 200<<10)))
	more(&d)
	return d.String() + "\n\n" + footer + "\n"
}

func (r Report) overviewText(limit int) string {
	d := document{max: limit}
	d.sections(r.overview())
	return d.String()
}

// details are the reviews in full, within a limit of bytes.
func (r Report) details(limit int) string {
	d := document{max: limit}
	r.addDetails(&d)
	return d.String()
}

// addDetails adds each review folded. A long one gets its share of the room, so that all are shown.
func (r Report) addDetails(d *document) {
	for i, res := range r.Results {
		// A long review gets its share of the room, so that all are shown.
		share := d.room() / (len(r.Results) - i)
		if share < leastShare {
			d.left = append(d.left, res.Artifact.Name())
			continue
		}
		d.sections([]section{r.full(res, 4, share)})
	}
	d.sections(r.asides())
}

// resultSummary is the summary of a review's check.
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
		parts = append(parts, failure("What happened", *res.Failure), "**What to do:** "+markdown.Inline(res.Failure.Action))
	}
	if s := markdown.Block(res.Summary); s != "" {
		parts = append(parts, s)
	}
	if p := r.reviewLink(res); p != "" {
		parts = append(parts, "Review file: "+p)
	}
	return strings.Join(parts, "\n\n")
}
