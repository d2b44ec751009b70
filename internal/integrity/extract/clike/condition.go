package clike

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// opposite is what holds where a comparison does not; mirrored is a comparison
// with its sides exchanged.
var (
	opposite = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
	mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}
)

// Holds is what an expression demands that must be true (want) or false.
// Conditions that can be taken apart without a change of meaning are.
func (b *Body) Holds(n syntax.Node, want bool) []testmodel.Assert {
	n = Inner(n)
	op := operator(n)
	switch {
	case n.Is("unary_expression", "prefix_unary_expression") && op == "!":
		if in := n.Named(); len(in) == 1 {
			return b.Holds(in[0], !want)
		}
	case n.Is("binary_expression") && (op == "&&" && want || op == "||" && !want):
		return append(b.Holds(n.Field("left"), want), b.Holds(n.Field("right"), want)...)
	case n.Is("binary_expression") && opposite[op] != "":
		return []testmodel.Assert{b.compared(op, n, want)}
	case n.Is("instanceof_expression", "is_expression"):
		right := n.Field("right")
		if right.IsZero() {
			right = n.Field("pattern")
		}
		return []testmodel.Assert{b.TypeIs(n.Field("left"), right, want)}
	case n.Is("is_pattern_expression"):
		return []testmodel.Assert{b.pattern(n.Field("expression"), n.Field("pattern"), want)}
	}
	if a, ok := b.Dialect.Predicate(b, b.Dialect.Call(n)); ok {
		return []testmodel.Assert{settle(a, want)}
	}
	return []testmodel.Assert{settle(testmodel.Assert{Relation: testmodel.Truthy, Name: "true", Subject: b.Tokens(n)}, want)}
}

// TypeIs is the assertion that a value has a type, or has not.
func (b *Body) TypeIs(value, typ syntax.Node, want bool) testmodel.Assert {
	return settle(testmodel.Assert{Relation: testmodel.TypeOf, Name: "instanceof", Subject: b.Tokens(value), Expected: b.Tokens(typ)}, want)
}

// pattern is the assertion that a value fits a pattern.
func (b *Body) pattern(value, p syntax.Node, want bool) testmodel.Assert {
	for p.Is("parenthesized_pattern", "negated_pattern") {
		if p.Is("negated_pattern") {
			want = !want
		}
		in := p.Named()
		if len(in) != 1 {
			break
		}
		p = in[0]
	}
	a := testmodel.Assert{Relation: testmodel.Custom, Name: "is", Subject: b.Tokens(value), Expected: b.Tokens(p)}
	switch {
	case p.Text() == "null":
		a.Relation, a.Expected = testmodel.Nil, nil
	case p.Is("constant_pattern") && (p.Has("identifier") || p.Has("qualified_name")), p.Is("type_pattern"):
		a.Relation = testmodel.TypeOf
	case p.Is("declaration_pattern"):
		a.Relation, a.Expected = testmodel.TypeOf, b.Tokens(p.Field("type"))
	case p.Is("constant_pattern"):
		a.Relation = testmodel.Equal
	case p.Text() == "{}" || p.Text() == "{ }":
		a.Relation, a.Expected = testmodel.NotNil, nil
	}
	return settle(a, want)
}

// operator is the operator of a unary or binary expression.
func operator(n syntax.Node) string {
	if op := n.Field("operator"); !op.IsZero() {
		return op.Text()
	}
	if n.Is("prefix_unary_expression") {
		return n.FirstChild().Text()
	}
	return ""
}

// settle is an assertion, or its opposite, in the form in which all are.
func settle(a testmodel.Assert, want bool) testmodel.Assert {
	if !want {
		a.Negated = !a.Negated
	}
	return build.Settle(a)
}

