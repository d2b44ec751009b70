package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's template and style
	"encoding/base64"
	"fmt"
	"html/template"
	"regexp"

	"workflow-reviewer/internal/markdown"
)

var (
	//go:embed report.html.tmpl
	pageText string
	//go:embed report.css
	pageStyle string
)

// HTML is report.html: one file without scripts and without anything loaded
// from elsewhere, which its own content security policy enforces.
func (r Report) HTML() ([]byte, error) {
	t, err := template.New("report").Funcs(template.FuncMap{"line": htmlLine, "blocks": htmlBlocks}).Parse(pageText)
	if err != nil {
		return nil, fmt.Errorf("parse the report's template: %w", err)
	}
	p := r.page()
	p.CSS = template.CSS(pageStyle) // #nosec G203 -- our own embedded file
	sum := sha256.Sum256([]byte(pageStyle))
	p.StyleHash = "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("render the report: %w", err)
	}
	return b.Bytes(), nil
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// htmlLine is foreign text on one line, with its code spans.
func htmlLine(s string) template.HTML {
	safe := template.HTMLEscapeString(oneLine(s, 0))
	return template.HTML(codeSpan.ReplaceAllString(safe, "<code>$1</code>")) // #nosec G203 -- escaped above
}

// htmlBlocks is foreign Markdown as HTML.
func htmlBlocks(s string) (template.HTML, error) {
	if s == "" {
		return "", nil
	}
	return markdown.HTML(markdown.Block(s))
}
