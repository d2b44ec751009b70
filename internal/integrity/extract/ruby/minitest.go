package ruby

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// must is x.must_equal y and x.wont_equal y.
func (m *model) must(n syntax.Node, name string, receiver syntax.Node) []testmodel.Assert {
	of, block := methodName(receiver), syntax.Node{}
	if (of == "_" || of == "value" || of == "expect") && receiver.Field("receiver").IsZero() {
		block, receiver = receiver.Field("block"), arg(receiver, 0)
	}
	word := strings.TrimPrefix(strings.TrimPrefix(name, "must_"), "wont_")
	word = strings.TrimPrefix(word, "be_")
	switch word {
	case "raise":
		word = "raises"
	case "include":
		word = "includes"
	case "be":
		word = "operator"
	case "close_to", "within_delta":
		word = "in_delta"
	case "same_as":
		word = "same"
	}
	var given []syntax.Node
	if !receiver.IsZero() {
		given = append(given, receiver)
	}
	given = append(given, args(n)...)
	if len(given) > 1 && !slices.Contains([]string{"includes", "operator", "respond_to"}, word) {
		given[0], given[1] = given[1], given[0] // expected first
	}
	return m.assertion(word, name, given, block, strings.HasPrefix(name, "wont_"))
}

// asserted is assert_equal a, b and its like.
func (m *model) asserted(n syntax.Node, name string) []testmodel.Assert {
	word := strings.TrimPrefix(strings.TrimPrefix(name, "assert"), "refute")
	negated := strings.HasPrefix(name, "refute")
	word = strings.TrimPrefix(word, "_")
	if rest, ok := strings.CutPrefix(word, "not_"); ok || word == "not" {
		word, negated = strings.TrimPrefix(rest, "not"), !negated
	}
	if rest, ok := strings.CutPrefix(word, "no_"); ok {
		word, negated = rest, !negated
	}
	return m.assertion(word, name, args(n), n.Field("block"), negated)
}

// assertion is what an assertion's word demands of its arguments.
func (m *model) assertion(word, name string, given []syntax.Node, block syntax.Node, negated bool) []testmodel.Assert {
	at := func(i int) syntax.Node { return link{args: given}.arg(i) }
	a := testmodel.Assert{Name: name, Negated: negated, Subject: m.tokens(at(1)), Expected: m.tokens(at(0))}
	switch word {
	case "", "true", "block":
		return m.truthful(a, word, at(0), block)
	case "false":
		a.Relation, a.Subject, a.Expected = testmodel.Equal, m.tokens(at(0)), []string{"false"}
	case "equal":
		a.Relation = testmodel.Equal
		if slices.Equal(a.Expected, []string{"nil"}) {
			a.Relation, a.Expected = testmodel.Nil, nil
		}
		return m.sharpen(a, syntax.Node{})
	case "same":
		a.Relation = byValue(testmodel.Identical, at(0))
	case "nil":
		a.Relation, a.Subject, a.Expected = testmodel.Nil, m.tokens(at(0)), nil
	case "in_delta", "in_epsilon":
		a.Relation = testmodel.Approx
		a.Tolerance, a.ToleranceTokens = m.number(at(2))
	case "includes", "include":
		a.Relation, a.Subject, a.Expected = testmodel.Contains, m.tokens(at(0)), m.tokens(at(1))
		if at(0).Is("array") && len(at(0).Named()) > 0 {
			a.Relation, a.Subject, a.Expected = testmodel.OneOf, a.Expected, a.Subject
		}
	case "match":
		a.Relation = testmodel.Matches
	case "empty":
		a.Relation, a.Subject, a.Expected = testmodel.Length, m.tokens(at(0)), []string{"0"}
	case "kind_of", "instance_of":
		a.Relation = testmodel.TypeOf
	case "operator":
		a.Relation, a.Name = testmodel.Compare, m.unquoted(at(1))
		a.Subject, a.Expected = m.tokens(at(0)), m.tokens(at(2))
	case "predicate":
		a.Relation, a.Subject, a.Expected = testmodel.Truthy, append(m.tokens(at(0)), ".", m.unquoted(at(1))), nil
	case "respond_to":
		a.Relation, a.Subject, a.Expected = testmodel.HasField, m.tokens(at(0)), m.tokens(at(1))
	case "raises", "raise", "raise_with_message", "throws", "throw", "raise_kind_of":
		a.Relation, a.Subject, a.Expected = testmodel.Throws, m.tokens(statements(block)...), m.list(given)
	case "nothing_raised", "nothing_thrown", "raises_nothing":
		a.Relation, a.Subject, a.Expected = testmodel.Succeeds, m.tokens(statements(block)...), nil
	default:
		a.Relation, a.Subject, a.Expected = testmodel.Custom, m.tokens(at(0)), m.list(given[min(1, len(given)):])
		if !block.IsZero() {
			a.Expected = append(a.Expected, m.tokens(block)...)
		}
	}
	return []testmodel.Assert{a}
}

