package javascript

import (
	"slices"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// helper adds a function as a unit.
func (m *model) helper(fn, at syntax.Node, name string, s scope) {
	unit := m.Open(testmodel.Helper, build.Qualify(s.name, name), at)
	inner := scope{name: build.Qualify(s.name, name), unit: unit, marks: s.marks, depth: s.depth, uncollected: s.uncollected}
	body := m.function(fn, ctx{unit: unit, name: inner.name, depth: s.depth, helper: true})
	u := m.Unit(unit)
	u.Body, u.Params, u.Locals = body, params(fn), locals(fn)
	if head := modifiers(fn); len(head) > 0 {
		u.Marks = append(u.Marks, m.Mark("", fn, head))
	}
}

// modifiers are a function's keywords that change what it does.
func modifiers(fn syntax.Node) []string {
	var out []string
	for c := range fn.Children() {
		if c.Is("async", "*", "static", "get", "set", "decorator") {
			out = append(out, tokens(c)...)
		}
	}
	return out
}

// class adds a class as a helper, and one for each of its methods.
func (m *model) class(n syntax.Node, name string, s scope) {
	body := n.Field("body")
	unit := m.Open(testmodel.Helper, build.Qualify(s.name, name), n)
	inner := scope{name: build.Qualify(s.name, name), unit: unit, depth: s.depth}
	stmts := []testmodel.Stmt{m.Stmt(testmodel.Plain, n, tokensWithout(n, body))}
	stmts[0].Head = slices.DeleteFunc(stmts[0].Head, func(t string) bool { return t == name })
	for _, c := range body.Named() {
		if c.Is("method_definition") && !c.Field("body").IsZero() {
			m.helper(c, c, c.Field("name").Text(), inner)
			continue
		}
		stmts = m.plain(stmts, c)
	}
	m.Unit(unit).Body = stmts
}

// object adds the functions of an object literal that assert something as
// helpers, and returns the tokens of the rest of n.
func (m *model) object(n, object syntax.Node, name string, s scope) []string {
	var leave []syntax.Node
	inner := scope{name: build.Qualify(s.name, name), unit: s.unit, depth: s.depth}
	for _, c := range object.Named() {
		fn, key := c, c.Field("name")
		if c.Is("pair") {
			fn, key = bare(c.Field("value")), c.Field("key")
		}
		if m.demands[fn] {
			m.helper(fn, c, unquoted(key), inner)
			leave = append(leave, fn)
		}
	}
	return tokensWithout(n, leave...)
}
