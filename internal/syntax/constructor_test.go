package syntax_test

import (
	"testing"

	"workflow-reviewer/internal/syntax"
)

// TestConstructorsThatStore: taking fields out of a parameter is no work, and
// calling one of its methods is.
func TestConstructorsThatStore(t *testing.T) {
	for name, tt := range map[string]struct {
		lang syntax.Language
		src  string
		want syntax.Kind
	}{
		"TypeScript, stores": {syntax.TypeScript, "class Box { constructor(opts: Opts) { this.root = opts.root; } }", syntax.Neutral},
		"TypeScript, works":  {syntax.TypeScript, "class Box { constructor(opts: Opts) { this.root = opts.open(); } }", syntax.Defined},
		"TypeScript, chains": {syntax.TypeScript, "class Box { constructor(opts: Opts) { this.root = load().root; } }", syntax.Defined},
		"Python, stores":     {syntax.Python, "class Box:\n    def __init__(self, opts):\n        self.root = opts.root\n", syntax.Neutral},
		"Python, works": {
			syntax.Python,
			"class Box:\n    def __init__(self, opts):\n        self.root = opts.open()\n", syntax.Defined,
		},
		"Java, stores": {syntax.Java, "class Box { Box(Opts opts) { this.root = opts.root; } }", syntax.Neutral},
		"C#, stores":   {syntax.CSharp, "class Box { Box(Opts opts) { this.root = opts.Root; } }", syntax.Neutral},
		"Go, stores":   {syntax.Go, "package p\n\nfunc NewBox(opts Opts) *Box { return &Box{root: opts.Root} }\n", syntax.Neutral},
		"Go, works":    {syntax.Go, "package p\n\nfunc NewBox(opts Opts) *Box { return &Box{root: opts.Open()} }\n", syntax.Defined},
		"Rust, stores": {syntax.Rust, "impl Box { fn new(opts: Opts) -> Self { Self { root: opts.root } } }", syntax.Neutral},
	} {
		t.Run(name, func(t *testing.T) {
			got := syntax.Functions(parse(t, tt.lang, tt.src))
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
			if got := syntax.Functions(parse(t, tt.lang, tt.src)); len(got) != 1 || got[0].Stub != tt.want {
				t.Errorf("Functions = %+v, want one with Stub %v", got, tt.want)
			}
		})
	}
}
