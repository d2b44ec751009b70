package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's style
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/url"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
)

//go:embed report.css
var pageStyle string

// HTML is report.html: one file without scripts and without anything loaded
// from elsewhere, which its own content security policy enforces.
//
// It is composed in Go, and not by html/template, because the linker cannot leave out any exported method of a
// program that executes templates, which is an eighth of the program's size. Text and attributes are escaped by
// the nodes; whatever goes into g.Raw is made in this file.
func (r Report) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := r.writeHTML(&b)
	return b.Bytes(), err
}

func (r Report) writeHTML(w io.Writer) error {
	if err := r.page().document().Render(w); err != nil {
		return fmt.Errorf("render the report: %w", err)
	}
	return nil
}

// policy allows our own style and nothing else.
func policy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// style is our own embedded file.
func style() g.Node { return h.StyleEl(g.Raw(pageStyle)) }

var codeSpan = lazyregexp.New("`([^`]+)`")

// inline is foreign text on one line, with its code spans.
func inline(s string) g.Node {
	return g.Raw(codeSpan.ReplaceAllString(html.EscapeString(oneLine(s, 0)), "<code>$1</code>"))
}

// blocks is Markdown of ours, or a foreign text.
func blocks(s string) g.Node {
	return g.NodeFunc(func(w io.Writer) error {
		if s == "" {
			return nil
		}
		safe, err := markdown.HTML(markdown.Labelled(s))
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, safe)
		return err
	})
}

// href is the address of a link, and none if following it could do more than open a page.
func href(address string) g.Node {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" && u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	return h.Href(address)
}

// row is a node on a line of its own in the file.
func row(n ...g.Node) g.Node { return append(g.Group{g.Raw("\n")}, n...) }

// when makes nodes of a text, if there is one.
func when(s string, node func(string) g.Node) g.Node {
	if s == "" {
		return nil
	}
	return node(s)
}

func heading(s string) g.Node { return row(h.H2(g.Text(s))) }

func pill(class, text string) g.Node { return h.Span(h.Class("pill "+class), g.Text(text)) }
