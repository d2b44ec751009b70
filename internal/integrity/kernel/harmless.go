package kernel

import "slices"

// harmless reports whether new code, when it runs, reaches nothing that
// approved code sees: it assigns to nothing but names of its own, and uses
// nothing that changes other code, the runner or the process. What a name of
// the implementation does when it is called is not known here: that is the
// matter of the rules against workarounds.
func (c *comparer) harmless(n *Node) bool {
	ok := true
	n.Walk(func(k *Node) bool {
		switch {
		case k.Kind == broken:
			ok = false
		case len(k.Kids) == 0:
			ok = ok && !c.table.effects[k.Text] && !slices.Contains([]string{"global_variable", "class_variable"}, k.Kind)
		case k.Is("global_statement", "nonlocal_statement", "macro_definition", "unsafe_block", "singleton_class", "singleton_method", "static_initializer", "refinement"):
			ok = false
		case k.Is("class", "module") && k != n && c.table.outer:
			ok = false // Ruby reopens classes
		case assignKinds[k.Kind] && k != n:
			ok = ok && c.ownTarget(k, n)
		default:
			ok = ok && !c.mutates(k, n)
		}
		return ok
	})
	return ok
}

// assignKinds are statements and expressions that assign.
var assignKinds = setOf("assignment", "assignment_expression", "augmented_assignment", "augmented_assignment_expression", "assignment_statement", "update_expression",
	"operator_assignment", "compound_assignment_expr", "inc_statement", "dec_statement", "delete_statement", "postfix_unary_expression", "prefix_unary_expression")

// ownTarget reports whether an assignment in new code changes nothing but what
// the code itself made.
func (c *comparer) ownTarget(k, top *Node) bool {
	target := k.Child("left")
	if target == nil && len(k.Kids) > 0 {
		target = k.Kids[0]
		if k.Kids[0].Text == "del" || len(k.Kids) > 1 && k.Kids[0].Kind == k.Kids[0].Text {
			target = k.Kids[1]
		}
	}
	return c.ownNames(target, top)
}

// ownNames reports whether every name that a pattern assigns to is one of the
// new code's own.
func (c *comparer) ownNames(n, top *Node) bool {
	if n == nil {
		return false
	}
	if len(n.Kids) == 0 {
		switch {
		case n.Is("instance_variable"), n.Text == "_", n.Text == "self" && c.table.docStrings:
			return true
		case n.variable:
			return n.bound != nil && n.bound.in.start >= top.start && n.bound.in.stop <= top.stop || c.atTop(n, top)
		}
		return n.Kind == n.Text // punctuation
	}
	if root := n.root(); root != n {
		return c.ownNames(root, top)
	}
	for _, k := range n.Kids {
		if !c.ownNames(k, top) {
			return false
		}
	}
	return true
}

// atTop reports whether a name is assigned by the new member itself: a class
// attribute or constant, whose freshness others look at.
func (c *comparer) atTop(n, top *Node) bool {
	return n.Ancestor(c.table.functions) == top.Ancestor(c.table.functions) && !slices.ContainsFunc(n.Up.Kids, func(k *Node) bool { return k.Is("attribute", "member_expression") }) && c.fresh(n.Text)
}

// root is the name that a member or an index is taken of.
func (n *Node) root() *Node {
	for n.Is("attribute", "subscript", "member_expression", "subscript_expression", "selector_expression", "index_expression", "field_expression", "field_access",
		"array_access", "member_access_expression", "element_access_expression", "element_reference", "call", "unary_expression") && len(n.Kids) > 0 {
		next := n.Kids[0]
		if next.Kind == next.Text && len(n.Kids) > 1 {
			next = n.Kids[1]
		}
		n = next
	}
	return n
}

// mutates reports whether a call changes something that is not the new code's
// own in place.
func (c *comparer) mutates(k, top *Node) bool {
	call, ok := c.table.callOf(k)
	if !ok || call.object == nil || !mutators[call.name] {
		return false
	}
	root := call.object.root()
	return root.variable && (root.bound == nil || root.bound.in.start < top.start || root.bound.in.stop > top.stop) && !root.Is("self")
}

// mutators are methods of the languages' own collections that change them.
var mutators = setOf("append", "clear", "update", "pop", "popitem", "extend", "insert", "setdefault", "discard", "push", "splice", "shift", "unshift", "defineProperty",
	"assign", "setPrototypeOf", "fill", "Store", "Swap", "merge!", "replace", "concat", "delete_if", "reject!", "map!", "removeAll", "putAll")