// compared is the assertion of a comparison.
func (b *Body) compared(op string, n syntax.Node, want bool) testmodel.Assert {
	left, right := Inner(n.Field("left")), Inner(n.Field("right"))
	if !want {
		op = opposite[op]
	}
	if b.Expects(left) && !b.Expects(right) {
		left, right = right, left
		if mirrored[op] != "" {
			op = mirrored[op]
		}
	}
	switch op {
	case "==", "!=":
		return settle(b.equal(left, right), op == "==")
	default:
		return b.ordered(op, left, right)
	}
}

func (b *Body) equal(got, want syntax.Node) testmodel.Assert {
	a := testmodel.Assert{Relation: testmodel.Equal, Name: "==", Subject: b.Tokens(got), Expected: b.Tokens(want)}
	switch text := want.Text(); text {
	case "null":
		a.Relation, a.Expected = testmodel.Nil, nil
	case "true", "false":
		return b.Holds(got, text == "true")[0]
	}
	return b.SizeOf(a, got)
}

// SizeOf turns the equality of a size or length into an assertion of length.
func (b *Body) SizeOf(a testmodel.Assert, got syntax.Node) testmodel.Assert {
	c := b.Dialect.Call(got)
	on := c.On
	if got.Is("field_access", "member_access_expression") {
		c.Name = got.Field("field").Text() + got.Field("name").Text()
		if on = got.Field("object"); on.IsZero() {
			on = got.Field("expression")
		}
	}
	switch c.Name {
	case "size", "length", "Count", "Length", "count":
		if len(c.Args) == 0 && !on.IsZero() {
			a.Relation, a.Name, a.Subject = testmodel.Length, c.Name, b.Tokens(on)
		}
	}
	return a
}

// ordered is the assertion of <, <=, > or >=. The distance of two numbers is
// their equality within a tolerance.
func (b *Body) ordered(op string, left, right syntax.Node) testmodel.Assert {
	if b.isAbs(right) {
		left, right, op = right, left, mirrored[op]
	}
	if !b.isAbs(left) || !strings.HasPrefix(op, "<") {
		return testmodel.Assert{Relation: testmodel.Compare, Name: op, Subject: b.Tokens(left), Expected: b.Tokens(right)}
	}
	difference := Inner(b.Dialect.Call(left).Arg(0))
	a := testmodel.Assert{Relation: testmodel.Approx, Name: "abs", Subject: b.Tokens(difference), Expected: []string{"0"}}
	if difference.Is("binary_expression") && operator(difference) == "-" {
		got, want := difference.Field("left"), difference.Field("right")
		if b.Expects(got) && !b.Expects(want) {
			got, want = want, got
		}
		a.Subject, a.Expected = b.Tokens(got), b.Tokens(want)
	}
	return b.Within(a, right)
}

func (b *Body) isAbs(n syntax.Node) bool {
	c := b.Dialect.Call(n)
	return (c.Name == "abs" || c.Name == "Abs") && strings.HasSuffix(c.Object, "Math") && len(c.Args) == 1
}

// Within adds a tolerance to an assertion.
func (b *Body) Within(a testmodel.Assert, tolerance syntax.Node) testmodel.Assert {
	tolerance = Inner(tolerance)
	a.Relation, a.ToleranceTokens = testmodel.Approx, b.Tokens(tolerance)
	a.Tolerance = Number(a.ToleranceTokens)
	for _, values := range []map[string]syntax.Node{b.Constants, b.Values} {
		if value, ok := values[tolerance.Text()]; ok {
			a.Tolerance = Number(b.Tokens(value))
		}
	}
	return a
}

// expectation are names of values that something is compared with.
var expectation = regexp.MustCompile(`(?i)^(expect|want)|[._](expect|want)`)

// Expects reports whether an expression is what another is compared with.
func (b *Body) Expects(n syntax.Node) bool {
	switch kind := n.Kind(); {
	case strings.HasSuffix(kind, "_literal"), kind == "true", kind == "false":
		return true
	case kind == "identifier":
		return expectation.MatchString(n.Text())
	case kind == "unary_expression" || kind == "prefix_unary_expression":
		in := n.Named()
		return operator(n) == "-" && len(in) == 1 && b.Expects(in[0])
	default:
		return false
	}
}
