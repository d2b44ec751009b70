package golang

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// holds is what an expression demands that must be true (want) or false.
// Conditions that can be taken apart without a change of meaning are.
func (s *scope) holds(n syntax.Node, want bool) []testmodel.Assert {
	n = inner(n)
	switch op := n.Field("operator").Text(); {
	case n.Is("unary_expression") && op == "!":
		return s.holds(n.Field("operand"), !want)
	case n.Is("binary_expression") && (op == "&&" && want || op == "||" && !want):
		return append(s.holds(n.Field("left"), want), s.holds(n.Field("right"), want)...)
	case n.Is("binary_expression"):
		return []testmodel.Assert{s.compared(op, n, want)}
	case n.Is("call_expression"):
		return []testmodel.Assert{s.predicate(n, want)}
	case n.Is("true", "false"):
		if n.Is("true") == want {
			return []testmodel.Assert{{Relation: testmodel.Always, Name: n.Text()}}
		}
		return []testmodel.Assert{{Relation: testmodel.Never, Name: n.Text()}}
	}
	return []testmodel.Assert{s.truth(n, want)}
}

// truth is the assertion that an expression is true or false. One that was
// bound before, as the ok of a look-up, says what it stands for.
func (s *scope) truth(n syntax.Node, want bool) testmodel.Assert {
	a := testmodel.Assert{Relation: testmodel.Truthy, Name: "if", Subject: s.Tokens(n)}
	if from, ok := s.bound[n.Text()]; ok && n.Is("identifier") {
		switch from.Kind() {
		case "type_assertion_expression":
			a = testmodel.Assert{Relation: testmodel.TypeOf, Name: ".(type)", Subject: s.Tokens(from.Field("operand")), Expected: s.Tokens(from.Field("type"))}
		case "index_expression":
			a = testmodel.Assert{Relation: testmodel.HasField, Name: "[]", Subject: s.Tokens(from.Field("operand")), Expected: s.Tokens(from.Field("index"))}
		case "call_expression":
			if p := s.predicate(from, true); p.Relation != testmodel.Truthy {
				a = p
			}
		}
	}
	if !want {
		return negate(a)
	}
	return a
}

// opposite is what holds where a comparison does not.
var opposite = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// mirrored is a comparison with its sides exchanged.
var mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}

// compared is the assertion of a binary expression.
func (s *scope) compared(op string, n syntax.Node, want bool) testmodel.Assert {
	left, right := inner(n.Field("left")), inner(n.Field("right"))
	if opposite[op] == "" {
		a := testmodel.Assert{Relation: testmodel.Truthy, Name: op, Subject: s.Tokens(n)}
		if !want {
			return negate(a)
		}
		return a
	}
	if !want {
		op = opposite[op]
	}
	if s.expects(left) && !s.expects(right) {
		left, right = right, left
		if mirrored[op] != "" {
			op = mirrored[op]
		}
	}
	switch op {
	case "==":
		return s.equal(left, right)
	case "!=":
		return negate(s.equal(left, right))
	default:
		return s.ordered(op, left, right)
	}
}

// expectation are names of values that something is compared with.
var expectation = regexp.MustCompile(`(?i)^(want|exp|golden|reference)|\.(want|exp)`)

// expects reports whether an expression is what another is compared with.
func (s *scope) expects(n syntax.Node) bool {
	switch n.Kind() {
	case "nil", "true", "false", "int_literal", "float_literal", "rune_literal", "interpreted_string_literal", "raw_string_literal", "composite_literal":
		return true
	case "identifier", "selector_expression":
		return expectation.MatchString(n.Text())
	case "unary_expression":
		return n.Field("operator").Text() == "-" && s.expects(n.Field("operand"))
	case "call_expression":
		c := callOf(n)
		return (c.name == "len" || c.name == "string") && len(c.args) == 1 && s.expects(c.args[0])
	default:
		return false
	}
}

