package testdiff

import (
	"slices"

	"workflow-reviewer/internal/integrity/testmodel"
)

// splitOff reports whether an approved assertion that is gone from its test
// stands in a new one that runs, about the same values and under no condition.
func (u *unitDiff) splitOff(i int) bool {
	if u.was.Role != testmodel.Test || len(u.was.Rows) > 0 || u.b[i].parent >= 0 || len(u.b[i].Body) > 0 {
		return false
	}
	was := u.resolved(u.b[i].Assert, u.wasValue)
	for _, t := range slices.Concat(was.Subject, was.Expected) {
		if slices.Contains(u.was.Locals, t) {
			return false // its value is not plain to see
		}
	}
	for _, unit := range u.d.newTests() {
		items := flatten(unit.Body)
		if !u.stepsOf(i, items) {
			continue
		}
		values := values(items)
		for k := range items {
			if items[k].Kind == testmodel.Returns || items[k].Kind == testmodel.Skip || items[k].Kind == testmodel.Mocks || items[k].Swallows {
				break
			}
			if items[k].Assert == nil || items[k].parent >= 0 {
				continue
			}
			w, x := oriented(was, u.resolved(items[k].Assert, values))
			if implies(x, w) && u.sameInputs(unit, was) {
				return true
			}
		}
	}
	return false
}

// stepsOf reports whether statements have all in them that the approved test
// does before assertion i besides assigning and asserting.
func (u *unitDiff) stepsOf(i int, items []item) bool {
	for k := range u.b[:i] {
		if kind := u.b[k].Kind; kind == testmodel.Assigns && !slices.ContainsFunc(u.b[k].Binds, isPath) || kind == testmodel.Asserts && len(u.b[k].Body) == 0 {
			continue
		}
		if !slices.ContainsFunc(items, func(it item) bool { return it.key == u.b[k].key }) {
			return false
		}
	}
	return true
}

// isPath reports whether a binding is of a part of something.
func isPath(bind string) bool { return bind != baseName(bind) }

// sameInputs reports whether what an assertion gets from its runner is what the
// new test gets too.
func (u *unitDiff) sameInputs(unit *testmodel.Unit, a *testmodel.Assert) bool {
	for _, p := range u.was.Params {
		if (slices.Contains(a.Subject, p) || slices.Contains(a.Expected, p)) && !slices.Contains(unit.Params, p) {
			return false
		}
	}
	was, _ := suiteOf(u.was.Name)
	is, _ := suiteOf(unit.Name)
	return was == is || !slices.ContainsFunc(slices.Concat(a.Subject, a.Expected), isSelf)
}

// newTests are tests of the head's file that the approved one does not have and
// that nothing keeps from running.
func (d *fileDiff) newTests() []*testmodel.Unit {
	var out []*testmodel.Unit
	for _, p := range d.pairs {
		if p.was == nil && p.is.Role == testmodel.Test && p.is.Uncollected == "" && len(p.is.Rows) == 0 &&
			!slices.ContainsFunc(p.is.Marks, func(m testmodel.Mark) bool { return m.Effect != "" || m.Mock != "" || m.Raises != nil }) {
			out = append(out, p.is)
		}
	}
	return out
}

// doneElsewhere reports whether a new test does what a statement did.
func (u *unitDiff) doneElsewhere(i int) bool {
	if u.was.Role != testmodel.Test {
		return false
	}
	for _, unit := range u.d.newTests() {
		items := flatten(unit.Body)
		if slices.ContainsFunc(items, func(it item) bool { return it.key == u.b[i].key && it.Assert == nil }) {
			return true
		}
	}
	return false
}