// truthful is assert x, by what x compares.
func (m *model) truthful(a testmodel.Assert, word string, n, block syntax.Node) []testmodel.Assert {
	if n.IsZero() && !block.IsZero() {
		if body := statements(block); len(body) == 1 {
			n = body[0]
		}
	}
	if isComparison(n) {
		out := m.truths(n, a.Negated)
		for i := range out {
			if out[i].Relation != testmodel.Compare {
				out[i].Name = a.Name
			}
		}
		return out
	}
	a.Relation, a.Subject, a.Expected = testmodel.Truthy, m.tokens(n), nil
	if word == "true" {
		a.Relation, a.Expected = testmodel.Equal, []string{"true"}
	}
	return []testmodel.Assert{a}
}

// isComparison reports whether a condition says more than that something is
// true.
func isComparison(n syntax.Node) bool {
	switch n.Kind() {
	case "binary":
		return slices.Contains([]string{"==", "!=", "===", "<", "<=", ">", ">=", "=~", "!~", "&&", "and", "||", "or"}, n.Field("operator").Text())
	case "unary":
		return n.Field("operator").Text() == "!" || n.Field("operator").Text() == "not"
	case "parenthesized_statements":
		return len(n.Named()) == 1 && isComparison(n.Named()[0])
	case "call":
		switch methodName(n) {
		case "nil?", "empty?", "include?", "is_a?", "kind_of?", "instance_of?", "start_with?", "end_with?", "eql?", "equal?", "match?", "key?", "respond_to?":
			return !n.Field("receiver").IsZero()
		}
	}
	return false
}

// truths are the assertions that a condition holds, or that it does not.
func (m *model) truths(n syntax.Node, negated bool) []testmodel.Assert {
	type part struct {
		n       syntax.Node
		negated bool
	}
	var out []testmodel.Assert
	for parts := []part{{n, negated}}; len(parts) > 0; {
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		for p.n.Is("parenthesized_statements") && len(p.n.Named()) == 1 {
			p.n = p.n.Named()[0]
		}
		operator := p.n.Field("operator").Text()
		isAnd, isOr := operator == "&&" || operator == "and", operator == "||" || operator == "or"
		switch {
		case p.n.Is("unary") && (operator == "!" || operator == "not"):
			parts = append(parts, part{p.n.Field("operand"), !p.negated})
		case p.n.Is("binary") && (isAnd && !p.negated || isOr && p.negated):
			parts = append(parts, part{p.n.Field("right"), p.negated}, part{p.n.Field("left"), p.negated})
		default:
			a := m.condition(p.n)
			a.Negated = a.Negated != p.negated
			out = append(out, m.sharpen(a, syntax.Node{})...)
		}
	}
	return out
}

// condition is the assertion that one condition holds.
func (m *model) condition(n syntax.Node) testmodel.Assert {
	if n.Is("call") {
		return m.question(n)
	}
	a := testmodel.Assert{Relation: testmodel.Truthy, Name: "assert", Subject: m.tokens(n)}
	if !n.Is("binary") {
		return a
	}
	operator := n.Field("operator").Text()
	left, right := m.tokens(n.Field("left")), m.tokens(n.Field("right"))
	switch operator {
	case "==", "===", "!=":
		a.Relation, a.Negated = testmodel.Equal, operator == "!="
		if slices.Equal(right, []string{"nil"}) {
			a.Relation, right = testmodel.Nil, nil
		}
	case "<", "<=", ">", ">=":
		a.Relation = testmodel.Compare
	case "=~", "!~":
		a.Relation, a.Negated = testmodel.Matches, operator == "!~"
	default:
		return a
	}
	a.Name, a.Subject, a.Expected = operator, left, right
	return a
}

// question is a method that ends in a question mark.
func (m *model) question(n syntax.Node) testmodel.Assert {
	a := testmodel.Assert{Name: methodName(n), Subject: m.tokens(n.Field("receiver")), Expected: m.list(args(n))}
	switch a.Name {
	case "nil?":
		a.Relation = testmodel.Nil
	case "empty?":
		a.Relation, a.Expected = testmodel.Length, []string{"0"}
	case "include?":
		a.Relation = testmodel.Contains
		if n.Field("receiver").Is("array") {
			a.Relation, a.Subject, a.Expected = testmodel.OneOf, a.Expected, a.Subject
		}
	case "is_a?", "kind_of?", "instance_of?":
		a.Relation = testmodel.TypeOf
	case "start_with?", "end_with?":
		a.Relation = testmodel.Prefix
	case "eql?":
		a.Relation = testmodel.Equal
	case "equal?":
		a.Relation = testmodel.Identical
	case "match?":
		a.Relation = testmodel.Matches
	case "key?", "respond_to?":
		a.Relation = testmodel.HasField
	default:
		return testmodel.Assert{Relation: testmodel.Truthy, Name: "assert", Subject: m.tokens(n)}
	}
	return a
}
