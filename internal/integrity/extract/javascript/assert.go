package javascript

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// assertCall is a function of node:assert, chai's assert, QUnit, tape or ava.
func assertCall(f flavor, name string, args []syntax.Node, awaited bool) []testmodel.Assert {
	arg := func(i int) syntax.Node { return link{args: args}.arg(i) }
	a := testmodel.Assert{Name: "assert." + name, Subject: tokens(arg(0))}
	name, a.Negated = positive(name)
	switch name {
	case "ok", "assert", "isTrue", "true", "isOk", "truthy", "isFalse", "false", "falsy":
		return truthCall(name, a, arg(0))
	case "equal", "is", "strictEqual", "same", "deepEqual", "deepStrictEqual", "propEqual", "deep", "equals", "sameMembers", "sameDeepMembers":
		a.Relation = equality(f, name, arg(1))
		a.Expected = tokens(arg(1))
		x := expectation{node: bare(arg(0)), subject: a.Subject, negated: a.Negated}
		b := a
		b.Subject, b.Negated = nil, false
		for _, s := range x.sharpen(b, link{args: args[min(1, len(args)):]}) {
			x.add(s)
		}
		return x.out
	case "throws", "rejects", "throwsAsync", "throw", "isRejected", "exception", "raises":
		a.Relation, a.Subject = testmodel.Throws, thrower(arg(0))
		a.Expected = withoutMessage(args, a.Negated)
		a.Lost = (name == "rejects" || name == "throwsAsync" || name == "isRejected") && !awaited
	default:
		return assertMore(name, args, a)
	}
	return []testmodel.Assert{a}
}

// positive is the name of the assertion that a name negates, or that name.
func positive(name string) (string, bool) {
	switch name {
	case "not":
		return "is", true
	case "notOk", "notok", "isNotOk", "ifError":
		return name, false
	case "doesNotThrow", "notThrows", "doesNotReject", "notThrowsAsync":
		return map[string]string{"doesNotThrow": "throws", "notThrows": "throws", "doesNotReject": "rejects", "notThrowsAsync": "throwsAsync"}[name], true
	case "doesNotMatch":
		return "match", true
	}
	for _, prefix := range [...]string{"isNot", "not"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			if prefix == "isNot" {
				return "is" + rest, true
			}
			return strings.ToLower(rest[:1]) + rest[1:], true
		}
	}
	return name, false
}

// truthCall is assert(x), assert.ok(x), assert.isTrue(x) and their opposites.
func truthCall(name string, a testmodel.Assert, n syntax.Node) []testmodel.Assert {
	falsy := name == "isFalse" || name == "false" || name == "falsy"
	if n = bare(n); isComparison(n) {
		out := truths(n, falsy != a.Negated)
		for i := range out {
			if out[i].Relation != testmodel.Compare {
				out[i].Name = a.Name
			}
		}
		return out
	}
	switch name {
	case "isTrue", "true":
		a.Relation, a.Expected = testmodel.Equal, []string{"true"}
	case "isFalse", "false":
		a.Relation, a.Expected = testmodel.Equal, []string{"false"}
	case "falsy":
		a.Relation = testmodel.Falsy
	default:
		a.Relation = testmodel.Truthy
	}
	return []testmodel.Assert{a}
}

// equality is the relation of an assertion of equality in a flavor.
func equality(f flavor, name string, expected syntax.Node) testmodel.Relation {
	switch name {
	case "is", "strictEqual":
		return byValue(testmodel.Identical, expected)
	case "deepStrictEqual", "propEqual", "deep":
		return testmodel.Equal
	case "sameMembers", "sameDeepMembers":
		return testmodel.LooseEqual
	case "equal", "equals":
		if f == strict {
			return byValue(testmodel.Identical, expected)
		}
		return testmodel.LooseEqual
	default: // deepEqual, same
		if f == legacy {
			return testmodel.LooseEqual
		}
		return testmodel.Equal
	}
}

