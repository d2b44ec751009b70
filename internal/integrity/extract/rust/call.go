package rust

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// rows are the elements of a list; rest are the tokens of what is around it,
// or of the whole expression if it is none.
func (m *model) rows(n syntax.Node) (rows []testmodel.Row, rest []string) {
	list := n
	for {
		switch list.Kind() {
		case "reference_expression":
			list = list.Field("value")
			continue
		case "call_expression":
			if f := list.Field("function"); f.Is("field_expression") {
				list = f.Field("value")
				continue
			}
		}
		break
	}
	if list.Is("macro_invocation") && list.Field("macro").Text() == "vec" {
		for _, part := range parts(list.Child("token_tree")) {
			rows = append(rows, m.Row(part[0], tokens(part...)))
		}
		return rows, without(n, list)
	}
	if !list.Is("array_expression") {
		return nil, tokens(n)
	}
	for _, e := range list.Named() {
		if !e.Is("attribute_item") {
			rows = append(rows, m.Row(e, tokens(e)))
		}
	}
	if list == n {
		return rows, nil
	}
	return rows, without(n, list)
}

// loop is a loop without its body.
func (m *model) loop(n syntax.Node) testmodel.Stmt {
	if !n.Is("for_expression") {
		return m.Stmt(testmodel.Loop, n, without(n, n.Field("body")))
	}
	rows, rest := m.rows(n.Field("value"))
	st := m.Stmt(testmodel.Loop, n, append(append(append([]string{"for"}, tokens(n.Field("pattern"))...), "in"), rest...))
	st.Rows = rows
	return st
}

// callee is the name of what is called, with its path, and for a method the
// value that it is called on.
func callee(n syntax.Node) (name string, on syntax.Node) {
	f := n.Field("function")
	if f.Is("generic_function") {
		f = f.Field("function")
	}
	if f.Is("field_expression") {
		return f.Field("field").Text(), f.Field("value")
	}
	return strings.Join(tokens(f), ""), syntax.Node{}
}

// call is a call as a statement, or what is behind ? and await.
func (m *model) call(n, at syntax.Node, c ctx, tail bool) []testmodel.Stmt {
	if n.Is("try_expression") {
		return m.succeeds(n, at, c, "?", n.Named()[0])
	}
	if !n.Is("call_expression") {
		return m.value(at, tail)
	}
	name, on := callee(n)
	switch {
	case !on.IsZero() && (name == "unwrap" || name == "expect" || name == "unwrap_err" || name == "expect_err"):
		return m.succeeds(n, at, c, name, on)
	case on.IsZero() && (strings.HasSuffix(name, "process::exit") || strings.HasSuffix(name, "process::abort") || name == "exit" || name == "abort"):
		return []testmodel.Stmt{m.Stmt(testmodel.Exits, at, tokens(n))}
	case on.IsZero() && strings.HasSuffix(name, "resume_unwind"):
		return []testmodel.Stmt{m.Stmt(testmodel.Raises, at, tokens(n))}
	}
	if st, ok := m.guarded(n, at, c, never); ok {
		return []testmodel.Stmt{st}
	}
	if on.IsZero() && (m.helpers[name] || soundsLikeAssertion(name)) {
		a := custom(name, split(inBrackets(n.Field("arguments")), ","))
		a.Lost = c.lost
		return []testmodel.Stmt{m.Builder.Assert(at, tokens(n), a)}
	}
	return m.value(at, tail)
}

func inBrackets(n syntax.Node) []string {
	ts := tokens(n)
	return ts[min(1, len(ts)):max(min(1, len(ts)), len(ts)-1)]
}

func soundsLikeAssertion(name string) bool {
	name = name[strings.LastIndex(":"+name, ":"):]
	return strings.HasPrefix(name, "assert_") || strings.HasPrefix(name, "check_") || strings.HasPrefix(name, "verify_") || strings.HasPrefix(name, "expect_")
}

// succeeds is value.unwrap() and value?: an assertion that there is a value.
func (m *model) succeeds(n, at syntax.Node, c ctx, name string, on syntax.Node) []testmodel.Stmt {
	for inner := on; inner.Is("call_expression"); _, inner = callee(inner) { // spawn(…).join().unwrap()
		if st, ok := m.guarded(inner, at, c, always); ok && st.Kind == testmodel.With {
			st.Head = without(n, closureOf(inner).Field("body"))
			return []testmodel.Stmt{st}
		}
	}
	a := testmodel.Assert{Relation: testmodel.Succeeds, Name: name, Subject: tokens(on), Lost: c.lost}
	if strings.HasSuffix(name, "_err") {
		a.Relation = testmodel.Throws
	}
	return []testmodel.Stmt{m.Builder.Assert(at, tokens(n), a)}
}

func always() bool { return true }
func never() bool  { return false }

// guarded is a call that is given a closure with statements: a loop, a thread,
// a place where panics end. Used tells that somebody looks at the result.
func (m *model) guarded(n, at syntax.Node, c ctx, used func() bool) (testmodel.Stmt, bool) {
	closure := closureOf(n)
	if closure.IsZero() {
		return testmodel.Stmt{}, false
	}
	name, on := callee(n)
	c.top = false
	if name == "for_each" {
		rows, rest := m.rows(on)
		head := append([]string{"for"}, inBrackets(closure.Field("parameters"))...)
		st := m.Stmt(testmodel.Loop, at, append(append(head, "in"), rest...))
		st.Rows = rows
		c.loop = true
		st.Body = m.closure(closure, c)
		return st, true
	}
	if !m.demands(closure) && !strings.HasSuffix(name, "catch_unwind") {
		return testmodel.Stmt{}, false
	}
	st := m.Stmt(testmodel.With, at, without(n, closure.Field("body")))
	st.Swallows = strings.HasSuffix(name, "catch_unwind") && !used()
	c.lost = c.lost || strings.HasSuffix(name, "spawn") && !used()
	st.Body = m.closure(closure, c)
	return st, true
}

// closureOf is the closure among a call's arguments, also within a call in
// them: catch_unwind(AssertUnwindSafe(|| …)).
func closureOf(n syntax.Node) syntax.Node {
	for range 3 {
		if !n.Is("call_expression") {
			return syntax.Node{}
		}
		args := n.Field("arguments").Named()
		n = syntax.Node{}
		for _, a := range args {
			if a.Is("closure_expression") {
				return a
			}
			if a.Is("call_expression") {
				n = a
			}
		}
	}
	return syntax.Node{}
}

// demands reports whether something is asserted in a closure.
func (m *model) demands(n syntax.Node) bool {
	for id := range n.All("identifier", "field_identifier") {
		if t := id.Text(); isAssertMacro(t) || m.helpers[t] || t == "panic" || t == "unwrap" || t == "expect" {
			return true
		}
	}
	return false
}

// custom is an assertion helper of the project.
func custom(name string, args [][]string) testmodel.Assert {
	a := testmodel.Assert{Relation: testmodel.Custom, Name: name}
	for i, arg := range args {
		switch i {
		case 0:
			a.Subject = arg
		case 1:
			a.Expected = slices.Clone(arg)
		default:
			a.Expected = append(append(a.Expected, ","), arg...)
		}
	}
	return a
}
