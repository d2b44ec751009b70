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
