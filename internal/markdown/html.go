package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// HTML renders a document of ours as HTML that is safe to put into a page: of raw HTML a line break
// alone, no address that could do more than open a page. Words that stand alone in bold, as High
// and FAIL, are classes for a style, and so are the lines of a diff.
func HTML(doc string) (string, error) {
	md := goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(page{}, 100))))
	var b bytes.Buffer
	if err := md.Convert([]byte(doc), &b); err != nil {
		return "", err
	}
	// goldmark without WithUnsafe escapes raw HTML and dangerous URLs. What reads the page as
	// Markdown finds no link, either.
	return strings.ReplaceAll(b.String(), "](", "]&#40;"), nil
}

// page renders what goldmark by itself does not.
type page struct{}

func (page) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, renderRaw)
	r.Register(ast.KindEmphasis, renderEmphasis)
	r.Register(ast.KindFencedCodeBlock, renderFence)
}

func renderRaw(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if raw, ok := n.(*ast.RawHTML); ok && entering {
		text := string(raw.Segments.Value(source))
		if text != "<br>" {
			text = string(util.EscapeHTML([]byte(text)))
		}
		_, _ = w.WriteString(text)
	}
	return ast.WalkSkipChildren, nil
}

func renderEmphasis(
	w util.BufWriter,
	source []byte,
	n ast.Node,
	entering bool,
) (ast.WalkStatus, error) {
	tag := "em"
	if e, ok := n.(*ast.Emphasis); ok && e.Level == 2 {
		tag = "strong"
	}
	switch word := plainOf(n, source); {
	case !entering:
		_, _ = w.WriteString("</" + tag + ">")
	case pills[word]:
		_, _ = w.WriteString("<" + tag + ` class="pill ` + word + `">`)
	default:
		_, _ = w.WriteString("<" + tag + ">")
	}
	return ast.WalkContinue, nil
}

// pills are the words that a page shows as marks.
var pills = map[string]bool{
	"High": true, "Medium": true, "Low": true, "FAIL": true, "CONCERN": true, "FAILED": true, "Open": true, "Resolved": true,
	"Dismissed": true, "APPROVED": true, "NEEDS-CHANGES": true, "OVERRIDDEN": true,
}

// plainOf is the text of a node that holds nothing else.
func plainOf(n ast.Node, source []byte) string {
	if t, ok := n.FirstChild().(*ast.Text); ok && n.ChildCount() == 1 {
		return string(t.Segment.Value(source))
	}
	return ""
}

func renderFence(
	w util.BufWriter,
	source []byte,
	n ast.Node,
	entering bool,
) (ast.WalkStatus, error) {
	block, ok := n.(*ast.FencedCodeBlock)
	if !entering || !ok {
		return ast.WalkContinue, nil
	}
	diff := string(block.Language(source)) == "diff"
	_, _ = w.WriteString("<pre><code>")
	lines := block.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		line := strings.TrimSuffix(string(segment.Value(source)), "\n")
		class := map[string]string{"+": "add", "-": "del"}[line[:min(1, len(line))]]
		safe := string(util.EscapeHTML([]byte(line)))
		if diff && class != "" {
			safe = `<span class="` + class + `">` + safe + "</span>"
		}
		_, _ = w.WriteString(safe + "\n")
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}
