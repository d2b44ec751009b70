package javascript

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// ctx is where a statement stands.
type ctx struct {
	unit        int    // that it belongs to
	name        string // of the unit
	t           string // the test's first parameter
	depth       int
	suite       bool // in no function
	helper      bool // in a function that returns something
	lost        bool // what is asserted here is not waited for
	callback    bool // in a function given to forEach: return leaves only this turn
	marks       []testmodel.Mark
	uncollected string // why tests that are defined here do not run
}

// function are the statements of a function's body.
func (m *model) function(fn syntax.Node, c ctx) []testmodel.Stmt {
	body := fn.Field("body")
	out := m.defaults(fn)
	if body.Is("statement_block") {
		return append(out, m.block(body.Named(), c, true)...)
	}
	if body.IsZero() {
		return out
	}
	return append(out, m.returned(body, body, c, true)...)
}

// defaults are the values that a function's parameters have by default.
func (m *model) defaults(fn syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, p := range fn.Field("parameters").Named() {
		value := p.Field("value")
		if p.Is("assignment_pattern") {
			value = p.Field("right")
		}
		if !value.IsZero() {
			st := m.Stmt(testmodel.Assigns, p, tokens(p))
			st.Binds = names(p)
			out = append(out, st)
		}
	}
	return out
}

// block are statements one after another; top tells that they are a function's
// own, so that the last may return in vain.
func (m *model) block(nodes []syntax.Node, c ctx, top bool) []testmodel.Stmt {
	var out []testmodel.Stmt
	if c.depth++; c.depth > build.MaxDepth {
		for _, n := range nodes {
			out = m.plain(out, n)
		}
		return out
	}
	for i, n := range nodes {
		stmts := m.stmt(n, c, top && i == len(nodes)-1)
		out = append(out, stmts...)
		for _, s := range stmts {
			if c.uncollected == "" && slices.Contains([]testmodel.Kind{testmodel.Returns, testmodel.Raises, testmodel.Skip, testmodel.Exits}, s.Kind) {
				c.uncollected = fmt.Sprintf("the test around it ends on line %d", s.Line)
			}
		}
	}
	return out
}

// stmt is one statement; last tells that nothing follows it in its function.
func (m *model) stmt(n syntax.Node, c ctx, last bool) []testmodel.Stmt {
	switch n.Kind() {
	case "expression_statement":
		if inner := n.Named(); len(inner) == 1 {
			return m.expr(inner[0], n, c, false)
		}
	case "lexical_declaration", "variable_declaration":
		var out []testmodel.Stmt
		for _, d := range n.Named() {
			out = append(out, m.declarator(d, c)...)
		}
		return out
	case "return_statement":
		return m.returns(n, c, last)
	case "throw_statement":
		return []testmodel.Stmt{m.Stmt(testmodel.Raises, n, tokens(n))}
	case "break_statement", "continue_statement":
		return []testmodel.Stmt{m.Stmt(testmodel.Jumps, n, tokens(n))}
	case "if_statement":
		return m.ifs(n, c, nil)
	case "switch_statement":
		return m.switches(n, c)
	case "for_in_statement", "for_statement", "while_statement", "do_statement":
		st := m.loopHead(n)
		st.Body = m.block([]syntax.Node{n.Field("body")}, c, false)
		return []testmodel.Stmt{st}
	case "try_statement":
		return m.try(n, c)
	case "statement_block":
		return m.block(n.Named(), c, false)
	case "labeled_statement":
		return m.stmt(n.Field("body"), c, false)
	case "function_declaration", "generator_function_declaration":
		return []testmodel.Stmt{m.closure(n, n, n.Field("name").Text(), c)}
	case "empty_statement":
		return nil
	}
	return m.plain(nil, n)
}

// closure is a function that a unit defines for itself.
func (m *model) closure(fn, at syntax.Node, name string, c ctx) testmodel.Stmt {
	st := m.Stmt(testmodel.Defines, at, append(append([]string{"function", name}, modifiers(fn)...), params(fn)...))
	st.Binds = []string{name}
	c.helper, c.callback, c.lost = true, false, false
	st.Body = m.function(fn, c)
	return st
}

// returns is a return statement: what it returns is waited for.
func (m *model) returns(n syntax.Node, c ctx, last bool) []testmodel.Stmt {
	if value := n.Named(); len(value) > 0 {
		return m.returned(value[0], n, c, last)
	}
	switch {
	case c.callback:
		return []testmodel.Stmt{m.Stmt(testmodel.Jumps, n, []string{"continue"})}
	case last:
		return nil
	default:
		return []testmodel.Stmt{m.Stmt(testmodel.Returns, n, []string{"return"})}
	}
}

// returned is a value that a function returns.
func (m *model) returned(value, at syntax.Node, c ctx, last bool) []testmodel.Stmt {
	out := m.expr(value, at, c, true)
	if len(out) == 1 && out[0].Kind == testmodel.Plain {
		out[0].Kind = testmodel.Returns
		out[0].Head = append([]string{"return"}, out[0].Head...)
		if c.callback {
			out[0].Kind = testmodel.Plain
		}
		return out
	}
	if !last && !c.callback {
		out = append(out, m.Stmt(testmodel.Returns, at, []string{"return"}))
	}
	return out
}

// declarator is const x = value.
func (m *model) declarator(d syntax.Node, c ctx) []testmodel.Stmt {
	name, value := d.Field("name"), d.Field("value")
	inner := bare(value)
	if isFunction(inner) {
		return []testmodel.Stmt{m.closure(inner, d, name.Text(), c)}
	}
	binds := names(name)
	if m.tables[name.Text()] {
		if rows, rest := m.rowsOf(inner); len(rows) > 0 {
			st := m.Stmt(testmodel.Assigns, d, append([]string{"let", name.Text(), "="}, rest...))
			st.Binds, st.Rows = binds, rows
			return []testmodel.Stmt{st}
		}
	}
	out := m.value(inner, d, c)
	if len(out) == 0 {
		head, body := m.opened(d, inner, c)
		st := m.assigned(d, append([]string{"let"}, head...), binds)
		st.Body = body
		return []testmodel.Stmt{st}
	}
	out[len(out)-1].Binds = binds
	if out[len(out)-1].Kind != testmodel.Asserts {
		out[len(out)-1].Head = append([]string{"let"}, append(tokens(name), append([]string{"="}, out[len(out)-1].Head...)...)...)
	}
	return out
}

func (m *model) assigned(n syntax.Node, head, binds []string) testmodel.Stmt {
	st := m.Stmt(testmodel.Assigns, n, head)
	st.Binds = binds
	return st
}

// value is what an assigned value does besides being one; nothing if it is
// just a value.
func (m *model) value(n, at syntax.Node, c ctx) []testmodel.Stmt {
	awaited := n.Is("await_expression")
	if inner := n.Named(); awaited && len(inner) == 1 {
		n = bare(inner[0])
	}
	if !n.Is("call_expression", "new_expression") {
		return nil
	}
	out := m.expr(n, at, c, awaited)
	if len(out) == 1 && out[0].Kind == testmodel.Plain {
		return nil
	}
	return out
}
