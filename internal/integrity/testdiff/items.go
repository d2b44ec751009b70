package testdiff

import (
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// item is a statement of a unit in the order of the source, whatever it is
// nested in.
type item struct {
	*testmodel.Stmt
	parent int    // index of the statement around it, -1 at the top
	key    string // equal keys: the same statement, but for what is nested in it
	at     int    // where it is aligned: the number of pairs before it
}

// flatten lists statements with what is nested in them, outer ones first.
func flatten(body []testmodel.Stmt) []item {
	var out []item
	var walk func(body []testmodel.Stmt, parent int)
	walk = func(body []testmodel.Stmt, parent int) {
		for i := range body {
			at := len(out)
			out = append(out, item{Stmt: &body[i], parent: parent, key: keyOf(&body[i])})
			walk(body[i].Body, at)
		}
	}
	walk(body, -1)
	return out
}

// keyOf identifies what a statement says. How an assertion is written, its
// message, and whether it ends the test do not count.
func keyOf(s *testmodel.Stmt) string {
	if s.Assert != nil {
		return string(s.Kind) + "\x00" + keyOfAssert(s.Assert)
	}
	swallows := ""
	if s.Swallows {
		swallows = "!"
	}
	return string(s.Kind) + swallows + "\x00" + s.Mock + "\x00" + joined(s.Head)
}

func keyOfAssert(a *testmodel.Assert) string {
	var b strings.Builder
	b.WriteString(string(a.Relation))
	if a.Negated {
		b.WriteString(" not")
	}
	if a.Lost {
		b.WriteString(" lost")
	}
	if named(a.Relation) {
		b.WriteString(" " + a.Name)
	}
	for _, part := range [][]string{a.Subject, a.Expected, a.ToleranceTokens} {
		b.WriteString("\x01" + joined(part))
	}
	if a.Tolerance != nil {
		b.WriteString(strconv.FormatFloat(*a.Tolerance, 'g', -1, 64))
	}
	return b.String()
}

// named reports whether the name of an assertion says more than its relation.
func named(r testmodel.Relation) bool {
	switch r {
	case testmodel.Compare, testmodel.Prefix, testmodel.Custom, testmodel.CalledWith, testmodel.Snapshot:
		return true
	default:
		return false
	}
}

func joined(tokens []string) string { return strings.Join(tokens, "\x00") }

// inside reports whether item i is nested in item outer.
func inside(items []item, i, outer int) bool {
	for p := items[i].parent; p >= 0; p = items[p].parent {
		if p == outer {
			return true
		}
	}
	return false
}

// within reports whether item i is nested in a statement of that kind.
func within(items []item, i int, kind testmodel.Kind) bool {
	for p := items[i].parent; p >= 0; p = items[p].parent {
		if items[p].Kind == kind {
			return true
		}
	}
	return false
}

// equalUnits reports whether two units demand the same, layout apart.
func equalUnits(a, b *testmodel.Unit) bool {
	return a.Uncollected == b.Uncollected && equalTokens(a.Params, b.Params) && equalMarks(a.Marks, b.Marks) &&
		equalRows(a.Rows, b.Rows) && equalBodies(a.Body, b.Body)
}

func equalMarks(a, b []testmodel.Mark) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Effect != b[i].Effect || a[i].Mock != b[i].Mock || !equalTokens(a[i].Tokens, b[i].Tokens) {
			return false
		}
	}
	return true
}

func equalRows(a, b []testmodel.Row) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equalTokens(a[i].Tokens, b[i].Tokens) {
			return false
		}
	}
	return true
}

func equalBodies(a, b []testmodel.Stmt) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.Kind != y.Kind || x.Swallows != y.Swallows || x.Mock != y.Mock || x.Assert == nil && !equalTokens(x.Head, y.Head) ||
			!equalRows(x.Rows, y.Rows) || !equalBodies(x.Body, y.Body) || !equalAsserts(x.Assert, y.Assert) {
			return false
		}
	}
	return true
}

func equalAsserts(a, b *testmodel.Assert) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Relation == b.Relation && a.Negated == b.Negated && a.Lost == b.Lost && (!named(a.Relation) || a.Name == b.Name) &&
		equalTokens(a.Subject, b.Subject) && equalTokens(a.Expected, b.Expected) &&
		equalTokens(a.ToleranceTokens, b.ToleranceTokens) && equalNumbers(a.Tolerance, b.Tolerance)
}

func equalNumbers(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
