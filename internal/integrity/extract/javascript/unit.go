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

// definition is a call that defines a unit.
type definition struct {
	chain
	sort    sort
	setup   string
	last    link
	marks   []testmodel.Mark
	rows    []testmodel.Row
	pending bool
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

// definition reads a call as one that defines a unit.
func (m *model) definition(c chain, s scope) (definition, bool) {
	d := definition{chain: c, last: c.last()}
	if !c.root.Is("identifier", "ternary_expression") || !d.last.called {
		return d, false
	}
	d.sort = m.sortOf(c, &d, s)
	if d.sort == none {
		return d, false
	}
	for i, l := range c.links {
		if i == len(c.links)-1 && l.name == "" {
			break
		}
		if !m.modify(&d, l, i == len(c.links)-1) {
			return d, false
		}
	}
	return d, m.isDefinition(&d, !s.nested)
}

// sortOf is what sort of unit a chain's names define.
func (m *model) sortOf(c chain, d *definition, s scope) sort {
	if c.root.Is("ternary_expression") { // (cond ? it : it.skip)("name", …)
		found, _ := m.alias(c.root, nil)
		d.marks = append(d.marks, m.Mark(testmodel.Skips, c.root, tokens(c.root)))
		return found.sort
	}
	found := m.name(c.root.Text())
	if of := c.root.Text(); of == "QUnit" || of == "Deno" || of == s.t && s.t != "" && c.links[0].name != "" {
		found = meaning{sort: test}
	}
	if found.effect != "" {
		d.marks = append(d.marks, m.Mark(found.effect, c.root, tokens(c.root)))
	}
	d.setup = c.root.Text()
	switch found.sort {
	case suite, test, setup:
		return found.sort
	case mocks, none, expect, assert, assertion, should, chai, sinon, double, nodeMock:
	}
	return none
}

// modifier is the effect of a link such as .skip.
func modifier(name string) testmodel.Effect {
	switch name {
	case "skip", "todo", "skipIf", "runIf", "ignore", "fixme", "if":
		return testmodel.Skips
	case "failing", "fails", "fail":
		return testmodel.XFails
	case "only":
		return testmodel.Focuses
	case "retry", "retries", "flaky":
		return testmodel.Retries
	default:
		return ""
	}
}

// modify takes one link of it.skip.each(rows) into the definition; false if it
// is none that is known.
func (m *model) modify(d *definition, l link, last bool) bool {
	switch l.name {
	case "each", "for":
		rows, rest := m.table(l)
		d.rows = rows
		if len(rest) > 0 {
			d.marks = append(d.marks, m.Mark("", l.node, append([]string{l.name}, rest...)))
		}
		return l.called && !last
	case "describe", "suite", "module":
		d.sort = suite
	case "it", "test", "step":
		d.sort = test
	case "before", "after", "beforeEach", "afterEach", "beforeAll", "afterAll", "always", "hooks":
		d.sort, d.setup = setup, l.name
	case "concurrent", "sequential", "serial", "parallel", "shuffle", "cb", "extend", "withTitle":
		d.marks = append(d.marks, m.Mark("", l.node, []string{l.name}))
	default:
		effect := modifier(l.name)
		if effect == "" {
			return false
		}
		mark := m.Mark(effect, l.node, []string{l.name})
		if l.called && !last {
			mark.Tokens = append(mark.Tokens, tokens(l.args...)...)
		}
		d.marks = append(d.marks, mark)
		d.pending = d.pending || l.name == "todo"
	}
	return true
}

// isDefinition reports whether a call's arguments are those of a unit.
func (m *model) isDefinition(d *definition, loose bool) bool {
	fn := d.function()
	switch {
	case d.sort == setup:
		return len(d.last.args) > 0
	case !fn.IsZero():
		return true
	case d.sort == test && len(d.last.args) > 0 && (loose || d.pending):
		d.pending = d.pending || len(d.last.args) == 1
		return isString(bare(d.last.arg(0))) || len(d.last.args) > 1 || isFunction(d.last.arg(0))
	default:
		return d.sort == suite && len(d.last.args) > 1
	}
}

// function is the unit's function, also where it is wrapped in a call.
func (d *definition) function() syntax.Node {
	if fn := d.last.function(); !fn.IsZero() {
		return fn
	}
	for _, a := range slices.Backward(d.last.args) {
		if o := bare(a); o.Is("object") {
			for _, c := range o.Named() {
				if c.Is("method_definition") && c.Field("name").Text() == "fn" {
					return c
				}
				if c.Is("pair") && c.Field("key").Text() == "fn" && isFunction(c.Field("value")) {
					return bare(c.Field("value"))
				}
			}
		}
	}
	return syntax.Node{}
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

// testName is the name of a test: its title, its function's name, or the name
// among its options.
func testName(d definition) string {
	a := bare(d.last.arg(0))
	if isFunction(a) {
		return a.Field("name").Text()
	}
	if a.Is("object") {
		for _, p := range a.Named() {
			if p.Is("pair") && p.Field("key").Text() == "name" {
				return title(p.Field("value"))
			}
		}
	}
	return title(a)
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
