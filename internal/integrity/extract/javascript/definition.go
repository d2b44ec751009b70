package javascript

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

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
