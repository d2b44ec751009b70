package testdiff

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// change judges a statement, other than an assertion, that says something else
// than it did.
func (u *unitDiff) change(i, j int) {
	b, a := &u.b[i], &u.a[j]
	switch b.Kind {
	case testmodel.Assigns:
		u.changedValue(i, j)
	case testmodel.Loop:
		u.changedLoop(i, j)
	case testmodel.Branch:
		if !equalTokens(b.Head, a.Head) {
			u.changed(violation.TestModified, i, j, "Condition changed in an approved test: "+a.Text)
		}
	case testmodel.Handler:
		if a.Swallows && b.Swallows || !equalTokens(b.Head, a.Head) && a.Swallows == b.Swallows {
			u.changed(violation.TestModified, i, j, "Handler changed in an approved test: "+a.Text)
		}
	case testmodel.Skip:
		u.changed(violation.TestSkipped, i, j, "Test skipped under another condition: "+a.Text)
	case testmodel.Mocks:
		u.mock(j)
	case testmodel.Plain:
		if !isReport(b.Head) || !isReport(a.Head) {
			u.changed(violation.TestModified, i, j, "Statement changed in an approved test: "+a.Text)
		}
	case testmodel.Exits:
		if b.Swallows || a.Swallows || !strings.HasSuffix(u.d.is.path, ".go") { // of Go's it is known what the status comes of
			u.changed(violation.TestModified, i, j, "Statement changed in an approved test: "+a.Text)
		}
	case testmodel.Try, testmodel.Raises:
	default:
		u.changed(violation.TestModified, i, j, "Statement changed in an approved test: "+a.Text)
	}
}

// changedValue judges another value of the same name.
func (u *unitDiff) changedValue(i, j int) {
	b, a := &u.b[i], &u.a[j]
	was, is := rightSide(b.Stmt), rightSide(a.Stmt)
	if was != nil && is != nil && (equalTokens(resolve(was, u.wasValue), resolve(is, u.isValue)) || saysWhy(was, is)) {
		return
	}
	if len(b.Binds) == 1 && len(a.Binds) == 1 && b.Binds[0] == a.Binds[0] {
		name := b.Binds[0]
		if u.nowTautological(name) {
			u.changed(violation.Tautology, i, j, "Test assertion cannot fail any more: the expected value is taken from the result: "+a.Text)
			return
		}
		if u.changedTolerance(name, was, is, i, j) {
			return
		}
		switch subject, expected := u.roleOf(name); {
		case subject && was != nil && len(is) > len(was) && contains(is, was):
			u.changed(violation.AssertionWeakened, i, j, "Test assertion weakened: the value is normalised before it is checked: "+a.Text)
			return
		case expected && !subject:
			u.changed(violation.ExpectedChanged, i, j, fmt.Sprintf("Expected value %s changed: %s became %s", name, quote(was), quote(is)))
			return
		}
	}
	u.changed(violation.TestModified, i, j, "Test setup changed: "+a.Text)
}

// changedTolerance judges another number that assertions take only for the
// distance they allow; false if the name is something else.
func (u *unitDiff) changedTolerance(name string, was, is []string, i, j int) bool {
	x, ok := number(was)
	y, isNumber := number(is)
	uses, others := u.toleranceOf(name)
	if !ok || !isNumber || uses == 0 || others > 0 {
		return false
	}
	if y > x {
		u.changed(violation.ToleranceWidened, i, j, fmt.Sprintf("Tolerance widened: %s went from %s to %s", name, quote(was), quote(is)))
	}
	return true
}

// toleranceOf counts the assertions that take a name for their tolerance, and
// the other statements that mention it.
func (u *unitDiff) toleranceOf(name string) (uses, others int) {
	bodies := [][]item{u.b}
	if u.toplevel() {
		for _, p := range u.d.pairs {
			if p.was != nil && p.was != u.was {
				bodies = append(bodies, flatten(p.was.Body))
			}
		}
	}
	for _, items := range bodies {
		for k := range items {
			switch s := &items[k]; {
			case s.Assert != nil && slices.Contains(s.Assert.ToleranceTokens, name) && !slices.Contains(s.Assert.Subject, name) && !slices.Contains(s.Assert.Expected, name):
				uses++
			case !slices.Contains(s.Binds, name) && slices.Contains(tokensOf(s.Stmt), name):
				others++
			}
		}
	}
	return uses, others
}

