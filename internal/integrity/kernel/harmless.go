package kernel

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// harmless reports whether new code, when it runs, reaches nothing that approved code sees: it assigns to nothing but
// names of its own, and uses nothing that changes other code, the runner or the process. What a name of the
// implementation does when it is called is not known here: that is the matter of the rules against workarounds.
func (c *comparer) harmless(n *Node) bool {
	ok := true
	n.Walk(func(k *Node) bool {
		switch {
		case k.Kind == broken, k.Is("subscript_expression") && (k.Kids[0].Text == "vi" || k.Kids[0].Text == "jest"),
			k.Is("attribute") && k.Kids[0].Text == "request" && runnersOwn[k.Child("attribute").leafText()]:
			ok = false
		case len(k.Kids) == 0:
			// Python reads letters by their compatibility form: a name spelt so is none that a list holds.
			escaped := strings.Contains(k.Kind, "identifier") && (strings.Contains(k.Text, `\`) || !norm.NFKC.IsNormalString(k.Text))
			ok = ok && (!c.table.effects[k.Text] || c.undone(k)) && !escaped && !k.Is("global_variable", "class_variable")
		case k.Is("global_statement", "nonlocal_statement", "macro_definition", "unsafe_block", "trait_item", "singleton_class",
			"singleton_method", "static_initializer", "refinement"):
			ok = false
		case k.Is("class", "module") && k != n && c.table.outer:
			ok = false // Ruby reopens classes
		case k.Is("prefix_unary_expression") && k.Kids[0].Text != "++" && k.Kids[0].Text != "--": // a sign
		case assignKinds[k.Kind] && k != n:
			ok = ok && (c.ownTarget(k, n) || c.putBack(k, n))
		case c.bindsOther(k):
			ok = false
		default:
			ok = ok && !c.mutates(k, n)
		}
		return ok
	})
	return ok
}

// bindsOther reports whether a node gives a value to a part of something by other means than an assignment: the
// target of a loop, of a context manager, of a handler, an argument by reference.
func (c *comparer) bindsOther(n *Node) bool {
	target := n.Child("left")
	switch {
	case n.Is("for_statement", "for_in_clause", "range_clause", "receive_statement"):
	case n.Is("for"):
		target = n.Child("pattern")
	case n.Is("as_pattern_target", "exception_variable"):
		target = n
	case n.Is("argument") && len(n.Kids) > 1 && (n.Kids[0].Text == "ref" || n.Kids[0].Text == "out"):
		target = n
	default:
		return false
	}
	return target.Any(func(k *Node) bool {
		return k.Is("attribute", "subscript", "selector_expression", "index_expression", "element_reference", "call",
			"member_access_expression", "element_access_expression", "instance_variable")
	})
}

// runnersOwn is what pytest's request tells of the run.
var runnersOwn = setOf("session", "config", "node", "_pyfuncitem")

// assignKinds are statements and expressions that assign.
var assignKinds = setOf(words["assignKinds"]...)

// ownTarget reports whether an assignment in new code changes nothing but what the code itself made.
func (c *comparer) ownTarget(k, top *Node) bool {
	target := k.Child("left")
	if target == nil && len(k.Kids) > 0 {
		target = k.Kids[0]
		if k.Kids[0].Text == "del" || len(k.Kids) > 1 && k.Kids[0].Kind == k.Kids[0].Text {
			target = k.Kids[1]
		}
	}
	return c.ownNames(target, top) || c.renewed(target, k.Child("right"))
}

// renewed reports whether a field gets a plain value of what an approved hook makes anew before each test.
func (c *comparer) renewed(target, value *Node) bool {
	root := target
	if target != nil {
		root = target.root()
	}
	isMade := func(n *Node) bool {
		to, from := n.Child("left"), n.Child("right")
		return n.Is("assignment_expression") && to != nil && from != nil && to.Source() == root.Source() &&
			from.Any(func(k *Node) bool {
				return k.Is("call_expression", "new_expression", "object_creation_expression", "method_invocation", "invocation_expression")
			})
	}
	does := func(n *Node) bool {
		return c.table.functions[n.Kind] || n.Is("call_expression", "method_invocation", "invocation_expression", "class")
	}
	isData := func(name string) bool { // a constant of the file that is no function, wherever it has one of that name
		declared, other := false, false
		c.new.Root.Walk(func(n *Node) bool {
			if n.Is("variable_declarator") && n.Child("name").Source() == name {
				declared, other = true, other || n.Child("value") == nil || n.Any(does)
			}
			return !other
		})
		return declared && !other
	}
	plain := func(n *Node) bool {
		return !n.Any(func(k *Node) bool {
			return does(k) || k.Is("identifier", "shorthand_property_identifier") && !isData(k.Text)
		})
	}
	own := root != target && root.Is("identifier") && slices.Contains(target.Kids, root) // no field of a field: its prototype
	return own && value != nil && plain(value) && c.old.Root.Any(func(n *Node) bool {
		marks, _ := c.marks(n)
		hook := slices.ContainsFunc(marks, func(m *Node) bool {
			return slices.Contains([]string{"BeforeEach", "Before", "SetUp"}, c.markName(m))
		})
		if call, ok := c.table.callOf(n); ok {
			hook = call.name == "beforeEach" || call.name == "setup"
		}
		return hook && n.Any(isMade)
	})
}

// ownNames reports whether every name that a pattern assigns to is one of the new code's own.
func (c *comparer) ownNames(n, top *Node) bool {
	if n == nil {
		return false
	}
	if len(n.Kids) == 0 {
		switch {
		case n.Is("instance_variable"), n.Text == "_", n.Text == "self" && c.table.docStrings:
			return true
		case n.variable:
			return n.bound != nil && n.bound.in.start >= top.start && n.bound.in.stop <= top.stop || c.atTop(n, top) || c.ownMember(n, top)
		}
		return n.Kind == n.Text // punctuation
	}
	if root := n.root(); root != n {
		return c.ownNames(root, top) && !c.aliased(root, top)
	}
	return !slices.ContainsFunc(n.Kids, func(k *Node) bool { return !c.ownNames(k, top) })
}

// atTop reports whether a name is assigned by the new member itself: a class
// attribute or constant, whose freshness others look at.
func (c *comparer) atTop(n, top *Node) bool {
	return n.Ancestor(c.table.functions) == top.Ancestor(c.table.functions) &&
		!slices.ContainsFunc(n.Up.Kids, func(k *Node) bool { return k.Is("attribute", "member_expression") }) && c.fresh(n.Text)
}

// ownMember reports whether a name of Java or C# is a field of a class that is new itself.
func (c *comparer) ownMember(n, top *Node) bool {
	class := n.Ancestor(classKinds)
	return class.Is("class_declaration") && class.start >= top.start && class.stop <= top.stop && c.fresh(n.Text) &&
		class.Any(func(k *Node) bool {
			return k.Is("variable_declarator") && k.Child("name").Source() == n.Text && k.Ancestor(classKinds) == class &&
				k.Ancestor(setOf("field_declaration")) != nil && k.Ancestor(c.table.functions) == class.Ancestor(c.table.functions)
		})
}

// root is the name that a member or an index is taken of.
func (n *Node) root() *Node {
	for n.Is("attribute", "subscript", "member_expression", "subscript_expression", "selector_expression", "index_expression",
		"field_expression", "field_access",
		"array_access", "member_access_expression", "element_access_expression", "element_reference", "call", "unary_expression") &&
		len(n.Kids) > 0 {
		next := n.Kids[0]
		if next.Kind == next.Text && len(n.Kids) > 1 {
			next = n.Kids[1]
		}
		n = next
	}
	return n
}

// mutates reports whether a call changes something that is not the new code's own in place.
func (c *comparer) mutates(k, top *Node) bool {
	call, ok := c.table.callOf(k)
	if !ok {
		return false
	}
	if mutators[call.name] || changers[call.name] {
		for _, n := range append([]*Node{call.object}, call.args...) {
			if n != nil && c.approvedVariable(n.root()) {
				return true
			}
		}
	}
	if call.object == nil || !mutators[call.name] {
		return false
	}
	root := call.object.root()
	if root.variable && c.aliased(root, top) {
		return true
	}
	return root.variable && (root.bound == nil || root.bound.in.start < top.start || root.bound.in.stop > top.stop) && !root.Is("self")
}

// mutators are methods of the languages' own collections that change them.
var mutators = setOf(words["mutators"]...)

// changers change what they are called on or given, but are common names: they
// count for variables of the approved file alone.
var changers = setOf(words["changers"]...)

// approvedVariable reports whether a name is one that the approved file gives a value outside of all functions.
func (c *comparer) approvedVariable(n *Node) bool {
	if !n.variable || n.bound != nil {
		return false
	}
	return c.old.Root.Any(func(k *Node) bool {
		name := k.Child("name")
		if k.Is("assignment") {
			name = k.Child("left")
		}
		return k.Is("assignment", "variable_declarator", "var_spec", "static_item") && name != nil && name.Source() == n.Text &&
			k.Ancestor(c.table.functions) == nil && !ownField(k)
	})
}

// ownField reports whether a declaration is one of a field that each object of a class has for itself.
func ownField(n *Node) bool {
	field := n.Ancestor(setOf("field_declaration"))
	return field != nil && !slices.ContainsFunc(field.Kids, func(k *Node) bool {
		return k.Text == "static" || slices.ContainsFunc(k.Kids, func(l *Node) bool { return l.Text == "static" })
	})
}

// aliased reports whether a local of new code may be another name for something that is not the new code's own:
// it is given a name from outside, or a part of one, as its value.
func (c *comparer) aliased(n, top *Node) bool {
	return n.bound != nil && top.Any(func(k *Node) bool {
		name, value := k.Child("left"), k.Child("right")
		if k.Is("variable_declarator") {
			name, value = k.Child("name"), k.Child("value")
		}
		if name == nil || value == nil || !name.Any(func(l *Node) bool { return l.bound == n.bound }) {
			return false
		}
		return value.Any(func(l *Node) bool {
			return l.variable && l.bound == nil && !c.table.reserved[l.Text] && !c.inCall(l, value)
		})
	})
}

// inCall reports whether a node stands in a call within another.
func (c *comparer) inCall(n, within *Node) bool {
	for at := n; at != nil; at = at.Up {
		if _, ok := c.table.callOf(at); ok || at.Is("new_expression", "object_creation_expression", "composite_literal") {
			return true
		}
		if at == within {
			return false
		}
	}
	return false
}
