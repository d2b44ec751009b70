package golang

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// loop is a for statement. The elements of a list that is written in it are
// rows.
func (s *scope) loop(n syntax.Node) testmodel.Stmt {
	body := n.Field("body")
	st := s.Stmt(testmodel.Loop, n)
	left := []syntax.Node{body}
	if table := s.table(n.Child("range_clause").Field("right")); !table.IsZero() {
		st.Rows = s.rows(table)
		left = append(left, table)
	}
	st.Head, st.Body = s.Without(n, left...), s.block(body, false)
	return st
}

// choice is a switch or select. A switch whose cases all fail the test is an
// assertion a case.
func (s *scope) choice(n syntax.Node) []testmodel.Stmt {
	var cases []syntax.Node
	for _, c := range n.Named() {
		if c.Is("expression_case", "default_case", "type_case", "communication_case") {
			cases = append(cases, c)
		}
	}
	if n.Is("expression_switch_statement") && n.Field("value").IsZero() && len(cases) > 0 {
		if as := s.failingCases(cases); as != nil {
			return append(s.initializer(n), as...)
		}
	}
	st := s.Stmt(testmodel.Branch, n)
	st.Head = s.Without(n, cases...)
	for _, c := range cases {
		st.Body = append(st.Body, s.caseOf(c))
	}
	return []testmodel.Stmt{st}
}

// failingCases are the assertions of a switch without value whose cases all
// fail the test; nil if one does not.
func (s *scope) failingCases(cases []syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, c := range cases {
		end := s.ending(c)
		if !c.Is("expression_case") || !end.fails {
			return nil
		}
		for _, cond := range c.Field("value").Named() {
			out = append(out, s.stated(c, s.holds(cond, false), cond)...)
		}
		if len(end.rest) > 0 && len(out) > 0 {
			out[len(out)-1].Body = s.all(end.rest)
		}
	}
	return out
}

// caseOf is one case of a switch or select.
func (s *scope) caseOf(c syntax.Node) testmodel.Stmt {
	st := s.Stmt(testmodel.Branch, c)
	if list := c.Child("statement_list"); !list.IsZero() {
		st.Head, st.Body = s.Without(c, list), s.block(list, false)
	} else {
		st.Head = s.Tokens(c)
	}
	return st
}

// deferred is a defer or go statement. A deferred function that recovers and
// lets the test go on as if nothing had happened loses a panic.
func (s *scope) deferred(n syntax.Node) testmodel.Stmt {
	in := n.Named()
	if len(in) == 0 {
		return s.Whole(testmodel.Plain, n)
	}
	c := callOf(in[0])
	kind := testmodel.Plain
	if c.name == "func" {
		kind = testmodel.Defines
		if n.Is("go_statement") {
			kind = testmodel.With
		}
	}
	st := s.closing(kind, n)
	if !n.Is("defer_statement") {
		return st
	}
	switch {
	case c.name == "func":
		st.Swallows = s.recovers(c.node.Field("function").Field("body"))
	case c.on.IsZero() && c.name == "recover":
		st.Kind, st.Swallows = testmodel.Defines, true
	case c.on.IsZero():
		if st.Swallows = s.recovers(s.declared[c.name].Field("body")); st.Swallows {
			st.Kind = testmodel.Defines
		}
	}
	return st
}

// recovers reports whether a function's body recovers from a panic and
// nothing in it fails the test.
func (s *scope) recovers(body syntax.Node) bool {
	recovers, fails := false, false
	for n := range body.All("call_expression") {
		c := callOf(n)
		recovers = recovers || c.name == "recover" && c.on.IsZero()
		fails = fails || s.failing(c) || s.library(c) == testify || s.library(c) == gomega || s.custom(c) != nil
	}
	return recovers && !fails
}
