// Package code is source code in terms that all languages share: names, calls, literals, assignments, branches,
// functions. The rules of the check for workarounds are written once, in these terms.
//
// A tree keeps the meaning of the source, not its spelling: parentheses, casts, awaits and references are gone, an
// arrow function with an expression returns it, and so does a Ruby method or Rust function with its last expression.
package code

import (
	"slices"

	"workflow-reviewer/internal/syntax"
)

// Kind says what a Node is, and with it what its Kids are.
type Kind uint8

// The kinds of Node.
const (
	Other    Kind = iota // anything else; Kids in the order of the source
	Name                 // Text; the receiver of a method is "self" in all languages
	Literal              // Value
	Template             // a string with expressions in it; Kids are its parts
	Member               // Kids[0].Text
	Index                // Kids[0][Kids[1]]
	Call                 // Kids[0] is what is called, then the arguments; Text is "new" for a constructor, "!" for a macro
	Binary               // Text is the operator, spelled as in Go but for "in", "not in", "is", "??", "<=>", "=~"
	Unary                // Text is the operator, "not" for negation
	Ternary              // condition, then, else
	List                 // list, tuple, set, array, arguments that stand together
	Dict                 // Kids are Pairs, or what is spread
	Pair                 // key, value; Text is "kw" for a keyword argument
	Func                 // Text is the name, Def the rest; Kids are its statements
	Class                // Text is the name, Def the rest; Kids are its members
	Return               // Kids are the values
	Raise                // Kids: what is raised
	If                   // condition, then (a Block), else (a Block or If) if there is one
	Switch               // subject (Other without Kids if there is none), then Cases
	Case                 // patterns, then a Block; only a Block for the default
	Assign               // target, value; Text is the operator, "for" for the variable of a loop
	Loop                 // Assign or condition, then a Block
	Block                // Kids are statements
	Try                  // Block, then Handlers
	Handler              // Text is what it catches; Kids are statements
	Import               // Text is the module, Kids nothing; see File.Imports
)

// Node is one piece of code.
type Node struct {
	Kind  Kind
	Text  string
	Kids  []*Node
	Up    *Node // nil for the root
	Line  int   // of its first byte, from 1
	Value Value // of a Literal
	Def   *Def  // of a Func, a Class, or an Assign that declares a field; else nil
	// Declares: an Assign makes a new variable.
	Declares bool
	Src      syntax.Node
}

// Def is what a Func or Class has besides its statements.
type Def struct {
	Params []string // without the receiver
	// Types are the parameters' types as written, by their names; of a pattern that of the whole.
	Types map[string]string
	Bases []string // of a class: what it extends and implements, as written
	Marks []*Node  // decorators, annotations and attributes
	Words []string // modifiers: "static", "export", "override", …
	Type  string   // of a Go method or Rust impl: the type it belongs to
	Trait string   // of a Rust impl
	Line  int      // of the name
	// Locals are the names that a function binds itself, parameters included.
	Locals map[string]bool
	free   map[string]bool // names that Python's global statement declares
}

// Is reports whether the node is there and of one of the kinds.
func (n *Node) Is(kinds ...Kind) bool {
	if n == nil {
		return false
	}
	return slices.Contains(kinds, n.Kind)
}

// Kid is the i-th kid, nil if there is none.
func (n *Node) Kid(i int) *Node {
	if n == nil || i < 0 || i >= len(n.Kids) {
		return nil
	}
	return n.Kids[i]
}

// Args are the arguments of a Call, nil for anything else.
func (n *Node) Args() []*Node {
	if !n.Is(Call) || len(n.Kids) < 2 {
		return nil
	}
	return n.Kids[1:]
}

// Walk visits the node and what is in it, outer ones first. When visit returns false, what is in the node is left out.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, k := range n.Kids {
		k.Walk(visit)
	}
}

// Any reports whether the node, or anything in it, fulfils test.
func (n *Node) Any(test func(*Node) bool) bool {
	found := false
	n.Walk(func(c *Node) bool {
		found = found || test(c)
		return !found
	})
	return found
}

// Mentions reports whether a Name of that text is in the node.
func (n *Node) Mentions(name string) bool {
	return n.Any(func(c *Node) bool { return c.Is(Name) && c.Text == name })
}

// Within reports whether the node is in outer, or is it.
func (n *Node) Within(outer *Node) bool {
	for ; n != nil; n = n.Up {
		if n == outer {
			return true
		}
	}
	return false
}

// Outer is the nearest node of one of the kinds that holds this one.
func (n *Node) Outer(kinds ...Kind) *Node {
	if n == nil {
		return nil
	}
	for n = n.Up; n != nil; n = n.Up {
		if n.Is(kinds...) {
			return n
		}
	}
	return nil
}

// TestOfRust reports whether a declaration is compiled for tests only: #[test],
// #[cfg(test)], #[tokio::test].
func (n *Node) TestOfRust() bool {
	return n.Def != nil && slices.ContainsFunc(n.Def.Marks, func(m *Node) bool { return syntax.IsRustTestMark(Dotted(m.Kid(0))) })
}

// InTestOfRust reports whether a node stands in what Rust compiles for tests only.
func (n *Node) InTestOfRust() bool {
	for n != nil && !n.TestOfRust() {
		n = n.Up
	}
	return n != nil
}

// EndLine is the line of the node's last byte.
func (n *Node) EndLine() int { return max(n.Src.EndLine(), n.Line) }

// Has reports whether a definition bears a modifier.
func (d *Def) Has(word string) bool { return slices.Contains(d.Words, word) }
