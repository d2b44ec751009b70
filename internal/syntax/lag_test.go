package syntax_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/syntax"
)

// TestLagging holds what a grammar does not know and is read all the same: with
// what is masked, and what of it a node stands for.
func TestLagging(t *testing.T) {
	for name, tt := range map[string]struct {
		lang   syntax.Language
		src    string
		masked []string
		kind   string // of the nodes to look for
		texts  []string
	}{
		"variance": {
			syntax.TypeScript, "interface A<in T, out U = X> {}\ntype F<in out V> = V;\nclass C<\n  /** @ts-ignore */\n" +
				"  out W extends A,\n> {}\n",
			[]string{"in ", "out ", "in out ", "out "},
			"type_parameter",
			[]string{"T", "U = X", "V", "W extends A"},
		},
		"const and variance": {syntax.TSX, "class A<const in T> {}\n", []string{"in "}, "type_parameter", []string{"const in T"}},
		"names of operators": {
			syntax.TypeScript, "interface A {\n  a: number\n  in_progress: number\n  in: string\n  instanceof?: string\n}\n",
			nil, "property_identifier",
			[]string{"a", "in_progress", "in", "instanceof"},
		},
		"field": {
			syntax.JavaScript, "class A {\n  a = 1\n  in_progress = 2\n}\n", nil, "property_identifier",
			[]string{"a", "in_progress"},
		},
		"types from a module": {
			syntax.TypeScript, "export type * from './a.js'\n", []string{"type"}, "string_fragment", []string{"./a.js"},
		},
		"ampersands": {
			syntax.TSX, "const a = <a href=\"/x?a=1&b=2\">Terms & Conditions &amp; <b>R&D</b></a>;\nconst c = x & y;\n", nil, "jsx_text",
			[]string{"Terms & Conditions ", " ", "R&D"},
		},
		"a type of a module": {
			syntax.TypeScript, "function f(i: import(\"zod\").infer<typeof S>) {}\ntype A = import('a').B<string> | C;\n",
			nil, "type_identifier",
			[]string{"import(\"zod\").infer", "A", "import('a').B", "C"},
		},
		"a variable called raw": {
			syntax.Rust, "fn f() { let raw = g(); h(&raw); p(&raw const x); k(&raw.len()) }\n", nil, "identifier",
			[]string{"f", "raw", "g", "h", "raw", "p", "x", "k", "raw"},
		},
		"macro of a primitive type": {
			syntax.Rust, "fn f() { assert(x, str![\"a\"]); let y: str; }\n", nil, "identifier", []string{"f", "assert", "x", "str", "y"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tree := parse(t, tt.lang, tt.src)
			if tree.HasError() {
				t.Fatal(tree.Root())
			}
			var masked, texts []string
			for _, r := range tree.Masked() {
				masked = append(masked, tt.src[r.Start:r.End])
			}
			for n := range tree.All(tt.kind) {
				texts = append(texts, n.Text())
			}
			if d := cmp.Diff([][]string{tt.masked, tt.texts}, [][]string{masked, texts}); d != "" {
				t.Errorf("masked, %s (-want +got):\n%s", tt.kind, d)
			}
		})
	}
}

// TestLaggingForgivesNothingElse holds broken sources that hold, in another
// place or another way, what is shown otherwise.
func TestLaggingForgivesNothingElse(t *testing.T) {
	for i, tt := range []struct {
		lang syntax.Language
		src  string
	}{
		{syntax.TypeScript, "f(a, out b)\n"},
		{syntax.TypeScript, "let x = [a, in b]\n"},
		{syntax.TypeScript, "interface A<in T> {}\nf(a, out b)\n"},
		{syntax.TypeScript, "interface A<in T> { x: }}\n"},
		{syntax.JavaScript, "class A<in T> {}\n"},
		{syntax.TypeScript, "const a = 1 const b = 2\n"},
		{syntax.Rust, "fn f() { g(str![1] }\n"},
		{syntax.Go, "package p\n\nfunc f[in T]() {\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if tree := parse(t, tt.lang, tt.src); !tree.HasError() || len(tree.Masked()) > 0 {
				t.Errorf("%q is read as %s", tt.src, tree.Root())
			}
		})
	}
}
