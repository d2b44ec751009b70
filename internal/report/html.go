package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's style
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

//go:embed report.css
var pageStyle string

// HTML is report.html: one file without scripts and without anything loaded from elsewhere, which
// its own content security policy enforces. It has the sections of the job summary.
func (r Report) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := r.writeHTML(&b)
	return b.Bytes(), err
}

// pageHead has the title, the policy, the style, and of the verdict its class, name, sign, title
// and reason.
const pageHead = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%[2]s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>%[1]s</title>
<style>%[3]s</style>
</head>
<body>
<main>
<header class="card verdict %[4]s">
<p class="kicker">%[5]s</p>
<h1><span class="sign" aria-hidden="true">%[6]s</span> %[7]s</h1>
%[8]s</header>
`

// writeHTML writes the page, one review after the other: of many they are never all there as text.
func (r Report) writeHTML(w io.Writer) error {
	r.page = true
	name := oneLine(r.name(), 200)
	if branch := oneLine(r.Event.Head.Branch, 100); branch != "" {
		name += " · " + branch
	}
	err := writeHead(w, r.Decision.String(), name, r.glyph(), r.Title(), r.reason())
	write := func(sections ...section) {
		for _, s := range sections {
			err = errors.Join(err, s.writeHTML(w))
		}
	}
	write(r.overview()...)
	for _, res := range r.Results {
		s := r.full(res, 3, maxFull)
		s.open = s.open || len(r.Results) == 1
		write(s)
	}
	write(r.asides()...)
	var commits []string
	for _, c := range r.Commits {
		commits = append(commits, short(c.SHA)+" "+c.Subject)
	}
	write(section{title: "Commits written", fold: true, body: bullets(commits)})
	footer, ferr := markdown.HTML(r.footer())
	err = errors.Join(err, ferr, all(fmt.Fprintf(w, "<footer>%s</footer>\n%s", footer, pageEnd)))
	if err != nil {
		return fmt.Errorf("render the report: %w", err)
	}
	return nil
}

const pageEnd = "</main>\n</body>\n</html>\n"

func writeHead(w io.Writer, class, kicker, sign, title, lead string) error {
	text := html.EscapeString
	body, err := markdown.HTML(markdown.Inline(lead))
	_, werr := fmt.Fprintf(w, pageHead, text(oneLine(title, 200)+" · "+oneLine(kicker, 200)), text(policy()), pageStyle,
		class, text(oneLine(kicker, 200)), text(sign), text(oneLine(title, 200)), body)
	return errors.Join(err, werr)
}

// Page writes a page in the style of the report, with a body in Markdown of ours.
func Page(w io.Writer, title, kicker, lead, body string) error {
	err := writeHead(w, workflow.None.String(), kicker, onPage[decisionMark(workflow.None)], title, lead)
	return errors.Join(err, section{body: body}.writeHTML(w), all(io.WriteString(w, pageEnd)))
}

// maxFull bounds one review on the page, in bytes.
const maxFull = 4 << 20

func (s section) writeHTML(w io.Writer) error {
	if s.body == "" {
		return nil
	}
	body, err := markdown.HTML(s.body)
	if err != nil {
		return err
	}
	title, open := html.EscapeString(oneLine(s.title, 300)), ""
	if s.open {
		open = " open"
	}
	switch {
	case s.fold:
		const details = "<details class=\"card %s\"%s><summary><h2>%s</h2></summary>\n%s</details>\n"
		return all(fmt.Fprintf(w, details, s.class, open, title, body))
	case title != "":
		title = "<h2>" + title + "</h2>\n"
	}
	return all(fmt.Fprintf(w, "%s<section class=\"card %s\">\n%s</section>\n", title, s.class, body))
}

// policy allows our own style and nothing else.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// glyph is the sign of the verdict in a character that every font has.
func (r Report) glyph() string {
	switch {
	case r.Cancelled:
		return "■"
	case r.unread():
		return onPage[unreadMark]
	}
	return onPage[decisionMark(r.Decision)]
}

func (r Report) name() string {
	if r.Event.Owner == "" {
		return "local run"
	}
	s := r.Event.Owner + "/" + r.Event.Repo
	if r.isPull() {
		s += fmt.Sprintf(" #%d", r.Event.Number)
	}
	return s
}
