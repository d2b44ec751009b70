package code

import (
	"errors"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// maxDepth is how deep code may be nested to be read.
const maxDepth = 3000

// ErrDepth is the error of Read.
var ErrDepth = errors.New("source is nested too deeply to be read")

// File is one source file.
type File struct {
	Path    string
	Lang    syntax.Language
	Root    *Node // a Block
	Funcs   []*Node
	Classes []*Node
	Calls   []*Node
	Assigns []*Node
	Strings []*Node // Literals that are strings
	// Imports are the full names of what imports bring into the file, by the
	// name that they have in it: "r" → "runtime", "readFileSync" → "fs.readFileSync".
	Imports map[string]string
	Modules []*Node // Import nodes, in the order of the source
	byName  map[string][]*Node
	targets map[string][]*Node
}

// Read makes a File of a tree; where the tree has errors, what is left of it.
func Read(path string, t *syntax.Tree) (*File, error) {
	f := &File{Path: path, Lang: t.Language(), Imports: map[string]string{}, byName: map[string][]*Node{}, targets: map[string][]*Node{}}
	b := &builder{lang: f.Lang, limit: 4*t.Size() + 1000, file: f}
	b.kinds = b.makers()
	root := &Node{Kind: Block, Line: 1, Src: t.Root()}
	root.Kids = b.statements(t.Root())
	if b.tooDeep {
		return nil, ErrDepth
	}
	f.Root = root
	f.link(root)
	return f, nil
}

// link sets what depends on the whole tree.
func (f *File) link(n *Node) {
	for _, k := range n.Kids {
		if k != nil {
			k.Up = n
		}
	}
	if n.Def != nil {
		for _, m := range n.Def.Marks {
			m.Up = n
			f.link(m)
		}
	}
	switch n.Kind {
	case Func:
		f.Funcs = append(f.Funcs, n)
		f.byName[n.Text] = append(f.byName[n.Text], n)
	case Class:
		f.Classes = append(f.Classes, n)
	case Call:
		f.Calls = append(f.Calls, n)
	case Assign:
		f.Assigns = append(f.Assigns, n)
		f.bind(n)
	case Import:
		f.Modules = append(f.Modules, n)
	case Other:
		if fn := n.Outer(Func); fn != nil && n.Src.Is("global_statement", "nonlocal_statement") && f.Lang == syntax.Python {
			for _, name := range n.Kids {
				fn.Def.free[name.Text] = true
			}
		}
	case Literal:
		if n.Value.Type == String {
			f.Strings = append(f.Strings, n)
		}
	}
	for _, k := range n.Kids {
		f.link(k)
	}
}

// bind notes the names that an assignment makes local to its function, and
// those that a call of require brings into the file.
func (f *File) bind(n *Node) {
	fn := n.Outer(Func)
	for _, t := range Targets(n.Kid(0)) {
		if t.Kind != Name {
			continue
		}
		f.targets[t.Text] = append(f.targets[t.Text], n)
		if fn != nil && (n.Declares || f.assignmentBinds(fn, t.Text)) {
			fn.Def.Locals[t.Text] = true
		}
	}
	f.required(n)
}

// assignmentBinds: a plain assignment in Python makes a local unless the name
// is declared global; so it does in a Ruby method.
func (f *File) assignmentBinds(fn *Node, name string) bool {
	switch f.Lang {
	case syntax.Python:
		return !fn.Def.free[name]
	case syntax.Ruby:
		return fn.Text != "" && !strings.HasPrefix(name, "$") && !strings.HasPrefix(name, "@") && fn.Outer(Func) == nil
	default:
		return false
	}
}

// required notes `const { a: b } = require("m")` and `import m = require("m")`.
func (f *File) required(n *Node) {
	call := n.Kid(1)
	prop := ""
	if call.Is(Member) && call.Kid(0).Is(Call) {
		prop, call = "."+call.Text, call.Kid(0)
	}
	var module string
	switch {
	case call.Is(Call) && (Dotted(call.Kid(0)) == "require" || Dotted(call.Kid(0)) == "import") && call.Kid(1).Is(Literal):
		module = moduleName(call.Kid(1).Value.Text)
	case call.Is(Call) && Dotted(call.Kid(0)) == "importlib.import_module" && call.Kid(1).Is(Literal):
		module = call.Kid(1).Value.Text
	case call.Is(Name, Member) && n.Kid(0).Is(Dict): // const { exit } = process
		module = Dotted(call) + prop
		prop = ""
	default:
		return
	}
	switch target := n.Kid(0); target.Kind {
	case Name:
		f.Imports[target.Text] = module + prop
	case Dict:
		for _, p := range target.Kids {
			if p.Is(Pair) && p.Kid(1).Is(Name) {
				f.Imports[p.Kid(1).Text] = module + "." + p.Kid(0).Text
			}
		}
	}
}

// moduleName is a JavaScript module without the prefix of built-in ones.
func moduleName(s string) string {
	return strings.TrimPrefix(s, "node:")
}

// Targets are the single targets of an assignment to one or to a list.
func Targets(n *Node) []*Node {
	var out []*Node
	n.Walk(func(c *Node) bool {
		switch c.Kind {
		case Name, Member, Index:
			out = append(out, c)
			return false
		case Pair:
			out = append(out, Targets(c.Kid(1))...)
			return false
		case List, Dict, Other:
			return true
		default:
			return false
		}
	})
	return out
}

// Dotted is a name with the names before it, "os.environ.get"; an index that is a string reads like a member.
// "" if the node is nothing of that kind; a call in the chain is written "()".
func Dotted(n *Node) string {
	var end string
	switch {
	case n.Is(Name):
		return n.Text
	case n.Is(Member):
		end = "." + n.Text
	case n.Is(Index) && n.Kid(1).Is(Literal) && n.Kid(1).Value.Type == String:
		end = "." + n.Kid(1).Value.Text
	case n.Is(Call):
		end = "()"
	default:
		return ""
	}
	if d := Dotted(n.Kid(0)); d != "" {
		return d + end
	}
	return ""
}

// First is what a chain of names begins with.
func First(n *Node) *Node {
	for n.Is(Member, Index, Call) {
		n = n.Kid(0)
	}
	return n
}

// FullName is Dotted with what its first name was imported as.
func (f *File) FullName(n *Node) string {
	d := Dotted(n)
	if rest, ok := strings.CutPrefix(d, "require()"); ok {
		root := n
		for root.Is(Member, Index) || root.Is(Call) && !root.Kid(0).Is(Name) {
			root = root.Kid(0)
		}
		if module := root.Kid(1); module.Is(Literal) {
			return moduleName(module.Value.Text) + rest
		}
	}
	first, rest, dotted := strings.Cut(d, ".")
	first, called := strings.CutSuffix(first, "()")
	full, ok := f.Imports[first]
	if !ok {
		return d
	}
	if called {
		full += "()"
	}
	if dotted {
		full += "." + rest
	}
	return full
}

// Callee is the FullName of what a Call calls.
func (f *File) Callee(n *Node) string {
	if !n.Is(Call) {
		return ""
	}
	return f.FullName(n.Kid(0))
}

// Packages are the package of Java or the namespaces of C# into which the file puts its types; "" is the global one.
func (f *File) Packages() []string {
	out := []string{""}
	for _, k := range f.Root.Kids {
		if name, ok := strings.CutPrefix(k.Text, "package "); ok && f.Lang == syntax.Java {
			return []string{strings.TrimSuffix(name, ";")}
		}
	}
	for _, c := range f.Classes {
		if c.Def.Has("namespace") {
			out = append(out, c.Text)
		}
	}
	return out[min(1, len(out)-1):]
}

// Named are the functions of a name.
func (f *File) Named(name string) []*Node { return f.byName[name] }

// Assigned are the assignments to a name, in any scope.
func (f *File) Assigned(name string) []*Node { return f.targets[name] }

// Scope is the function to which a name belongs, nil for the file.
func (f *File) Scope(n *Node) *Node { return ScopeOf(n, n.Text) }

// ScopeOf is the function to which a name belongs at a node, nil for the file.
func ScopeOf(n *Node, name string) *Node {
	for fn := n.Outer(Func); fn != nil; fn = fn.Outer(Func) {
		if fn.Def.Locals[name] {
			return fn
		}
	}
	return nil
}

// Method is the last name of what a Call calls: "get" of os.environ.get(x).
func Method(call *Node) string {
	if callee := call.Kid(0); call.Is(Call) && callee.Is(Name, Member) {
		return callee.Text
	}
	return ""
}

// TestsOfRust are the modules and functions of a source that Rust compiles for tests only.
func (f *File) TestsOfRust() []*Node {
	return slices.DeleteFunc(slices.Concat(f.Classes, f.Funcs), func(n *Node) bool { return !n.TestOfRust() })
}
