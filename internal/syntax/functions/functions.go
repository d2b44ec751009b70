// Package functions lists the functions of a source, and says which of them are stubs. What a
// function is, and what does no work, is data of package lang. Of functions.scm:
//
//	@function     a function, with its @body if it has one, and its @name
//	@callback     one that says nothing if it is a stub: a default value, a callback that ignores
//	@declared     what has no body to write
//	@abstract     what is declared if it is a stub; all that is in an @interface is, too
//	@constructor  what says nothing if it only stores
//	@marker       what says nothing if it has no statement
//	@neutral      what says nothing
//	@tests        what is compiled for tests only, with all that is in it
//	@statement    code outside of functions that runs when the file is loaded
//
// And of stubs.scm, where a node with a @value counts only if that does no work:
//
//	@idle   a statement or expression that does no work, unless there is @work in it
//	@parts  one that does none if its parts do none
//	@store  a statement by which a constructor stores
package functions

import (
	"slices"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

// Kind says what a Function is besides a stub or not.
type Kind string

// The kinds of Function.
const (
	// Defined has a body that does something, or is a stub.
	Defined Kind = "defined"
	// Declared has no body of its own to write: a method of an interface, trait or protocol, an
	// abstract method, an overload, an external function; or an interface without methods.
	Declared Kind = "declared"
	// Neutral has a body that says nothing about whether the work is done: a constructor that only
	// stores its parameters, a method that only returns a field, a main of one call, a unit test
	// within the source.
	Neutral Kind = "neutral"
	// Statement is code outside of all functions that runs when the file is
	// loaded; definitions, imports and constants are not.
	Statement Kind = "statement"
)

// Function is one unit of code of a file. A function that stands in another
// belongs to the outer one and is not listed; methods of a class are.
type Function struct {
	Name      string // without class or package; "" if it has none
	StartLine int    // from 1, decorators and annotations included
	EndLine   int    // the last line that belongs to it
	Kind      Kind
	// Stub marks a Defined function whose body only raises, panics or throws, does nothing, or
	// returns a zero value.
	Stub bool
}

// Reads reports whether it is known what functions are in a language.
func Reads(language syntax.Language) bool { return query.For(language, "functions") != nil }

// Of lists a file's functions in the order of the source; none in a language whose functions are
// not known.
func Of(t *syntax.Tree) (out []Function) {
	f := read(t)
	t.Root().Walk(func(n syntax.Node) bool {
		if f.is("statement", n) && n.Parent() == t.Root() {
			out = append(out, f.function(n, Statement, false))
		}
		if !f.isFunction(n) {
			return true
		}
		kind, stub := f.kind(n)
		out = append(out, f.function(n, kind, stub))
		return false
	})
	return out
}

// file is what the queries say of the nodes of a source.
type file struct {
	stubs  *query.Query
	marks  map[string]map[syntax.Node]bool // by what they are captured as
	bodies map[syntax.Node]syntax.Node
	names  map[syntax.Node]string
	read   map[syntax.Node]map[string]syntax.Node // see at
}

func read(t *syntax.Tree) *file {
	f := &file{
		stubs: query.For(t.Language(), "stubs"), marks: map[string]map[syntax.Node]bool{},
		bodies: map[syntax.Node]syntax.Node{}, names: map[syntax.Node]string{},
		read: map[syntax.Node]map[string]syntax.Node{},
	}
	for _, mark := range ofFunctions {
		f.marks[mark] = map[syntax.Node]bool{}
	}
	for m := range query.For(t.Language(), "functions").Matches(t.Root()) {
		for _, mark := range ofFunctions {
			n := m.Node(mark)
			if n.IsZero() {
				continue
			}
			f.marks[mark][n] = true
			if body := m.Node("body"); !body.IsZero() {
				f.bodies[n] = body
			}
			if name := m.Node("name"); !name.IsZero() {
				f.names[n] = name.Text()
			}
		}
	}
	return f
}

// What functions.scm and stubs.scm capture nodes as.
var (
	ofFunctions = []string{
		"function", "callback", "declared", "abstract", "interface", "constructor", "marker", "neutral", "tests", "statement",
	}
	ofStubs = []string{"idle", "parts", "store", "work"}
)

// at is what stubs.scm says of a node: by mark the value that must do no work either, no node if
// there is none. It is asked of few nodes.
func (f *file) at(n syntax.Node) map[string]syntax.Node {
	if known, ok := f.read[n]; ok {
		return known
	}
	found := map[string]syntax.Node{}
	for m := range f.stubs.At(n) {
		value := m.Node("value")
		for _, mark := range ofStubs {
			if former, again := found[mark]; m.Node(mark) == n && (!again || !former.IsZero()) {
				found[mark] = value
			}
		}
	}
	f.read[n] = found
	return found
}

// is reports whether functions.scm captures a node so.
func (f *file) is(mark string, n syntax.Node) bool { return f.marks[mark][n] }

func (f *file) isFunction(n syntax.Node) bool {
	return f.is("function", n) || f.is("callback", n) || f.is("declared", n)
}

// function describes a function. Its lines include decorators.
func (f *file) function(n syntax.Node, kind Kind, stub bool) Function {
	whole := n
	if p := n.Parent(); p.Is("decorated_definition") {
		whole = p
	}
	return Function{f.names[n], whole.StartLine(), whole.EndLine(), kind, stub}
}

// kind says what a function is, and whether its body is a stub.
func (f *file) kind(n syntax.Node) (Kind, bool) {
	body := f.bodies[n]
	isIdle := func(n syntax.Node) bool { return f.does(n, "idle") }
	stores := func(n syntax.Node) bool { return isIdle(n) || f.does(n, "store") }
	isEmpty := f.all(body, func(syntax.Node) bool { return false })
	switch {
	case f.is("neutral", n), f.within("tests", n), f.is("marker", n) && isEmpty:
		return Neutral, false
	case f.is("declared", n):
		return Declared, false
	case f.is("constructor", n) && f.all(body, stores):
		return Neutral, false
	case !f.all(body, isIdle):
		return Defined, false
	case f.is("abstract", n) || f.within("interface", n):
		return Declared, false
	case f.is("callback", n) && !f.is("function", n):
		return Neutral, false
	default:
		return Defined, true
	}
}

// within reports whether a node, or one that holds it, has a mark.
func (f *file) within(mark string, n syntax.Node) bool {
	for ; len(f.marks[mark]) > 0 && !n.IsZero(); n = n.Parent() {
		if f.is(mark, n) {
			return true
		}
	}
	return false
}

// all reports whether each part of a node is as asked: the node itself, or all in it if it only
// holds parts together.
func (f *file) all(n syntax.Node, is func(syntax.Node) bool) bool {
	if n.IsZero() || is(n) {
		return true
	}
	_, holds := f.at(n)["parts"]
	return holds &&
		!slices.ContainsFunc(n.Named(), func(c syntax.Node) bool { return !f.all(c, is) })
}

// does reports whether a statement or expression does no more than its mark says.
func (f *file) does(n syntax.Node, mark string) bool {
	value, ok := f.at(n)[mark]
	if !ok || mark == "idle" && f.works(n) {
		return false
	}
	return f.all(value, func(n syntax.Node) bool { return f.does(n, "idle") })
}

// works reports whether there is work in a node, besides itself.
func (f *file) works(in syntax.Node) bool {
	for n := range in.All() {
		if _, ok := f.at(n)["work"]; ok && n != in {
			return true
		}
	}
	return false
}
