package syntax_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/syntax"
)

func parse(t testing.TB, lang syntax.Language, src string) *syntax.Tree {
	t.Helper()
	tree, err := syntax.Parse(context.Background(), lang, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestLanguageOf(t *testing.T) {
	for path, want := range map[string]syntax.Language{
		"a/b.py": syntax.Python, "x.PYI": syntax.Python, "m.go": syntax.Go, "a.ts": syntax.TypeScript, "a.d.mts": syntax.TypeScript,
		"a.tsx": syntax.TSX, "a.js": syntax.JavaScript, "a.jsx": syntax.JavaScript, "a.mjs": syntax.JavaScript, "a.cjs": syntax.JavaScript,
		"A.java": syntax.Java, "a.rs": syntax.Rust, "a.rb": syntax.Ruby, "A.cs": syntax.CSharp, "a.kt": "", "go": "", "a.py/x": "",
	} {
		got, ok := syntax.LanguageOf(path)
		if got != want || ok != (want != "") {
			t.Errorf("LanguageOf(%q) = %q, %v", path, got, ok)
		}
	}
}

func TestTree(t *testing.T) {
	tree := parse(t, syntax.Python, "# c\ndef f(a):\n    return g(a)\n")
	if got, want := tree.Root().String(), "(module (comment) (function_definition name: (identifier) parameters: (parameters "+
		"(identifier)) "+
		"body: (block (return_statement (call function: (identifier) arguments: (argument_list (identifier)))))))"; got != want {
		t.Errorf("tree = %s\nwant   %s", got, want)
	}
	var calls []string
	for n := range tree.All("call") {
		calls = append(calls, n.Text())
		if n.StartLine() != 3 || n.EndLine() != 3 || n.Up("function_definition").Field("name").Text() != "f" {
			t.Errorf("call at lines %d-%d in %q", n.StartLine(), n.EndLine(), n.Up("function_definition").Text())
		}
	}
	if d := cmp.Diff([]string{"g(a)"}, calls); d != "" {
		t.Error(d)
	}
	if tree.HasError() || !parse(t, syntax.Python, "def f(:\n").HasError() {
		t.Error("HasError is wrong")
	}
}

func TestParseRefuses(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tt := range map[string]struct {
		ctx  context.Context
		lang syntax.Language
		src  string
		want error
		text string
	}{
		"too large": {
			context.Background(), syntax.Go, strings.Repeat(" ", syntax.MaxSource+1), syntax.ErrTooLarge,
			"parse Go source: source is too large to parse: it has 1048577 bytes, at most 1048576 are read",
		},
		"unknown language": {context.Background(), "COBOL", "", syntax.ErrLanguage, "parse COBOL source: language is not known"},
		"cancelled":        {cancelled, syntax.Go, "package p", context.Canceled, "parse Go source: context canceled"},
		"nested": {
			context.Background(), syntax.Java, strings.Repeat("(", 1_001), syntax.ErrTooComplex,
			"parse Java source: source is too complex to parse: 1001 brackets are open at once, at most 1000 are read",
		},
		"NUL": {
			context.Background(), syntax.Python, "a = 1\n# \x00\nb = 2\n", syntax.ErrNotText,
			"parse Python source: source is not plain UTF-8 text: line 2 has a NUL byte",
		},
		"Latin-1": {
			context.Background(), syntax.Ruby, "# é\n# caf\xe9\n", syntax.ErrNotText,
			"parse Ruby source: source is not plain UTF-8 text: line 2 has the byte 0xe9, which is not UTF-8",
		},
		"escaped end of a comment": {
			context.Background(), syntax.Java, "class A {}\n// \\u000a class B {}\n", syntax.ErrNotText,
			"parse Java source: source is not plain UTF-8 text: line 2 escapes a character that Java takes for syntax",
		},
		"UTF-16": {
			context.Background(), syntax.CSharp, "\xff\xfec\x00", syntax.ErrNotText,
			"parse C# source: source is not plain UTF-8 text: it is UTF-16",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := syntax.Parse(tt.ctx, tt.lang, []byte(tt.src))
			if !errors.Is(err, tt.want) {
				t.Fatalf("Parse: %v, want %v", err, tt.want)
			}
			if d := cmp.Diff(tt.text, err.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestEscapes: only what Java takes for an escape is refused, and only in Java.
func TestEscapes(t *testing.T) {
	for src, lang := range map[string]syntax.Language{
		`class A { String s = "\\u002f \u00e4 \u0000"; }`: syntax.Java,
		`class A { string s = "\u0022"; }`:                syntax.CSharp,
	} {
		if _, err := syntax.Parse(context.Background(), lang, []byte(src)); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	for _, src := range []string{`// \u002F`, `String s = "\uu0022";`, `String s = "\\\u0022";`} {
		if _, err := syntax.Parse(context.Background(), syntax.Java, []byte(src)); !errors.Is(err, syntax.ErrNotText) {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// TestReads holds sources that must parse as they are.
func TestReads(t *testing.T) {
	for name, tt := range map[string]struct {
		lang syntax.Language
		src  string
	}{
		"byte order mark":   {syntax.Go, "\ufeffpackage p\n"},
		"Ruby: symbol":      {syntax.Ruby, "x.send(:<<, 1)\ny = [:<<, :>>]\n"},
		"Ruby: quoted mark": {syntax.Ruby, "x = <<~\"end of the text\"\n  a\nend of the text\n"},
		"Ruby: many marks": {syntax.Ruby, strings.Repeat("f(<<~LONG_NAME_OF_A_MARK, <<~ANOTHER_LONG_NAME)\n  a\nLONG_NAME_OF_A_MARK\n"+
			"  b\nANOTHER_LONG_NAME\n", 40)},
		"minus signs":         {syntax.JavaScript, "x = " + strings.Repeat("- ", 3_000) + "1\n"},
		"C# at the end":       {syntax.CSharp, "class A {}\n#pragma warning restore 618"},
		"C# 12: constructor":  {syntax.CSharp, "class A(int x) : B(x);\nstruct S(int y);\nrecord R(int z);\n"},
		"C# 12: collections":  {syntax.CSharp, "int[] a = [1, 2, ..b];\n"},
		"C# 12: using alias":  {syntax.CSharp, "using P = (int X, int Y);\nclass A { }\n"},
		"C# 11: raw string":   {syntax.CSharp, "var s = \"\"\"\n  a \"b\"\n  \"\"\";\nvar t = $\"\"\"{s}\"\"\";\n"},
		"C# 13: params":       {syntax.CSharp, "class A { void F(params ReadOnlySpan<int> x) { } }\n"},
		"C# 11: required":     {syntax.CSharp, "class A { public required int X { get; init; } }\n"},
		"C# 11: list pattern": {syntax.CSharp, "var b = x is [1, .., var y] and [_, ..];\n"},
		"Rust: tokens":        {syntax.Rust, "macro_rules! m { ($($x:expr),* $(,)?) => { $(f($x);)* } }\nfn f() { m!(a => b; @ c 'x); }\n"},
		"TypeScript: const":   {syntax.TypeScript, "function f<const T>(x: T) {}\n"},
	} {
		if tree := parse(t, tt.lang, tt.src); tree.HasError() || len(tree.Masked()) > 0 {
			t.Errorf("%s: %s", name, tree.Root())
		}
	}
}

// TestMissing holds, for each language, a source in which the parser only puts
// something in.
func TestMissing(t *testing.T) {
	for lang, src := range map[syntax.Language]string{
		syntax.Python: "def f(:\n  pass\n", syntax.Go: "package p\n\nfunc f() { g(1 }\n", syntax.TypeScript: "f(1;\n", syntax.TSX: "f(1;\n",
		syntax.JavaScript: "f(1;\n", syntax.Java: "class A { int x }\n", syntax.Rust: "fn f() { g(1 }\n", syntax.Ruby: "f(1\n",
		syntax.CSharp: "class A { void f() { g(1; } }\n",
	} {
		tree := parse(t, lang, src)
		found := false
		tree.Root().Walk(func(n syntax.Node) bool {
			if n.IsMissing() {
				found = true
				for up := n; !up.IsZero(); up = up.Parent() {
					if !up.HasError() {
						t.Errorf("%s: %s around a missing %q has no error", lang, up.Kind(), n.Kind())
					}
				}
			}
			return true
		})
		if !found || !tree.HasError() {
			t.Errorf("%s: nothing is missing in %s", lang, tree.Root())
		}
	}
}

// TestScriptsOfComponents: of Vue and Svelte the code is read where it stands, and nothing else.
func TestScriptsOfComponents(t *testing.T) {
	const vue = "<template>\n  <p v-if=\"a < b\">é 😀</p>\n</template>\n<script setup lang=\"ts\">\nfunction é(): number { return 1 }\n" +
		"</script>\r\n<script>\nexport default {}\n</SCRIPT >\n<style>\n</style>\n"
	lang, src, ok := syntax.Script("web/Cart.VUE", []byte(vue))
	if !ok || lang != syntax.TypeScript || len(src) != len(vue) || strings.Count(string(src), "\n") != strings.Count(vue, "\n") {
		t.Fatalf("%s %q %t", lang, src, ok)
	}
	if got := strings.Fields(string(src)); strings.Join(got, " ") != "function é(): number { return 1 } export default {}" {
		t.Errorf("%q", got)
	}
	tree := parse(t, lang, string(src))
	if n := tree.Root().Child("function_declaration"); tree.HasError() || n.StartLine() != 5 {
		t.Errorf("%s", tree.Root())
	}
	for _, none := range []string{"<p>{a < b}</p>", "<script>unclosed", "<script src='a.js'></script>", "", "\xff<script>"} {
		if _, src, ok := syntax.Script("a.svelte", []byte(none)); !ok || strings.TrimSpace(string(src)) != "" {
			t.Errorf("%q: %q %t", none, src, ok)
		}
	}
	if lang, _, _ := syntax.Script("a.svelte", []byte("<script lang='tsx'>x</script>")); lang != syntax.TSX {
		t.Error(lang)
	}
	for _, other := range []string{"A.kt", "a.swift", "a.astro"} {
		if _, _, ok := syntax.Script(other, nil); ok {
			t.Errorf("%s is read", other)
		}
	}
}
