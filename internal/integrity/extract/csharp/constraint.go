package csharp

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// that is what Assert.That(actual, constraint) asserts, or of a condition.
func (d dialect) that(b *clike.Body, args []syntax.Node) ([]testmodel.Assert, []syntax.Node) {
	if len(args) == 1 || d.isMessage(b, args[1]) {
		return b.Holds(args[0], true), args[:1]
	}
	words := d.words(clike.Inner(args[1]))
	if len(words) < 2 {
		return []testmodel.Assert{{Relation: testmodel.Custom, Name: "That", Subject: b.Tokens(args[0]), Expected: b.Tokens(args[1])}}, args
	}
	return d.constrained(b, b.Tokens(clike.Run(args[0])), words), d.messageless(b, args, 2)
}

// words are the parts of a constraint: Is.Not.EqualTo(3) is Is, Not,
// EqualTo(3).
func (d dialect) words(n syntax.Node) []clike.Call {
	var out []clike.Call
	for !n.IsZero() {
		switch c := d.Call(n); {
		case !c.IsZero():
			out = append(out, c)
			n = c.On
		case n.Is("member_access_expression"):
			out = append(out, clike.Call{Name: n.Field("name").Text()})
			n = n.Field("expression")
		default:
			out = append(out, clike.Call{Name: n.Text()})
			n = syntax.Node{}
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// constraints are the relations of NUnit's constraints by name.
var constraints = map[string]clike.Link{
	"EqualTo": {Relation: testmodel.Equal}, "SameAs": {Relation: testmodel.Identical}, "EquivalentTo": {Relation: testmodel.LooseEqual},
	"Null": {Relation: testmodel.Nil}, "True": {Relation: testmodel.Truthy}, "False": {Relation: testmodel.Falsy},
	"Empty": {Relation: testmodel.Length, Expected: []string{"0"}}, "Zero": {Relation: testmodel.Equal, Expected: []string{"0"}},
	"Positive": {Relation: testmodel.Compare, Name: ">", Expected: []string{"0"}}, "Negative": {Relation: testmodel.Compare, Name: "<", Expected: []string{"0"}},
	"GreaterThan": {Relation: testmodel.Compare, Name: ">"}, "GreaterThanOrEqualTo": {Relation: testmodel.Compare, Name: ">="}, "AtLeast": {Relation: testmodel.Compare, Name: ">="},
	"LessThan": {Relation: testmodel.Compare, Name: "<"}, "LessThanOrEqualTo": {Relation: testmodel.Compare, Name: "<="}, "AtMost": {Relation: testmodel.Compare, Name: "<="},
	"InRange": {Relation: testmodel.OneOf}, "AnyOf": {Relation: testmodel.OneOf}, "InstanceOf": {Relation: testmodel.TypeOf}, "TypeOf": {Relation: testmodel.TypeOf},
	"AssignableTo": {Relation: testmodel.TypeOf}, "AssignableFrom": {Relation: testmodel.TypeOf}, "SubsetOf": {Relation: testmodel.OneOf}, "SupersetOf": {Relation: testmodel.Subset},
	"Contain": {Relation: testmodel.Contains}, "Contains": {Relation: testmodel.Contains}, "Member": {Relation: testmodel.Contains}, "Substring": {Relation: testmodel.Contains}, "Item": {Relation: testmodel.Contains}, "Value": {Relation: testmodel.Contains},
	"StartWith": {Relation: testmodel.Prefix}, "EndWith": {Relation: testmodel.Prefix}, "StartsWith": {Relation: testmodel.Prefix}, "EndsWith": {Relation: testmodel.Prefix},
	"Match": {Relation: testmodel.Matches}, "ContainKey": {Relation: testmodel.HasField}, "Key": {Relation: testmodel.HasField},
}

// constrained is what the words of a constraint demand of a subject.
func (d dialect) constrained(b *clike.Body, subject []string, words []clike.Call) []testmodel.Assert {
	var out []testmodel.Assert
	on, negated := subject, false
	for i, w := range words {
		link, known := constraints[w.Name]
		switch {
		case w.Name == "Or":
			return []testmodel.Assert{{Relation: testmodel.Custom, Name: "That", Subject: subject, Expected: b.Tokens(words[len(words)-1].Node)}}
		case i == 0 && w.Name == "Throws":
			return []testmodel.Assert{d.throws(b, subject, words[1:])}
		case i == 0, w.Name == "With":
		case w.Name == "Not" || w.Name == "No":
			negated = !negated
		case w.Name == "And":
			on, negated = subject, false
		case w.Name == "Within" && len(out) > 0 && len(w.Args) == 1:
			out[len(out)-1] = b.Within(out[len(out)-1], w.Args[0])
		case known:
			a := testmodel.Assert{Relation: link.Relation, Negated: negated, Name: w.Name, Subject: on, Expected: link.Expected}
			if link.Name != "" {
				a.Name = link.Name
			}
			if a.Expected == nil && len(w.Args)+len(w.Types) > 0 {
				a.Expected = append(d.typed(b, link.Relation, w.Args), b.Tokens(w.Types...)...)
			}
			out = append(out, lengthOf(build.Settle(a)))
		case len(out) > 0: // IgnoreCase, Using(…): how it is compared
			a := &out[len(out)-1]
			a.ToleranceTokens = append(append(a.ToleranceTokens, w.Name), b.Tokens(w.Args...)...)
		default: // Count, Property("x"), Some, All: what is compared
			on = append(append(on[:len(on):len(on)], ".", w.Name), b.Tokens(w.Args...)...)
		}
	}
	if out == nil {
		out = []testmodel.Assert{{Relation: testmodel.Custom, Name: "That", Subject: on, Negated: negated}}
	}
	return out
}

func (d dialect) typed(b *clike.Body, r testmodel.Relation, args []syntax.Node) []string {
	if r == testmodel.TypeOf && len(args) == 1 {
		return d.typeof(args[0])
	}
	return b.Tokens(args...)
}

// lengthOf turns the equality of a count into an assertion of length.
func lengthOf(a testmodel.Assert) testmodel.Assert {
	if n := len(a.Subject); a.Relation == testmodel.Equal && n > 2 && a.Subject[n-2] == "." {
		switch a.Subject[n-1] {
		case "Count", "Length":
			a.Relation, a.Subject = testmodel.Length, a.Subject[:n-2]
		}
	}
	return a
}

// throws is what the words behind Throws demand.
func (d dialect) throws(b *clike.Body, subject []string, words []clike.Call) testmodel.Assert {
	a := testmodel.Assert{Relation: testmodel.Throws, Name: "Throws", Subject: subject}
	for _, w := range words {
		switch {
		case w.Name == "Nothing":
			a.Relation = testmodel.Succeeds
		case w.Name == "Exception" && w.IsZero():
		case len(w.Types) > 0:
			a.Expected = append(a.Expected, b.Tokens(w.Types...)...)
		case w.Name == "TypeOf" || w.Name == "InstanceOf":
			a.Expected = append(a.Expected, d.typed(b, testmodel.TypeOf, w.Args)...)
		case strings.HasSuffix(w.Name, "Exception"):
			a.Expected = append(a.Expected, w.Name)
		default:
			a.Expected = append(append(a.Expected, w.Name), b.Tokens(w.Args...)...)
		}
	}
	return a
}
