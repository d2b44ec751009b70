package markdown

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"workflow-reviewer/internal/lazyregexp"
)

// Outline is a Markdown text as a flat list of sections. Headings, and
// stand-alone lines that act as such ("**Acceptance criteria:**"), begin them.
type Outline struct {
	Sections []Section // the first is the text before any heading
}

// Section is a heading with the blocks below it, up to the next heading.
type Section struct {
	Raw    string // the heading as written
	Title  string // without numbering and markup
	Level  int    // 0 before any heading, 1 to 6, LabelLevel
	Line   int    // from 1
	Blocks []Part
}

// LabelLevel is the level of lines that act as headings without being one.
const LabelLevel = 7

// Part is a run of text of one kind.
type Part struct {
	Kind   PartKind
	Text   string // as written
	Plain  string // without code spans, emphasis, and the targets of links; "" for code
	Line   int    // from 1
	Depth  int    // of the list that holds it, from 1; 0 outside of lists
	Number int    // of an Item of an ordered list; 0 for any other
}

// PartKind names the kind of a part.
type PartKind int

// The kinds of part.
const (
	Paragraph PartKind = iota
	Item               // the first paragraph of a list item
	Row                // one row of a table
	CodeBlock
	HTMLBlock
)

// maxNesting bounds how deep quotes and lists may nest before they are taken
// for plain text, so that a hostile document costs no more than its size.
const maxNesting = 40

// ParseOutline reads valid UTF-8 text. It parses blocks alone: inline markup
// is of no interest, and the costliest part of Markdown on hostile text.
func ParseOutline(data []byte) *Outline {
	data = prepare(data)
	root := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).
		Parse(text.NewReader(data))
	b := &outlineBuilder{doc: &Outline{Sections: []Section{{Line: 1}}}, src: data}
	for at, c := range data {
		if c == '\n' {
			b.ends = append(b.ends, at)
		}
	}
	b.children(root, place{})
	return b.doc
}

// outlineBuilder builds an outline from a parsed document, with lines by offsets.
type outlineBuilder struct {
	doc  *Outline
	src  []byte
	ends []int // offsets of line feeds
}

func (b *outlineBuilder) lineOf(offset int) int { return sort.SearchInts(b.ends, offset) + 1 }

// place is a node's position in the nesting of blocks.
type place struct {
	depth  int // of all containers
	lists  int // of lists
	number int // of the list item, 0 for a bullet
}

// children visits the blocks in a block, at most 3*maxNesting deep, and numbers the items of an
// ordered list.
func (b *outlineBuilder) children(n ast.Node, at place) {
	at.depth++
	if at.depth > 3*maxNesting {
		return
	}
	list, isList := n.(*ast.List)
	if isList {
		at.lists++
		at.number = 0
	}
	next := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if isList && list.IsOrdered() {
			at.number = list.Start + next
			next++
		}
		b.node(c, at)
	}
}

// node turns one block into a heading or a part of the open section. Blocks that only hold others
// are entered.
func (b *outlineBuilder) node(n ast.Node, at place) {
	content, line := b.content(n)
	switch n.Kind() {
	case ast.KindHeading:
		level := n.(*ast.Heading).Level //nolint:errcheck,forcetypeassert // its kind is KindHeading
		b.open(content, level, line)
	case ast.KindParagraph, ast.KindTextBlock:
		b.prose(n, content, line, at)
	case ast.KindFencedCodeBlock, ast.KindCodeBlock:
		b.add(CodeBlock, content, line, at)
	case ast.KindHTMLBlock:
		if content = stripComments(content); strings.TrimSpace(content) != "" {
			b.add(HTMLBlock, content, line, at)
		}
	default:
		b.children(n, at)
	}
}

