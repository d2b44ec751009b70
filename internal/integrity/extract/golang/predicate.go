package golang

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// shape says what a function of the standard library or of a testing library
// asserts and which of its arguments is what; -1 is none of them.
type shape struct {
	relation  testmodel.Relation
	negated   bool
	subject   int
	expected  int
	tolerance int
	n         int // arguments that count; those behind are a message
}

func two(r testmodel.Relation, subject, expected int) shape {
	return shape{relation: r, subject: subject, expected: expected, tolerance: -1, n: 2}
}

func one(r testmodel.Relation) shape {
	return shape{relation: r, expected: -1, tolerance: -1, n: 1}
}

func three(r testmodel.Relation, subject, expected, tolerance int) shape {
	return shape{relation: r, subject: subject, expected: expected, tolerance: tolerance, n: 3}
}

func (s shape) not() shape { s.negated = true; return s }

// predicates are functions that return a bool, by dotted name.
var predicates = map[string]shape{
	"reflect.DeepEqual":      two(testmodel.Equal, 0, 1),
	"bytes.Equal":            two(testmodel.Equal, 0, 1),
	"slices.Equal":           two(testmodel.Equal, 0, 1),
	"maps.Equal":             two(testmodel.Equal, 0, 1),
	"proto.Equal":            two(testmodel.Equal, 0, 1),
	"assert.ObjectsAreEqual": two(testmodel.Equal, 1, 0),
	"strings.EqualFold":      two(testmodel.LooseEqual, 0, 1),
	"bytes.EqualFold":        two(testmodel.LooseEqual, 0, 1),
	"strings.Contains":       two(testmodel.Contains, 0, 1),
	"strings.ContainsAny":    two(testmodel.Contains, 0, 1),
	"strings.ContainsRune":   two(testmodel.Contains, 0, 1),
	"bytes.Contains":         two(testmodel.Contains, 0, 1),
	"slices.Contains":        two(testmodel.Contains, 0, 1),
	"strings.HasPrefix":      two(testmodel.Prefix, 0, 1),
	"strings.HasSuffix":      two(testmodel.Prefix, 0, 1),
	"bytes.HasPrefix":        two(testmodel.Prefix, 0, 1),
	"bytes.HasSuffix":        two(testmodel.Prefix, 0, 1),
	"errors.Is":              two(testmodel.Throws, 0, 1),
	"errors.As":              two(testmodel.Throws, 0, 1),
	"regexp.MatchString":     two(testmodel.Matches, 1, 0),
	"regexp.Match":           two(testmodel.Matches, 1, 0),
}

// predicate is the assertion that a call returns true (want) or false.
func (s *scope) predicate(n syntax.Node, want bool) testmodel.Assert {
	c := callOf(n)
	a := testmodel.Assert{Relation: testmodel.Truthy, Name: "if", Subject: s.Tokens(n)}
	sh, known := predicates[c.dotted()]
	switch {
	case known && len(c.args) == sh.n:
		a = s.shaped(sh, c.dotted(), c.args)
		if sh.relation == testmodel.Equal && s.expects(c.args[0]) && !s.expects(c.args[1]) {
			a.Subject, a.Expected = a.Expected, a.Subject
		}
	case c.dotted() == "cmp.Equal" && len(c.args) >= 2:
		a = s.diffed(c)
	case (c.name == "Equal" || c.name == "EqualBytes") && !c.on.IsZero() && len(c.args) == 1:
		a = testmodel.Assert{Relation: testmodel.Equal, Name: ".Equal", Subject: s.Tokens(c.on), Expected: s.Tokens(c.args[0])}
	case (c.name == "MatchString" || c.name == "Match") && !c.on.IsZero() && len(c.args) == 1:
		a = testmodel.Assert{Relation: testmodel.Matches, Name: "." + c.name, Subject: s.Tokens(c.args[0]), Expected: s.Tokens(c.on)}
	}
	if !want {
		return negate(a)
	}
	return a
}

// shaped is the assertion that a shape makes of arguments; the caller has seen
// that there are enough of them.
func (s *scope) shaped(sh shape, name string, args []syntax.Node) testmodel.Assert {
	at := func(i int) []string {
		if i < 0 || i >= len(args) {
			return nil
		}
		return s.Tokens(args[i])
	}
	a := testmodel.Assert{Relation: sh.relation, Negated: sh.negated, Name: name, Subject: at(sh.subject), Expected: at(sh.expected)}
	if sh.tolerance >= 0 && sh.tolerance < len(args) {
		a = s.tolerant(a, args[sh.tolerance])
	}
	return a
}
