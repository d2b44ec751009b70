package ruby

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// isAssertion reports whether a method's name is one of an assertion.
func isAssertion(name string) bool {
	switch name {
	case "expect", "assert", "refute", "is_expected", "are_expected", "should", "should_not", "flunk":
		return true
	default:
		return strings.HasPrefix(name, "assert_") || strings.HasPrefix(name, "refute_") || isMust(name)
	}
}

func isMust(name string) bool {
	return strings.HasPrefix(name, "must_") || strings.HasPrefix(name, "wont_")
}

// assertions are what a call asserts; nothing if it is no assertion.
func (m *model) assertions(n, at syntax.Node) []testmodel.Stmt {
	found := m.recognize(n)
	var out []testmodel.Stmt
	for _, a := range found {
		st := m.Builder.Assert(at, m.tokens(n), a)
		if a.Relation == testmodel.Called || a.Relation == testmodel.CalledWith || a.Relation == testmodel.CalledN {
			st.Mock = m.received(n)
		}
		out = append(out, st)
	}
	return out
}

func (m *model) recognize(n syntax.Node) []testmodel.Assert {
	name := methodName(n)
	receiver := n.Field("receiver")
	switch {
	case receiver.IsZero() && (name == "expect" || name == "is_expected"):
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: "expect", Subject: m.subject(n), Lost: true}}
	case name == "to" || name == "not_to" || name == "to_not":
		if of := methodName(receiver); of == "expect" || of == "is_expected" || of == "expect_any_instance_of" || of == "are_expected" {
			return m.matched(n, m.subject(receiver), receiver, name != "to")
		}
		return nil
	case name == "should" || name == "should_not":
		subject := []string{"subject"}
		if !receiver.IsZero() {
			subject = m.tokens(receiver)
		} else if len(args(n)) == 0 {
			return nil
		}
		return m.matched(n, subject, receiver, name == "should_not")
	case isMust(name):
		return m.must(n, name, receiver)
	case receiver.IsZero() && (strings.HasPrefix(name, "assert") || strings.HasPrefix(name, "refute") || name == "pass"):
		return m.asserted(n, name)
	default:
		return nil
	}
}

// subject are the tokens of what expect(…) or expect { … } is about.
func (m *model) subject(expect syntax.Node) []string {
	if methodName(expect) == "is_expected" || methodName(expect) == "are_expected" {
		return []string{"subject"}
	}
	if block := expect.Field("block"); !block.IsZero() {
		return m.tokens(statements(block)...)
	}
	return m.list(args(expect))
}

// received is what expect(x).to receive(:y) replaces.
func (m *model) received(n syntax.Node) string {
	receiver := n.Field("receiver")
	if methodName(receiver) != "expect" && methodName(receiver) != "expect_any_instance_of" {
		return ""
	}
	return m.allowed(link{args: args(receiver)}, link{args: args(n)})
}

// matched are the assertions of a matcher: expect(x).to matcher.
func (m *model) matched(n syntax.Node, subject []string, of syntax.Node, negated bool) []testmodel.Assert {
	matcher := arg(n, 0)
	if matcher.IsZero() {
		if block := n.Field("block"); !block.IsZero() { // expect { … }.to raise_error do |e| … end
			matcher = block
		}
	}
	if matcher.IsZero() {
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: "expect", Subject: subject, Lost: true}}
	}
	var out []testmodel.Assert
	for _, part := range compound(matcher) {
		for _, a := range m.sharpen(m.matcher(part, subject), arg(of, 0)) {
			a.Negated = a.Negated != negated
			out = append(out, a)
		}
	}
	return out
}

// compound are the matchers of a.and(b).
func compound(matcher syntax.Node) []syntax.Node {
	var out []syntax.Node
	for {
		name := methodName(matcher)
		if matcher.Is("binary") && matcher.Field("operator").Text() == "&" {
			out = append(out, matcher.Field("right"))
			matcher = matcher.Field("left")
			continue
		}
		if name != "and" || matcher.Field("receiver").IsZero() || len(args(matcher)) != 1 {
			out = append(out, matcher)
			slices.Reverse(out)
			return out
		}
		out = append(out, arg(matcher, 0))
		matcher = matcher.Field("receiver")
	}
}

// sharpen says more exactly what an assertion of truth or a length demands.
func (m *model) sharpen(a testmodel.Assert, of syntax.Node) []testmodel.Assert {
	yes := a.Relation == testmodel.Truthy || a.Relation == testmodel.Equal && slices.Equal(a.Expected, []string{"true"})
	no := a.Relation == testmodel.Falsy || a.Relation == testmodel.Equal && slices.Equal(a.Expected, []string{"false"})
	if (yes || no) && slices.Equal(a.Subject, m.tokens(of)) && isComparison(of) {
		out := m.truths(of, no)
		for i := range out {
			out[i].Name = a.Name
		}
		return out
	}
	if n := len(a.Subject); a.Relation == testmodel.Equal && n > 2 && a.Subject[n-2] == "." && isLength(a.Subject[n-1]) {
		a.Relation, a.Subject = testmodel.Length, a.Subject[:n-2]
	}
	return []testmodel.Assert{a}
}

func isLength(name string) bool { return name == "size" || name == "length" || name == "count" }

// oldComparison is x.should == y and x.must_be :<, y.
func (m *model) oldComparison(n, left syntax.Node, operator string) (testmodel.Assert, bool) {
	a := testmodel.Assert{
		Name: operator, Subject: m.tokens(left.Field("receiver")), Expected: m.tokens(n.Field("right")),
		Negated: methodName(left) == "should_not",
	}
	switch operator {
	case "==", "===":
		a.Relation = testmodel.Equal
	case "!=":
		a.Relation, a.Negated = testmodel.Equal, !a.Negated
	case "<", "<=", ">", ">=":
		a.Relation = testmodel.Compare
	case "=~":
		a.Relation = testmodel.Matches
	default:
		return a, false
	}
	return a, true
}
