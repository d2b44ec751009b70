package docstest

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// TestPicture draws the README's picture from the golden of the comment on a breach (scripts/picture.sh).
func TestPicture(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "internal/report/testdata/breach.comment.md"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docs/images/breach.svg")
	drawn := drawComment(t, source)
	if *update {
		if err := os.WriteFile(file, []byte(drawn), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(drawn, string(kept)); d != "" {
		t.Errorf("the picture is not of the comment as it is (run scripts/picture.sh):\n%s", d)
	}
}

// Pixels of the picture.
const (
	pictureWidth = 840
	margin       = 24
	listIndent   = 22
	lineHeight   = 22
	letterWidth  = 7.2 // of 14 px text; estimated, and rather too wide, as the reader's font is not known
)

// picture is a comment that is being laid out, one line of text after another.
type picture struct {
	body   strings.Builder
	y      float64
	indent float64
	x      float64 // where the next word goes
	line   strings.Builder
	class  string // of the last word on the line
	source []byte
}

// drawComment lays a comment out as GitHub shows it: folded parts closed, quoted code in a box.
func drawComment(t *testing.T, source []byte) string {
	t.Helper()
	p := &picture{source: source, y: 64}
	folded := false
	for n := goldmark.DefaultParser().Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		if raw, ok := n.(*ast.HTMLBlock); ok {
			block := string(raw.Lines().Value(source))
			if _, rest, ok := strings.Cut(block, "<summary>"); ok {
				title, _, _ := strings.Cut(rest, "</summary>")
				p.word("▸ "+html.UnescapeString(title), "")
				p.end(8)
			}
			folded = (folded || strings.Contains(block, "<details>")) && !strings.Contains(block, "</details>")
			continue
		}
		if !folded {
			p.block(n)
		}
	}
	height := p.y + 4
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" viewBox="0 0 %[1]d %.0[2]f" role="img">
<title>The comment on a pull request that weakens an approved test</title>
<style>
text { font: 14px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328; white-space: pre }
.b { font-weight: 600 } .h { font-size: 20px; font-weight: 600 } .s { font-size: 12px; fill: #59636e }
.c, .l { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12.5px } .l { fill: #0969da }
.card { fill: #ffffff; stroke: #d1d9e0 } .head { fill: #f6f8fa; stroke: #d1d9e0 } .minus { fill: #ffebe9 } .plus { fill: #dafbe1 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .s { fill: #9198a1 } .l { fill: #4493f8 }
.card { fill: #0d1117; stroke: #3d444d } .head { fill: #151b23; stroke: #3d444d } .minus { fill: #3c1a1d } .plus { fill: #12281a }
}
</style>
<rect class="card" x="0.5" y="0.5" width="%d" height="%.0f" rx="6"/>
<path class="head" d="M0.5 40.5V6.5a6 6 0 0 1 6-6H%[5]da6 6 0 0 1 6 6V40.5Z"/>
<text x="%d" y="26"><tspan class="b">github-actions</tspan><tspan class="s"> bot commented</tspan></text>
%s</svg>
`, pictureWidth, height, pictureWidth-1, height-1, pictureWidth-7, margin, p.body.String())
}

func (p *picture) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		p.inline(n, "h")
		p.end(12)
	case *ast.List:
		for i, item := 1, n.FirstChild(); item != nil; i, item = i+1, item.NextSibling() {
			mark := "•"
			if n.IsOrdered() {
				mark = fmt.Sprintf("%d.", i)
			}
			p.x = p.indent
			fmt.Fprintf(&p.body, `<text x="%.0f" y="%.0f">%s</text>`+"\n", margin+p.x, p.y+lineHeight-6, mark)
			p.indent += listIndent
			p.x = p.indent
			for c := item.FirstChild(); c != nil; c = c.NextSibling() {
				p.block(c)
			}
			p.indent -= listIndent
		}
		p.end(6)
	case *ast.FencedCodeBlock:
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			p.code(strings.TrimRight(string(line.Value(p.source)), "\n"))
		}
		p.y += 8
	default:
		p.inline(n, "")
		p.end(4)
	}
}

// inline writes the words of a block in the class of what they stand in.
func (p *picture) inline(n ast.Node, class string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			p.words(string(c.Segment.Value(p.source)), class)
			if c.SoftLineBreak() {
				p.words(" ", class)
			}
		case *ast.CodeSpan:
			p.inline(c, "c")
		case *ast.Link:
			p.inline(c, "l")
		case *ast.Emphasis:
			p.inline(c, "b")
		case *ast.RawHTML:
			switch string(c.Segments.Value(p.source)) {
			case "<br>":
				p.end(0)
			case "<sub>":
				class = "s"
			}
		}
	}
}

func (p *picture) words(s, class string) {
	for _, word := range strings.SplitAfter(s, " ") {
		if word != "" {
			p.word(word, class)
		}
	}
}

// word puts a word on the line, or on the next one if it does not fit.
func (p *picture) word(s, class string) {
	width := widthOf(s, class)
	if p.x > p.indent && p.x+width > pictureWidth-2*margin {
		p.end(0)
	}
	if p.line.Len() == 0 {
		fmt.Fprintf(&p.line, `<text x="%.0f" y="%.0f">`, margin+p.x, p.y+lineHeight-6)
	}
	if p.class != class || !strings.HasSuffix(p.line.String(), "</tspan>") {
		fmt.Fprintf(&p.line, `<tspan class="%s"></tspan>`, class)
	}
	open := strings.TrimSuffix(p.line.String(), "</tspan>")
	p.line.Reset()
	p.line.WriteString(open + html.EscapeString(s) + "</tspan>")
	p.class = class
	p.x += width
}

// end ends a line, with a gap below it.
func (p *picture) end(gap float64) {
	if p.line.Len() > 0 {
		p.body.WriteString(p.line.String() + "</text>\n")
		p.line.Reset()
		p.y += lineHeight
	}
	p.y += gap
	p.x = p.indent
}

func (p *picture) code(line string) {
	p.end(0)
	class := map[byte]string{'-': "minus", '+': "plus"}[(line + " ")[0]]
	if class != "" {
		fmt.Fprintf(&p.body, `<rect class="%s" x="%.0f" y="%.0f" width="%.0f" height="%d"/>`+"\n",
			class, margin+p.indent, p.y, pictureWidth-2*margin-p.indent, lineHeight)
	}
	fmt.Fprintf(&p.body, `<text class="c" x="%.0f" y="%.0f">%s</text>`+"\n",
		margin+p.indent+8, p.y+lineHeight-6, html.EscapeString(line))
	p.y += lineHeight
}

func widthOf(s, class string) (width float64) {
	for _, r := range s {
		switch {
		case class == "c" || class == "l":
			width += 7.7
		case strings.ContainsRune("iljtfr.,:;!'|()[] ", r):
			width += letterWidth * 0.6
		case unicode.IsUpper(r) || strings.ContainsRune("mw", r):
			width += letterWidth * 1.35
		case r > 0x2000:
			width += 2.4 * letterWidth
		default:
			width += letterWidth * 1.06
		}
	}
	if class == "h" {
		width *= 1.45
	}
	return width
}
