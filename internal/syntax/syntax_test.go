package syntax_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

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

// TestFunctions shows each listed function beside its first line, so that a
// golden file reads as the list of decisions that it is.
func TestFunctions(t *testing.T) {
	sources, err := filepath.Glob("testdata/functions/*")
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources", err)
	}
	for _, path := range sources {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lang, _ := syntax.LanguageOf(path)
			tree := parse(t, lang, string(src))
			if tree.HasError() {
				t.Errorf("%s has syntax errors: %s", path, tree.Root())
			}
			golden(t, path+".golden", listing(tree))
		})
	}
}

func listing(tree *syntax.Tree) string {
	var b strings.Builder
	lines := strings.Split(string(tree.Source()), "\n")
	for _, f := range syntax.Functions(tree) {
		kind := string(f.Kind)
		if f.Stub {
			kind = "stub"
		}
		fmt.Fprintf(&b, "%-9s %3d-%-3d %-12s | %s\n", kind, f.StartLine, f.EndLine, f.Name, strings.TrimSpace(lines[f.StartLine-1]))
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

func TestTree(t *testing.T) {
	tree := parse(t, syntax.Python, "# c\ndef f(a):\n    return g(a)\n")
	if got, want := tree.Root().String(), "(module (comment) (function_definition name: (identifier) parameters: (parameters (identifier)) "+
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
	}{
		"too large":         {context.Background(), syntax.Go, strings.Repeat(" ", syntax.MaxSource+1), syntax.ErrTooLarge},
		"unknown language":  {context.Background(), "COBOL", "", syntax.ErrLanguage},
		"cancelled":         {cancelled, syntax.Go, "package p", context.Canceled},
		"endless indenting": {context.Background(), syntax.Python, indented(600), syntax.ErrTooComplex},
		"long here-doc":     {context.Background(), syntax.Ruby, "x = <<" + strings.Repeat("A", 300) + "\n", syntax.ErrTooComplex},
		"many here-docs":    {context.Background(), syntax.Ruby, "f(" + strings.Repeat("<<ABCDEFGH, ", 90) + "1)\n", syntax.ErrTooComplex},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := syntax.Parse(tt.ctx, tt.lang, []byte(tt.src)); !errors.Is(err, tt.want) {
				t.Errorf("Parse: %v, want %v", err, tt.want)
			}
		})
	}
}

func indented(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String() + strings.Repeat(" ", depth) + "pass\n"
}
