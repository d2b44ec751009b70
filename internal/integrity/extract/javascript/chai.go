package javascript

import (
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// chai reads a word of chai's, sinon-chai's, or should's that asserts.
func (x *expectation) chai(l link) (testmodel.Assert, bool) {
	a := testmodel.Assert{Expected: tokens(l.arg(0))}
	if !l.called {
		a.Expected = nil
		return x.chaiProperty(l, a)
	}
	switch l.name {
	case "equal", "equals", "eq", "exactly":
		a.Relation = byValue(testmodel.Identical, l.arg(0))
		if x.deep {
			a.Relation = testmodel.Equal
		}
	case "eql", "eqls", "deepEqual", "become":
		a.Relation = testmodel.Equal
		x.async = x.async || l.name == "become"
	case "closeTo", "approximately":
		a.Relation = testmodel.Approx
		a.Tolerance, a.ToleranceTokens = number(l.arg(1))
	case "above", "gt", "greaterThan", "least", "gte", "greaterThanOrEqual", "below", "lt", "lessThan", "most", "lte", "lessThanOrEqual":
		a.Relation, a.Name = testmodel.Compare, chaiOperator(l.name)
	case "within":
		a.Relation, a.Expected = testmodel.Compare, joined(l.args)
	case "a", "an", "instanceof", "instanceOf", "type":
		a.Relation = testmodel.TypeOf
	case "include", "includes", "contain", "contains", "string", "containEql", "containDeep":
		a.Relation, a.Expected = testmodel.Contains, joined(l.args)
	case "property", "ownProperty", "haveOwnProperty", "haveOwnPropertyDescriptor":
		a = x.property(l, a)
	case "length", "lengthOf":
		a.Relation = testmodel.Length
	case "match", "matches":
		a.Relation = testmodel.Matches
	case "keys", "key", "respondTo", "respondsTo":
		a.Relation, a.Expected = testmodel.HasField, joined(l.args)
	case "members":
		a.Relation = testmodel.LooseEqual
		if x.include {
			a.Relation = testmodel.Contains
		}
	case "oneOf", "equalOneOf":
		a.Relation = testmodel.OneOf
	default:
		return x.chaiMore(l, a)
	}
	return a, true
}

func (x *expectation) chaiMore(l link, a testmodel.Assert) (testmodel.Assert, bool) {
	a.Expected = joined(l.args)
	switch l.name {
	case "throw", "throws", "Throw", "throwError":
		a.Relation, a.Subject = testmodel.Throws, thrower(x.node)
		if x.node.IsZero() {
			a.Subject = x.subject
		}
	case "rejectedWith", "rejected":
		a.Relation = testmodel.Throws
		x.async = true
	case "fulfilled":
		a.Relation = testmodel.Succeeds
		x.async = true
	case "calledWith", "calledOnceWith", "calledWithExactly", "calledOnceWithExactly", "calledWithMatch":
		a.Relation = testmodel.CalledWith
	case "callCount":
		a.Relation = testmodel.CalledN
	case "Function", "String", "Number", "Boolean", "Object", "Array", "Date", "Error", "Promise": // of should
		a.Relation, a.Expected = testmodel.TypeOf, []string{strconv.Quote(strings.ToLower(l.name))}
	case "ok", "true", "false", "null", "undefined", "exist", "empty", "NaN": // called, as dirty-chai and should have it
		return x.chaiProperty(l, a)
	default:
		return a, false
	}
	return a, true
}

// chaiProperty reads a word that asserts without being called.
func (x *expectation) chaiProperty(l link, a testmodel.Assert) (testmodel.Assert, bool) {
	switch l.name {
	case "true", "True", "false", "False", "null", "undefined", "NaN":
		a.Relation, a.Expected = constant(l.name, x)
	case "ok":
		a.Relation = testmodel.Truthy
	case "exist", "exists":
		a.Relation = testmodel.NotNil
	case "empty":
		a.Relation, a.Expected = testmodel.Length, []string{"0"}
	case "called":
		a.Relation = testmodel.Called
	case "calledOnce", "calledTwice", "calledThrice":
		a.Relation, a.Expected = testmodel.CalledN, []string{map[string]string{"calledOnce": "1", "calledTwice": "2", "calledThrice": "3"}[l.name]}
	case "rejected":
		a.Relation = testmodel.Throws
		x.async = true
	case "fulfilled":
		a.Relation = testmodel.Succeeds
		x.async = true
	case "arguments", "finite", "sealed", "frozen", "extensible", "iterable", "numeric":
		a.Relation, a.Expected = testmodel.Custom, []string{l.name}
	default:
		return a, false
	}
	return a, true
}

// property is property(name) or property(name, value); what follows is about
// the property.
func (x *expectation) property(l link, a testmodel.Assert) testmodel.Assert {
	a.Relation = testmodel.HasField
	of := x.subject
	x.subject, x.node = indexed(x.subject, l.arg(0)), syntax.Node{}
	if len(l.args) > 1 {
		a.Relation, a.Subject, a.Expected = byValue(testmodel.Identical, l.arg(1)), x.subject, tokens(l.arg(1))
		return a
	}
	a.Subject = of
	return a
}

func chaiOperator(name string) string {
	switch name {
	case "above", "gt", "greaterThan":
		return ">"
	case "least", "gte", "greaterThanOrEqual":
		return ">="
	case "below", "lt", "lessThan":
		return "<"
	default:
		return "<="
	}
}

// number is a tolerance that is written down, or else its tokens.
func number(n syntax.Node) (*float64, []string) {
	v, err := strconv.ParseFloat(n.Text(), 64)
	if err != nil {
		return nil, tokens(n)
	}
	return &v, nil
}
