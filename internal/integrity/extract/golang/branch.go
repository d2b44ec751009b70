package golang

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// branch is what an if does. One that fails the test in its body is an
// assertion of the opposite of its condition; its alternative then follows it.
func (s *scope) branch(n syntax.Node) []testmodel.Stmt {
	cond, body, alt := n.Field("condition"), n.Field("consequence"), n.Field("alternative")
	out := s.initializer(n)
	if as := s.conditional(n, cond); as != nil {
		return append(append(out, as...), s.alternative(alt, false)...)
	}
	end := s.ending(body)
	switch {
	case end.fails:
		as := s.stated(n, s.holds(cond, false), cond)
		as[len(as)-1].Body = s.all(end.rest)
		return append(append(out, as...), s.alternative(alt, false)...)
	case end.mute && alt.IsZero():
		as := s.stated(end.at, s.holds(cond, false), cond)
		for _, st := range as {
			st.Assert.Lost = true
		}
		return append(out, as...)
	}
	st := s.Stmt(testmodel.Branch, n)
	st.Head = append([]string{"if"}, s.Tokens(inner(cond))...)
	if cond.Has("func_literal") {
		st.Head = append([]string{"if"}, s.closing(testmodel.Branch, cond).Head...)
		st.Body = s.closing(testmodel.Branch, cond).Body
	}
	st.Body = append(st.Body, s.block(body, false)...)
	return append(append(out, st), s.alternative(alt, true)...)
}

// initializer is the statement before the condition. What only says what the
// condition is about is left to it.
func (s *scope) initializer(n syntax.Node) []testmodel.Stmt {
	init := n.Field("initializer")
	if init.IsZero() {
		return nil
	}
	names, values := init.Field("left").Named(), init.Field("right").Named()
	if init.Is("short_var_declaration") && len(values) == 1 {
		value := inner(values[0])
		c := callOf(value)
		lookup := value.Is("type_assertion_expression", "index_expression") && len(names) == 2 && names[0].Text() == "_"
		if lookup || c.name == "Diff" && len(c.args) >= 2 && len(names) == 1 {
			s.learnValue(names, values)
			return nil
		}
	}
	return s.statement(init)
}

// conditional is an assertion that stands as a condition: if !assert.Nil(…) {
// return }. What follows it is not reached when it fails, as elsewhere.
func (s *scope) conditional(n, cond syntax.Node) []testmodel.Stmt {
	call := inner(cond)
	negated := call.Is("unary_expression")
	if negated {
		call = inner(call.Field("operand"))
	}
	as, tokens := s.asserted(call)
	if as == nil || s.library(callOf(call)) == gomega {
		return nil
	}
	out := s.assertions(n, call, as, tokens)
	body := n.Field("consequence")
	if !negated {
		return append(out, s.block(body, false)...)
	}
	if rest := s.ending(body).rest; !s.ending(body).leaves {
		out = append(out, s.all(rest)...)
	}
	return out
}

// alternative is what else does: after an assertion it is what follows, or a
// branch of its own.
func (s *scope) alternative(alt syntax.Node, branch bool) []testmodel.Stmt {
	switch {
	case alt.IsZero():
		return nil
	case !branch:
		return s.statement(alt)
	}
	st := s.Stmt(testmodel.Branch, alt)
	st.Head, st.Body = []string{"else"}, s.statement(alt)
	return []testmodel.Stmt{st}
}

// stated are assertions that an if or case makes at a node.
func (s *scope) stated(at syntax.Node, as []testmodel.Assert, cond syntax.Node) []testmodel.Stmt {
	return s.Asserting(at, as, append([]string{"if"}, s.Tokens(inner(cond))...))
}

func (s *scope) all(nodes []syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, n := range nodes {
		out = append(out, s.statement(n)...)
	}
	return out
}

// ending is how a block goes out.
type ending struct {
	fails  bool          // the test, on every way through it
	leaves bool          // returns or jumps at its end, and does nothing else that counts
	mute   bool          // has no effect on the test
	at     syntax.Node   // its first statement
	rest   []syntax.Node // its statements that count, besides the failing one and those after it
}

func (s *scope) ending(block syntax.Node) ending {
	e := ending{mute: true}
	for _, n := range statementsOf(block) {
		if e.at.IsZero() {
			e.at = n
		}
		c := callOf(expressionOf(n))
		switch {
		case s.failing(c) && s.mute(c.args):
			e.fails, e.mute = true, false
			if c.on.IsZero() && c.name != "panic" {
				e.rest = append(e.rest, n) // the project's own, that it fails is its word alone
			}
			return e
		case s.printing(c), n.Is("assignment_statement") && blank(n.Field("left")) && !n.Has("call_expression"):
			continue
		case n.Is("return_statement", "break_statement", "continue_statement") && len(e.rest) == 0 && !n.Has("call_expression"):
			e.leaves = true
		}
		e.mute = false
		if s.escapes(n) {
			if !e.leaves {
				e.rest = append(e.rest, n)
			}
			return e
		}
		e.rest = append(e.rest, n)
	}
	if e.at.IsZero() {
		e.at = block
	}
	return e
}

// escapes reports whether a statement may leave the block before its end.
func (s *scope) escapes(n syntax.Node) bool {
	for m := range n.All("return_statement", "break_statement", "continue_statement", "goto_statement", "call_expression", "defer_statement") {
		c := callOf(m)
		if !m.Is("call_expression") || s.skipping(c) || c.name == "Exit" || c.name == "Goexit" {
			return true
		}
	}
	return false
}

// statementsOf are the statements of a block or case.
func statementsOf(block syntax.Node) []syntax.Node {
	if list := block.Child("statement_list"); !list.IsZero() {
		return list.Named()
	}
	return nil
}
