package loss

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/catalogue"
	"workflow-reviewer/internal/integrity/kernel"
)

// strength says how many values pass an assertion. Strengths of one subject can be compared,
// unknown with none.
type strength int

const (
	unknown strength = iota
	existence
	part
	equality
)

// claim is what an assertion demands of what.
type claim struct {
	strength
	negated  bool
	subjects map[string]bool // in normal form
	literals []string
	entry    *catalogue.Entry
}

// strengths are those of the catalogue's relations. What is not listed is not compared.
var strengths = map[string]strength{
	"equality": equality, "identity": equality, "assert-equality": equality, "suite-equality": equality, "calls": equality,
	"order": part, "containment": part, "pattern": part, "approximation": part,
	"truth": existence, "called": existence, "assert-truth": existence, "suite-truth": existence,
}

// operators are those of conditions. Existence is what is left without one.
var operators = map[string]strength{
	"==": equality, "===": equality, "is": equality, "in": part, "<": part, ">": part, "<=": part, ">=": part,
}

// nothing are constants that an equality with is no more than a truth.
var nothing = []string{"true", "false", "none", "nil", "null", "undefined"}

// claim reads what a statement asserts.
func (r *reader) claim(n *kernel.Node) claim {
	a, ok := r.AssertionOf(n)
	if !ok {
		return claim{}
	}
	out := claim{negated: a.Negated, subjects: map[string]bool{}, literals: literals(n.Normalized()), entry: a.Entry}
	values := a.Values
	switch {
	case a.Entry == nil:
		out.strength = existence
	default:
		out.strength = strengths[a.Entry.Relation]
		if len(a.Entry.Roles) > 0 && a.Entry.Roles[0] == "t" && len(values) > 0 {
			values = values[1:]
		}
	}
	if out.strength == existence { // of a condition
		for _, v := range values {
			if s, negated := condition(v); s != unknown {
				out.strength, out.negated = s, out.negated != negated
			}
		}
	}
	trivial := false
	note := func(v *kernel.Node) {
		if v.Any(func(k *kernel.Node) bool { return strings.Contains(k.Kind, "identifier") }) {
			out.subjects[v.Normalized()] = true
		}
	}
	for _, v := range values {
		note(v)
		parts := append([]*kernel.Node{v}, v.Kids...)
		trivial = trivial || slices.ContainsFunc(parts, func(k *kernel.Node) bool {
			return slices.Contains(nothing, strings.ToLower(k.Normalized()))
		})
		for _, k := range v.Kids { // operands, and arguments of what is called
			note(k)
			for _, arg := range k.Arguments() {
				note(arg)
			}
		}
	}
	if up := n.Find(func(k *kernel.Node) bool { return k.Child("arguments") != nil && r.isSubject(k) }); up != nil {
		for _, arg := range up.Child("arguments").Arguments() {
			note(arg)
		}
	}
	if trivial && out.strength > existence {
		out.strength = existence
	}
	return out
}

// isSubject reports whether a call takes what matchers of a chain are about.
func (r *reader) isSubject(n *kernel.Node) bool {
	callee := r.Callee(n)
	return callee == "expect" || callee == "assertThat" || callee == "Expect"
}

// condition is the strength of a comparison; unknown if a node is none.
func condition(n *kernel.Node) (s strength, negated bool) {
	for _, k := range n.Kids {
		switch {
		case len(k.Kids) > 0:
		case k.Text == "!=" || k.Text == "!==" || k.Text == "not in" || k.Text == "is not" || k.Text == "not":
			return existence, true
		case operators[k.Text] != unknown:
			return operators[k.Text], false
		}
	}
	return unknown, false
}

// weaker reports whether a claim asks for less of the same than another.
func (c claim) weaker(than claim) bool {
	weaker := c.strength < than.strength && !c.keeps(than) ||
		c.entry != nil && than.entry != nil && catalogue.Stronger(than.entry, c.entry)
	if c.strength == unknown || !weaker || c.negated != than.negated {
		return false
	}
	for s := range c.subjects {
		if than.subjects[s] {
			return true
		}
	}
	return false
}

// keeps reports whether a claim names all that another does in literals: it says the same in
// another form.
func (c claim) keeps(other claim) bool {
	left := slices.Clone(c.literals)
	for _, l := range other.literals {
		i := slices.Index(left, l)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(other.literals) > 0
}
