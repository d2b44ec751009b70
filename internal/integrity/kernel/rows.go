package kernel

import "slices"

// rowsGained notes rows more in a list that is a table of cases, behind the approved ones. Each row
// is a test of its own, or what the last statement of a test walks over.
func (c *comparer) rowsGained(a, b *Node) bool {
	if !listKinds[a.Kind] || a.Field != b.Field {
		return false
	}
	old, now := values(a), values(b)
	same := func(x, y *Node) bool { return x.hash == y.hash }
	if len(old) == 0 || len(now) <= len(old) || !slices.EqualFunc(old, now[:len(old)], same) ||
		!c.old.isTable(a) ||
		!c.isTable(b) {
		return false
	}
	for _, row := range now[len(old):] {
		c.gains = append(c.gains, Gain{Node: row, What: "row of a table", Acts: c.reached(row)})
	}
	return true
}

var listKinds = setOf(
	"list",
	"tuple",
	"array",
	"literal_value",
	"array_expression",
	"element_value_array_initializer",
	"array_initializer",
	"initializer_expression",
	"token_tree",
)

// wraps are kinds of node that stand between a list and what it is the value of.
var wraps = setOf(
	"composite_literal",
	"element_value_pair",
	"expression_list",
	"reference_expression",
	"macro_invocation",
	"as_expression",
	"literal_element",
)

// isTable reports whether a list holds cases.
func (t *Tree) isTable(n *Node) bool {
	up := n.Up
	for up != nil && wraps[up.Kind] {
		n, up = up, up.Up
	}
	switch {
	case up == nil:
		return false
	case up.Is("argument_list", "arguments", "annotation_argument_list"):
		if call, ok := t.table.callOf(up.Up); ok {
			return t.File.Has("rows", t.table.calleeOf(call))
		}
		return up.Up.Is(markKinds...) && t.File.Has("rows", t.markName(up.Up))
	case up.Is("call") && n.Field == "receiver":
		call, ok := t.table.callOf(up)
		return ok && call.block != nil && t.File.Has("rows", call.name) && t.lastOfTest(up)
	case up.Is("range_clause") && n.Field == "right":
		return t.lastOfTest(up.Up)
	case loops[up.Kind] && (n.Field == "right" || n.Field == "value"):
		return t.lastOfTest(up)
	case n.Field == "right", n.Field == "value", up.Is("variable_declarator"):
		return t.usedAsTable(up)
	}
	return false
}

var loops = setOf(
	"for_statement",
	"for_in_statement",
	"for_expression",
	"enhanced_for_statement",
	"foreach_statement",
)

// lastOfTest reports whether nothing of its test stands behind a loop, so that a further round
// can't change what is demanded there, and nothing around it catches what fails.
func (t *Tree) lastOfTest(n *Node) bool {
	if t.memberLevel(n) {
		return n.Any(
			func(k *Node) bool { u, _ := t.Unit(k); return u.Role == Test },
		) // each row makes tests
	}
	if n.Child("alternative") != nil { // Python's else: no round came to an end early
		return false
	}
	for ; n.Up != nil; n = n.Up {
		if t.table.functions[n.Kind] {
			return t.Collected(n) || t.isTestBody(n)
		}
		if conditional[n.Up.Kind] || n.Up.Is("try_expression", "defer_statement") {
			return false
		}
		if t.table.blocks[n.Up.Kind] {
			after := n.Up.Kids[slices.Index(n.Up.Kids, n)+1:]
			if slices.ContainsFunc(after, func(k *Node) bool { return k.Kind != k.Text }) {
				return false
			}
		}
	}
	return false
}

// isTestBody reports whether a function is what a call hands over that makes a test.
func (t *Tree) isTestBody(fn *Node) bool {
	call, ok := t.handedTo(fn)
	if !ok {
		return false
	}
	u, ok := t.Unit(call.node)
	return ok && u.Role == Test
}

// usedAsTable reports whether a name that is given a value is used once more in its file, as a
// table.
func (t *Tree) usedAsTable(n *Node) bool {
	name := n.Child("left")
	if name == nil {
		name = n.Child("name")
	}
	for name.Is("expression_list") && len(name.Kids) == 1 {
		name = name.Kids[0]
	}
	if name == nil || len(name.Kids) > 0 {
		return false
	}
	within, uses := n.Ancestor(t.table.functions), []*Node{}
	if within == nil {
		within = t.Root
	}
	within.Leaves(func(l *Node) bool {
		if l.Text == name.Text && l != name {
			uses = append(uses, l)
		}
		return true
	})
	return len(uses) == 1 && uses[0] != n && t.isTable(uses[0])
}