// nowTautological reports whether an assertion compares a value with itself
// because of what a name stands for now.
func (u *unitDiff) nowTautological(name string) bool {
	for i := range u.b {
		j := u.toA[i]
		if a := u.b[i].Assert; a == nil || j < 0 || u.a[j].Assert == nil || !slices.Contains(a.Subject, name) && !slices.Contains(a.Expected, name) {
			continue
		}
		if tautological(u.resolved(u.a[j].Assert, u.isValue)) && !tautological(u.resolved(u.b[i].Assert, u.wasValue)) {
			return true
		}
	}
	return false
}

// roleOf tells whether a name is under test, or is what is expected.
func (u *unitDiff) roleOf(name string) (subject, expected bool) {
	for i := range u.b {
		if a := u.b[i].Assert; a != nil {
			subject = subject || slices.Contains(a.Subject, name)
			expected = expected || slices.Contains(a.Expected, name)
		}
	}
	if u.toplevel() {
		for _, p := range u.d.pairs {
			if p.was != nil {
				s, e := roleIn(p.was.Body, name)
				subject, expected = subject || s, expected || e
			}
		}
	}
	return subject, expected
}

func roleIn(body []testmodel.Stmt, name string) (subject, expected bool) {
	for i := range body {
		if a := body[i].Assert; a != nil {
			subject = subject || slices.Contains(a.Subject, name)
			expected = expected || slices.Contains(a.Expected, name)
		}
		s, e := roleIn(body[i].Body, name)
		subject, expected = subject || s, expected || e
	}
	return subject, expected
}

// changedLoop judges a loop over something else.
func (u *unitDiff) changedLoop(i, j int) {
	b, a := &u.b[i], &u.a[j]
	switch {
	case equalTokens(b.Head, a.Head):
	case u.rowsOfLoop(a) != nil && (len(b.Rows) > 0 || rowsNamed(u.b, &u.d.was.file, b.Head) != nil): // judged by rows
		if n := u.selecting(b.Head, a.Head); n != "" {
			u.changed(violation.ParamsDropped, i, j, "The test loops over fewer cases, by "+n+": "+a.Text)
		}
	case fewer(b.Head, a.Head):
		u.changed(violation.ParamsDropped, i, j, "The test loops over fewer cases: "+a.Text)
	default:
		u.changed(violation.TestModified, i, j, "The test loops over something else: "+a.Text)
	}
}

// pickers are names in a loop's head that take only some of its cases.
var pickers = []string{
	"slice", "filter", "islice", "take", "first", "last", "skip", "drop", "step_by", "take_while", "Take", "Skip", "Where", "head", "tail", "sample", "select",
	"reject", "limit", "nth", "find", "splice", "subList", "filterfalse", "takewhile", "dropwhile", "[", "..", "..=", "...", ":", "values_at", "if", "break",
}

// selecting is what a loop's head has newly that takes only some of the cases,
// or has lost that made sure that all are there; "" if there is nothing.
func (u *unitDiff) selecting(was, is []string) string {
	count := func(tokens []string, name string) (n int) {
		for _, t := range tokens {
			if t == name {
				n++
			}
		}
		return n
	}
	if count(was, "strict") > count(is, "strict") {
		return "no longer being strict"
	}
	for _, p := range pickers {
		if count(is, p) > count(was, p) && !(p == ":" || p == "[" || p == "...") {
			return p
		}
	}
	for k := 1; k < len(is); k++ { // a part of a list: names[1:2], names[..1]
		if is[k] != "[" || !isName(is[k-1]) && is[k-1] != ")" || slices.Contains([]string{"in", "of", "range"}, is[k-1]) || count(was, "[") >= count(is, "[") {
			continue
		}
		return "a part of it"
	}
	return ""
}

// fewer reports whether a loop's head plainly covers less: a part of the same,
// or a smaller number where that is all that differs.
func fewer(was, is []string) bool {
	if len(is) > len(was) {
		return contains(is, was[1:])
	}
	if len(was) != len(is) {
		return false
	}
	less := false
	for k := range was {
		if was[k] == is[k] {
			continue
		}
		x, ok := number(was[k : k+1])
		y, isNumber := number(is[k : k+1])
		if !ok || !isNumber {
			return false
		}
		less = less || x != y
	}
	return less
}
