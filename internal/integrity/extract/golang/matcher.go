package golang

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// matchers are the relations of matchers and checkers by name: Gomega's,
// those of quicktest and check, and goconvey's without their Should.
var matchers = map[string]testmodel.Relation{
	"Equal": testmodel.Equal, "Equals": testmodel.Equal, "DeepEquals": testmodel.Equal, "Resemble": testmodel.Equal, "HaveExactElements": testmodel.Equal,
	"CmpEquals": testmodel.Equal, "JSONEquals": testmodel.Equal, "MatchJSON": testmodel.Equal, "MatchYAML": testmodel.Equal, "MatchXML": testmodel.Equal,
	"BeEquivalentTo": testmodel.LooseEqual, "ConsistOf": testmodel.LooseEqual, "EqualTrimSpace": testmodel.LooseEqual, "ContentEquals": testmodel.LooseEqual,
	"BeIdenticalTo": testmodel.Identical, "PointTo": testmodel.Identical,
	"BeNil": testmodel.Nil, "IsNil": testmodel.Nil, "NotNil": testmodel.NotNil, "IsNotNil": testmodel.NotNil,
	"BeTrue": testmodel.Truthy, "IsTrue": testmodel.Truthy, "BeTrueBecause": testmodel.Truthy, "BeFalse": testmodel.Falsy, "IsFalse": testmodel.Falsy,
	"BeZero": testmodel.Falsy, "BeZeroValue": testmodel.Falsy, "BeEmpty": testmodel.Falsy, "BeBlank": testmodel.Falsy,
	"HaveOccurred": testmodel.Throws, "MatchError": testmodel.Throws, "ErrorMatches": testmodel.Throws, "ErrorIs": testmodel.Throws, "ErrorAs": testmodel.Throws,
	"BeError": testmodel.Throws, "Panic": testmodel.Throws, "PanicWith": testmodel.Throws, "Panics": testmodel.Throws, "PanicMatches": testmodel.Throws,
	"Succeed": testmodel.Succeeds, "HaveLen": testmodel.Length, "HasLen": testmodel.Length, "HaveLength": testmodel.Length,
	"ContainElement": testmodel.Contains, "ContainElements": testmodel.Subset, "ContainSubstring": testmodel.Contains, "Contains": testmodel.Contains,
	"Contain": testmodel.Contains, "HaveKeyWithValue": testmodel.Contains, "HaveKey": testmodel.HasField, "ContainKey": testmodel.HasField, "HaveField": testmodel.HasField,
	"HavePrefix": testmodel.Prefix, "HaveSuffix": testmodel.Prefix, "StartWith": testmodel.Prefix, "EndWith": testmodel.Prefix,
	"MatchRegexp": testmodel.Matches, "Matches": testmodel.Matches, "BeAssignableToTypeOf": testmodel.TypeOf, "HaveSameTypeAs": testmodel.TypeOf,
	"Implement": testmodel.TypeOf, "Implements": testmodel.TypeOf, "BeElementOf": testmodel.OneOf, "BeIn": testmodel.OneOf,
	"AlmostEqual": testmodel.Approx, "BeGreaterThan": testmodel.Compare, "BeLessThan": testmodel.Compare,
	"BeGreaterThanOrEqualTo": testmodel.Compare, "BeLessThanOrEqualTo": testmodel.Compare,
}

// matched is the assertion that a subject fits a matcher with arguments.
func (s *scope) matched(name string, subject []string, args []syntax.Node) testmodel.Assert {
	if rest, ok := strings.CutPrefix(name, "Not"); ok && matchers[name] == "" && matchers[rest] != "" {
		return negate(s.matched(rest, subject, args))
	}
	a := testmodel.Assert{Relation: testmodel.Custom, Name: name, Subject: subject, Expected: s.Tokens(args...)}
	if r, ok := matchers[name]; ok {
		a.Relation = r
	}
	switch {
	case len(a.Expected) == 0:
		a.Expected = nil
	case a.Relation == testmodel.Approx && len(args) == 2:
		a.Expected = s.Tokens(args[0])
		return s.tolerant(a, args[1])
	case (name == "BeNumerically" || name == "BeTemporally") && len(args) >= 2:
		a.Relation, a.Name, a.Expected = testmodel.Compare, strings.Trim(args[0].Text(), "`\""), s.Tokens(args[1])
		switch a.Name {
		case "==":
			a.Relation = testmodel.Equal
		case "~":
			a.Relation = testmodel.Approx
			if len(args) == 3 {
				return s.tolerant(a, args[2])
			}
		}
	}
	return a
}

// gomegaAssertion is what Expect(x).To(matcher) asserts; an Expect without
// matcher asserts nothing.
func (s *scope) gomegaAssertion(c call) []testmodel.Assert {
	want, ends := map[string]bool{
		"To": true, "Should": true, "NotTo": false, "ToNot": false, "ShouldNot": false,
	}[c.name]
	start := c
	var between []string
	for !starts(start) {
		if start.node != c.node {
			between = append(between, s.Tokens(start.node.Field("arguments"))...)
		}
		if start = callOf(start.on); start.node.IsZero() {
			return nil
		}
	}
	if s.lib(start) != gomega {
		return nil
	}
	subject := s.Tokens(start.args...)
	switch {
	case !ends || len(c.args) == 0:
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: start.name, Subject: subject, Lost: true}}
	case starts(c):
		return nil
	}
	out := s.fits(c.args[0], subject, want)
	for i := range out {
		if !strings.HasPrefix(start.name, "Expect") && start.name != "Ω" {
			out[i].Name = start.name + " " + out[i].Name
			out[i].ToleranceTokens = append(out[i].ToleranceTokens, between...)
		}
	}
	return out
}

func starts(c call) bool {
	switch c.name {
	case "Expect", "Ω", "ExpectWithOffset", "Eventually", "Consistently", "EventuallyWithOffset", "ConsistentlyWithOffset":
		return true
	default:
		return false
	}
}

// fits is what a matcher demands, or demands not.
func (s *scope) fits(matcher syntax.Node, subject []string, want bool) []testmodel.Assert {
	m := callOf(matcher)
	switch {
	case m.name == "Not" && len(m.args) == 1:
		return s.fits(m.args[0], subject, !want)
	case (m.name == "And" || m.name == "SatisfyAll") && want:
		var out []testmodel.Assert
		for _, a := range m.args {
			out = append(out, s.fits(a, subject, want)...)
		}
		return out
	case m.name == "":
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: matcher.Text(), Subject: subject, Negated: !want}}
	}
	a := s.matched(m.name, subject, m.args)
	if !want {
		a = negate(a)
	}
	return []testmodel.Assert{a}
}

// checked is what c.Assert(got, checker, args...) asserts, as quicktest and
// check have it, or So(got, ShouldX, args...) of goconvey.
func (s *scope) checked(args []syntax.Node) []testmodel.Assert {
	if len(args) < 2 {
		return nil
	}
	checker, rest := inner(args[1]), args[2:]
	negated := false
	if n := callOf(checker); n.name == "Not" && len(n.args) == 1 {
		checker, negated = n.args[0], true
	}
	name := checker.Text()
	if n := callOf(checker); n.name != "" { // CmpEquals(options)
		name, rest = n.name, append(rest[:len(rest):len(rest)], n.args...)
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	name = strings.TrimPrefix(name, "Should")
	a := s.matched(name, s.Tokens(args[0]), rest)
	if negated {
		a = negate(a)
	}
	return []testmodel.Assert{a}
}