// withoutMessage are the tokens of what a throwing function should throw;
// message texts at the end of an assertion count for nothing.
func withoutMessage(args []syntax.Node, negated bool) []string {
	if len(args) < 2 || negated && isString(bare(args[1])) {
		return nil
	}
	rest := args[1:]
	if len(rest) > 1 && !isString(bare(rest[0])) && isString(bare(rest[1])) && !bare(rest[0]).Is("identifier") {
		rest = rest[:1]
	}
	return joined(rest)
}

func assertMore(name string, args []syntax.Node, a testmodel.Assert) []testmodel.Assert {
	arg := func(i int) syntax.Node { return link{args: args}.arg(i) }
	a.Expected = tokens(arg(1))
	switch name {
	case "notOk", "notok", "isNotOk":
		a.Negated = true
		return truthCall("ok", a, arg(0))
	case "ifError", "error":
		a.Relation, a.Expected = testmodel.Nil, nil
	case "match", "regex":
		a.Relation = testmodel.Matches
	case "isNull", "isUndefined", "isNaN":
		a.Relation, a.Expected = testmodel.Equal, []string{map[string]string{"isNull": "null", "isUndefined": "undefined", "isNaN": "NaN"}[name]}
		if a.Negated {
			a.Relation, a.Expected = testmodel.Nil, nil
		}
	case "exists", "isDefined":
		a.Relation, a.Expected = testmodel.NotNil, nil
	case "include", "includes", "contains", "deepInclude", "includeMembers":
		a.Relation = testmodel.Contains
	case "oneOf":
		a.Relation = testmodel.OneOf
	case "closeTo", "approximately":
		a.Relation = testmodel.Approx
		a.Tolerance, a.ToleranceTokens = number(arg(2))
	case "isAbove", "isAtLeast", "isBelow", "isAtMost", "operator":
		return order(name, args, a)
	case "instanceOf", "instance", "typeOf", "type", "isArray", "isObject", "isString", "isNumber", "isFunction", "isBoolean":
		a.Relation = testmodel.TypeOf
		if len(a.Expected) == 0 || strings.HasPrefix(name, "is") {
			a.Expected = []string{strings.TrimPrefix(name, "is")}
		}
	default:
		return assertRest(name, args, a)
	}
	return []testmodel.Assert{a}
}

func assertRest(name string, args []syntax.Node, a testmodel.Assert) []testmodel.Assert {
	switch name {
	case "lengthOf":
		a.Relation = testmodel.Length
	case "isEmpty":
		a.Relation, a.Expected = testmodel.Length, []string{"0"}
	case "property", "hasAllKeys", "hasAnyKeys", "nestedProperty", "ownProperty":
		a.Relation = testmodel.HasField
	case "propertyVal", "deepPropertyVal":
		a.Relation, a.Subject, a.Expected = testmodel.Equal, indexed(a.Subject, link{args: args}.arg(1)), tokens(link{args: args}.arg(2))
	case "like", "partialDeepStrictEqual", "containsSubset":
		a.Relation = testmodel.Subset
	case "snapshot", "fileSnapshot", "matchSnapshot":
		a.Relation = testmodel.Snapshot
	case "pass":
		a.Relation, a.Expected = testmodel.Always, nil
	case "expect":
		a.Relation, a.Subject, a.Expected = testmodel.CalledN, []string{"expect"}, a.Subject
	default:
		a.Relation, a.Expected = testmodel.Custom, joined(args[min(1, len(args)):])
	}
	return []testmodel.Assert{a}
}

// order is an assertion of order in chai.
func order(name string, args []syntax.Node, a testmodel.Assert) []testmodel.Assert {
	a.Relation = testmodel.Compare
	switch name {
	case "isAbove":
		a.Name = ">"
	case "isAtLeast":
		a.Name = ">="
	case "isBelow":
		a.Name = "<"
	case "isAtMost":
		a.Name = "<="
	default:
		l := link{args: args}
		a.Name, a.Expected = unquoted(l.arg(1)), tokens(l.arg(2))
	}
	return []testmodel.Assert{a}
}
