package javascript

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// jest reads a matcher of jest, vitest or jasmine.
func (x *expectation) jest(l link) (testmodel.Assert, bool) {
	if len(l.name) < 3 || !strings.HasPrefix(l.name, "to") || l.name[2] < 'A' || l.name[2] > 'Z' {
		return testmodel.Assert{}, false
	}
	a := testmodel.Assert{Lost: !l.called, Expected: joined(l.args)}
	switch l.name {
	case "toBe":
		a.Relation = byValue(testmodel.Identical, l.arg(0))
	case "toEqual", "toEqualTypeOf", "toHaveValue", "toBeChecked":
		a.Relation = byValue(testmodel.LooseEqual, l.arg(0))
	case "toStrictEqual":
		a.Relation = testmodel.Equal
	case "toBeNull", "toBeUndefined", "toBeNaN", "toBeTrue", "toBeFalse":
		word := strings.TrimPrefix(l.name, "toBe")
		if word != "NaN" {
			word = strings.ToLower(word)
		}
		a.Relation, a.Expected = constant(word, x)
	case "toBeDefined", "toBeInTheDocument":
		a.Relation = testmodel.NotNil
	case "toBeNullish":
		a.Relation = testmodel.Nil
	case "toBeTruthy":
		a.Relation = testmodel.Truthy
	case "toBeFalsy":
		a.Relation = testmodel.Falsy
	default:
		return x.jestMore(l, a)
	}
	if a.Relation == testmodel.Equal && x.negated && len(a.Expected) == 1 && (a.Expected[0] == "null" || a.Expected[0] == "undefined") {
		a = testmodel.Assert{Relation: testmodel.Nil, Name: l.name, Lost: a.Lost}
	}
	return a, true
}

func constant(word string, x *expectation) (testmodel.Relation, []string) {
	if x.negated && (word == "null" || word == "undefined") {
		return testmodel.Nil, nil
	}
	return testmodel.Equal, []string{word}
}

func (x *expectation) jestMore(l link, a testmodel.Assert) (testmodel.Assert, bool) {
	switch l.name {
	case "toBeCloseTo":
		a.Relation, a.Expected = testmodel.Approx, tokens(l.arg(0))
		a.Tolerance, a.ToleranceTokens = digits(l.arg(1))
	case "toBeGreaterThan", "toBeGreaterThanOrEqual", "toBeLessThan", "toBeLessThanOrEqual":
		a.Relation, a.Name = testmodel.Compare, operator(l.name)
	case "toContain", "toContainEqual", "toHaveTextContent", "toHaveClass", "toContainText":
		a.Relation = testmodel.Contains
	case "toMatch":
		a.Relation = testmodel.Matches
		if isString(bare(l.arg(0))) {
			a.Relation = testmodel.Contains
		}
	case "toHaveLength", "toHaveCount":
		a.Relation = testmodel.Length
	case "toHaveProperty", "toHaveAttribute":
		a.Relation, a.Expected = testmodel.HasField, tokens(l.arg(0))
		if len(l.args) > 1 {
			a.Relation, a.Subject, a.Expected = byValue(testmodel.LooseEqual, l.arg(1)), indexed(x.subject, l.arg(0)), tokens(l.arg(1))
		}
	case "toMatchObject":
		a.Relation = testmodel.Subset
	case "toBeInstanceOf", "toBeTypeOf":
		a.Relation = testmodel.TypeOf
	case "toBeOneOf":
		a.Relation = testmodel.OneOf
	case "toThrow", "toThrowError", "toThrowErrorMatchingInlineSnapshot", "toBeRejectedWith", "toBeRejectedWithError", "toBeRejected":
		a.Relation = testmodel.Throws
		a.Subject = thrower(x.node)
	case "toBeResolved":
		a.Relation = testmodel.Succeeds
	case "toMatchSnapshot", "toThrowErrorMatchingSnapshot", "toMatchFileSnapshot", "toHaveScreenshot":
		a.Relation = testmodel.Snapshot
	case "toMatchInlineSnapshot":
		a.Relation = testmodel.Equal
	default:
		return calledMatcher(l.name, a)
	}
	return a, true
}

// operator is the operator of a matcher that compares by order.
func operator(name string) string {
	switch name {
	case "toBeGreaterThan":
		return ">"
	case "toBeGreaterThanOrEqual":
		return ">="
	case "toBeLessThan":
		return "<"
	default:
		return "<="
	}
}

// calledMatcher reads what is said about a mock.
func calledMatcher(name string, a testmodel.Assert) (testmodel.Assert, bool) {
	switch name {
	case "toHaveBeenCalled", "toBeCalled", "toHaveReturned":
		a.Relation = testmodel.Called
	case "toHaveBeenCalledTimes", "toBeCalledTimes", "toHaveReturnedTimes":
		a.Relation = testmodel.CalledN
	case "toHaveBeenCalledOnce":
		a.Relation, a.Expected = testmodel.CalledN, []string{"1"}
	case "toHaveBeenCalledWith", "toBeCalledWith", "toHaveBeenLastCalledWith", "lastCalledWith", "toHaveBeenNthCalledWith",
		"nthCalledWith", "toHaveBeenCalledExactlyOnceWith", "toHaveReturnedWith", "toHaveBeenCalledOnceWith", "toHaveLastReturnedWith":
		a.Relation = testmodel.CalledWith
	default:
		return testmodel.Assert{}, false
	}
	return a, true
}

// joined are the tokens of arguments with commas between.
func joined(args []syntax.Node) []string {
	var out []string
	for i, n := range args {
		if i > 0 {
			out = append(out, ",")
		}
		out = append(out, tokens(n)...)
	}
	return out
}

// byValue is Equal where comparing by identity or loosely says the same as
// comparing values: with a literal that is no object.
func byValue(r testmodel.Relation, expected syntax.Node) testmodel.Relation {
	expected = bare(expected)
	if expected.Is("unary_expression") {
		expected = bare(expected.Field("argument"))
	}
	if expected.Is("string", "number", "true", "false", "null", "undefined", "template_string") || expected.Text() == "undefined" || expected.Text() == "NaN" {
		return testmodel.Equal
	}
	return r
}

// digits is the tolerance of toBeCloseTo: half of the last of that many
// decimal digits, two if none are given.
func digits(n syntax.Node) (*float64, []string) {
	precision := 2.0
	if !n.IsZero() {
		d, err := strconv.ParseFloat(n.Text(), 64)
		if err != nil {
			return nil, tokens(n)
		}
		precision = d
	}
	t := math.Pow(10, -precision) / 2
	return &t, nil
}

// indexed are the tokens of a subject's property.
func indexed(subject []string, key syntax.Node) []string {
	out := slices.Clone(subject)
	if name := bare(key); name.Is("string") && isName(unquoted(name)) {
		return append(out, ".", unquoted(name))
	}
	return append(append(append(out, "["), tokens(key)...), "]")
}
