package golang

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// asserted is what a call asserts by itself, with the statements' tokens that
// count; nil if it is no assertion.
func (s *scope) asserted(n syntax.Node) ([]testmodel.Assert, []string) {
	c := callOf(n)
	if c.node.IsZero() || strings.HasPrefix(c.name, "New") {
		return nil, nil
	}
	lib, args := s.library(c), c.args
	if lib != "" && s.handed(c) {
		args = args[1:]
	}
	var out []testmodel.Assert
	count := len(args)
	switch lib {
	case testify:
		out, count = s.testify(c, args)
	case gotest:
		out, count = s.gotest(c, args)
	case is:
		out, count = s.is(c, args)
	case quicktest, check:
		if c.name == "Assert" || c.name == "Check" {
			out = s.checked(args)
		}
	case convey:
		if c.name == "So" {
			out = s.checked(args)
		}
	}
	if out == nil && s.has(gomega) {
		out = s.gomegaAssertion(c)
	}
	if out == nil {
		out = s.expectedCall(c)
	}
	if out == nil {
		return nil, nil
	}
	for i := range out {
		out[i].Fatal = c.object == "require" || strings.HasSuffix(c.object, "Require()")
	}
	return out, append([]string{c.name}, s.messageless(args, count)...)
}

// messageless are the tokens of arguments without the message behind them.
func (s *scope) messageless(args []syntax.Node, count int) []string {
	if count < len(args) && s.mute(args[count:]) {
		args = args[:count]
	}
	return s.Tokens(args...)
}

// library is the library that a call's object stands for, where a suite stands
// for testify.
func (s *scope) library(c call) library {
	if lib := s.lib(c); lib != "" {
		return lib
	}
	if s.receiver != "" && c.object == s.receiver {
		name := strings.TrimSuffix(c.name, "f")
		if _, ok := testifyShapes[name]; ok {
			return testify
		}
	}
	return ""
}

// handed reports whether a call's first argument is the test's handle.
func (s *scope) handed(c call) bool {
	if len(c.args) == 0 {
		return false
	}
	if s.isT(c.args[0].Text()) {
		return true
	}
	return s.libs[c.object] == testify || s.libs[c.object] == gotest
}

// expectedCall is the assertion of a mock: m.EXPECT().Get("a").Times(1), or
// m.AssertCalled(t, "Get", "a").
func (s *scope) expectedCall(c call) []testmodel.Assert {
	switch c.name {
	case "AssertCalled", "AssertNotCalled":
		if len(c.args) >= 2 {
			return []testmodel.Assert{{
				Relation: testmodel.CalledWith, Negated: c.name == "AssertNotCalled", Name: c.name,
				Subject: append(s.Tokens(c.on), s.Tokens(c.args[1])...), Expected: s.Tokens(c.args[2:]...),
			}}
		}
	case "AssertNumberOfCalls":
		if len(c.args) == 3 {
			return []testmodel.Assert{{
				Relation: testmodel.CalledN, Name: c.name, Subject: append(s.Tokens(c.on), s.Tokens(c.args[1])...), Expected: s.Tokens(c.args[2]),
			}}
		}
	case "AssertExpectations":
		return []testmodel.Assert{{Relation: testmodel.Called, Name: c.name, Subject: s.Tokens(c.on)}}
	}
	if !s.recorders {
		return nil
	}
	return s.recorded(c)
}

// recorded is the expectation that a gomock recorder is given.
func (s *scope) recorded(c call) []testmodel.Assert {
	var rest []string
	for m := c; !m.node.IsZero(); m = callOf(m.on) {
		if in := callOf(m.on); in.name == "EXPECT" && len(in.args) == 0 {
			return []testmodel.Assert{{
				Relation: testmodel.CalledWith, Name: "EXPECT", Subject: append(s.Tokens(in.on), ".", m.name),
				Expected: s.Tokens(m.args...), ToleranceTokens: rest,
			}}
		}
		rest = append(append([]string{m.name}, s.Tokens(m.args...)...), rest...)
	}
	return nil
}

// checking are names of a project's own assertions.
var checking = regexp.MustCompile(`(?i)^(assert|check|require|expect|verify|must|ensure|compare|diff|equals?|validate|test)|(?i:equals?)$`)

// custom is the assertion of a project's own helper, which is given a handle.
func (s *scope) custom(c call) *testmodel.Assert {
	if c.name == "" || c.name == "func" || !checking.MatchString(c.name) {
		return nil
	}
	for i, a := range c.args {
		if s.isT(a.Text()) {
			rest := append(append([]syntax.Node{}, c.args[:i]...), c.args[i+1:]...)
			return &testmodel.Assert{Relation: testmodel.Custom, Name: c.dotted(), Subject: s.Tokens(rest...)}
		}
	}
	return nil
}

// dropped is the assertion that a value would make if it were not thrown away.
func (s *scope) dropped(n syntax.Node) []testmodel.Assert {
	c := callOf(n)
	_, predicate := predicates[c.dotted()]
	op := n.Field("operator").Text()
	comparison := n.Is("binary_expression") && opposite[op] != ""
	if !predicate && !comparison && c.dotted() != "cmp.Equal" && c.dotted() != "cmp.Diff" {
		return nil
	}
	var out []testmodel.Assert
	if c.dotted() == "cmp.Diff" && len(c.args) >= 2 {
		out = []testmodel.Assert{s.diffed(c)}
	} else {
		out = s.holds(n, true)
	}
	for i := range out {
		out[i].Lost = true
	}
	return out
}
