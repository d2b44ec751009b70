package javascript

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// loopHead is a loop without its body; what it iterates are its rows, if that
// is a list.
func (m *model) loopHead(n syntax.Node) testmodel.Stmt {
	if !n.Is("for_in_statement") {
		return m.Stmt(testmodel.Loop, n, tokensWithout(n, n.Field("body")))
	}
	head := []string{"for"}
	if !n.Child("await").IsZero() {
		head = append(head, "await")
	}
	operator := n.Field("operator").Text()
	return m.rowsLoop(n, append(head, tokens(n.Field("left"))...), operator, n.Field("right"), names(n.Field("left")))
}

func (m *model) rowsLoop(n syntax.Node, head []string, operator string, over syntax.Node, binds []string) testmodel.Stmt {
	rows, rest := m.rowsOf(over)
	st := m.Stmt(testmodel.Loop, n, append(append(head, operator), rest...))
	st.Rows, st.Binds = rows, binds
	return st
}

// forEachHead is list.forEach((row) => …) as a loop without its body.
func (m *model) forEachHead(n syntax.Node, c chain, fn syntax.Node) testmodel.Stmt {
	head := append([]string{"for"}, modifiers(fn)...)
	var binds []string
	if p := fn.Field("parameter"); !p.IsZero() {
		head, binds = append(head, p.Text()), names(p)
	} else {
		for i, p := range fn.Field("parameters").Named() {
			if i > 0 {
				head = append(head, ",")
			}
			head, binds = append(head, tokens(p)...), append(binds, names(p)...)
		}
	}
	return m.rowsLoop(n, head, "of", c.last().before, binds)
}

// forEach is a loop in a function.
func (m *model) forEach(n syntax.Node, c chain, fn syntax.Node, x ctx) testmodel.Stmt {
	st := m.forEachHead(n, c, fn)
	x.callback = true
	x.lost = x.lost || isAsync(fn)
	st.Body = m.function(fn, x)
	return st
}

func isAsync(fn syntax.Node) bool { return !fn.Child("async").IsZero() }

// try is a try statement; its handlers are its last children.
func (m *model) try(n syntax.Node, c ctx) []testmodel.Stmt {
	st := m.Stmt(testmodel.Try, n, []string{"try"})
	st.Body = m.block([]syntax.Node{n.Field("body")}, c, false)
	st.Body = append(st.Body, m.handlers(n, c)...)
	return []testmodel.Stmt{st}
}

func (m *model) handlers(n syntax.Node, c ctx) []testmodel.Stmt {
	var out []testmodel.Stmt
	if h := n.Field("handler"); !h.IsZero() {
		param := h.Field("parameter")
		st := m.Stmt(testmodel.Handler, h, append([]string{"catch"}, tokens(param)...))
		st.Binds = names(param)
		st.Body = m.block([]syntax.Node{h.Field("body")}, c, false)
		st.Swallows = swallows(st.Body, names(param))
		out = append(out, st)
	}
	if f := n.Field("finalizer"); !f.IsZero() {
		st := m.Stmt(testmodel.Handler, f, []string{"finally"})
		st.Body = m.block([]syntax.Node{f.Field("body")}, c, false)
		st.Swallows = leaves(st.Body)
		out = append(out, st)
	}
	return out
}

// swallows reports whether a handler lets a failure pass: it neither raises
// nor asserts anything, at least under a condition on what it caught.
func swallows(body []testmodel.Stmt, caught []string) bool {
	for _, s := range body {
		switch s.Kind {
		case testmodel.Raises:
			return false
		case testmodel.Asserts:
			if s.Assert.Relation != testmodel.Always && !s.Assert.Lost {
				return false
			}
		case testmodel.Exits:
			if len(s.Head) > 0 && s.Head[len(s.Head)-1] != "0" {
				return false
			}
		case testmodel.Branch:
			if mentions(s.Head, caught) && !swallows(s.Body, caught) {
				return false
			}
		case testmodel.Plain, testmodel.Returns:
			if hands(s.Head, caught) {
				return false
			}
		default:
		}
		if s.Kind == testmodel.Returns {
			return true
		}
	}
	return true
}

// mentions reports whether tokens have one of the names among them.
func mentions(tokens, names []string) bool {
	for _, t := range tokens {
		for _, n := range names {
			if t == n {
				return true
			}
		}
	}
	return false
}

// hands reports whether a statement hands what was caught to something that
// fails the test: done(err), reject(err), next(err).
func hands(head, caught []string) bool {
	if len(head) > 1 && head[0] == "return" {
		head = head[1:]
	}
	if len(head) < 3 || head[1] != "(" {
		return false
	}
	switch head[0] {
	case "done", "reject", "next", "callback", "cb":
		return mentions(head[2:], caught)
	default:
		return false
	}
}

// leaves reports whether a finally block ends the function, and with it what
// was thrown.
func leaves(body []testmodel.Stmt) bool {
	for _, s := range body {
		if s.Kind == testmodel.Returns || s.Kind == testmodel.Jumps || s.Kind == testmodel.Branch && leaves(s.Body) {
			return true
		}
	}
	return false
}
