package python

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// customName are functions that assert, by their name.
var customName = regexp.MustCompile(`^_?(assert|check|verify|expect|ensure|validate)(_|[A-Z]|$)`)

// assertionCall models a call that asserts, or a plain one.
func (m *modeler) assertionCall(out []testmodel.Stmt, s testmodel.Stmt, call syntax.Node) []testmodel.Stmt {
	name := last(callee(call))
	if name == "" {
		if f := call.Field("function"); f.Is("attribute") { // f(x).assert_called()
			name = f.Field("attribute").Text()
		}
	}
	asserts := known(call, name)
	if asserts == nil && customName.MatchString(name) {
		asserts = []*testmodel.Assert{custom(call, name)}
	}
	if call.Parent().Is("await") {
		for _, a := range asserts {
			a.Subject = append([]string{"await"}, a.Subject...)
		}
	}
	if asserts == nil {
		return append(out, s)
	}
	for _, a := range asserts {
		s.Kind, s.Assert, s.Head = testmodel.Asserts, a, head(a)
		out = append(out, s)
	}
	return out
}

// custom is an assertion of the project's own, compared as it stands.
func custom(call syntax.Node, name string) *testmodel.Assert {
	positional, _ := arguments(call)
	a := &testmodel.Assert{Relation: testmodel.Custom, Name: name}
	if len(positional) > 0 {
		a.Subject = canon(positional[0])
	}
	a.Expected = canon(call)
	return a
}

// known are the assertions of a call into unittest, pytest, mock or numpy; nil
// if it is none of them.
func known(call syntax.Node, name string) []*testmodel.Assert {
	positional, keyword := arguments(call)
	one := func(a *testmodel.Assert) []*testmodel.Assert {
		if a == nil {
			return nil
		}
		return []*testmodel.Assert{a}
	}
	switch {
	case name == "fail" && (callee(call) == "pytest.fail" || callee(call) == "self.fail" || callee(call) == "fail"):
		return one(&testmodel.Assert{Relation: testmodel.Never, Name: name})
	case name == "assertTrue" || name == "assert_":
		if len(positional) > 0 {
			return conjuncts(positional[0])
		}
	case name == "assertFalse":
		if len(positional) > 0 {
			return one(invert(demand(positional[0])))
		}
	case name == "raises" || name == "warns" || strings.HasPrefix(name, "assertRaises") || strings.HasPrefix(name, "assertWarns"):
		return one(throws(call, name))
	case strings.HasPrefix(name, "assert_") && isMock(name):
		return mocked(call, name)
	case len(positional) >= 1 && (name == "assertIsNone" || name == "assertIsNotNone"):
		a := &testmodel.Assert{Relation: testmodel.Nil, Name: name, Subject: canon(positional[0])}
		if name == "assertIsNotNone" {
			a.Relation = testmodel.NotNil
		}
		return one(a)
	case len(positional) >= 2:
		return one(binary(name, positional, keyword))
	}
	return nil
}

// operators are the assert statements that unittest's methods stand for.
var operators = map[string]string{
	"assertEqual": "==", "assertEquals": "==", "assertDictEqual": "==", "assertListEqual": "==", "assertTupleEqual": "==",
	"assertSetEqual": "==", "assertSequenceEqual": "==", "assertMultiLineEqual": "==", "assert_equal": "==",
	"assert_array_equal": "==", "assert_frame_equal": "==", "assert_series_equal": "==", "assertNotEqual": "!=",
	"assertNotEquals": "!=", "assertIs": "is", "assertIsNot": "is not", "assertIn": "in", "assertNotIn": "not in",
	"assertGreater": ">", "assertGreaterEqual": ">=", "assertLess": "<", "assertLessEqual": "<=",
}

