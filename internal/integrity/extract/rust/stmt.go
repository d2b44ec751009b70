package rust

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// ctx is where a statement stands.
type ctx struct {
	unit  int
	name  string
	depth int
	top   bool // directly in a unit's body
	lost  bool // what panics here is not heard of
	loop  bool // in a closure that is called once for each element
}

// block are statements one after another.
func (m *model) block(nodes []syntax.Node, c ctx) []testmodel.Stmt {
	var out []testmodel.Stmt
	if c.depth++; c.depth > build.MaxDepth {
		for _, n := range nodes {
			out = m.plain(out, n)
		}
		return out
	}
	var attributes []syntax.Node
	for i, n := range nodes {
		if n.Is("attribute_item") {
			attributes = append(attributes, n)
			continue
		}
		stmts := m.stmt(n, c, c.top && i == len(nodes)-1)
		if marks := m.attributesOnly(attributes); len(marks) > 0 {
			branch := marks[0]
			branch.Kind, branch.Body = testmodel.Branch, stmts
			for _, more := range marks[1:] {
				branch.Head = append(branch.Head, more.Head...)
			}
			stmts = []testmodel.Stmt{branch}
		}
		out, attributes = append(out, stmts...), nil
	}
	return out
}

// stmt is one statement; last tells that nothing follows it in its function.
func (m *model) stmt(n syntax.Node, c ctx, last bool) []testmodel.Stmt {
	c.top = false
	switch n.Kind() {
	case "expression_statement":
		if inner := n.Named(); len(inner) == 1 {
			return m.expr(inner[0], n, c, false)
		}
	case "let_declaration":
		return m.let(n, c)
	case "function_item":
		st := m.Stmt(testmodel.Defines, n, append([]string{"fn", n.Field("name").Text()}, params(n)...))
		st.Binds = []string{n.Field("name").Text()}
		st.Body = m.block(n.Field("body").Named(), ctx{unit: c.unit, name: c.name, depth: c.depth, top: true})
		return []testmodel.Stmt{st}
	case "use_declaration":
		m.use(n)
		return nil
	case "const_item", "static_item":
		return []testmodel.Stmt{m.constant(n)}
	case "empty_statement":
		return nil
	default:
		return m.expr(n, n, c, last)
	}
	return m.plain(nil, n)
}

// expr is an expression that stands as a statement; tail tells that it is the
// value of the function.
func (m *model) expr(n, at syntax.Node, c ctx, tail bool) []testmodel.Stmt {
	if c.depth++; c.depth > build.MaxDepth {
		return m.plain(nil, at)
	}
	switch n.Kind() {
	case "macro_invocation":
		return m.macro(n, at, c)
	case "if_expression":
		return m.ifs(n, c, nil)
	case "match_expression":
		return m.match(n, c)
	case "for_expression", "while_expression", "loop_expression":
		st := m.loop(n)
		st.Body = m.block(n.Field("body").Named(), c)
		return []testmodel.Stmt{st}
	case "block", "unsafe_block", "async_block":
		return m.nested(n, at, c)
	case "return_expression":
		if len(n.Named()) == 0 && tail {
			return nil
		}
		kind := testmodel.Returns
		if c.loop {
			kind = testmodel.Jumps
		}
		return []testmodel.Stmt{m.Stmt(kind, at, tokens(n))}
	case "break_expression", "continue_expression":
		return []testmodel.Stmt{m.Stmt(testmodel.Jumps, at, tokens(n))}
	case "assignment_expression", "compound_assignment_expr":
		st := m.Stmt(testmodel.Assigns, at, tokens(n))
		st.Binds = []string{n.Field("left").Text()}
		return []testmodel.Stmt{st}
	case "call_expression", "try_expression", "await_expression":
		return m.call(n, at, c, tail)
	case "parenthesized_expression":
		if inner := n.Named(); len(inner) == 1 {
			return m.expr(inner[0], at, c, tail)
		}
	}
	return m.value(at, tail)
}

// nested is a block within a body.
func (m *model) nested(n, at syntax.Node, c ctx) []testmodel.Stmt {
	body := n
	if b := n.Child("block"); !b.IsZero() {
		body = b
	}
	if !n.Is("async_block") {
		return m.block(body.Named(), c)
	}
	c.lost = true
	st := m.Stmt(testmodel.With, at, without(n, body))
	st.Body = m.block(body.Named(), c)
	return []testmodel.Stmt{st}
}

// value is an expression that does nothing that is known.
func (m *model) value(at syntax.Node, tail bool) []testmodel.Stmt {
	out := m.plain(nil, at)
	if tail && len(out) == 1 {
		out[0].Kind = testmodel.Returns
	}
	return out
}

// macro is a macro as a statement.
func (m *model) macro(n, at syntax.Node, c ctx) []testmodel.Stmt {
	name := n.Field("macro").Text()
	name = name[strings.LastIndex(":"+name, ":"):]
	ts := tokens(n)
	inner := tokens(n.Child("token_tree"))
	inner = inner[min(1, len(inner)):max(min(1, len(inner)), len(inner)-1)]
	found := asserted(name, inner)
	if len(found) == 0 && m.helpers[name] {
		found = []testmodel.Assert{custom(name+"!", split(inner, ","))}
	}
	var out []testmodel.Stmt
	for _, a := range found {
		a.Lost = a.Lost || c.lost
		out = append(out, m.Builder.Assert(at, ts, a))
	}
	if len(out) > 0 {
		return out
	}
	kind := testmodel.Plain
	switch name {
	case "panic", "unreachable", "todo", "unimplemented", "bail", "fail":
		kind = testmodel.Raises
	}
	return []testmodel.Stmt{m.Stmt(kind, at, ts)}
}

// closure are the statements of a closure.
func (m *model) closure(n syntax.Node, c ctx) []testmodel.Stmt {
	body := n.Field("body")
	if body.Is("block") {
		c.top = true
		return m.block(body.Named(), c)
	}
	return m.expr(body, body, c, true)
}
