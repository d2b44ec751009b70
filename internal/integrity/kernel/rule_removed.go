package kernel

import (
	"slices"

	"workflow-reviewer/internal/syntax"
)

// skipRemoved forgives that a statement is gone which did nothing but skip the
// test, alone or under a condition: what stands after it must pass now.
func (c *comparer) skipRemoved(n *Node) bool {
	if c.Skips(n) {
		c.forgive("a skip, expected failure or focus removed")
		return true
	}
	return false
}

// Skips reports whether a statement does nothing but skip.
func (c *reader) Skips(n *Node) bool {
	switch {
	case n.Is("expression_statement") && len(n.Kids) == 1:
		return c.Skips(n.Kids[0])
	case n.Is("assignment") && n.Child("left").Source() == "pytestmark":
		call, ok := c.table.callOf(n.Child("right"))
		return ok && c.catalogue.Has("skip", c.table.calleeOf(call)) &&
			!slices.ContainsFunc(call.args, func(a *Node) bool { return !inert(c.table, a) })
	case n.Is("if_statement", "if_modifier", "if"):
		return c.skipUnder(n)
	}
	if n.Is("identifier") && c.table.testsByName {
		return n.bound == nil && c.catalogue.Has("skip", n.Text) && n.Up.Is("body_statement", "then", "block_body")
	}
	call, ok := c.table.callOf(n)
	if slices.ContainsFunc(call.args, func(a *Node) bool { return a.Is("number", "integer", "float", "int_literal") }) {
		return false // something else is skipped
	}
	return ok && c.table.lang != syntax.Rust && call.block == nil && !c.declared[call.name] &&
		c.catalogue.Has("skip", c.table.calleeOf(call)) && !n.Any(func(k *Node) bool { return doers[k.Kind] })
}

// skipUnder reports whether an if statement does nothing but skip.
func (c *reader) skipUnder(n *Node) bool {
	if n.Child("alternative") != nil || n.Child("initializer") != nil {
		return false
	}
	condition, body := n.Child("condition"), n.Child("consequence")
	if body == nil {
		body = n.Child("body")
	}
	if condition == nil || body == nil || condition.Any(func(k *Node) bool { return doers[k.Kind] }) {
		return false
	}
	skips := 0
	for _, s := range c.statements(body) {
		switch {
		case c.Skips(s):
			skips++
		case s.Is("return_statement", "return") && len(s.Kids) <= 1:
		default:
			return false
		}
	}
	return skips > 0
}

// statements are the statements in a body, which may be one itself.
func (c *reader) statements(body *Node) []*Node {
	if !c.table.blocks[body.Kind] {
		if kids := values(body); len(kids) == 1 && c.table.blocks[kids[0].Kind] {
			return kids[0].Kids
		}
		if body.Is("expression_statement") || len(body.Kids) == 0 {
			return []*Node{body}
		}
		if _, ok := c.table.callOf(body); ok {
			return []*Node{body}
		}
	}
	var out []*Node
	for _, k := range values(body) {
		if k.Is("statement_list") {
			return k.Kids
		}
		if k.Kind == "then" || len(k.Kids) > 0 || k.variable || len(k.Kind) > 2 && k.Kind != k.Text {
			out = append(out, k)
		}
	}
	return out
}

// importUnused forgives that an import is gone whose names the file no longer uses, in languages in which an
// import does nothing else: Go, which does not compile with an unused one, and Java.
func (c *comparer) importUnused(n *Node) bool {
	if !c.table.imports[n.Kind] {
		return false
	}
	im := c.old.importOf(n)
	if im.star || c.table.lang != syntax.Go && c.table.lang != syntax.Java && !(c.table.lang == syntax.Python && withoutEffect[im.module]) {
		return false
	}
	for _, name := range im.binds {
		if c.new.mentions(name) {
			return false
		}
	}
	c.forgive("an unused import removed")
	return true
}

// withoutEffect are modules of Python that do nothing to others when imported.
var withoutEffect = setOf(words["withoutEffect"]...)

// mentions reports whether a name stands anywhere in a file besides imports.
func (t *Tree) mentions(name string) bool {
	found := false
	t.Root.Walk(func(k *Node) bool {
		if found || t.table.imports[k.Kind] {
			return false
		}
		found = len(k.Kids) == 0 && k.Text == name
		return true
	})
	return found
}