// content is a block's text and first line.
func (b *outlineBuilder) content(n ast.Node) (string, int) {
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

// open begins a section.
func (b *outlineBuilder) open(title string, level, line int) {
	b.doc.Sections = append(
		b.doc.Sections,
		Section{Raw: strings.TrimSpace(title), Title: cleanTitle(title), Level: level, Line: line},
	)
}

// add appends a part to the open section, with its text for people unless it is code or HTML.
func (b *outlineBuilder) add(kind PartKind, content string, line int, at place) {
	last := &b.doc.Sections[len(b.doc.Sections)-1]
	one := Part{Kind: kind, Text: strings.TrimSpace(content), Line: line, Depth: at.lists}
	if kind != CodeBlock && kind != HTMLBlock {
		one.Plain = Plain(one.Text)
	}
	if kind == Item {
		one.Number = at.number
	}
	last.Blocks = append(last.Blocks, one)
}

var (
	// boldLabel matches a paragraph that begins with bold words and a colon, or is bold as a whole.
	boldLabel = lazyregexp.New(`^(?:\*\*|__)([^*_\n]{2,60}?)(:?)(?:\*\*|__)(:?)[ \t]*(\n|$)?`)
	// plainLabel matches a short line that announces what follows.
	plainLabel = lazyregexp.New(`^([A-Z][\w /&-]{2,40}):$`)
	tableRow   = lazyregexp.New(`^\s*\|.*\|\s*$`)
)

// prose adds a paragraph: as a list item, as table rows, or, where it acts as a heading, as a
// section.
func (b *outlineBuilder) prose(n ast.Node, content string, line int, at place) {
	if strings.TrimSpace(stripComments(content)) == "" {
		return
	}
	inItem := n.Parent() != nil && n.Parent().Kind() == ast.KindListItem
	switch {
	case inItem && n.PreviousSibling() == nil:
		b.add(Item, content, line, at)
	case tableRow.MatchString(firstLine(content)):
		for i, r := range strings.Split(strings.TrimSpace(content), "\n") {
			b.add(Row, r, line+i, at)
		}
	case !inItem && b.label(content, line, at):
	default:
		b.add(Paragraph, content, line, at)
	}
}

// label opens a section of LabelLevel if a paragraph is a label such as "**Steps:**", with what
// follows it as its first paragraph.
func (b *outlineBuilder) label(content string, line int, at place) bool {
	content = strings.TrimSpace(content)
	if m := plainLabel.FindStringSubmatch(content); m != nil {
		b.open(m[1], LabelLevel, line)
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
	b.open(m[1], LabelLevel, line)
	if rest != "" {
		b.add(Paragraph, rest, line, at)
	}
	return true
}

// firstLine is the first line of a text that holds something.
func firstLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return first
}

var htmlComment = lazyregexp.New(`(?s)<!--.*?(?:-->|$)`)

func stripComments(s string) string { return htmlComment.ReplaceAllString(s, "") }

var (
	numbering = lazyregexp.New(`^(?:\d{1,2}(?:\.\d{1,2})*[.):]?\s+|[A-Z](?:\.\d{1,2})*[.):]\s+)`)
	anchorID  = lazyregexp.New(`\s*\{#[\w-]+\}\s*$`)
	link      = lazyregexp.New(`\[([^\[\]\n]+)\]\([^()\n]*\)`)
)

// cleanTitle drops numbering, emphasis, links and anchors of a heading.
func cleanTitle(s string) string {
	s = strings.TrimSpace(firstLine(s))
	s = anchorID.ReplaceAllString(s, "")
	s = link.ReplaceAllString(s, "$1")
	s = strings.NewReplacer("**", "", "__", "", "`", "").Replace(s)
	s = numbering.ReplaceAllString(strings.Trim(s, "# \t*"), "")
	return strings.TrimRight(strings.TrimSpace(s), ":")
}

var (
	spanOfCode = lazyregexp.New("``[^\n]+?``|`[^`\n]*`")
	emphasis   = lazyregexp.New(`\*\*|__`)
)

// Plain drops code spans, link targets, emphasis and comments. A code
// span leaves its ticks, so that it still counts as something.
func Plain(s string) string {
	s = spanOfCode.ReplaceAllString(stripComments(s), "``")
	return emphasis.ReplaceAllString(link.ReplaceAllString(s, "$1"), "")
}
