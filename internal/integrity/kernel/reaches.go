package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// Reach is a place in a test file that nobody approved by which it changes what
// approved tests do: both run in one process.
type Reach struct {
	Node *Node
	What string
}

// Reaches lists what a new test file does beyond itself when it is loaded or
// run: it ends the process, replaces parts of what others use, or defines a name
// that approved tests mean as something else. used reports whether an approved
// test that shares the file's names mentions one.
func (t *Tree) Reaches(path string, used func(name string) bool) []Reach {
	var out []Reach
	conftest := strings.HasSuffix(path, "conftest.py")
	reach := func(n *Node, what string) { out = append(out, Reach{n, what}) }
	t.Root.Walk(func(n *Node) bool {
		switch callee := t.Callee(n); {
		case callee == "" || n.Is("expression_statement", "await_expression"):
		case endsProcess(t.Lang, callee) && !(t.Lang == syntax.Go && t.UnitOf(n).Name == "TestMain"):
			reach(n, "ends the process, or decides how it ends: "+callee)
		case slices.ContainsFunc(overwriters, func(s string) bool { return strings.HasSuffix(callee, s) }):
			reach(n, "replaces what all tests use: "+callee)
		case t.rootHook(n, callee) && used("chai"):
			reach(n, "runs around the tests of all files: "+callee)
		}
		t.definitionReaches(n, used, reach)
		t.moduleReaches(n, conftest, reach)
		return true
	})
	return out
}

// endsProcess reports whether a callee ends the process of the tests.
func endsProcess(lang syntax.Language, callee string) bool {
	ends := map[syntax.Language][]string{
		syntax.Python: {"atexit.register", "os._exit", "os.abort"},
		syntax.Ruby:   {"at_exit", "exit!", "Kernel.exit!", "Minitest.after_run"},
		syntax.CSharp: {"Environment.Exit", "Environment.FailFast"},
		syntax.Java:   {"System.exit", "Runtime.getRuntime().halt", "Runtime.getRuntime().exit", "Runtime.getRuntime().addShutdownHook"},
		syntax.Go:     {"os.Exit", "syscall.Exit"},
		syntax.Rust:   {"std::process::exit", "process::exit", "std::process::abort", "process::abort"},
	}
	script := []string{"process.exit", "process.reallyExit", "process.on", "process.once"}
	switch lang {
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return slices.Contains(script, callee)
	}
	return slices.Contains(ends[lang], callee)
}

// overwriters are the ends of callees that replace something for everyone.
var overwriters = []string{".overwriteMethod", ".overwriteProperty", ".addMethod", ".addProperty", ".class_eval", ".__dict__.update", "Harmony.PatchAll"}

// rootHook reports whether a hook stands outside of every suite.
func (t *Tree) rootHook(n *Node, callee string) bool {
	return slices.Contains([]string{"beforeEach", "afterEach", "before", "after"}, callee) && n.Ancestor(t.table.functions) == nil
}

// definitionReaches looks at a definition.
func (t *Tree) definitionReaches(n *Node, used func(name string) bool, reach func(*Node, string)) {
	if !t.table.definition[n.Kind] {
		return
	}
	name := n.Child("name").Source()
	for _, m := range t.Marks(n) {
		if mark := lastName(t.markName(m)); slices.Contains([]string{"ModuleInitializer", "SetUpFixture", "AssemblyInitialize", "AssemblyCleanup"}, mark) {
			reach(m, "runs for the tests of all files: "+mark)
		}
	}
	outer := n.Ancestor(t.table.functions) == nil && n.Ancestor(classKinds) == nil
	switch {
	case !outer:
	case t.Lang == syntax.Go && n.Is("method_declaration"):
		if slices.Contains(lookedUp, name) && !t.declares(receiverOf(n)) {
			reach(n, "gives a type of another file the method "+name+", which others look for")
		}
	case t.Lang == syntax.Go && n.Is("type_declaration"):
	case t.Lang == syntax.Go || t.Lang == syntax.Java || t.Lang == syntax.CSharp:
		if used(name) || t.Lang == syntax.CSharp && strings.HasSuffix(name, "Attribute") && used(strings.TrimSuffix(name, "Attribute")) {
			reach(n, "defines "+name+", which approved tests mean as something else")
		}
	case t.Lang == syntax.Ruby && n.Is("class", "module") && basesOf(n) == nil && used(name):
		if n.Any(func(k *Node) bool { return k.Is("method", "singleton_method") }) {
			reach(n, "opens "+name+" again, which approved tests use")
		}
	}
}

// lookedUp are methods that other code calls if a type has them.
var lookedUp = []string{"String", "Error", "Equal", "Is", "As", "Unwrap", "Format", "GoString", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "Compare", "Cmp", "Less", "Len", "Swap"}

// receiverOf is the type that a method of Go belongs to.
func receiverOf(n *Node) string {
	out := ""
	if r := n.Child("receiver"); r != nil {
		r.Leaves(func(l *Node) bool {
			if l.Is("type_identifier") {
				out = l.Text
			}
			return out == ""
		})
	}
	return out
}

// declares reports whether the file declares a type.
func (t *Tree) declares(name string) bool {
	return t.Root.Any(func(n *Node) bool {
		return n.Is("type_spec", "type_alias") && n.Child("name").Source() == name
	})
}

// moduleReaches looks at what Python runs when it loads the file.
func (t *Tree) moduleReaches(n *Node, conftest bool, reach func(*Node, string)) {
	if t.Lang != syntax.Python || n.Ancestor(t.table.functions) != nil {
		return
	}
	switch {
	case n.Is("assignment") && n.Child("left").Is("attribute", "subscript"):
		if root := n.Child("left").root(); root.Is("identifier") && t.importsName(root.Text) {
			reach(n, "replaces a part of an imported module while it is loaded")
		}
	case t.Callee(n) == "setattr" && n.Is("call"):
		reach(n, "replaces a part of something while it is loaded")
	case n.Is("function_definition") && strings.HasPrefix(n.Child("name").Source(), "pytest_") && conftest:
		reach(n, "is a hook that sees the tests of all files: "+n.Child("name").Source())
	}
}

func (t *Tree) importsName(name string) bool {
	return t.Root.Any(func(n *Node) bool { return t.table.imports[n.Kind] && slices.Contains(t.importOf(n).binds, name) })
}
