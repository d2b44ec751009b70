package javascript

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// isComparison reports whether a condition says more than that something is
// true.
func isComparison(n syntax.Node) bool {
	n = bare(n)
	switch n.Kind() {
	case "binary_expression":
		switch n.Field("operator").Text() {
		case "===", "!==", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "instanceof", "in":
			return true
		}
		return false
	case "unary_expression":
		return n.Field("operator").Text() == "!"
	case "call_expression":
		_, ok := predicate(chainOf(n))
		return ok
	default:
		return false
	}
}

// truths are the assertions that a condition holds, or that it does not.
func truths(n syntax.Node, negated bool) []testmodel.Assert {
	var out []testmodel.Assert
	type part struct {
		n       syntax.Node
		negated bool
	}
	for parts := []part{{n, negated}}; len(parts) > 0; {
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		p.n = bare(p.n)
		operator := p.n.Field("operator").Text()
		switch {
		case p.n.Is("unary_expression") && operator == "!":
			parts = append(parts, part{p.n.Field("argument"), !p.negated})
		case p.n.Is("binary_expression") && (operator == "&&" && !p.negated || operator == "||" && p.negated):
			parts = append(parts, part{p.n.Field("right"), p.negated}, part{p.n.Field("left"), p.negated})
		default:
			a := condition(p.n)
			a.Negated = a.Negated != p.negated
			out = append(out, a)
		}
	}
	return out
}

// condition is the assertion that one condition holds.
func condition(n syntax.Node) testmodel.Assert {
	if n.Is("call_expression") {
		if a, ok := predicate(chainOf(n)); ok {
			return a
		}
	}
	if !n.Is("binary_expression") {
		return testmodel.Assert{Relation: testmodel.Truthy, Name: "assert", Subject: tokens(n)}
	}
	left, right, operator := n.Field("left"), n.Field("right"), n.Field("operator").Text()
	a := testmodel.Assert{Name: operator, Subject: tokens(left), Expected: tokens(right)}
	switch operator {
	case "===", "!==":
		a.Relation = byValue(testmodel.Identical, right)
		a.Negated = operator == "!=="
	case "==", "!=":
		a.Relation = testmodel.LooseEqual
		a.Negated = operator == "!="
	case "<", "<=", ">", ">=":
		a.Relation = testmodel.Compare
	case "instanceof":
		a.Relation = testmodel.TypeOf
	case "in":
		a.Relation, a.Subject, a.Expected = testmodel.HasField, a.Expected, a.Subject
	default:
		return testmodel.Assert{Relation: testmodel.Truthy, Name: "assert", Subject: tokens(n)}
	}
	return special(a, left, right)
}

// special says more exactly what an equality is about: a type, a length, the
// absence of a value.
func special(a testmodel.Assert, left, right syntax.Node) testmodel.Assert {
	equal := a.Relation == testmodel.Equal || a.Relation == testmodel.LooseEqual
	if !equal {
		return a
	}
	left, right = bare(left), bare(right)
	if left.Is("unary_expression") && left.Field("operator").Text() == "typeof" {
		a.Relation, a.Subject = testmodel.TypeOf, tokens(left.Field("argument"))
	}
	if null := right.Text(); a.Negated && (null == "null" || null == "undefined") {
		a.Relation, a.Expected = testmodel.Nil, nil
	}
	if n := len(a.Subject); n > 2 && a.Subject[n-1] == "length" && a.Subject[n-2] == "." {
		a.Relation, a.Subject = testmodel.Length, a.Subject[:n-2]
	}
	return a
}

// predicate is a call whose result says what it compares.
func predicate(c chain) (testmodel.Assert, bool) {
	l := c.last()
	if !l.called || l.name == "" {
		if c.root.Text() == "isDeepStrictEqual" && len(l.args) == 2 {
			return testmodel.Assert{Relation: testmodel.Equal, Name: "isDeepStrictEqual", Subject: tokens(l.arg(0)), Expected: tokens(l.arg(1))}, true
		}
		return testmodel.Assert{}, false
	}
	a := testmodel.Assert{Name: l.name, Subject: tokens(l.before), Expected: tokens(l.arg(0))}
	switch l.name {
	case "includes", "has":
		a.Relation = testmodel.Contains
		if bare(l.before).Is("array") {
			a.Relation, a.Subject, a.Expected = testmodel.OneOf, a.Expected, a.Subject
		}
	case "startsWith", "endsWith":
		a.Relation = testmodel.Prefix
	case "hasOwnProperty", "hasOwn":
		a.Relation = testmodel.HasField
	case "test":
		if !bare(l.before).Is("regex") {
			return a, false
		}
		a.Relation, a.Subject, a.Expected = testmodel.Matches, a.Expected, a.Subject
	case "isArray":
		a.Relation, a.Subject, a.Expected = testmodel.TypeOf, a.Expected, a.Subject
	case "isDeepStrictEqual", "is":
		if len(l.args) != 2 || l.name == "is" && c.root.Text() != "Object" {
			return a, false
		}
		a.Relation, a.Subject, a.Expected = testmodel.Equal, tokens(l.arg(0)), tokens(l.arg(1))
	default:
		return a, false
	}
	return a, len(l.args) > 0
}

// asPattern is an equality with something that is only described: expect.any
// and its like.
func asPattern(a testmodel.Assert, expected syntax.Node) testmodel.Assert {
	expected = bare(expected)
	c := chainOf(expected)
	if name, ok := asymmetric(c); ok {
		l := c.last()
		switch name {
		case "anything":
			a.Relation, a.Expected = testmodel.NotNil, nil
		case "any":
			a.Relation, a.Expected = testmodel.TypeOf, tokens(l.args...)
		case "stringContaining", "arrayContaining":
			a.Relation, a.Expected = testmodel.Contains, tokens(l.args...)
		case "stringMatching":
			a.Relation, a.Expected = testmodel.Matches, tokens(l.args...)
		case "closeTo":
			a.Relation, a.Expected = testmodel.Approx, tokens(l.arg(0))
			a.Tolerance, a.ToleranceTokens = digits(l.arg(1))
		default:
			a.Relation = testmodel.Subset
		}
		return a
	}
	for root := range expected.All("identifier") {
		if describes(root) {
			a.Relation = testmodel.Subset
			return a
		}
	}
	return a
}

// describes reports whether an identifier begins expect.any(…) or its like.
func describes(root syntax.Node) bool {
	switch root.Text() {
	case "expect", "jasmine", "sinon":
	default:
		return false
	}
	n := root
	for range maxLinks {
		p := n.Parent()
		if !p.Is("member_expression", "call_expression") || p.FirstChild() != n {
			break
		}
		n = p
	}
	_, ok := asymmetric(chainOf(n))
	return ok
}

// asymmetric is the name of expect.any(…) and its like.
func asymmetric(c chain) (string, bool) {
	root := c.root.Text()
	if len(c.links) == 0 || root != "expect" && root != "jasmine" && root != "sinon" {
		return "", false
	}
	l := c.last()
	switch l.name {
	case "any", "anything", "objectContaining", "arrayContaining", "stringContaining", "stringMatching", "closeTo", "match", "truthy", "falsy":
		return l.name, root != "sinon" || c.links[0].name == "match"
	default:
		return "", root == "sinon" && c.links[0].name == "match"
	}
}
