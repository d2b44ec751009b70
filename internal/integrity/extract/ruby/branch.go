package ruby

import (
	"slices"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// ifs is an if with its else branches, which stand beside it.
func (m *model) ifs(n syntax.Node, c ctx) []testmodel.Stmt {
	if c.depth++; c.depth > build.MaxDepth {
		return m.plain(nil, n)
	}
	head := append([]string{n.Kind()}, m.tokens(n.Field("condition"))...)
	body := statements(n.Field("consequence"))
	other := n.Field("alternative")
	if other.IsZero() && !n.Is("elsif") && len(body) == 1 {
		if out, ok := m.guard(n, body[0]); ok {
			return out
		}
	}
	st := m.Stmt(testmodel.Branch, n, head)
	st.Body = m.block(body, c)
	out := []testmodel.Stmt{st}
	switch other.Kind() {
	case "elsif":
		out = append(out, m.ifs(other, c)...)
	case "else":
		branch := m.Stmt(testmodel.Branch, other, []string{"else"})
		branch.Body = m.block(statements(other), c)
		out = append(out, branch)
	}
	return out
}

// modified is statement if condition.
func (m *model) modified(n syntax.Node, c ctx) []testmodel.Stmt {
	body := n.Field("body")
	if out, ok := m.guard(n, body); ok {
		return out
	}
	word := "if"
	if n.Is("unless_modifier") {
		word = "unless"
	}
	st := m.Stmt(testmodel.Branch, n, append([]string{word}, m.tokens(n.Field("condition"))...))
	st.Body = m.stmt(body, c, false)
	return []testmodel.Stmt{st}
}

// guard is raise … if wrong: an assertion.
func (m *model) guard(n, body syntax.Node) ([]testmodel.Stmt, bool) {
	if name := methodName(body); name != "raise" && name != "flunk" && name != "fail" || !body.Field("receiver").IsZero() {
		return nil, false
	}
	var out []testmodel.Stmt
	for _, a := range m.truths(n.Field("condition"), n.Is("if", "if_modifier")) {
		a.Name = "raise … if"
		out = append(out, m.Builder.Assert(n, m.tokens(n), a))
	}
	return out, true
}

func (m *model) ternary(n syntax.Node, c ctx) []testmodel.Stmt {
	then := m.Stmt(testmodel.Branch, n, append([]string{"if"}, m.tokens(n.Field("condition"))...))
	then.Body = m.stmt(n.Field("consequence"), c, false)
	other := m.Stmt(testmodel.Branch, n.Field("alternative"), []string{"else"})
	other.Body = m.stmt(n.Field("alternative"), c, false)
	return []testmodel.Stmt{then, other}
}

func (m *model) cases(n syntax.Node, c ctx) []testmodel.Stmt {
	st := m.Stmt(testmodel.Branch, n, append([]string{"case"}, m.tokens(n.Field("value"))...))
	for _, w := range n.Named() {
		if !w.Is("when", "else", "in_clause") {
			continue
		}
		body := w.Field("body")
		if w.Is("else") {
			body = w
		}
		branch := m.Stmt(testmodel.Branch, w, m.without(w, statements(body)...))
		branch.Body = m.block(statements(body), c)
		st.Body = append(st.Body, branch)
	}
	return []testmodel.Stmt{st}
}

// binary is cond and call, an if in other words; or an old comparison of
// RSpec, x.should == y.
func (m *model) binary(n syntax.Node, c ctx) []testmodel.Stmt {
	left := n.Field("left")
	operator := n.Field("operator").Text()
	if methodName(left) == "should" || methodName(left) == "should_not" || isMust(methodName(left)) {
		if a, ok := m.oldComparison(n, left, operator); ok {
			return []testmodel.Stmt{m.Builder.Assert(n, m.tokens(n), m.sharpen(a, syntax.Node{})[0])}
		}
	}
	if !slices.Contains([]string{"and", "&&", "or", "||"}, operator) {
		return m.plain(nil, n)
	}
	out := m.stmt(left, c, false)
	head := []string{"if", operator}
	if len(out) == 1 && out[0].Kind == testmodel.Plain {
		head, out = append(head, out[0].Head...), nil
	}
	st := m.Stmt(testmodel.Branch, n, head)
	st.Body = m.stmt(n.Field("right"), c, false)
	return append(out, st)
}
