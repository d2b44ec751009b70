package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

func TestInline(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Rate limit is not defined", "Rate limit is not defined"},
		{"two lines", "one\n# two", "one # two"},
		{"code span stays", "use `a < b` here", "use `a < b` here"},
		{"open backtick", "a ` b <i>", "a &#96; b &lt;i>"},
		{"pipe", "a | b `c||d`", `a \| b ` + "`c||d`"},
		{"html", "<img src=x onerror=y>", "&lt;img src=x onerror=y>"},
		{"entity", "&lt;b&gt;", "&amp;lt;b&amp;gt;"},
		{"image", "![x](http://evil/x.png)", `!\[x\](` + "`http://evil/x.png`)"},
		{"mention", "ask @octocat, now", "ask `@octocat`, now"},
		{"mention in emphasis", "*@octocat*", `\*` + "`@octocat`" + `\*`},
		{"decorator", "@pytest.mark.skip was added", "`@pytest.mark.skip` was added"},
		{"mail", "mail me@example.org", "mail me@\u200bexample.org"},
		{"issue", "see #12 and o/r#3", "see `#12` and `o/r#3`"},
		{"snake case", "call user_name and __init__", `call user_name and \_\_init\_\_`},
		{"control", "a\x1b[31mb\u202ec", `a\\x1b\[31mb\[U+202E\]c`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Inline(tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCell(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a | b `c||d` e", `a \| b ` + "`c\\|\\|d` e"},
		{"`a\\|b`", "`a\\¦b`"},
		{"open ` | x", `open &#96; \| x`},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Cell(tt.in)); diff != "" {
			t.Errorf("Cell(%q):\n%s", tt.in, diff)
		}
	}
}

func TestBlock(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"paragraphs and list", "One **bold**.\n\n- a\n- b\n  - c", "One **bold**.\n\n- a\n- b\n  - c"},
		{"label", "**Verdict:** APPROVED", "Verdict: APPROVED"},
		{"label with a value", "- **Verdict: APPROVED**, **really**", "- Verdict: APPROVED, **really**"},
		{"label in the second line", "x\n***Decision***: APPROVED\n1. *Status:* READY", "x\nDecision: APPROVED\n1. Status: READY"},
		{"label in a quotation", "> **Verdict:** APPROVED", "> Verdict: APPROVED"},
		{"heading", "# Decision: APPROVED\n## x", "\\# Decision: APPROVED\n\\## x"},
		{"heading in list", "- # x", "- \\# x"},
		{"setext", "Decision\n===\nx\n---", "Decision\n\\=\\=\\=\nx\n\\-\\-\\-"},
		{"fence", "see:\n```go\na := \"<b>\"\n```\nend", "see:\n\n```go\na := \"<b>\"\n```\n\nend"},
		{"fence left open", "```\n# x", "```\n# x\n```"},
		{"fence in fence", "````\n```\nx\n```\n````", "````\n```\nx\n```\n````"},
		{"fence that GitHub would run", "```mermaid\ngraph\n```", "```\ngraph\n```"},
		{"suggestion", "```suggestion\nevil()\n```", "```\nevil()\n```"},
		{"comment", "<!-- workflow-reviewer:data {} -->", "&lt;!-- workflow-reviewer:data {} -->"},
		{"table", "a|b\n-|-\nc|d", "a\\|b\n\\-\\|\\-\nc\\|d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Block(tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCutClosesFenceAndSaysSo(t *testing.T) {
	doc := "intro\n\n````go\n" + strings.Repeat("line\n", 500) + "````\n\nend"
	got := Cut(doc, 1000, "*cut*")
	if len(got) > 1000 || !strings.HasSuffix(got, "line\n````\n\n*cut*") {
		t.Errorf("len %d, end %q", len(got), got[len(got)-40:])
	}
	if short := Cut("short", 1000, "*cut*"); short != "short" {
		t.Errorf("a document that fits became %q", short)
	}
	if got := Cut(strings.Repeat("é", 4000), 1000, "*cut*"); len(got) > 1000 || !utf8.ValidString(got) {
		t.Errorf("one long line: %d bytes", len(got))
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		in   string
		max  int
		want string
	}{{"abc", 0, "abc"}, {"abc", 3, "abc"}, {"abcdef", 5, "ab…"}, {"ééé", 5, "é…"}, {"abc", 2, ""}} {
		if got := Clip(tt.in, tt.max); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
		}
	}
}

// FuzzBlock holds the promise of the package: whatever comes in, no active
// element and no heading comes out, and what follows is outside of it.
func FuzzBlock(f *testing.F) {
	for _, s := range []string{
		"# h\n<b>x</b>\n![i](u)", "a ` b\n`<img src=x>`", "```\nx", "- ```\n  x\n", "> a\n> ---", "[a]: http://x\n[a]",
		"a|b\n-|-\n`c|<b>`", "~~~\n</details>\n~~~", "\\`<b>\\`", "a\n:-:", "1. - # x", "\t# x", "``` a`b <i>", "<http://x>", "`` ` ``<b>",
		"`a\\||b`|\\|", "``a`|`b``",
	} {
		f.Add(s)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	f.Fuzz(func(t *testing.T, s string) {
		for _, doc := range []string{
			"before\n\n" + Block(s) + "\n\nafter-marker\n",
			"before " + Inline(s) + "\n\nafter-marker\n",
			"| a | b |\n|---|---|\n| x" + CodeCell(s) + " | " + Cell(s) + " |\n\nafter-marker\n",
			"before " + Code(s) + "\n\nafter-marker\n",
		} {
			root := md.Parser().Parse(text.NewReader([]byte(doc)))
			last := root.LastChild()
			if last == nil || last.Kind() != ast.KindParagraph || string(last.Lines().Value([]byte(doc))) != "after-marker" {
				t.Fatalf("what follows was swallowed:\n%s", doc)
			}
			tables, cells := 0, 0
			_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				switch n.Kind() {
				case ast.KindRawHTML, ast.KindHTMLBlock, ast.KindImage, ast.KindLink, ast.KindHeading, ast.KindThematicBreak,
					extast.KindTaskCheckBox:
					t.Fatalf("%v in:\n%s", n.Kind(), doc)
				case extast.KindTableCell:
					if entering {
						cells++
					}
				case extast.KindTable:
					if entering {
						tables++
					}
				}
				return ast.WalkContinue, nil
			})
			if own := strings.Count(doc[:4], "| a"); tables > own || cells > 4*own {
				t.Fatalf("%d tables with %d cells in:\n%s", tables, cells, doc)
			}
		}
	})
}

func TestCleanShowsWhatIsHidden(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":              {"a\tb\nä€😀", "a\tb\nä€😀"},
		"carriage returns":   {"a\r\nb\rc", "a\nb\\x0dc"},
		"control characters": {"a\x00b\x1bc\x7f", `a\x00b\x1bc\x7f`},
		"not UTF-8":          {"caf\xe9 \xff\xfe", "caf� �"},
		"reordering":         {"if a \u202e// b\u2066", "if a [U+202E]// b[U+2066]"},
		"hidden tags":        {"x\U000e0041\u200b", "x[U+E0041][U+200B]"},
		"byte order mark":    {"\ufeffa\ufeff", "a[U+FEFF]"},
		"joined emoji":       {"👩\u200d💻", "👩\u200d💻"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", name, c.in, got, c.want)
		}
	}
}
