package golang

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// block is what the statements in a block do. At the top of a test, subtests
// become units of their own.
func (s *scope) block(n syntax.Node, top bool) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, c := range n.Named() {
		switch {
		case c.Is("statement_list"):
			out = append(out, s.block(c, top)...)
		case top && s.subtest(c):
		default:
			out = append(out, s.statement(c)...)
		}
	}
	return out
}

// statement is what one statement of the source does; it may be none, or
// several: x, ok := f() in an if is a statement before it.
func (s *scope) statement(n syntax.Node) []testmodel.Stmt {
	switch n.Kind() {
	case "block", "statement_list":
		return s.block(n, false)
	case "expression_statement":
		return s.expression(n)
	case "short_var_declaration", "assignment_statement":
		return s.assignment(n)
	case "var_declaration", "const_declaration":
		return s.declarations(n)
	case "inc_statement", "dec_statement":
		st := s.Whole(testmodel.Assigns, n)
		st.Binds = []string{n.FirstChild().Text()}
		return []testmodel.Stmt{st}
	case "if_statement":
		return s.branch(n)
	case "for_statement":
		return []testmodel.Stmt{s.loop(n)}
	case "expression_switch_statement", "type_switch_statement", "select_statement":
		return s.choice(n)
	case "defer_statement", "go_statement":
		return []testmodel.Stmt{s.deferred(n)}
	case "labeled_statement":
		return s.labeled(n)
	case "return_statement":
		return []testmodel.Stmt{s.closing(testmodel.Returns, n)}
	case "break_statement", "continue_statement", "goto_statement":
		return []testmodel.Stmt{s.Whole(testmodel.Jumps, n)}
	case "empty_statement":
		return nil
	default:
		return []testmodel.Stmt{s.closing(testmodel.Plain, n)}
	}
}

// closing is a statement of that kind whose function literals are its body; one
// that does not run where it stands is a definition in it.
func (s *scope) closing(k testmodel.Kind, n syntax.Node) testmodel.Stmt {
	st := s.Stmt(k, n)
	var literals, bodies []syntax.Node
	n.Walk(func(m syntax.Node) bool {
		if !m.Is("func_literal") {
			return true
		}
		literals, bodies = append(literals, m), append(bodies, m.Field("body"))
		return false
	})
	st.Head = s.Without(n, bodies...)
	for _, l := range literals {
		if len(literals) == 1 && (k == testmodel.With || k == testmodel.Defines || k == testmodel.Asserts) {
			st.Body = s.block(l.Field("body"), false)
			break
		}
		in := s.Stmt(testmodel.Defines, l)
		in.Head, in.Body = []string{"func"}, s.block(l.Field("body"), false)
		st.Body = append(st.Body, in)
	}
	return st
}

// labeled is a label and the statement that it names.
func (s *scope) labeled(n syntax.Node) []testmodel.Stmt {
	in := n.Named()
	st := s.Stmt(testmodel.Plain, n)
	st.Head = []string{n.Field("label").Text(), ":"}
	out := []testmodel.Stmt{st}
	for _, c := range in[min(1, len(in)):] {
		out = append(out, s.statement(c)...)
	}
	return out
}

// expression is what an expression does that stands as a statement.
func (s *scope) expression(n syntax.Node) []testmodel.Stmt {
	e := expressionOf(n)
	c := callOf(e)
	switch {
	case c.node.IsZero():
		return s.lost(n, e, testmodel.Plain)
	case s.logging(c):
		return nil
	case s.failing(c):
		return []testmodel.Stmt{s.fail(n, c)}
	case s.skipping(c):
		return []testmodel.Stmt{s.skip(n, c)}
	case c.object == "os" && c.name == "Exit":
		return []testmodel.Stmt{s.Whole(testmodel.Exits, n)}
	case c.name == "func":
		st := s.closing(testmodel.With, n)
		return []testmodel.Stmt{st}
	}
	if as, tokens := s.asserted(e); as != nil {
		return s.assertions(n, e, as, tokens)
	}
	if a := s.custom(c); a != nil && s.dropped(e) == nil {
		return s.assertions(n, e, []testmodel.Assert{*a}, s.Tokens(e))
	}
	return s.lost(n, e, s.callKind(c))
}

// callKind is the kind of a call's statement that is nothing special.
func (s *scope) callKind(c call) testmodel.Kind {
	if c.args != nil && c.args[len(c.args)-1].Is("func_literal") {
		return testmodel.With
	}
	return testmodel.Plain
}

// lost is a statement whose value is thrown away: an assertion that cannot
// fail, or one of the given kind.
func (s *scope) lost(n, e syntax.Node, k testmodel.Kind) []testmodel.Stmt {
	if as := s.dropped(e); as != nil {
		return s.assertions(n, e, as, s.Tokens(n))
	}
	st := s.closing(k, n)
	if c := callOf(e); s.mocks(c) {
		st.Kind, st.Mock = testmodel.Mocks, c.args[0].Text()
	}
	if steers(e) {
		st.Swallows = true
	}
	return []testmodel.Stmt{st}
}

// mocks reports whether a call replaces a function in the running program.
func (s *scope) mocks(c call) bool {
	return s.libs[c.object] == monkey && len(c.args) > 0 &&
		(strings.HasPrefix(c.name, "Patch") || strings.HasPrefix(c.name, "Apply") || strings.HasPrefix(c.name, "Mock"))
}

// steers reports whether an expression sets the flags by which the testing
// package chooses tests.
func steers(e syntax.Node) bool {
	c := callOf(e)
	return c.name == "Set" && len(c.args) == 2 && strings.HasPrefix(clike.Unquote(c.args[0].Text()), "test.")
}

// assertions are the statements of a call's assertions. Function literals
// that assert something themselves are the body of the last.
func (s *scope) assertions(n, e syntax.Node, as []testmodel.Assert, tokens []string) []testmodel.Stmt {
	out := s.Asserting(n, as, tokens)
	if last := len(out) - 1; last >= 0 && e.Has("func_literal") {
		if st := s.closing(testmodel.Asserts, n); hasAssert(st.Body) {
			out[last].Head, out[last].Body = st.Head, st.Body
			out[last].Assert.Subject = nil
		}
	}
	return out
}

func hasAssert(body []testmodel.Stmt) bool {
	for _, st := range body {
		if st.Kind == testmodel.Asserts || hasAssert(st.Body) {
			return true
		}
	}
	return false
}

// fail is a statement that fails the test; how and with which words does not
// count, unless the words do something.
func (s *scope) fail(n syntax.Node, c call) testmodel.Stmt {
	st := s.Whole(testmodel.Raises, n)
	if s.isT(c.object) && s.mute(c.args) {
		st.Head = []string{c.object, ".", "Fail"}
	}
	return st
}

// skip is a statement that skips the rest of the test.
func (s *scope) skip(n syntax.Node, c call) testmodel.Stmt {
	st := s.Whole(testmodel.Skip, n)
	if s.mute(c.args) {
		st.Head = []string{c.object, ".", "Skip"}
	}
	return st
}
