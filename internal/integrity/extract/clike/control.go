package clike

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// branch is what an if does. One that fails the test in its body is an
// assertion of the opposite of its condition; its alternative then follows it.
func (b *Body) branch(n syntax.Node) []testmodel.Stmt {
	cond, body, alt := Inner(n.Field("condition")), n.Field("consequence"), n.Field("alternative")
	if rest, fails := b.fails(body); fails {
		out := b.Asserting(n, b.Holds(cond, false), append([]string{"if"}, b.Tokens(cond)...))
		for _, r := range rest {
			out[len(out)-1].Body = append(out[len(out)-1].Body, b.Statement(r)...)
		}
		if !alt.IsZero() {
			out = append(out, b.Block(alt)...)
		}
		return out
	}
	st := b.Closing(testmodel.Branch, cond)
	st.Line, st.End, st.Text = n.StartLine(), n.EndLine(), b.Lines.At(n.StartLine())
	st.Head = append([]string{"if"}, st.Head...)
	st.Body = append(st.Body, b.Block(body)...)
	out := []testmodel.Stmt{st}
	if !alt.IsZero() {
		other := b.Stmt(testmodel.Branch, alt)
		other.Head, other.Body = []string{"else"}, b.Block(alt)
		out = append(out, other)
	}
	return out
}

// fails reports whether a block fails the test wherever it is entered, and
// lists what it does before.
func (b *Body) fails(block syntax.Node) (rest []syntax.Node, fails bool) {
	statements := []syntax.Node{block}
	if block.Is("block") {
		statements = block.Named()
	}
	for _, n := range statements {
		if n.Is("throw_statement") && thrown(n) == testmodel.Raises && Mute(n) || b.Dialect.Outcome(b, b.Dialect.Call(Inner(n))) == testmodel.Raises && Mute(n) {
			return rest, true
		}
		if n.Has("return_statement", "break_statement", "continue_statement", "goto_statement", "try_statement", "throw_statement") {
			return nil, false
		}
		for c := range n.All("method_invocation", "invocation_expression") {
			if k := b.Dialect.Outcome(b, b.Dialect.Call(c)); k == testmodel.Skip || k == testmodel.Exits {
				return nil, false
			}
		}
		rest = append(rest, n)
	}
	return nil, false
}

// loop is a loop. The elements of a list that is written in it are rows.
func (b *Body) loop(n syntax.Node) testmodel.Stmt {
	body := n.Field("body")
	st := b.Stmt(testmodel.Loop, n)
	left := []syntax.Node{body}
	over := n.Field("value")
	if n.Is("foreach_statement") {
		over = n.Field("right")
	}
	if list, elements := b.Elements(over); elements != nil {
		st.Rows = b.rows(elements)
		left = append(left, list)
	}
	st.Head, st.Body = b.Without(n, left...), b.Block(body)
	return st
}

// choice is a switch.
func (b *Body) choice(n syntax.Node) testmodel.Stmt {
	st := b.Stmt(testmodel.Branch, n)
	body := n.Field("body")
	if body.IsZero() {
		return b.Closing(testmodel.Plain, n)
	}
	st.Head = b.Without(n, body)
	for _, section := range body.Named() {
		in := b.Stmt(testmodel.Branch, section)
		var statements []syntax.Node
		for _, c := range section.Named() {
			if isStatement(c) {
				statements = append(statements, c)
			}
		}
		in.Head = b.Without(section, statements...)
		for _, c := range statements {
			in.Body = append(in.Body, b.Block(c)...)
		}
		st.Body = append(st.Body, in)
	}
	return st
}

// isStatement reports whether a node in a switch's section is no label.
func isStatement(n syntax.Node) bool {
	switch kind := n.Kind(); kind {
	case "block", "local_variable_declaration", "switch_expression":
		return true
	default:
		return len(kind) > 10 && kind[len(kind)-10:] == "_statement"
	}
}

// try is a try with its handlers as its last children. One whose body ends in
// a failure demands that it throws before.
func (b *Body) try(n syntax.Node) []testmodel.Stmt {
	st := b.Stmt(testmodel.Try, n)
	body, resources := n.Field("body"), n.Field("resources")
	st.Head = append([]string{"try"}, b.Tokens(resources)...)
	st.Body = b.Block(body)
	var handlers []syntax.Node
	for _, c := range n.Named() {
		if c.Is("catch_clause", "finally_clause") {
			handlers = append(handlers, c)
		}
	}
	if out := b.expected(n, st, handlers); out != nil {
		return out
	}
	for _, h := range handlers {
		st.Body = append(st.Body, b.handler(h))
	}
	return []testmodel.Stmt{st}
}

// expected is the assertion of try { f(); fail(); } catch (X e) { … }.
func (b *Body) expected(n syntax.Node, st testmodel.Stmt, handlers []syntax.Node) []testmodel.Stmt {
	last := len(st.Body) - 1
	if last < 1 || st.Body[last].Kind != testmodel.Raises || len(handlers) != 1 || !handlers[0].Is("catch_clause") {
		return nil
	}
	types := caught(handlers[0])
	if len(types) == 0 || CatchesFailures(types) {
		return nil
	}
	var expected []string
	for _, t := range types {
		expected = append(expected, t.Text())
	}
	a := testmodel.Assert{Relation: testmodel.Throws, Name: "try … fail", Expected: expected}
	out := b.Asserting(n, []testmodel.Assert{a}, append([]string{"try", "fail", "catch"}, expected...))
	out[0].Body = st.Body[:last]
	return append(out, b.Block(handlers[0].Field("body"))...)
}

// caught are the types that a handler catches; none is all.
func caught(h syntax.Node) []syntax.Node {
	if typ := h.Child("catch_declaration").Field("type"); !typ.IsZero() {
		return []syntax.Node{typ}
	}
	return h.Child("catch_formal_parameter").Child("catch_type").Named()
}

// CatchesFailures reports whether a handler of these types catches what a
// failed assertion throws.
func CatchesFailures(types []syntax.Node) bool {
	for _, t := range types {
		switch t.Text() {
		case "Throwable", "Error", "AssertionError", "AssertionFailedError", "System.Exception", "java.lang.AssertionError",
			"AssertionException", "XunitException", "AssertFailedException", "UnitTestAssertException":
			return true
		}
	}
	return len(types) == 0
}

// handler is a catch or finally.
func (b *Body) handler(h syntax.Node) testmodel.Stmt {
	st := b.Stmt(testmodel.Handler, h)
	body := h.Field("body")
	if body.IsZero() {
		body = h.Child("block")
	}
	st.Head, st.Body = b.Without(h, body), b.Block(body)
	if h.Is("finally_clause") {
		st.Swallows = returns(st.Body)
	} else {
		st.Swallows = !fails(st.Body)
	}
	return st
}

// returns reports whether statements leave the unit, which in a finally loses
// what was thrown.
func returns(body []testmodel.Stmt) bool {
	for _, st := range body {
		if st.Kind == testmodel.Returns || returns(st.Body) {
			return true
		}
	}
	return false
}

// fails reports whether statements throw, fail the test, or assert something.
func fails(body []testmodel.Stmt) bool {
	for _, st := range body {
		if st.Kind == testmodel.Raises || st.Kind == testmodel.Asserts && !st.Assert.Lost || fails(st.Body) {
			return true
		}
	}
	return false
}
