package python

import (
	"math"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// refineEqual tells what an equality really demands: null, a type, a length,
// nearness.
func refineEqual(a *testmodel.Assert, left, right syntax.Node) {
	switch {
	case right.Is("none"):
		a.Relation, a.Expected = testmodel.Nil, nil
		if a.Negated {
			a.Relation, a.Negated = testmodel.NotNil, false
		}
	case left.Is("call") && callee(left) == "len":
		a.Relation, a.Subject = testmodel.Length, first(left)
	case left.Is("call") && callee(left) == "type":
		a.Relation, a.Subject, a.Expected = testmodel.TypeOf, first(left), typeOperand(right)
	case right.Is("call") && last(callee(right)) == "approx":
		approximate(a, right)
	case left.Is("call") && last(callee(left)) == "approx":
		a.Subject = canon(right)
		approximate(a, left)
	case left.Is("call") && callee(left) == "round":
		rounded(a, left)
	}
}

// typeOperand is T of type(x) is T, and y of type(x) is type(y).
func typeOperand(n syntax.Node) []string { return canon(n) }

// first are the tokens of a call's first argument.
func first(call syntax.Node) []string {
	positional, _ := arguments(call)
	if len(positional) == 0 {
		return canon(call)
	}
	return canon(positional[0])
}

// approximate models == pytest.approx(expected, rel, abs).
func approximate(a *testmodel.Assert, approx syntax.Node) {
	positional, keyword := arguments(approx)
	a.Relation, a.Expected = testmodel.Approx, first(approx)
	for i, name := range []string{"", "rel", "abs"} {
		if i > 0 && i < len(positional) {
			keyword[name] = positional[i]
		}
	}
	tolerance(a, keyword, "rel", "abs")
}

// tolerance reads tolerances by name; the first that is a number counts, all
// are tokens.
func tolerance(a *testmodel.Assert, keyword map[string]syntax.Node, names ...string) {
	for _, name := range names {
		n, ok := keyword[name]
		if !ok || n.Is("none") {
			continue
		}
		a.ToleranceTokens = append(append(a.ToleranceTokens, name), canon(n)...)
		v, ok := number(n)
		if !ok || a.Tolerance != nil { // several count together
			a.Tolerance = nil
			return
		}
		a.Tolerance = &v
	}
}

func number(n syntax.Node) (float64, bool) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(n.Text(), "_", ""), 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// rounded models round(x, 2) == y as nearness.
func rounded(a *testmodel.Assert, round syntax.Node) {
	positional, keyword := arguments(round)
	digits, given := keyword["ndigits"]
	if len(positional) > 1 {
		digits, given = positional[1], true
	}
	if len(positional) == 0 {
		return
	}
	places := 0.0
	if given {
		v, ok := number(digits)
		if !ok {
			return
		}
		places = v
	}
	a.Relation, a.Subject = testmodel.Approx, canon(positional[0])
	setPlaces(a, places)
}

// setPlaces is a tolerance of half a unit in that decimal place.
func setPlaces(a *testmodel.Assert, places float64) {
	v := 0.5 * math.Pow(10, -math.Max(-300, math.Min(300, places)))
	a.Tolerance = &v
	a.ToleranceTokens = []string{"places", strconv.FormatFloat(places, 'g', -1, 64)}
}

// refineCompare sees abs(a - b) < tolerance as nearness.
func refineCompare(a *testmodel.Assert, left, right syntax.Node) {
	name := callee(left)
	if (a.Name == "<" || a.Name == "<=") && (name == "abs" || name == "math.fabs") {
		positional, _ := arguments(left)
		if len(positional) == 1 {
			if d := bare(positional[0]); d.Is("binary_operator") && d.Field("operator").Text() == "-" {
				a.Relation, a.Subject, a.Expected = testmodel.Approx, canon(d.Field("left")), canon(d.Field("right"))
				a.ToleranceTokens = append([]string{"abs"}, canon(right)...)
				if v, ok := number(right); ok {
					a.Tolerance = &v
				}
			}
		}
		return
	}
	if name == "len" {
		a.Name = "len " + a.Name
		a.Subject = first(left)
	}
}

// predicate models calls whose truth says something known; nil for others.
func predicate(n syntax.Node) *testmodel.Assert {
	positional, keyword := arguments(n)
	name := callee(n)
	a := &testmodel.Assert{Name: last(name)}
	two := func(r testmodel.Relation, subject, expected syntax.Node) *testmodel.Assert {
		a.Relation, a.Subject, a.Expected = r, canon(subject), canon(expected)
		return a
	}
	switch {
	case len(positional) == 2 && (name == "isinstance" || name == "issubclass"):
		return two(testmodel.TypeOf, positional[0], positional[1])
	case len(positional) >= 2 && name == "hasattr":
		return two(testmodel.HasField, positional[0], positional[1])
	case len(positional) >= 2 && (name == "re.match" || name == "re.search" || name == "re.fullmatch"):
		return two(testmodel.Matches, positional[1], positional[0])
	case len(positional) >= 2 && (last(name) == "isclose" || last(name) == "allclose"):
		two(testmodel.Approx, positional[0], positional[1])
		tolerance(a, keyword, "rel_tol", "abs_tol", "rtol", "atol")
		return a
	case len(positional) >= 2 && last(name) == "array_equal":
		return two(testmodel.Equal, positional[0], positional[1])
	case len(positional) == 1 && name == "bool":
		return demand(positional[0])
	case len(positional) == 1 && name == "callable":
		a.Relation, a.Subject = testmodel.NotNil, canon(positional[0])
		return a
	}
	return method(n, a, positional)
}

// method models x.startswith(y) and x.equals(y).
func method(n syntax.Node, a *testmodel.Assert, positional []syntax.Node) *testmodel.Assert {
	f := n.Field("function")
	if !f.Is("attribute") || len(positional) != 1 {
		return nil
	}
	switch f.Field("attribute").Text() {
	case "startswith", "endswith":
		a.Relation = testmodel.Prefix
	case "equals", "__eq__":
		a.Relation = testmodel.Equal
	case "__contains__":
		a.Relation = testmodel.Contains
	default:
		return nil
	}
	a.Subject, a.Expected = canon(f.Field("object")), canon(positional[0])
	return a
}
