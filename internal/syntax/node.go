package syntax

import (
	"iter"
	"slices"
	"strings"
)

// errorKind is the kind of a node that holds text no rule of the grammar fits.
const (
	errorKind = "ERROR"
	errorID   = ^uint16(0)
)

// Node is one node of a tree. The zero Node is no node: IsZero is true, every other method answers
// with a zero value.
type Node struct {
	tree *Tree
	at   uint32
}

// IsZero reports whether there is no node.
func (n Node) IsZero() bool { return n.tree == nil }

// raw is the node as the tree holds it, zero for the zero Node.
func (n Node) raw() node {
	if n.tree == nil {
		return node{}
	}
	return n.tree.nodes[n.at]
}

// Kind is the node's kind as its grammar calls it: "function_definition", or
// the token itself for a token without a name.
func (n Node) Kind() string {
	if n.tree == nil {
		return ""
	}
	id := n.raw().kind
	if id == errorID || int(id) >= len(n.tree.kinds) {
		return errorKind
	}
	return n.tree.kinds[id]
}

// Is reports whether the node's kind is one of kinds.
func (n Node) Is(kinds ...string) bool { return n.tree != nil && slices.Contains(kinds, n.Kind()) }

// IsNamed reports whether the node is more than punctuation or a keyword.
func (n Node) IsNamed() bool { return n.raw().flags&named != 0 }

// IsMissing reports whether the parser put the node in to mend an error.
func (n Node) IsMissing() bool { return n.raw().flags&missing != 0 }

// HasError reports whether the node or anything in it is a syntax error.
func (n Node) HasError() bool { return n.raw().flags&broken != 0 }

// IsComment reports whether the node is a comment.
func (n Node) IsComment() bool { return n.tree != nil && strings.Contains(n.Kind(), "comment") }

// IsFunction reports whether the node is a function with a body, named or not.
func (n Node) IsFunction() bool {
	isIt := n.Is("method", "singleton_method", "arrow_function") || !n.Field("parameters").IsZero()
	return isIt && !n.Field("body").IsZero()
}

// StartByte is the offset of the node's first byte.
func (n Node) StartByte() int { return int(n.raw().start) }

// EndByte is the offset after the node's last byte.
func (n Node) EndByte() int { return int(n.raw().end) }

// StartLine is the line, from 1, of the node's first byte; 0 for no node.
func (n Node) StartLine() int {
	if n.tree == nil {
		return 0
	}
	return n.tree.line(n.raw().start)
}

// EndLine is the line, from 1, of the node's last byte; 0 for no node.
func (n Node) EndLine() int {
	if n.tree == nil {
		return 0
	}
	r := n.raw()
	return n.tree.line(max(r.start, r.end-min(r.end, 1)))
}

// Text is the node's source text.
func (n Node) Text() string {
	if n.tree == nil {
		return ""
	}
	r := n.raw()
	return n.tree.text[r.start:max(r.start, r.end)]
}

// Parent is the node that holds this one; no node for the root.
func (n Node) Parent() Node {
	if n.tree == nil || n.at == 0 {
		return Node{}
	}
	return Node{n.tree, n.raw().parent}
}

// FirstChild is the first child, named or not.
func (n Node) FirstChild() Node {
	if n.raw().past <= n.at+1 {
		return Node{}
	}
	return Node{n.tree, n.at + 1}
}

// NextSibling is the next child of the same parent, named or not.
func (n Node) NextSibling() Node {
	r := n.raw()
	if n.tree == nil || n.at == 0 || r.past == n.tree.nodes[r.parent].past {
		return Node{}
	}
	return Node{n.tree, r.past}
}

// FieldName is the name of the field of the parent that holds this node, "" if it is in none.
func (n Node) FieldName() string {
	if id := n.raw().field; n.tree != nil && int(id) < len(n.tree.fields) {
		return n.tree.fields[id]
	}
	return ""
}

// Field is the first child in the field of that name.
func (n Node) Field(name string) Node {
	for c := range n.Children() {
		if c.FieldName() == name {
			return c
		}
	}
	return Node{}
}

// Children yields the children, named or not.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
			if !yield(c) {
				return
			}
		}
	}
}

// Named lists the named children without comments.
func (n Node) Named() []Node {
	var out []Node
	for c := range n.Children() {
		if c.IsNamed() && !c.IsComment() {
			out = append(out, c)
		}
	}
	return out
}

// Child is the first child that is of one of the kinds.
func (n Node) Child(kinds ...string) Node {
	for c := range n.Children() {
		if c.Is(kinds...) {
			return c
		}
	}
	return Node{}
}

// Up is the nearest node of one of the kinds that holds this one.
func (n Node) Up(kinds ...string) Node {
	for p := n.Parent(); !p.IsZero(); p = p.Parent() {
		if p.Is(kinds...) {
			return p
		}
	}
	return Node{}
}
