package report

import (
	"crypto/sha256"
	_ "embed" // the page and its style
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"iter"
	"sync"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

var (
	//go:embed report.css
	pageStyle string
	//go:embed page.html
	pageForm string
)

var parsedPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageForm))
})

// page is what page.html shows.
type page struct {
	Class, Kicker, Sign, Title string
	Lead, Footer               template.HTML
	Sections                   iter.Seq[section]
}

// Style is the page's style sheet.
func (page) Style() template.CSS { return template.CSS(pageStyle) } // #nosec G203 -- ours

// Policy allows our own style and nothing else.
func (page) Policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// HTML is the section's body. markdown.HTML lets no markup through that is not its own.
func (s section) HTML() (template.HTML, error) { return safeHTML(s.Body) }

func safeHTML(text string) (template.HTML, error) {
	out, err := markdown.HTML(text)
	return template.HTML(out), err // #nosec G203 -- markdown.HTML escapes what is not ours
}

func (p page) write(w io.Writer, lead, footer string) (err error) {
	p.Kicker, p.Title = markdown.Line(p.Kicker, 200), markdown.Line(p.Title, 200)
	if p.Lead, err = safeHTML(markdown.Inline(lead)); err == nil {
		p.Footer, err = safeHTML(footer)
	}
	if err == nil {
		err = parsedPage().ExecuteTemplate(w, "head", p)
	}
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// Page writes a page in the style of the report, with a body in Markdown of ours.
func Page(w io.Writer, title, kicker, lead, body string) error {
	l := lookOf(workflow.None, true)
	sections := func(yield func(section) bool) { yield(section{Body: body}) }
	return page{
		Class: workflow.None.String(), Kicker: kicker, Sign: l.glyph, Title: title,
		Sections: sections,
	}.write(w, lead, "")
}

// writeHTML writes report.html: one file without scripts and without anything loaded from
// elsewhere, which its own content security policy enforces. It has the sections of the job
// summary, one review after the other: of many they are never all there as text.
func (r Report) writeHTML(w io.Writer) error {
	r.page = true
	kicker := "local run"
	if r.Event.Owner != "" {
		kicker = r.Event.Owner + "/" + r.Event.Repo
		if r.isPull() {
			kicker += fmt.Sprintf(" #%d", r.Event.Number)
		}
	}
	if branch := markdown.Line(r.Event.Head.Branch, 100); branch != "" {
		kicker = markdown.Line(kicker, 200) + " · " + branch
	}
	p := page{
		Class: r.Decision.String(), Kicker: kicker, Sign: r.look().glyph, Title: r.Title(),
		Sections: r.sections,
	}
	return p.write(w, r.reason(), fill("footer", r))
}

// maxFull bounds one review on the page, in bytes.
const maxFull = 4 << 20

// sections are those of the page.
func (r Report) sections(yield func(section) bool) {
	for _, s := range r.overview() {
		if !yield(s) {
			return
		}
	}
	for _, res := range r.Results {
		s := r.full(res, 3, maxFull)
		s.Open = s.Open || len(r.Results) == 1
		if !yield(s) {
			return
		}
	}
	var commits []string
	for _, c := range r.Commits {
		commits = append(commits, short(c.SHA)+" "+c.Subject)
	}
	written := section{Title: "Commits written", Fold: true, Body: fill("bullets", commits)}
	for _, s := range append(r.asides(), written) {
		if !yield(s) {
			return
		}
	}
}
