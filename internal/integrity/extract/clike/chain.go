package clike

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Chain are the calls of a chain a(1).b(2).c(3), the first one first. A
// property between them is a Call without arguments and without node.
func (b *Body) Chain(n syntax.Node) []Call {
	var out []Call
	for n = Inner(n); !n.IsZero(); {
		if c := b.Dialect.Call(n); !c.IsZero() {
			out = append(out, c)
			n = Inner(c.On)
			continue
		}
		if len(out) == 0 || !n.Is("member_access_expression", "field_access") {
			break
		}
		name, on := n.Field("name"), n.Field("expression")
		if n.Is("field_access") {
			name, on = n.Field("field"), n.Field("object")
		}
		out = append(out, Call{Name: name.Text(), On: on})
		n = Inner(on)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// Link says what a fluent method demands of the subject.
type Link struct {
	Relation testmodel.Relation
	Negated  bool
	Name     string   // instead of the method's, for operators
	Expected []string // instead of the arguments'
	Near     int      // number of the argument that is a tolerance, from 1; 0 is none
}

// Fluent reads the links behind the start of a fluent assertion.
type Fluent struct {
	Links map[string]Link
	// Describes are methods that only say something: as, because.
	Describes map[string]bool
	// Demands reports whether an unknown method is an assertion; other unknown
	// methods lead to another subject, or change how it is compared.
	Demands func(name string) bool
}

// Read is what the links of a chain assert about a subject. A chain without
// any assertion is one that is lost.
func (f Fluent) Read(b *Body, start string, subject []string, links []Call) []testmodel.Assert {
	var out []testmodel.Assert
	var how []string
	for _, c := range links {
		if f.Describes[c.Name] && Mute(c.Args...) || c.IsZero() && (c.Name == "And" || c.Name == "Should") {
			continue
		}
		link, ok := f.Links[c.Name]
		switch {
		case ok && !c.IsZero():
			a := link.assert(b, c, subject)
			a.ToleranceTokens = append(a.ToleranceTokens, how...)
			out = append(out, a)
		case !c.IsZero() && f.Demands(c.Name):
			out = append(out, testmodel.Assert{
				Relation: testmodel.Custom, Name: c.Name, Subject: subject, Expected: b.Tokens(c.Args...), ToleranceTokens: how,
			})
		case strings.HasPrefix(c.Name, "ignoring"):
			how = append(append(how[:len(how):len(how)], c.Name), b.Tokens(c.Args...)...)
		default:
			subject = append(append(subject[:len(subject):len(subject)], ".", c.Name), b.Tokens(c.Args...)...)
		}
	}
	if out == nil {
		out = []testmodel.Assert{{Relation: testmodel.Custom, Name: start, Subject: subject, Lost: true}}
	}
	return out
}

func (l Link) assert(b *Body, c Call, subject []string) testmodel.Assert {
	a := testmodel.Assert{Relation: l.Relation, Negated: l.Negated, Name: c.Name, Subject: subject, Expected: l.Expected}
	if l.Name != "" {
		a.Name = l.Name
	}
	if l.Near > 0 {
		near := Inner(c.Arg(l.Near - 1))
		if in := b.Dialect.Call(near); len(in.Args) > 0 && in.Name != "" {
			near = in.Args[0] // within(0.1), offset(0.1)
		}
		a.Expected = b.Tokens(c.Arg(0))
		return b.Within(a, near)
	}
	if a.Expected == nil && len(c.Args) > 0 {
		a.Expected = b.Tokens(c.Args...)
	}
	return a
}
