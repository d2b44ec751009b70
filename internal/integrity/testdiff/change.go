package testdiff

import (
	"fmt"
	"slices"

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
	case testmodel.Try, testmodel.Raises:
	default:
		u.changed(violation.TestModified, i, j, "Statement changed in an approved test: "+a.Text)
	}
}

// changedValue judges another value of the same name.
func (u *unitDiff) changedValue(i, j int) {
	b, a := &u.b[i], &u.a[j]
	was, is := rightSide(b.Stmt), rightSide(a.Stmt)
	if was != nil && is != nil && equalTokens(resolve(was, u.wasValue), resolve(is, u.isValue)) {
		return
	}
	if len(b.Binds) == 1 && len(a.Binds) == 1 && b.Binds[0] == a.Binds[0] {
		name := b.Binds[0]
		if u.nowTautological(name) {
			u.changed(violation.Tautology, i, j, "Test assertion cannot fail any more: the expected value is taken from the result: "+a.Text)
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
	case fewer(b.Head, a.Head):
		u.changed(violation.ParamsDropped, i, j, "The test loops over fewer cases: "+a.Text)
	default:
		u.changed(violation.TestModified, i, j, "The test loops over something else: "+a.Text)
	}
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
