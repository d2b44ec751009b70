package ruby

import (
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// matcher is what a matcher of RSpec demands of its subject.
func (m *model) matcher(n syntax.Node, subject []string) testmodel.Assert {
	a := testmodel.Assert{Subject: subject}
	if n.Is("binary") {
		if left := methodName(n.Field("left")); left == "be" {
			return m.ordered(n, a)
		}
	}
	root, links := chain(n)
	if n.Is("identifier") {
		links = []link{{name: n.Text(), node: n}}
		root = syntax.Node{}
	}
	if !root.IsZero() || len(links) == 0 {
		a.Relation, a.Name, a.Expected = testmodel.Custom, "matches", m.tokens(n)
		return a
	}
	l := links[0]
	a.Name, a.Expected = l.name, m.list(l.args)
	if find(links, "or") > 0 {
		a.Relation, a.Name, a.Expected = testmodel.Custom, "or", m.tokens(n)
		return a
	}
	if !m.plainMatcher(&a, l, links) && !m.calledMatcher(&a, l, links) && !m.predicate(&a, l) {
		a.Relation, a.Expected = testmodel.Custom, m.tokens(n)
	} else if !slices.Contains([]testmodel.Relation{testmodel.Approx, testmodel.Throws, testmodel.Called, testmodel.CalledN, testmodel.CalledWith}, a.Relation) {
		a.Expected = m.more(a.Expected, links[1:])
	}
	return a
}

// more are tokens with those of the calls that follow a matcher.
func (m *model) more(tokens []string, links []link) []string {
	for _, l := range links {
		tokens = append(append(tokens, ".", l.name), m.list(l.args)...)
	}
	return tokens
}

// ordered is be > x.
func (m *model) ordered(n syntax.Node, a testmodel.Assert) testmodel.Assert {
	a.Name, a.Expected = n.Field("operator").Text(), m.tokens(n.Field("right"))
	switch a.Name {
	case "==", "===":
		a.Relation = testmodel.Equal
	case "<", "<=", ">", ">=":
		a.Relation = testmodel.Compare
	case "=~":
		a.Relation = testmodel.Matches
	default:
		a.Relation = testmodel.Custom
	}
	return a
}

// plainMatcher reads a matcher about a value; false if it is none that is
// known.
func (m *model) plainMatcher(a *testmodel.Assert, l link, links []link) bool {
	switch l.name {
	case "eq", "eql", "match_array", "contain_exactly", "match":
		m.equality(a, l)
	case "be", "equal":
		a.Relation = byValue(testmodel.Identical, l.arg(0))
		if len(l.args) == 0 {
			a.Relation, a.Expected = testmodel.Truthy, nil
		}
	case "be_nil":
		a.Relation, a.Expected = testmodel.Nil, nil
	case "be_truthy":
		a.Relation = testmodel.Truthy
	case "be_falsey", "be_falsy":
		a.Relation = testmodel.Falsy
	case "be_within":
		a.Relation, a.Expected = testmodel.Approx, nil
		if i := find(links, "of", "percent_of"); i > 0 {
			a.Expected = m.list(links[i].args)
		}
		a.Tolerance, a.ToleranceTokens = m.number(l.arg(0))
		if find(links, "percent_of") > 0 {
			a.Tolerance, a.ToleranceTokens = nil, append(m.tokens(l.arg(0)), "%")
		}
	case "be_between":
		a.Relation = testmodel.Compare
	case "include":
		a.Relation = testmodel.Contains
	case "start_with", "end_with":
		a.Relation = testmodel.Prefix
	case "be_a", "be_an", "be_kind_of", "be_a_kind_of", "be_instance_of", "be_an_instance_of":
		a.Relation = testmodel.TypeOf
	case "respond_to", "have_key", "have_attribute":
		a.Relation = testmodel.HasField
	case "have_attributes":
		a.Relation = testmodel.Subset
	case "be_empty":
		a.Relation, a.Expected = testmodel.Length, []string{"0"}
	case "have_size", "have_length", "have_exactly", "have":
		a.Relation = testmodel.Length
	case "be_in":
		a.Relation = testmodel.OneOf
	case "raise_error", "raise_exception", "throw_symbol":
		a.Relation = testmodel.Throws
		a.Expected = m.more(a.Expected, links[1:])
		if !l.block.IsZero() {
			a.Expected = append(a.Expected, m.tokens(l.block)...)
		}
	case "match_snapshot":
		a.Relation = testmodel.Snapshot
	default:
		return false
	}
	return true
}

// equality is eq(x) and its like, weaker where x only describes a value.
func (m *model) equality(a *testmodel.Assert, l link) {
	a.Relation = testmodel.Equal
	value := l.arg(0)
	switch {
	case l.name == "match_array" || l.name == "contain_exactly":
		a.Relation = testmodel.LooseEqual
	case l.name == "match" && !value.Is("array", "hash", "pair"):
		a.Relation = testmodel.Matches
	case slices.Equal(a.Expected, []string{"nil"}):
		a.Relation, a.Expected = testmodel.Nil, nil
		return
	}
	if a.Relation == testmodel.Matches {
		return
	}
	for _, v := range l.args {
		for n := range v.All("call", "identifier") {
			if isDescription(methodName(n)) && n.Field("receiver").IsZero() {
				a.Relation = testmodel.Subset
			}
		}
	}
}

// isDescription reports whether a name is of a matcher that stands for a value.
func isDescription(name string) bool {
	switch name {
	case "anything", "any_args", "kind_of", "instance_of", "hash_including", "array_including", "duck_type", "boolean", "be_a", "be_an",
		"be_truthy", "be_present", "include", "including", "be_nil", "start_with", "match":
		return true
	default:
		return strings.HasPrefix(name, "a_") && len(name) > 5 || strings.HasPrefix(name, "an_") && len(name) > 6
	}
}

// calledMatcher reads a matcher about messages that were received.
func (m *model) calledMatcher(a *testmodel.Assert, l link, links []link) bool {
	if l.name != "receive" && l.name != "have_received" {
		return false
	}
	a.Subject = append(slices.Clone(a.Subject), append([]string{"."}, m.list(l.args)...)...)
	a.Relation, a.Expected = testmodel.Called, nil
	for _, more := range links[1:] {
		switch more.name {
		case "with":
			a.Relation, a.Expected = testmodel.CalledWith, append(m.list(more.args), a.Expected...)
		case "once", "twice", "thrice", "exactly", "times", "at_least", "at_most":
			if a.Relation == testmodel.Called {
				a.Relation = testmodel.CalledN
			}
			a.Expected = m.more(a.Expected, []link{more})
		default:
			a.Expected = m.more(a.Expected, []link{more})
		}
	}
	return true
}

// predicate reads be_valid as x.valid?.
func (m *model) predicate(a *testmodel.Assert, l link) bool {
	name, ok := strings.CutPrefix(l.name, "be_")
	if !ok || name == "" || !l.block.IsZero() {
		return false
	}
	a.Relation, a.Subject = testmodel.Truthy, append(slices.Clone(a.Subject), ".", name+"?")
	if len(a.Expected) > 0 {
		a.Subject = append(append(append(a.Subject, "("), a.Expected...), ")")
		a.Expected = nil
	}
	return true
}

// byValue is Equal where identity says the same as equality: with a literal.
func byValue(r testmodel.Relation, expected syntax.Node) testmodel.Relation {
	if expected.Is("true", "false", "nil", "integer", "float", "simple_symbol", "string") {
		return testmodel.Equal
	}
	return r
}

// number is a tolerance that is written down, or else its tokens.
func (m *model) number(n syntax.Node) (*float64, []string) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(n.Text(), "_", ""), 64)
	if err != nil {
		return nil, m.tokens(n)
	}
	return &v, nil
}
