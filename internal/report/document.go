package report

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
)

const (
	maxComment    = 65536
	maxJobSummary = 1 << 20
	leastShare    = 2000 // bytes below which a review is not worth showing
)

const cutNote = "*Cut here: GitHub allows no more. The whole report is in the run's report folder.*"

// document collects Markdown blocks up to a size. What does not fit is counted
// and named at the end, never dropped silently.
type document struct {
	b    strings.Builder
	max  int // bytes
	left []string
}

// noteRoom is kept free for the note on what was left out.
const noteRoom = 600

// room is how much more fits.
func (d *document) room() int { return max(0, d.max-d.b.Len()-noteRoom) }

// add appends a block if it fits, else notes that name was left out.
func (d *document) add(name, block string) {
	if block == "" {
		return
	}
	if d.b.Len()+len(block)+noteRoom > d.max {
		d.left = append(d.left, name)
		return
	}
	if d.b.Len() > 0 {
		d.b.WriteString("\n\n")
	}
	d.b.WriteString(block)
}

func (d *document) sections(all []section) {
	for _, s := range all {
		d.add(s.Name, s.text())
	}
}

// String is the document with a note of what was left out.
func (d *document) String() string {
	if len(d.left) == 0 {
		return d.b.String()
	}
	names := strings.Join(d.left[:min(3, len(d.left))], ", ")
	if n := len(d.left) - 3; n > 0 {
		names += fmt.Sprintf(" and %d more", n)
	}
	return d.b.String() + "\n\n*Left out, because GitHub allows no more: " +
		markdown.Line(names, 300) + ". The whole report is in the run's report folder.*"
}

// JobSummary is the report for the run's page with the reviews in full, at most 1 MiB.
func (r Report) JobSummary() string { return r.whole(maxJobSummary-1, r.addDetails) }

// whole is overview, more, and the footer.
func (r Report) whole(limit int, more func(*document)) string {
	footer := "<sub>" + fill("footer", r) + "</sub>"
	d := document{max: limit - len(footer) - 2}
	d.add("the overview", "## "+r.heading()+"\n\n"+r.part(min(limit/2, 200<<10), r.addOverview))
	more(&d)
	return d.String() + "\n\n" + footer + "\n"
}

// part is a document of at most limit bytes.
func (r Report) part(limit int, add func(*document)) string {
	d := document{max: limit}
	add(&d)
	return d.String()
}

func (r Report) addOverview(d *document) { d.sections(r.overview()) }

// addDetails adds each review folded. A long one gets its share of the room, so that all are shown.
func (r Report) addDetails(d *document) {
	for i, res := range r.Results {
		share := d.room() / (len(r.Results) - i)
		if share < leastShare {
			d.left = append(d.left, res.Artifact.Name())
			continue
		}
		d.sections([]section{r.full(res, 4, share)})
	}
	d.sections(r.asides())
}
