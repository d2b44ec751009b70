package rules

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/requirements"
)

// document is a Markdown text as a flat list of sections.
type document struct {
	path     string
	sections []section // the first is the text before any heading
	lines    int
	criteria []requirements.Requirement
}

// section is a heading with the blocks below it, up to the next heading.
type section struct {
	raw    string // the heading as written
	title  string // without numbering and markup
	level  int    // 0 before any heading, 1 to 6, labelLevel
	line   int
	blocks []block
}

// block is a run of text of one kind.
type block struct {
	kind  markdown.PartKind
	text  string // as written
	plain string // without code spans, emphasis, and the targets of links; "" for code
	line  int
}

const (
	labelLevel = markdown.LabelLevel
	paragraph  = markdown.Paragraph
	item       = markdown.Item
	row        = markdown.Row
	codeBlock  = markdown.CodeBlock
	html       = markdown.HTMLBlock
)

// parseDocument reads valid UTF-8 text.
func parseDocument(path string, data []byte) *document {
	o := markdown.ParseOutline(data)
	d := &document{path: path, lines: o.Lines}
	d.criteria, _ = requirements.FromOutline(o)
	for _, s := range o.Sections {
		one := section{raw: s.Raw, title: s.Title, level: s.Level, line: s.Line}
		for _, b := range s.Blocks {
			one.blocks = append(one.blocks, block{kind: b.Kind, text: b.Text, plain: b.Plain, line: b.Line})
		}
		d.sections = append(d.sections, one)
	}
	return d
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return first
}

var link = lazyregexp.New(`\[([^\[\]\n]+)\]\([^()\n]*\)`)
