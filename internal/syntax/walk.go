package syntax

import (
	"iter"
	"strings"
)

// Has reports whether the node or anything in it is of one of the kinds.
func (n Node) Has(kinds ...string) bool {
	for range n.All(kinds...) {
		return true
	}
	return false
}

// All yields the node and everything in it that is of one of the kinds, or every named node if
// there are none given, in the order of the source, outer ones first.
func (n Node) All(kinds ...string) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.tree == nil {
			return
		}
		for at := n.at; at < n.raw().past; at++ {
			c := Node{n.tree, at}
			if len(kinds) == 0 && !c.IsNamed() || len(kinds) > 0 && !c.Is(kinds...) {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// Walk calls visit for the node and everything in it, named or not, in the order of the source.
// When visit returns false, the node's descendants are left out.
func (n Node) Walk(visit func(Node) bool) {
	if n.tree == nil {
		return
	}
	for at := n.at; at < n.raw().past; {
		c := Node{n.tree, at}
		if visit(c) {
			at++
		} else {
			at = c.raw().past
		}
	}
}

// String is the node as an expression in parentheses, named nodes only, with field names, for tests
// and messages.
func (n Node) String() string {
	var b strings.Builder
	var open []uint32 // where the nodes that are open end
	n.Walk(func(c Node) bool {
		for len(open) > 0 && c.at >= open[len(open)-1] {
			b.WriteByte(')')
			open = open[:len(open)-1]
		}
		if !c.IsNamed() {
			return true
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if f := c.FieldName(); f != "" && c.at != n.at {
			b.WriteString(f + ": ")
		}
		b.WriteString("(" + c.Kind())
		open = append(open, c.raw().past)
		return true
	})
	return b.String() + strings.Repeat(")", len(open))
}
