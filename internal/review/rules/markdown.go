package rules

import (
	"bytes"
	"regexp"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// document is a Markdown text as a flat list of sections. Headings, and
// stand-alone lines that act as such ("**Acceptance criteria:**"), begin them.
type document struct {
	path     string
	sections []section // the first is the text before any heading
	lines    int
}

// section is a heading with the blocks below it, up to the next heading.
type section struct {
	raw    string // the heading as written
	title  string // without numbering and markup
	level  int    // 0 before any heading, 1 to 6, labelLevel
	line   int
	blocks []block
}

// labelLevel is the level of lines that act as headings without being one.
const labelLevel = 7

// block is a run of text of one kind.
type block struct {
	kind  blockKind
	text  string // as written
	plain string // without code spans, emphasis, and the targets of links; "" for code
	line  int
}

type blockKind int

const (
	paragraph blockKind = iota
	item                // the first paragraph of a list item
	row                 // one row of a table
	code
	html
)

// maxNesting bounds how deep quotes and lists may nest before they are taken
// for plain text, so that a hostile document costs no more than its size.
const maxNesting = 40

// parseDocument reads valid UTF-8 text. It parses blocks alone: inline markup
// is of no interest, and the costliest part of Markdown on hostile text.
func parseDocument(path string, data []byte) *document {
	data = prepare(data)
	root := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(data))
	b := &docBuilder{doc: &document{path: path, sections: []section{{line: 1}}}, src: data}
	for at, c := range data {
		if c == '\n' {
			b.ends = append(b.ends, at)
		}
	}
	b.doc.lines = len(b.ends)
	b.children(root, 0)
	return b.doc
}

type docBuilder struct {
	doc  *document
	src  []byte
	ends []int // offsets of line feeds
}

func (b *docBuilder) lineOf(offset int) int { return sort.SearchInts(b.ends, offset) + 1 }

func (b *docBuilder) children(n ast.Node, depth int) {
	if depth > 3*maxNesting {
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.node(c, depth)
	}
}

func (b *docBuilder) node(n ast.Node, depth int) {
	content, line := b.content(n)
	switch n.Kind() {
	case ast.KindHeading:
		b.open(content, n.(*ast.Heading).Level, line) //nolint:errcheck,forcetypeassert // its kind is KindHeading
	case ast.KindParagraph, ast.KindTextBlock:
		b.prose(n, content, line)
	case ast.KindFencedCodeBlock, ast.KindCodeBlock:
		b.add(code, content, line)
	case ast.KindHTMLBlock:
		if content = stripComments(content); strings.TrimSpace(content) != "" {
			b.add(html, content, line)
		}
	default:
		b.children(n, depth+1)
	}
}

// content is a block's text and first line.
func (b *docBuilder) content(n ast.Node) (string, int) {
	if n.Type() != ast.TypeBlock {
		return "", 0
	}
	lines := n.Lines()
	if lines.Len() == 0 {
		return "", b.lineOf(max(0, n.Pos()))
	}
	var out bytes.Buffer
	for i := range lines.Len() {
		segment := lines.At(i)
		out.Write(segment.Value(b.src))
	}
	first := lines.At(0)
	return out.String(), b.lineOf(first.Start)
}

func (b *docBuilder) open(title string, level, line int) {
	b.doc.sections = append(b.doc.sections, section{raw: strings.TrimSpace(title), title: cleanTitle(title), level: level, line: line})
}

func (b *docBuilder) add(kind blockKind, content string, line int) {
	last := &b.doc.sections[len(b.doc.sections)-1]
	one := block{kind: kind, text: strings.TrimSpace(content), line: line}
	if kind != code && kind != html {
		one.plain = plainText(one.text)
	}
	last.blocks = append(last.blocks, one)
}

var (
	// boldLabel matches a paragraph that begins with bold words and a colon,
	// or is bold as a whole.
	boldLabel = regexp.MustCompile(`^(?:\*\*|__)([^*_\n]{2,60}?)(:?)(?:\*\*|__)(:?)[ \t]*(\n|$)?`)
	// plainLabel matches a short line that announces what follows.
	plainLabel = regexp.MustCompile(`^([A-Z][\w /&-]{2,40}):$`)
	tableRow   = regexp.MustCompile(`^\s*\|.*\|\s*$`)
)

// prose adds a paragraph: as a list item, as table rows, or, where it acts as
// a heading, as a section.
func (b *docBuilder) prose(n ast.Node, content string, line int) {
	if strings.TrimSpace(stripComments(content)) == "" {
		return
	}
	inItem := n.Parent() != nil && n.Parent().Kind() == ast.KindListItem
	switch {
	case inItem && n.PreviousSibling() == nil:
		b.add(item, content, line)
	case tableRow.MatchString(firstLine(content)):
		for i, r := range strings.Split(strings.TrimSpace(content), "\n") {
			b.add(row, r, line+i)
		}
	case !inItem && b.label(content, line):
	default:
		b.add(paragraph, content, line)
	}
}

func (b *docBuilder) label(content string, line int) bool {
	content = strings.TrimSpace(content)
	if m := plainLabel.FindStringSubmatch(content); m != nil {
		b.open(m[1], labelLevel, line)
		return true
	}
	m := boldLabel.FindStringSubmatch(content)
	rest := ""
	if m != nil {
		rest = strings.TrimSpace(content[len(m[0]):])
	}
	if m == nil || m[2]+m[3] == "" && rest != "" {
		return false
	}
	b.open(m[1], labelLevel, line)
	if rest != "" {
		b.add(paragraph, rest, line)
	}
	return true
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return first
}

var htmlComment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)

func stripComments(s string) string { return htmlComment.ReplaceAllString(s, "") }

var (
	numbering = regexp.MustCompile(`^(?:\d{1,2}(?:\.\d{1,2})*[.):]?\s+|[A-Z](?:\.\d{1,2})*[.):]\s+)`)
	anchor    = regexp.MustCompile(`\s*\{#[\w-]+\}\s*$`)
	link      = regexp.MustCompile(`\[([^\[\]\n]+)\]\([^()\n]*\)`)
)

// cleanTitle drops numbering, emphasis, links and anchors of a heading.
func cleanTitle(s string) string {
	s = strings.TrimSpace(firstLine(s))
	s = anchor.ReplaceAllString(s, "")
	s = link.ReplaceAllString(s, "$1")
	s = strings.NewReplacer("**", "", "__", "", "`", "").Replace(s)
	s = numbering.ReplaceAllString(strings.Trim(s, "# \t*"), "")
	return strings.TrimRight(strings.TrimSpace(s), ":")
}
