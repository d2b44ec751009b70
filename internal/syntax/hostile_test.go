package syntax_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"workflow-reviewer/internal/syntax"
)

// bombs are sources whose nesting, ambiguity or errors blow up careless
// parsers and walks.
func bombs() map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, bombSize/len(unit)) }
	pair := func(open, end string) string {
		n := bombSize / (len(open) + len(end))
		return strings.Repeat(open, n) + strings.Repeat(end, n)
	}
	return map[string]string{
		"open parentheses":     fill("("),
		"parentheses":          pair("(", ")"),
		"brackets":             pair("[", "]"),
		"open braces":          fill("{"),
		"braces":               pair("{", "}"),
		"generics":             fill("a<"),
		"casts":                fill("(a)"),
		"unary":                fill("-"),
		"quotes":               fill("\""),
		"interpolations":       fill("\"#{"),
		"f-strings":            fill("f\"{"),
		"templates":            fill("`${"),
		"here-documents":       fill("<<A\n"),
		"comment starts":       fill("/*"),
		"nul bytes":            fill("\x00"),
		"not UTF-8":            fill("\xff\xfe"),
		"functions":            fill("def f(): raise x\n"),
		"arrows":               fill("x=>"),
		"lambdas":              fill("lambda x:"),
		"else":                 fill("if(a)b;else "),
		"blocks with a method": strings.Repeat("a{", bombSize/4) + "def x;end" + strings.Repeat("}", bombSize/4),
		"tuples":               "def f(): return " + strings.Repeat("(", bombSize/4) + "0" + strings.Repeat(",)", bombSize/4),
		"interfaces":           strings.Repeat("interface A{", bombSize/16) + "void f();" + strings.Repeat("}", bombSize/16),
		"attributes":           fill("#[test]\nfn a(){}\n"),
		"no line end":          fill("a b "),
		"generics by lines":    fill(strings.Repeat("a<", 900) + ";\n"),
		"nested just so":       strings.Repeat("f(a<", 990),
	}
}

// bombSize is large enough for quadratic work to be seen.
const bombSize = 8_000

func TestBombs(t *testing.T) {
	for name, src := range bombs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, lang := range syntax.Languages() {
				tree, err := syntax.Parse(context.Background(), lang, []byte(src))
				switch {
				case errors.Is(err, syntax.ErrTooComplex), errors.Is(err, syntax.ErrTooLarge):
				case err != nil:
					t.Errorf("%s: %v", lang, err)
				default:
					syntax.Functions(tree)
					_ = tree.Root().String()
				}
			}
		})
	}
}

// FuzzFunctions asks for no more than an end without a crash, and for lines
// that are those of the source.
func FuzzFunctions(f *testing.F) {
	for i, src := range []string{
		"def f():\n    raise NotImplementedError\n", "package p\n\nfunc f() { panic(1) }\n", "class A { a(): void { throw new Error('x') } }",
		"const A = () => <b>{x}</b>;", "function f() { return null }", "class A { void f() { } }", "fn f() { todo!() }",
		"def f\n  <<~A\n    #{x}\n  A\nend\n", "class A { string S() => $\"{x}\"; }", "\xff\x00(",
	} {
		f.Add(i, []byte(src))
	}
	f.Fuzz(func(t *testing.T, which int, src []byte) {
		languages := syntax.Languages()
		lang := languages[uint(which)%uint(len(languages))]
		tree, err := syntax.Parse(context.Background(), lang, src)
		if err != nil {
			return
		}
		lines := strings.Count(string(src), "\n") + 1
		for _, fn := range syntax.Functions(tree) {
			if fn.StartLine < 1 || fn.EndLine < fn.StartLine || fn.EndLine > lines {
				t.Errorf("%s: %+v in %d lines", lang, fn, lines)
			}
		}
	})
}
