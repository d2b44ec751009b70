package javascript

import (
	"slices"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// expr is an expression that stands as a statement; awaited tells that its
// promise is waited for.
func (m *model) expr(n, at syntax.Node, c ctx, awaited bool) []testmodel.Stmt {
	if c.depth++; c.depth > build.MaxDepth {
		return m.plain(nil, at)
	}
	n = bare(n)
	inner := n.Named()
	switch n.Kind() {
	case "await_expression", "yield_expression":
		if len(inner) == 1 {
			return m.expr(inner[0], at, c, true)
		}
	case "unary_expression":
		if operator := n.Field("operator").Text(); operator == "void" || operator == "!" {
			return m.expr(n.Field("argument"), at, c, false)
		}
	case "sequence_expression":
		var out []testmodel.Stmt
		for _, e := range inner {
			out = append(out, m.expr(e, e, c, awaited)...)
		}
		return out
	case "binary_expression":
		if out, ok := m.shortCircuit(n, at, c, awaited); ok {
			return out
		}
	case "ternary_expression":
		return m.ternary(n, at, c, awaited)
	case "assignment_expression":
		return m.assignment(n, at, c)
	case "augmented_assignment_expression", "update_expression":
		return []testmodel.Stmt{m.assigned(at, tokens(n), []string{inner[0].Text()})}
	case "call_expression":
		return m.call(n, at, c, awaited)
	case "new_expression":
		ch := chain{root: n, links: []link{{called: true, args: n.Field("arguments").Named(), before: n.Field("constructor"), whole: n}}}
		if out, ok := m.callbacks(ch, n, at, c, awaited); ok {
			return out
		}
	case "member_expression", "identifier":
		if out := m.assertions(chainOf(n), at, c, awaited); len(out) > 0 {
			return out
		}
	}
	return m.plainExpr(at, n, c, awaited)
}

func (m *model) plainExpr(at, n syntax.Node, c ctx, awaited bool) []testmodel.Stmt {
	head, body := m.opened(n, n, c)
	if awaited && !at.Is("return_statement") {
		head = append([]string{"await"}, head...)
	}
	if len(head) == 0 {
		return nil
	}
	st := m.Stmt(testmodel.Plain, at, head)
	st.Body = body
	return []testmodel.Stmt{st}
}

// shortCircuit is cond && call(), an if in other words; and a comparison that
// nobody looks at.
func (m *model) shortCircuit(n, at syntax.Node, c ctx, awaited bool) ([]testmodel.Stmt, bool) {
	operator := n.Field("operator").Text()
	if operator != "&&" && operator != "||" && operator != "??" {
		return nil, false
	}
	out := m.expr(n.Field("left"), at, c, awaited)
	if len(out) != 1 || out[0].Kind != testmodel.Plain {
		return append(out, m.branch(at, []string{"if", operator}, n.Field("right"), c, awaited)), true
	}
	head := append([]string{"if"}, tokens(bare(n.Field("left")))...)
	if operator != "&&" {
		head = append([]string{"if", operator}, head[1:]...)
	}
	return []testmodel.Stmt{m.branch(at, head, n.Field("right"), c, awaited)}, true
}

func (m *model) ternary(n, at syntax.Node, c ctx, awaited bool) []testmodel.Stmt {
	cond := append([]string{"if"}, tokens(bare(n.Field("condition")))...)
	return []testmodel.Stmt{
		m.branch(at, cond, n.Field("consequence"), c, awaited),
		m.branch(n.Field("alternative"), []string{"else"}, n.Field("alternative"), c, awaited),
	}
}

func (m *model) branch(at syntax.Node, head []string, body syntax.Node, c ctx, awaited bool) testmodel.Stmt {
	st := m.Stmt(testmodel.Branch, at, head)
	st.Body = m.expr(body, body, c, awaited)
	return st
}

// assignment is x = value: of a function, of what replaces something, or of a
// value.
func (m *model) assignment(n, at syntax.Node, c ctx) []testmodel.Stmt {
	left, right := n.Field("left"), bare(n.Field("right"))
	target := tokens(left)
	if target := m.replaced(left, right); target != "" {
		st := m.Stmt(testmodel.Mocks, at, tokens(n))
		st.Mock, st.Binds = target, []string{left.Text()}
		return []testmodel.Stmt{st}
	}
	if left.Text() == "process.exitCode" {
		return []testmodel.Stmt{m.Stmt(testmodel.Exits, at, tokens(n))}
	}
	if isFunction(right) && m.demands[right] {
		return []testmodel.Stmt{m.closure(right, at, left.Text(), c)}
	}
	out := m.value(right, at, c)
	if len(out) == 0 {
		head, body := m.opened(n, right, c)
		st := m.assigned(at, head, []string{left.Text()})
		st.Body = body
		return []testmodel.Stmt{st}
	}
	last := &out[len(out)-1]
	last.Binds = []string{left.Text()}
	if last.Kind != testmodel.Asserts {
		last.Head = append(append(target, "="), last.Head...)
	}
	return out
}

// call is a call as a statement.
func (m *model) call(n, at syntax.Node, c ctx, awaited bool) []testmodel.Stmt {
	ch := chainOf(n)
	if m.subtest(ch, at, c) || m.unitCall(ch, at, c) {
		return nil
	}
	if st, ok := m.outcome(ch, at, c, n); ok {
		return []testmodel.Stmt{st}
	}
	if st, ok := m.mock(ch, at, n); ok {
		return []testmodel.Stmt{st}
	}
	if out, ok := m.allOf(ch, c, awaited); ok {
		return out
	}
	if out := m.assertions(ch, at, c, awaited); len(out) > 0 {
		return out
	}
	if out, ok := m.request(ch, at, c, awaited); ok {
		return out
	}
	if out, ok := m.callbacks(ch, n, at, c, awaited); ok {
		return out
	}
	if a, ok := m.custom(ch, awaited); ok {
		a.Lost = c.lost
		return []testmodel.Stmt{m.Builder.Assert(at, tokens(n), a)}
	}
	return m.plainExpr(at, n, c, awaited)
}

// subtest is a test that a test defines: t.test("…", fn).
func (m *model) subtest(ch chain, at syntax.Node, c ctx) bool {
	s := scope{
		name: c.name, unit: c.unit, depth: c.depth, nested: !c.suite, t: c.t,
		marks: c.marks, uncollected: c.uncollected,
	}
	return m.define(ch, at, s)
}

// unitCall is a call that says something about the unit it stands in:
// this.retries(2), jest.retryTimes(3).
func (m *model) unitCall(ch chain, at syntax.Node, c ctx) bool {
	l := ch.last()
	var effect testmodel.Effect
	switch {
	case l.name == "retries" && ch.root.Is("this"), l.name == "retryTimes", l.name == "retry" && ch.root.Text() == c.t && c.t != "":
		effect = testmodel.Retries
	default:
		return false
	}
	u := m.Unit(c.unit)
	u.Marks = append(u.Marks, m.Mark(effect, at, tokens(at)))
	return true
}

// outcome is a call that decides by itself: skip, fail, exit.
func (m *model) outcome(ch chain, at syntax.Node, c ctx, n syntax.Node) (testmodel.Stmt, bool) {
	l := ch.last()
	if !l.called {
		return testmodel.Stmt{}, false
	}
	root := ch.root.Text()
	ofTest := ch.root.Is("this") || root == c.t && c.t != "" || m.name(root).sort == test || m.name(root).sort == suite || root == "ctx"
	var kind testmodel.Kind
	switch {
	case root == "process" && (l.name == "exit" || l.name == "abort" || l.name == "reallyExit"):
		kind = testmodel.Exits
	case ofTest && len(ch.links) == 1 && (l.name == "skip" || l.name == "todo" || l.name == "fixme"),
		len(ch.links) == 1 && l.name == "" && (root == "pending" || root == "skip"):
		kind = testmodel.Skip
	case ofTest && l.name == "fail" && len(ch.links) <= 2,
		l.name == "fail" && slices.Contains([]sort{assert, expect, should, chai}, m.name(root).sort),
		m.name(root).method == "fail" && l.name == "",
		len(ch.links) == 1 && l.name == "" && root == "fail",
		m.name(root).sort == expect && l.name == "unreachable",
		root == "done" && l.name == "fail":
		kind = testmodel.Raises
	default:
		return testmodel.Stmt{}, false
	}
	return m.Stmt(kind, at, tokens(n)), true
}

// custom is a call of an assertion helper of the project, by its definition or
// its name.
func (m *model) custom(ch chain, awaited bool) (testmodel.Assert, bool) {
	l := ch.last()
	name := l.name
	if name == "" {
		name = ch.root.Text()
	}
	if !l.called || !m.helpers[name] && !soundsLikeAssertion(name) {
		return testmodel.Assert{}, false
	}
	a := testmodel.Assert{Relation: testmodel.Custom, Name: l.path(ch)}
	if awaited {
		a.Subject = []string{"await"}
	}
	if len(l.args) > 0 {
		a.Subject = append(a.Subject, tokens(l.args[0])...)
	}
	for i, arg := range l.args[min(1, len(l.args)):] {
		if i > 0 {
			a.Expected = append(a.Expected, ",")
		}
		a.Expected = append(a.Expected, tokens(arg)...)
	}
	return a, true
}

// path is what is called, as its tokens without the arguments.
func (l link) path(ch chain) string {
	if l.name == "" {
		return ch.root.Text()
	}
	return l.before.Text() + "." + l.name
}

func soundsLikeAssertion(name string) bool {
	for _, verb := range [...]string{"assert", "expect", "verify", "check", "ensure"} {
		if len(name) > len(verb) && name[:len(verb)] == verb && (name[len(verb)] < 'a' || name[len(verb)] > 'z') {
			return true
		}
	}
	return false
}
