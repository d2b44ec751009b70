package kernel

import (
	"slices"
	"strings"
)

// call is a call with its parts.
type call struct {
	node   *Node
	object *Node // what it is made on, nil for a plain function
	callee *Node // the name, with arguments of types if it has them
	name   string
	args   []*Node
	block  *Node // a block that is handed over, Ruby's
}

// callOf reads a call of any form that the language has; false if the node is none.
func (t *table) callOf(n *Node) (call, bool) {
	for _, f := range t.calls {
		if !n.Is(f.kind) {
			continue
		}
		c := call{node: n, args: arguments(n.part(f.args)), block: n.part(f.block)}
		if f.function == "" {
			c.object, c.callee = n.Child(f.object), n.Child(f.name)
		} else if fn := n.Child(f.function); fn.Is(f.member.kind) {
			c.object, c.callee = fn.Child(f.member.field), fn.Child(f.property)
		} else {
			c.callee = fn
		}
		if c.callee == nil {
			return call{}, false
		}
		c.name = name(c.callee)
		return c, true
	}
	return call{}, false
}

// part is the child in a field or, where the grammar has none, of that kind.
func (n *Node) part(field string) *Node {
	if field == "" {
		return nil
	}
	if k := n.Child(field); k != nil {
		return k
	}
	for _, k := range n.Kids {
		if k.Kind == field {
			return k
		}
	}
	return nil
}

// name is how the catalogue calls a callee: "Throws<>" if it has arguments of types, "" if it is no
// name.
func name(n *Node) string {
	if len(n.Kids) == 0 {
		return n.Text
	}
	if n.Is("generic_name") {
		return n.Kids[0].Text + "<>"
	}
	return ""
}

// arguments are the parts of an argument list between its commas.
func arguments(list *Node) []*Node {
	if list == nil {
		return nil
	}
	if list.Is("token_tree") {
		return tokens(list)
	}
	if list.Is("template_string") {
		return []*Node{list}
	}
	return values(list)
}

// punctuation between the elements of lists.
var punctuation = setOf("(", ")", "[", "]", "{", "}", ",", "vec", "!")

// values are the elements of a list without its punctuation.
func values(list *Node) []*Node {
	return slices.DeleteFunc(slices.Clone(list.Kids), func(k *Node) bool {
		return len(k.Kids) == 0 && k.Kind == k.Text && punctuation[k.Text]
	})
}

// tokens are the arguments of a macro: what stands between commas, each under a node of its own.
func tokens(tree *Node) []*Node {
	var out []*Node
	var part []*Node
	flush := func() {
		if len(part) > 0 {
			out = append(out, group(tree, part))
		}
		part = nil
	}
	for _, k := range tree.Kids[min(1, len(tree.Kids)):max(1, len(tree.Kids)-1)] {
		if k.Text == "," {
			flush()
			continue
		}
		part = append(part, k)
	}
	flush()
	return out
}

// group is a node of its own for some tokens.
func group(up *Node, kids []*Node) *Node {
	if len(kids) == 1 {
		return kids[0]
	}
	n := &Node{Kind: "tokens", Kids: kids, Up: up, Line: kids[0].Line, End: kids[len(kids)-1].End}
	n.hash = n.digest()
	return n
}

// skeleton is what a chain of calls looks like: names joined by dots, "()" for arguments, "?" for
// everything else.
func (t *table) skeleton(n *Node) string {
	switch {
	case n == nil:
		return ""
	case len(n.Kids) == 0:
		if n.Is("string", "string_literal") {
			return "?"
		}
		return n.Text
	}
	if c, ok := t.callOf(n); ok {
		out := c.name
		if c.callee != nil && len(c.callee.Kids) > 0 && c.name == "" {
			out = t.skeleton(c.callee)
		}
		if c.object != nil {
			out = t.skeleton(c.object) + "." + out
		}
		if n.Child("arguments") == nil && c.block == nil && n.Is("call") {
			return out // Ruby's call without arguments
		}
		return out + "()"
	}
	for _, f := range t.calls {
		if f.member.kind != "" && n.Is(f.member.kind) {
			return t.skeleton(n.Child(f.member.field)) + "." + t.skeleton(n.Child(f.property))
		}
	}
	switch {
	case n.Is("await_expression", "await", "expression_statement") && len(n.Kids) > 0:
		return t.skeleton(n.Kids[len(n.Kids)-1])
	case n.Is("scope_resolution", "scoped_identifier"):
		return n.joined()
	}
	return "?"
}

// callee is the skeleton of a call without its own arguments.
func (t *table) calleeOf(c call) string {
	own := c.name
	if own == "" {
		own = t.skeleton(c.callee)
	}
	if c.object == nil {
		return own
	}
	return t.skeleton(c.object) + "." + own
}

// assertionOf looks a node up in the catalogue.
func (t *Tree) assertionOf(n *Node) (Assertion, bool) {
	call, ok := t.table.callOf(n)
	if !ok {
		if !n.Is("identifier") || t.matcherOf(n) == "" { // a matcher without arguments
			return Assertion{}, false
		}
		call.node, call.callee, call.name = n, n, n.Text
	}
	receiver := t.table.skeleton(call.object)
	if n.Is("macro_invocation") {
		receiver = "!"
	}
	negated := slices.ContainsFunc(strings.Split(receiver, "."),
		func(link string) bool { return t.File.Has("negation", link) })
	if method := t.matcherOf(n); method != "" && call.object == nil {
		receiver, negated = "matcher", t.File.Has("negation", method)
	}
	e := t.File.Call(receiver, call.name)
	if e == nil {
		return Assertion{}, false
	}
	return Assertion{
		Node:    n,
		Entry:   e,
		Negated: negated,
		Object:  call.object,
		Values:  call.args[:min(e.Values(), len(call.args))],
	}, true
}

// matcherOf is the method that takes the node as its matcher, "" if none does.
func (t *Tree) matcherOf(n *Node) string {
	if n.Up == nil || n.Up.Up == nil || !n.Up.Is("argument_list") {
		return ""
	}
	up, ok := t.table.callOf(n.Up.Up)
	if ok && up.object != nil &&
		slices.Contains([]string{"to", "not_to", "to_not", "should", "should_not"}, up.name) {
		return up.name
	}
	return ""
}
