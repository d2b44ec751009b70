package ruby

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// class adds a class or module: a suite if it has tests.
func (m *model) class(n syntax.Node, s scope) []testmodel.Stmt {
	name := n.Field("name").Text()
	if name == "" {
		name = "<< " + n.Field("value").Text()
	}
	role := testmodel.Helper
	body := n.Field("body")
	isTest := m.hasTests(body)
	if isTest {
		role = testmodel.Suite
	}
	unit := m.Open(role, build.Qualify(s.name, name), n)
	inner := scope{name: build.Qualify(s.name, name), unit: unit, depth: s.depth, class: true, uncollected: s.uncollected}
	super := n.Field("superclass")
	if isTest && n.Is("class") && super.IsZero() && !mixesIn(body) {
		inner.uncollected = "its class is no test case"
	}
	var stmts []testmodel.Stmt
	if !super.IsZero() {
		stmts = append(stmts, m.Stmt(testmodel.Plain, n, m.tokens(super)))
	}
	stmts = append(stmts, m.level(statements(n), inner)...)
	u := m.Unit(unit)
	u.Body, u.Uncollected = stmts, inner.uncollected
	if role != testmodel.Helper {
		return nil
	}
	u.Uncollected = ""
	return m.reopened(n, name, s)
}

// hasTests reports whether a class's body defines tests itself.
func (m *model) hasTests(body syntax.Node) bool {
	for _, c := range body.Named() {
		if c.Is("method") && isTestName(c.Field("name").Text()) {
			return true
		}
		if (c.Is("call") && !c.Field("block").IsZero()) && (unitSort(methodName(c)) == test || m.defines[c.Field("block")]) {
			return true
		}
		if methodName(c) == "private" && arg(c, 0).Is("method") && isTestName(arg(c, 0).Field("name").Text()) {
			return true
		}
	}
	return false
}

func mixesIn(body syntax.Node) bool {
	for _, c := range body.Named() {
		if name := methodName(c); name == "include" || name == "extend" {
			return true
		}
	}
	return false
}

func isTestName(name string) bool { return strings.HasPrefix(name, "test_") }

// method adds a method: a test, a hook, or a helper.
func (m *model) method(n syntax.Node, s scope) {
	name := n.Field("name").Text()
	role := testmodel.Helper
	switch {
	case n.Is("singleton_method"):
		name = n.Field("object").Text() + "." + name
	case s.class && isTestName(name):
		role = testmodel.Test
	case s.class && slices.Contains([]string{"setup", "teardown", "before_setup", "after_setup", "before_teardown", "after_teardown"}, name):
		role = testmodel.Setup
	}
	unit := m.Open(role, build.Qualify(s.name, name), n)
	body := m.defaults(n.Field("parameters"))
	body = append(body, m.body(n, ctx{unit: unit, depth: s.depth, top: true})...)
	u := m.Unit(unit)
	u.Body, u.Params, u.Locals = body, m.params(n), m.locals(n)
	u.Marks = slices.Clone(s.marks)
	if role != testmodel.Test {
		return
	}
	switch {
	case s.uncollected != "":
		u.Uncollected = s.uncollected
	case s.hidden[name]:
		u.Uncollected = "it is made private or removed"
	case s.private:
		u.Uncollected = "it is private"
	}
}

// defaults are the values that parameters have by default.
func (m *model) defaults(params syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, p := range params.Named() {
		if v := p.Field("value"); !v.IsZero() {
			st := m.Stmt(testmodel.Assigns, p, m.tokens(p))
			st.Binds = []string{p.Field("name").Text()}
			out = append(out, st)
		}
	}
	return out
}
