package functions_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/functions"
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

// TestFunctions shows each listed function beside its first line, so that a
// golden file reads as the list of decisions that it is.
func TestFunctions(t *testing.T) {
	sources, err := filepath.Glob("testdata/*")
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
	for _, f := range functions.Of(tree) {
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

// TestConstructorsThatStore: taking fields out of a parameter is no work, and
// calling one of its methods is.
func TestConstructorsThatStore(t *testing.T) {
	for name, tt := range map[string]struct {
		lang syntax.Language
		src  string
		want functions.Kind
	}{
		"TypeScript, stores": {syntax.TypeScript, "class Box { constructor(opts: Opts) { this.root = opts.root; } }", functions.Neutral},
		"TypeScript, works":  {syntax.TypeScript, "class Box { constructor(opts: Opts) { this.root = opts.open(); } }", functions.Defined},
		"TypeScript, chains": {syntax.TypeScript, "class Box { constructor(opts: Opts) { this.root = load().root; } }", functions.Defined},
		"Python, stores":     {syntax.Python, "class Box:\n    def __init__(self, opts):\n        self.root = opts.root\n", functions.Neutral},
		"Python, works": {
			syntax.Python,
			"class Box:\n    def __init__(self, opts):\n        self.root = opts.open()\n", functions.Defined,
		},
		"Java, stores": {syntax.Java, "class Box { Box(Opts opts) { this.root = opts.root; } }", functions.Neutral},
		"C#, stores":   {syntax.CSharp, "class Box { Box(Opts opts) { this.root = opts.Root; } }", functions.Neutral},
		"Go, stores":   {syntax.Go, "package p\n\nfunc NewBox(opts Opts) *Box { return &Box{root: opts.Root} }\n", functions.Neutral},
		"Go, works":    {syntax.Go, "package p\n\nfunc NewBox(opts Opts) *Box { return &Box{root: opts.Open()} }\n", functions.Defined},
		"Rust, stores": {syntax.Rust, "impl Box { fn new(opts: Opts) -> Self { Self { root: opts.root } } }", functions.Neutral},
	} {
		t.Run(name, func(t *testing.T) {
			got := functions.Of(parse(t, tt.lang, tt.src))
			if len(got) != 1 || got[0].Kind != tt.want {
				t.Errorf("Functions = %+v, want one of kind %v", got, tt.want)
			}
		})
	}
}

// TestFilledContainersAreNoZero: a table in code is not what a stub returns.
func TestFilledContainersAreNoZero(t *testing.T) {
	for name, tt := range map[string]struct {
		lang syntax.Language
		src  string
		want bool
	}{
		"C#, filled": {syntax.CSharp, "class A { Dictionary<int, string> F() { return new Dictionary<int, string> { { 1, \"one\" } }; " +
			"} }", false},
		"C#, list":     {syntax.CSharp, "class A { List<int> F() => new List<int> { 1, 2 }; }", false},
		"C#, empty":    {syntax.CSharp, "class A { List<int> F() { return new List<int>(); } }", true},
		"C#, braces":   {syntax.CSharp, "class A { List<int> F() { return new List<int> { }; } }", true},
		"Java, filled": {syntax.Java, "class A { List<String> f() { return new ArrayList<>() {{ add(\"x\"); }}; } }", false},
		"Java, empty":  {syntax.Java, "class A { List<String> f() { return new ArrayList<>(); } }", true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := functions.Of(parse(t, tt.lang, tt.src)); len(got) != 1 || got[0].Stub != tt.want {
				t.Errorf("Functions = %+v, want one with Stub %v", got, tt.want)
			}
		})
	}
}
