package ruby

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// rows are the elements of a list; rest are the tokens of what is around it,
// or of the whole expression if it is none.
func (m *model) rows(n syntax.Node) (rows []testmodel.Row, rest []string) {
	list := n
	for list.Is("call") && list.Field("block").IsZero() && !list.Field("receiver").IsZero() {
		list = list.Field("receiver")
	}
	if !list.Is("array", "hash", "string_array", "symbol_array") {
		return nil, m.tokens(n)
	}
	for _, e := range list.Named() {
		rows = append(rows, m.Row(e, m.tokens(e)))
	}
	if list == n {
		return rows, nil
	}
	return rows, m.without(n, list)
}

// blockHead is a call with a block, without the block's body: a loop if the
// method is one that iterates.
func (m *model) blockHead(n, block syntax.Node) testmodel.Stmt {
	name := methodName(n)
	if !isIterator(name) && !slices.Contains([]string{"times", "each_slice", "each_cons", "upto", "downto", "step", "map", "all?", "product"}, name) {
		return m.Stmt(testmodel.With, n, m.without(n, statements(block)...))
	}
	head := []string{"for"}
	var binds []string
	for i, p := range m.params(block) {
		if i > 0 {
			head = append(head, ",")
		}
		head, binds = append(head, p), append(binds, p)
	}
	rows, rest := m.rows(n.Field("receiver"))
	head = append(append(append(head, "in"), rest...), ".", name)
	head = append(head, m.tokens(n.Field("arguments"))...)
	st := m.Stmt(testmodel.Loop, n, head)
	st.Rows, st.Binds = rows, binds
	return st
}

// loop is a for or while without its body.
func (m *model) loop(n syntax.Node) testmodel.Stmt {
	if !n.Is("for") {
		return m.Stmt(testmodel.Loop, n, append([]string{n.Kind()}, m.tokens(n.Field("condition"))...))
	}
	over := n.Field("value")
	if over.Is("in") && len(over.Named()) == 1 {
		over = over.Named()[0]
	}
	rows, rest := m.rows(over)
	st := m.Stmt(testmodel.Loop, n, append(append(append([]string{"for"}, m.tokens(n.Field("pattern"))...), "in"), rest...))
	st.Rows = rows
	return st
}

// try is a body with handlers.
func (m *model) try(n syntax.Node, nodes []syntax.Node, c ctx) testmodel.Stmt {
	st := m.Stmt(testmodel.Try, n, []string{"begin"})
	c.top = false
	var guarded []syntax.Node
	var handlers []testmodel.Stmt
	for _, p := range nodes {
		switch p.Kind() {
		case "rescue":
			handlers = append(handlers, m.rescue(p, c))
		case "ensure":
			h := m.Stmt(testmodel.Handler, p, []string{"ensure"})
			h.Body = m.block(statements(p), c)
			h.Swallows = slices.ContainsFunc(h.Body, func(s testmodel.Stmt) bool { return s.Kind == testmodel.Returns })
			handlers = append(handlers, h)
		case "else":
			guarded = append(guarded, statements(p)...)
		default:
			guarded = append(guarded, p)
		}
	}
	st.Body = append(m.block(guarded, c), handlers...)
	return st
}

func (m *model) rescue(n syntax.Node, c ctx) testmodel.Stmt {
	variable := n.Field("variable")
	h := m.Stmt(testmodel.Handler, n, append([]string{"rescue"}, m.tokens(n.Field("exceptions"), variable)...))
	for _, v := range variable.Named() {
		h.Binds = append(h.Binds, v.Text())
	}
	h.Body = m.block(statements(n.Field("body")), c)
	h.Swallows = swallows(h.Body)
	return h
}

// rescued is expression rescue value.
func (m *model) rescued(n syntax.Node, c ctx) testmodel.Stmt {
	st := m.Stmt(testmodel.Try, n, []string{"begin"})
	st.Body = m.stmt(n.Field("body"), c, false)
	h := m.Stmt(testmodel.Handler, n.Field("handler"), []string{"rescue"})
	if value := n.Field("handler"); value.Is("nil", "true", "false", "identifier", "integer", "string") {
		h.Head = append(h.Head, m.tokens(value)...)
	} else {
		h.Body = m.stmt(value, c, false)
	}
	h.Swallows = swallows(h.Body)
	st.Body = append(st.Body, h)
	return st
}

// swallows reports whether a handler lets a failure pass: it neither raises
// nor asserts anything.
func swallows(body []testmodel.Stmt) bool {
	for _, s := range body {
		switch s.Kind {
		case testmodel.Raises:
			return false
		case testmodel.Asserts:
			if s.Assert.Relation != testmodel.Always && !s.Assert.Lost {
				return false
			}
		case testmodel.Jumps:
			if len(s.Head) > 0 && s.Head[0] == "retry" {
				return false
			}
		case testmodel.Returns:
			return true
		default:
		}
	}
	return true
}
