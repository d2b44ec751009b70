package javascript

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// expectation is expect(x) on its way through what is said about x.
type expectation struct {
	node    syntax.Node // x
	subject []string
	awaited bool
	async   bool // a promise's outcome is meant
	rejects bool
	negated bool
	deep    bool
	include bool
	out     []testmodel.Assert
}

// maxLinks bounds how many words about a value are read; more than that makes
// an assertion that is compared as tokens.
const maxLinks = 60

// chain reads what follows expect(x). If that asserts nothing, the assertion
// is lost.
func (x *expectation) chain(links []link) []testmodel.Assert {
	if len(links) > maxLinks {
		x.add(testmodel.Assert{Relation: testmodel.Custom, Name: "expect", Expected: tokens(links[len(links)-1].whole)})
		return x.out
	}
	for i, l := range links {
		if l.name == "then" || l.name == "catch" || l.name == "finally" {
			break
		}
		if !x.flag(l) {
			x.matcher(l, i == len(links)-1)
		}
	}
	if len(x.out) == 0 {
		x.add(testmodel.Assert{Relation: testmodel.Custom, Name: "expect", Lost: true})
	}
	return x.out
}

// flag takes a word that only prepares; false if it asserts something.
func (x *expectation) flag(l link) bool {
	switch l.name {
	case "not":
		x.negated = !x.negated
	case "never":
		x.negated = true
	case "resolves", "eventually":
		x.async = true
	case "rejects":
		x.async, x.rejects = true, true
	case "deep", "nested", "own", "ordered", "any", "all", "itself", "strictly":
		x.deep = x.deep || l.name == "deep"
	case "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "still", "also", "instance":
	case "a", "an", "include", "contain", "includes", "contains", "length", "lengthOf":
		if l.called {
			return false
		}
		x.include = x.include || strings.HasPrefix(l.name, "incl") || strings.HasPrefix(l.name, "cont")
	default:
		return false
	}
	return true
}

// add completes an assertion with what has been said before.
func (x *expectation) add(a testmodel.Assert) {
	if a.Subject == nil {
		a.Subject = x.subject
	}
	if x.async && !x.rejects && a.Relation != testmodel.Succeeds && a.Relation != testmodel.Throws {
		a.Subject = append([]string{"await"}, a.Subject...)
	}
	a.Negated = a.Negated != x.negated
	a.Lost = a.Lost || x.async && !x.awaited
	x.out = append(x.out, a)
}

// matcher takes a link that asserts something.
func (x *expectation) matcher(l link, last bool) {
	a, ok := x.jest(l)
	if !ok {
		a, ok = x.chai(l)
	}
	if !ok {
		if !last && !l.called {
			return
		}
		a = testmodel.Assert{Relation: testmodel.Custom, Expected: joined(l.args), Lost: !l.called && strings.HasPrefix(l.name, "to")}
		if x.awaited {
			a.Subject = append([]string{"await"}, x.subject...)
		}
	}
	if a.Name == "" {
		a.Name = l.name
	}
	for _, b := range x.sharpen(a, l) {
		x.add(b)
	}
}

// sharpen says more exactly what an assertion demands: of a comparison's
// value, of a pattern among what is expected, of a length.
func (x *expectation) sharpen(a testmodel.Assert, l link) []testmodel.Assert {
	truth := slices.Equal(a.Expected, []string{"true"}) || a.Relation == testmodel.Truthy
	lie := slices.Equal(a.Expected, []string{"false"}) || a.Relation == testmodel.Falsy
	isEqual := a.Relation == testmodel.Equal || a.Relation == testmodel.LooseEqual || a.Relation == testmodel.Identical
	if (truth || lie) && (isEqual || a.Expected == nil) && !x.async && isComparison(x.node) {
		out := truths(x.node, lie != x.negated)
		for i := range out {
			out[i].Lost = a.Lost
			if out[i].Relation != testmodel.Compare {
				out[i].Name = a.Name
			}
			out[i].Negated = out[i].Negated != x.negated // add turns it round again
		}
		return out
	}
	if isEqual && len(l.args) > 0 {
		a = asPattern(a, l.args[0])
	}
	if isEqual && a.Subject == nil && x.node.Is("unary_expression") && x.node.Field("operator").Text() == "typeof" {
		a.Relation, a.Subject = testmodel.TypeOf, tokens(x.node.Field("argument"))
	}
	if isEqual && a.Subject == nil {
		if n := len(x.subject); n > 2 && x.subject[n-1] == "length" && x.subject[n-2] == "." && a.Relation != testmodel.Subset {
			a.Relation, a.Subject = testmodel.Length, x.subject[:n-2]
		}
	}
	if a.Relation == testmodel.Contains && x.node.Is("array") && len(x.node.Named()) > 0 {
		a.Relation, a.Subject, a.Expected = testmodel.OneOf, a.Expected, x.subject
	}
	return []testmodel.Assert{a}
}
