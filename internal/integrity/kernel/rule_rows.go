package kernel

import "slices"

// rowsAdded forgives rows more in a list that is a table of cases: each row is a test of its own, or what the
// last statement of a test walks over, where the new rows come after the approved ones. A row must do no more
// than name values, since the table is made before any test runs.
func (c *comparer) rowsAdded(a, b *Node) (used, same bool) {
	if !a.Is(listKinds...) || a.Kind != b.Kind || a.Field != b.Field {
		return false, false
	}
	old, now := values(a), values(b)
	if len(now) <= len(old) || len(old) == 0 || !c.isTable(c.old, a) || !c.isTable(c.new, b) {
		return false, false
	}
	rest := now
	for i, row := range old {
		for c.ownTest(a) && len(rest) > len(old)-i && !c.try(row, rest[0]) && c.plainRow(rest[0]) {
			rest = rest[1:]
		}
		if len(rest) == 0 || !c.try(row, rest[0]) {
			return false, false
		}
		rest = rest[1:]
	}
	for _, row := range rest {
		if !c.plainRow(row) {
			return false, false
		}
	}
	c.forgive("a row added to a table of cases")
	return true, true
}

// ownTest reports whether each row of a table is a test of its own, because a mark or a call of the runner holds it.
func (c *comparer) ownTest(list *Node) bool {
	for n := list.Up; n != nil; n = n.Up {
		if n.Is(markKinds...) {
			return true
		}
		if call, ok := c.table.callOf(n); ok {
			return c.catalogue.Has("rows", c.table.calleeOf(call)) && call.block == nil
		}
	}
	return false
}

var listKinds = words["listKinds"]

// isTable reports whether a list holds cases.
func (c *comparer) isTable(t *Tree, n *Node) bool {
	up := n.Up
	for up.Is("composite_literal", "element_value_pair", "expression_list", "reference_expression", "macro_invocation", "as_expression",
		"literal_element") {
		n, up = up, up.Up
	}
	switch {
	case up == nil:
		return false
	case up.Is("argument_list", "arguments", "annotation_argument_list"):
		if call, ok := c.table.callOf(up.Up); ok {
			return c.catalogue.Lists("rows", c.table.calleeOf(call))
		}
		return up.Up.Is(markKinds...) && c.catalogue.Has("rows", c.markName(up.Up))
	case up.Is("range_clause") && n.Field == "right":
		return c.lastLoop(up.Up)
	case up.Is("for_statement", "for_in_statement", "for_expression", "enhanced_for_statement", "foreach_statement") &&
		(n.Field == "right" || n.Field == "value"):
		return c.lastLoop(up)
	case up.Is("call") && n.Field == "receiver":
		call, ok := c.table.callOf(up)
		return ok && call.block != nil && c.catalogue.Has("rows", call.name) && c.lastLoop(up)
	case n.Field == "right" || n.Field == "value" || up.Is("variable_declarator"):
		return c.tableVariable(t, n)
	}
	return false
}

// lastLoop reports whether nothing of its function stands after a loop, so that
// a further round can't change what is demanded after it.
func (c *comparer) lastLoop(n *Node) bool {
	if unit, direct := c.unitOf(n); unit == nil || !direct || c.unit(unit).fails {
		return c.subtests(n)
	}
	if n.Child("alternative") != nil { // Python's else: no round came to an end early
		return false
	}
	for n.Up != nil && !c.table.functions[n.Kind] {
		if c.table.blocks[n.Up.Kind] && !n.Up.Is("module", "program", "source_file", "class_body", "declaration_list") {
			after := n.Up.Kids[slices.Index(n.Up.Kids, n)+1:]
			if slices.ContainsFunc(after, func(k *Node) bool { return len(k.Kids) > 0 || k.variable }) {
				return c.subtests(n)
			}
		}
		n = n.Up
	}
	return true
}

// subtests reports whether the body of a loop is one call that makes a test.
func (c *comparer) subtests(loop *Node) bool {
	body := loop.Child("body")
	if call, ok := c.table.callOf(loop); ok && call.block != nil {
		body = call.block.Child("body")
	}
	if body == nil {
		return false
	}
	st := c.statements(body)
	if body.Kind == "body_statement" {
		st = body.Kids
	}
	if len(st) == 0 {
		return false
	}
	for _, s := range st[:len(st)-1] { // a sum over the rows may be asserted elsewhere
		if !s.Is("short_var_declaration", "lexical_declaration") || !pure(c.table, s, set{}) {
			return false
		}
	}
	last := st[len(st)-1]
	if last.Is("expression_statement") {
		last = last.Kids[0]
	}
	call, ok := c.table.callOf(last)
	return ok && (c.catalogue.Has("rows", c.table.calleeOf(call)) || c.holdsTests(c.table.calleeOf(call)))
}

// tableVariable reports whether a list is the value of a name that is used once more, as a table.
func (c *comparer) tableVariable(t *Tree, n *Node) bool {
	up := n.Up
	name := up.Child("left")
	if name == nil {
		name = up.Child("name")
	}
	for name.Is("expression_list") && len(name.Kids) == 1 {
		name = name.Kids[0]
	}
	if name == nil || len(name.Kids) > 0 {
		return false
	}
	var uses []*Node
	t.Root.Leaves(func(l *Node) bool {
		if l.Text == name.Text && l != name && l.bound == name.bound {
			uses = append(uses, l)
		}
		return true
	})
	return len(uses) == 1 && c.isTable(t, uses[0]) && !c.used(name.Text)
}

// plainRow reports whether a row does no more than name values.
func (c *comparer) plainRow(n *Node) bool {
	return !n.Any(func(k *Node) bool {
		if call, ok := c.table.callOf(k); ok {
			return c.old.names[call.name] == 0 && !pureCalls[call.name]
		}
		return k.Is("assignment", "assignment_expression", "named_expression", "await_expression", "yield", broken) ||
			k.Is("property_identifier") && k.Text == "only" // a row that is skipped is no harm to others
	})
}