// equal is the assertion that two expressions are equal.
func (s *scope) equal(got, want syntax.Node) testmodel.Assert {
	switch c := callOf(s.origin(got)); {
	case want.Is("nil") && s.isError(got):
		return testmodel.Assert{Relation: testmodel.Succeeds, Name: "==", Subject: s.Tokens(got)}
	case want.Is("nil"):
		return testmodel.Assert{Relation: testmodel.Nil, Name: "==", Subject: s.Tokens(got)}
	case want.Is("true", "false"):
		return s.holds(got, want.Is("true"))[0]
	case c.name == "len" && len(c.args) == 1:
		return testmodel.Assert{Relation: testmodel.Length, Name: "len", Subject: s.Tokens(c.args[0]), Expected: s.Tokens(want)}
	case c.name == "Diff" && want.Text() == `""` && len(c.args) >= 2:
		return s.diffed(c)
	case c.name == "Compare" && want.Text() == "0" && len(c.args) == 2:
		return testmodel.Assert{Relation: testmodel.Equal, Name: c.dotted(), Subject: s.Tokens(c.args[0]), Expected: s.Tokens(c.args[1])}
	}
	return testmodel.Assert{Relation: testmodel.Equal, Name: "==", Subject: s.Tokens(got), Expected: s.Tokens(want)}
}

// origin is what a name was bound to, if it was bound once, or the node.
func (s *scope) origin(n syntax.Node) syntax.Node {
	if from, ok := s.bound[n.Text()]; ok && n.Is("identifier") {
		return from
	}
	return n
}

// diffed is the assertion that cmp.Diff or cmp.Equal makes. Options make it
// see less, so that they are part of it.
func (s *scope) diffed(c call) testmodel.Assert {
	got, want := c.args[0], c.args[1]
	if c.name == "Diff" || s.expects(got) && !s.expects(want) {
		got, want = want, got
	}
	return testmodel.Assert{
		Relation: testmodel.Equal, Name: c.dotted(), Subject: s.Tokens(got), Expected: s.Tokens(want),
		ToleranceTokens: s.Tokens(c.args[2:]...),
	}
}

// ordered is the assertion of <, <=, > or >=. The distance of two numbers is
// their equality within a tolerance.
func (s *scope) ordered(op string, left, right syntax.Node) testmodel.Assert {
	if c := callOf(right); c.dotted() == "math.Abs" {
		left, right, op = right, left, mirrored[op]
	}
	if c := callOf(s.origin(left)); c.dotted() == "math.Abs" && len(c.args) == 1 && strings.HasPrefix(op, "<") {
		return s.within(c.dotted(), c.args[0], right)
	}
	return testmodel.Assert{Relation: testmodel.Compare, Name: op, Subject: s.Tokens(left), Expected: s.Tokens(right)}
}

// within is the assertion that a difference is no larger than a tolerance.
func (s *scope) within(name string, difference, tolerance syntax.Node) testmodel.Assert {
	a := testmodel.Assert{Relation: testmodel.Approx, Name: name, Expected: []string{"0"}}
	difference = inner(difference)
	if difference.Is("binary_expression") && difference.Field("operator").Text() == "-" {
		got, want := difference.Field("left"), difference.Field("right")
		if s.expects(got) && !s.expects(want) {
			got, want = want, got
		}
		a.Subject, a.Expected = s.Tokens(got), s.Tokens(want)
	} else {
		a.Subject = s.Tokens(difference)
	}
	return s.tolerant(a, tolerance)
}

// tolerant adds a tolerance to an assertion.
func (s *scope) tolerant(a testmodel.Assert, tolerance syntax.Node) testmodel.Assert {
	a.ToleranceTokens = s.Tokens(tolerance)
	a.Tolerance = clike.Number(a.ToleranceTokens)
	if from := s.constant(tolerance); !from.IsZero() {
		a.Tolerance = clike.Number(s.Tokens(from))
	}
	return a
}

// constant is the value of a name that the file or function sets once.
func (s *scope) constant(n syntax.Node) syntax.Node {
	if !n.Is("identifier") {
		return syntax.Node{}
	}
	if from, ok := s.bound[n.Text()]; ok {
		return from
	}
	values := s.declared[n.Text()].Field("value").Named()
	if len(values) != 1 {
		return syntax.Node{}
	}
	return values[0]
}

// errorName are names that values of type error have.
var errorName = regexp.MustCompile(`^(e|err|error)$|^err[A-Z0-9_]|[eE]rr(or)?[0-9]*$|\.Err\(\)$`)

// isError reports whether an expression is an error by its name, or a panic
// that was recovered.
func (s *scope) isError(n syntax.Node) bool {
	if c := callOf(s.origin(n)); c.name == "recover" && c.on.IsZero() {
		return true
	}
	return n.Is("identifier", "selector_expression", "call_expression") && errorName.MatchString(n.Text())
}

// negate is the assertion that another does not hold.
func negate(a testmodel.Assert) testmodel.Assert {
	a.Negated = !a.Negated
	return build.Settle(a)
}