// binary models an assertion of two values.
func binary(name string, positional []syntax.Node, keyword map[string]syntax.Node) *testmodel.Assert {
	left, right := bare(positional[0]), bare(positional[1])
	if op, ok := operators[name]; ok {
		a := comparison(left, op, right)
		tolerance(a, keyword, "rtol", "atol", "check_dtype", "check_names", "check_like", "check_index_type", "check_exact")
		return a
	}
	a := &testmodel.Assert{Name: name, Subject: canon(left), Expected: canon(right)}
	if isLiteral(left) && !isLiteral(right) {
		a.Subject, a.Expected = a.Expected, a.Subject
	}
	switch name {
	case "assertIsInstance", "assertNotIsInstance":
		a.Relation, a.Negated = testmodel.TypeOf, name == "assertNotIsInstance"
	case "assertRegex", "assertNotRegex", "assertRegexpMatches":
		a.Relation, a.Negated = testmodel.Matches, name == "assertNotRegex"
		a.Subject, a.Expected = canon(left), canon(right)
	case "assertCountEqual", "assertItemsEqual":
		a.Relation = testmodel.LooseEqual
	case "assertDictContainsSubset":
		a.Relation, a.Subject, a.Expected = testmodel.Subset, canon(right), canon(left)
	case "assertAlmostEqual", "assertAlmostEquals", "assertNotAlmostEqual", "assert_almost_equal", "assert_array_almost_equal", "assert_approx_equal":
		a.Negated = name == "assertNotAlmostEqual"
		almost(a, positional, keyword)
	case "assert_allclose", "assert_array_almost_equal_nulp":
		a.Relation = testmodel.Approx
		for i, k := range []string{"rtol", "atol"} {
			if len(positional) > i+2 {
				keyword[k] = positional[i+2]
			}
		}
		tolerance(a, keyword, "rtol", "atol")
	default:
		return nil
	}
	return a
}

// almost models assertAlmostEqual(a, b, places, msg, delta).
func almost(a *testmodel.Assert, positional []syntax.Node, keyword map[string]syntax.Node) {
	a.Relation = testmodel.Approx
	if d, ok := keyword["delta"]; ok && !d.Is("none") {
		tolerance(a, keyword, "delta")
		return
	}
	places := 7.0
	for _, k := range []string{"places", "decimal", "significant"} {
		n, ok := keyword[k]
		if !ok && len(positional) > 2 {
			n, ok = positional[2], true
		}
		if !ok {
			continue
		}
		v, isNumber := number(n)
		if !isNumber {
			a.ToleranceTokens = append([]string{"places"}, canon(n)...)
			return
		}
		places = v
	}
	setPlaces(a, places)
}

func isMock(name string) bool {
	return strings.HasPrefix(name, "assert_called") || strings.HasPrefix(name, "assert_awaited") || strings.HasPrefix(name, "assert_any_") ||
		strings.HasPrefix(name, "assert_has_") || strings.HasPrefix(name, "assert_not_")
}

// mocked models the assertions of unittest.mock.
func mocked(call syntax.Node, name string) []*testmodel.Assert {
	subject := canon(call.Field("function").Field("object"))
	with := func() *testmodel.Assert {
		return &testmodel.Assert{Relation: testmodel.CalledWith, Name: name, Subject: subject, Expected: canon(call.Field("arguments"))}
	}
	times := func(n string) *testmodel.Assert {
		return &testmodel.Assert{Relation: testmodel.CalledN, Name: "call_count", Subject: subject, Expected: []string{n}}
	}
	switch strings.Replace(name, "awaited", "called", 1) {
	case "assert_called_once_with":
		return []*testmodel.Assert{with(), times("1")}
	case "assert_called_once":
		return []*testmodel.Assert{times("1")}
	case "assert_not_called":
		return []*testmodel.Assert{times("0")}
	case "assert_called":
		return []*testmodel.Assert{{Relation: testmodel.Called, Name: name, Subject: subject}}
	case "assert_any_call", "assert_any_await":
		a := with()
		a.Relation = testmodel.Subset
		return []*testmodel.Assert{a}
	default:
		return []*testmodel.Assert{with()}
	}
}
