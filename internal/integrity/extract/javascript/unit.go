package javascript

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// looseCall is a call that stands in a suite: it defines a unit, or has units
// in a function that it is given. False if it is an ordinary statement.
func (m *model) looseCall(n syntax.Node, s scope) ([]testmodel.Stmt, bool) {
	if len(n.Named()) == 0 {
		return nil, false
	}
	call := bare(n.Named()[0])
	if call.Is("await_expression", "unary_expression") && len(call.Named()) > 0 {
		call = bare(call.Named()[0])
	}
	if call.Is("assignment_expression") {
		return m.exportedFunction(n, call, s)
	}
	c := chainOf(call)
	if m.define(c, n, s) {
		return nil, true
	}
	fn := c.last().function()
	switch {
	case fn.IsZero() && c.root.Is("arrow_function", "function_expression") && m.defines[c.root]:
		fn = c.root
	case fn.IsZero() || !m.defines[fn]:
		return nil, false
	}
	st := m.Stmt(testmodel.With, n, tokensWithout(n, fn.Field("body")))
	if c.last().name == "forEach" {
		st = m.forEachHead(n, c, fn)
	}
	st.Body = m.level(bodyOf(fn), s)
	return []testmodel.Stmt{st}, true
}

// bodyOf are the statements of a function, its value if it is no block.
func bodyOf(fn syntax.Node) []syntax.Node {
	body := fn.Field("body")
	if body.Is("statement_block") {
		return body.Named()
	}
	if body.IsZero() {
		return nil
	}
	return []syntax.Node{body}
}

// exportedFunction is exports.name = function …: a helper.
func (m *model) exportedFunction(n, a syntax.Node, s scope) ([]testmodel.Stmt, bool) {
	name, value := a.Field("left").Text(), bare(a.Field("right"))
	if !strings.HasPrefix(name, "exports.") && !strings.HasPrefix(name, "module.exports") {
		return nil, false
	}
	short := strings.TrimPrefix(strings.TrimPrefix(name, "module."), "exports.")
	switch {
	case isFunction(value):
		m.helper(value, n, short, s)
		return nil, true
	case value.Is("object"):
		return []testmodel.Stmt{m.Stmt(testmodel.Plain, n, m.object(n, value, short, s))}, true
	default:
		return nil, false
	}
}

// define adds the units that a call defines; false if it defines none.
func (m *model) define(c chain, at syntax.Node, s scope) bool {
	d, ok := m.definition(c, s)
	if !ok {
		return false
	}
	switch d.sort {
	case suite:
		m.addSuite(d, at, s)
	case setup:
		m.addSetup(d, at, s)
	default:
		m.addTest(d, at, s)
	}
	return true
}

// open adds the unit of a definition with its marks and rows.
func (m *model) open(role testmodel.Role, name string, d definition, at syntax.Node, s scope) int {
	i := m.Open(role, build.Qualify(s.name, name), at)
	marks := append(slices.Clone(s.marks), d.marks...)
	marks = append(marks, m.options(d)...)
	u := m.Unit(i)
	u.Marks, u.Rows, u.Uncollected = marks, d.rows, s.uncollected
	return i
}

func (m *model) addSuite(d definition, at syntax.Node, s scope) {
	name := title(d.last.arg(0))
	fn := d.function()
	i := m.open(testmodel.Suite, name, d, at, s)
	inner := scope{name: build.Qualify(s.name, name), unit: i, depth: s.depth, uncollected: s.uncollected}
	var body []testmodel.Stmt
	if fn.IsZero() {
		body = []testmodel.Stmt{m.Stmt(testmodel.Plain, at, tokens(d.last.args...))}
	} else {
		body = m.level(bodyOf(fn), inner)
		m.Unit(i).Locals = m.declaredNames(fn.Field("body"))
		m.Unit(i).Params = params(fn)
	}
	m.Unit(i).Body = body
}

func (m *model) addSetup(d definition, at syntax.Node, s scope) {
	i := m.open(testmodel.Setup, d.setup, d, at, s)
	fn := d.function()
	c := ctx{unit: i, name: build.Qualify(s.name, d.setup), depth: s.depth}
	var body []testmodel.Stmt
	if fn.IsZero() {
		body = []testmodel.Stmt{m.Stmt(testmodel.Plain, at, tokens(d.last.args...))}
	} else {
		body = m.function(fn, c)
	}
	u := m.Unit(i)
	u.Body = body
	if !fn.IsZero() {
		u.Params, u.Locals = params(fn), locals(fn)
	}
}

func (m *model) addTest(d definition, at syntax.Node, s scope) {
	name := testName(d)
	fn := d.function()
	i := m.open(testmodel.Test, name, d, at, s)
	c := ctx{unit: i, name: build.Qualify(s.name, name), depth: s.depth}
	var body []testmodel.Stmt
	switch {
	case !fn.IsZero():
		c.t = first(params(fn))
		body = m.function(fn, c)
	case len(d.last.args) > 1:
		body = m.wrapped(d, c)
	case len(d.marks) == 0:
		m.Unit(i).Marks = append(m.Unit(i).Marks, m.Mark(testmodel.Skips, at, []string{"pending"}))
	}
	u := m.Unit(i)
	u.Body = body
	if !fn.IsZero() {
		u.Params, u.Locals = params(fn), locals(fn)
	}
}

// wrapped is the body of it("…", wrap(async () => …)) and of it("…", check).
func (m *model) wrapped(d definition, c ctx) []testmodel.Stmt {
	for _, a := range d.last.args[1:] {
		inner := chainOf(a).last().function()
		if inner.IsZero() {
			continue
		}
		st := m.Stmt(testmodel.With, a, tokensWithout(a, inner.Field("body")))
		st.Body = m.function(inner, c)
		return []testmodel.Stmt{st}
	}
	return []testmodel.Stmt{m.Stmt(testmodel.Plain, d.last.arg(1), tokens(d.last.args[1:]...))}
}

// params are the parameters of a function, each as its tokens.
func params(fn syntax.Node) []string {
	if p := fn.Field("parameter"); !p.IsZero() {
		return []string{p.Text()}
	}
	var out []string
	for _, p := range fn.Field("parameters").Named() {
		if t := tokens(p); len(t) > 0 && p.Field("pattern").Text() != "this" {
			out = append(out, strings.Join(t, " "))
		}
	}
	return out
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}
