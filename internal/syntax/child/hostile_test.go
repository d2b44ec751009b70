//go:build !race

package child_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/functions"
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
		"open parentheses":                   fill("("),
		"parentheses":                        pair("(", ")"),
		"brackets":                           pair("[", "]"),
		"open braces":                        fill("{"),
		"braces":                             pair("{", "}"),
		"generics":                           fill("a<"),
		"casts":                              fill("(a)"),
		"unary":                              fill("-"),
		"quotes":                             fill("\""),
		"interpolations":                     fill("\"#{"),
		"f-strings":                          fill("f\"{"),
		"templates":                          fill("`${"),
		"here-documents":                     fill("<<A\n"),
		"comment starts":                     fill("/*"),
		"nul bytes":                          fill("\x00"),
		"not UTF-8":                          fill("\xff\xfe"),
		"functions":                          fill("def f(): raise x\n"),
		"arrows":                             fill("x=>"),
		"lambdas":                            fill("lambda x:"),
		"else":                               fill("if(a)b;else "),
		"blocks with a method":               strings.Repeat("a{", bombSize/4) + "def x;end" + strings.Repeat("}", bombSize/4),
		"tuples":                             "def f(): return " + strings.Repeat("(", bombSize/4) + "0" + strings.Repeat(",)", bombSize/4),
		"interfaces":                         strings.Repeat("interface A{", bombSize/16) + "void f();" + strings.Repeat("}", bombSize/16),
		"attributes":                         fill("#[test]\nfn a(){}\n"),
		"no line end":                        fill("a b "),
		"generics by lines":                  fill(strings.Repeat("a<", 900) + ";\n"),
		"nested just so":                     strings.Repeat("f(a<", 990),
		"minus signs":                        "x = " + strings.Repeat("- ", 3_000) + "1\n",
		"10,000 parentheses":                 "x = " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000) + "\n",
		"endless indenting":                  indented(600),
		"long here-document":                 string(abort),
		"many here-documents":                "f(" + strings.Repeat("<<ABCDEFGH, ", 90) + "1)\n",
		"here-documents in an interpolation": hereDocuments(),
		"long comment":                       "/*" + strings.Repeat("#", syntax.MaxSource) + "*/",
	}
}

// bombSize is large enough for quadratic work to be seen.
const bombSize = 8_000

// indented is Python that is nested deeper than its scanner keeps.
func indented(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String() + strings.Repeat(" ", depth) + "pass\n"
}

func TestBombs(t *testing.T) {
	ctx := parsers(t, "parse")
	for name, src := range bombs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, lang := range syntax.Languages() {
				tree, err := syntax.Parse(ctx, lang, []byte(src))
				switch {
				case errors.Is(err, syntax.ErrTooComplex), errors.Is(err, syntax.ErrTooLarge),
					errors.Is(err, syntax.ErrNotText), errors.Is(err, syntax.ErrCrashed):
				case err != nil:
					t.Errorf("%s: %v", lang, err)
				default:
					check(t, tree)
				}
			}
		})
	}
}

// check asks everything of a tree that could panic, and for lines that are
// those of the source.
func check(t *testing.T, tree *syntax.Tree) {
	t.Helper()
	_ = tree.Root().String()
	lines := strings.Count(string(tree.Source()), "\n") + 1
	for _, fn := range functions.Of(tree) {
		if fn.StartLine < 1 || fn.EndLine < fn.StartLine || fn.EndLine > lines {
			t.Errorf("%s: %+v in %d lines", tree.Language(), fn, lines)
		}
	}
}

// FuzzParse asks for no more than an end without a crash of this process.
func FuzzParse(f *testing.F) {
	for i, src := range []string{
		"def f():\n    raise NotImplementedError\n", "package p\n\nfunc f() { panic(1) }\n",
		"class A { a(): void { throw new Error('x') } }",
		"const A = () => <b>{x}</b>;", "function f() { return null }", "class A { void f() { } }", "fn f() { todo!() }",
		"def f\n  <<~A\n    #{x}\n  A\nend\n", "class A { string S() => $\"{x}\"; }", "\xff\x00(",
		"interface A<in T, out U> { a: T\nin_progress: U }", "x = str![[1]]",
	} {
		f.Add(i, []byte(src))
	}
	if flag.Lookup("test.fuzz").Value.String() != "" { // TestBombs has them, larger
		for _, src := range bombs() {
			for i := range syntax.Languages() {
				f.Add(i, []byte(src[:min(len(src), 4_000)]))
			}
		}
	}
	ctx := parsers(f, "parse")
	f.Fuzz(func(t *testing.T, which int, src []byte) {
		languages := syntax.Languages()
		lang := languages[uint(which)%uint(len(languages))]
		if tree, err := syntax.Parse(ctx, lang, src); err == nil {
			check(t, tree)
		}
	})
}
