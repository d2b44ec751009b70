package ruby

import (
	"slices"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// ctx is where a statement stands.
type ctx struct {
	unit  int // that it belongs to
	depth int
	top   bool // directly in a unit's body
	loop  bool // in a block that a loop calls: next leaves only this turn
}

// body are the statements of a method or block, with the handlers that it may
// have of its own.
func (m *model) body(n syntax.Node, c ctx) []testmodel.Stmt {
	nodes := statements(n)
	if !slices.ContainsFunc(nodes, isHandler) {
		return m.block(nodes, c)
	}
	return []testmodel.Stmt{m.try(n, nodes, c)}
}

func isHandler(n syntax.Node) bool { return n.Is("rescue", "ensure") }

// block are statements one after another.
func (m *model) block(nodes []syntax.Node, c ctx) []testmodel.Stmt {
	var out []testmodel.Stmt
	if c.depth++; c.depth > build.MaxDepth {
		for _, n := range nodes {
			out = m.plain(out, n)
		}
		return out
	}
	for i, n := range nodes {
		out = append(out, m.stmt(n, c, c.top && i == len(nodes)-1)...)
	}
	return out
}

// stmt is one statement; last tells that nothing follows it in its unit.
func (m *model) stmt(n syntax.Node, c ctx, last bool) []testmodel.Stmt {
	c.top = false
	if c.depth++; c.depth > build.MaxDepth {
		return m.plain(nil, n)
	}
	switch n.Kind() {
	case "call", "identifier":
		return m.call(n, n, c)
	case "assignment", "operator_assignment":
		return m.assignment(n, c)
	case "return", "next":
		if args := n.Child("argument_list"); last && args.IsZero() {
			return nil
		}
		kind := testmodel.Returns
		if c.loop && n.Is("next") {
			kind = testmodel.Jumps
		}
		return []testmodel.Stmt{m.Stmt(kind, n, m.tokens(n))}
	case "break", "redo", "retry":
		return []testmodel.Stmt{m.Stmt(testmodel.Jumps, n, m.tokens(n))}
	case "if", "unless", "elsif":
		return m.ifs(n, c)
	case "if_modifier", "unless_modifier":
		return m.modified(n, c)
	case "conditional":
		return m.ternary(n, c)
	case "case":
		return m.cases(n, c)
	case "while", "until", "for":
		st := m.loop(n)
		c.loop = true
		st.Body = m.block(statements(n), c)
		return []testmodel.Stmt{st}
	case "while_modifier", "until_modifier":
		st := m.Stmt(testmodel.Loop, n, m.without(n, n.Field("body")))
		st.Body = m.stmt(n.Field("body"), c, false)
		return []testmodel.Stmt{st}
	case "begin":
		if nodes := n.Named(); slices.ContainsFunc(nodes, isHandler) {
			return []testmodel.Stmt{m.try(n, nodes, c)}
		}
		return m.block(n.Named(), c)
	case "parenthesized_statements", "block_body", "body_statement":
		return m.block(n.Named(), c)
	case "rescue_modifier":
		return []testmodel.Stmt{m.rescued(n, c)}
	case "method", "singleton_method":
		return []testmodel.Stmt{m.definition(n, c)}
	case "binary":
		return m.binary(n, c)
	case "unary":
		return m.plain(nil, n)
	case "heredoc_body":
		return nil
	}
	return m.plain(nil, n)
}

// definition is a method that a unit defines; on another object it replaces
// one.
func (m *model) definition(n syntax.Node, c ctx) testmodel.Stmt {
	name := n.Field("name").Text()
	kind := testmodel.Defines
	mock := ""
	if n.Is("singleton_method") && n.Field("object").Is("constant", "scope_resolution") {
		kind, mock = testmodel.Mocks, n.Field("object").Text()+"."+name
	}
	st := m.Stmt(kind, n, append([]string{"def", name}, m.params(n)...))
	st.Binds, st.Mock = []string{name}, mock
	st.Body = m.body(n, c)
	return st
}

func (m *model) assignment(n syntax.Node, c ctx) []testmodel.Stmt {
	left, right := n.Field("left"), n.Field("right")
	var binds []string
	if left.Is("left_assignment_list") {
		for _, l := range left.Named() {
			binds = append(binds, l.Text())
		}
	} else {
		binds = []string{left.Text()}
	}
	if rows, rest := m.rows(right); m.tables[left.Text()] && len(rows) > 0 {
		st := m.Stmt(testmodel.Assigns, n, append([]string{left.Text(), "="}, rest...))
		st.Binds, st.Rows = binds, rows
		return []testmodel.Stmt{st}
	}
	if right.Is("call", "begin", "rescue_modifier") && n.Is("assignment") {
		out := m.stmt(right, c, false)
		if len(out) > 0 && (len(out) > 1 || out[0].Kind != testmodel.Plain) {
			last := &out[len(out)-1]
			last.Binds = binds
			if last.Kind != testmodel.Asserts {
				last.Head = append(append(m.tokens(left), "="), last.Head...)
			}
			return out
		}
	}
	st := m.Stmt(testmodel.Assigns, n, nil)
	st.Head, st.Body = m.opened(n, right, c)
	st.Binds = binds
	return []testmodel.Stmt{st}
}

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
