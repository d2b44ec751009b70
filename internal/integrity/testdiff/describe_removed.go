package testdiff

import (
	"cmp"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
)

// removed tells what is gone.
func (d *describer) removed(n *kernel.Node) {
	t := d.r.Old
	unit := t.UnitOf(n)
	if name, ok := t.IsMark(n); ok {
		d.markRemoved(n, name)
		return
	}
	if tests := d.testsIn(n); len(tests) > 0 {
		d.testsRemoved(n, tests)
		return
	}
	switch _, isAssertion := d.assertion(t, n); {
	case isAssertion:
		d.report(violation.AssertionRemoved, unit, n, nil, "Test assertion removed from "+unitWords(unit))
	case unit.Node == n && unit.Role == kernel.Setup:
		d.report(violation.FixtureChanged, unit, nameOf(n), nil, "Fixture or hook removed: "+unitWords(unit))
	case unit.Node == n:
		d.report(violation.HelperChanged, unit, nameOf(n), nil, "Removed: "+unitWords(unit))
	case asserts(d.r.Old, n):
		d.report(violation.AssertionRemoved, unit, firstAssertion(t, n), nil, "Test assertion removed from "+unitWords(unit))
	default:
		d.report(violation.TestModified, unit, n, nil, "Approved line removed from "+unitWords(unit))
	}
}

// nameOf is the node at the name of a definition, the node itself if it has none.
func nameOf(n *kernel.Node) *kernel.Node {
	return cmp.Or(n.Child("name"), n)
}

// firstAssertion is the first statement in a node that asserts something, the node itself if there
// is none.
func firstAssertion(t *kernel.Tree, n *kernel.Node) *kernel.Node {
	return cmp.Or(n.Find(func(k *kernel.Node) bool {
		_, ok := t.AssertionOf(k)
		return ok && k != n && t.InBlock(k)
	}), n)
}

// testsIn are the tests that a node is or holds.
func (d *describer) testsIn(n *kernel.Node) []kernel.Unit {
	var out []kernel.Unit
	n.Walk(func(k *kernel.Node) bool {
		if u, _ := d.r.Old.Unit(k); u.Role == kernel.Test {
			out = append(out, u)
			return false
		}
		return true
	})
	return out
}

// testsRemoved tells of tests that are gone, or that no runner takes for tests any more.
func (d *describer) testsRemoved(n *kernel.Node, tests []kernel.Unit) {
	for _, u := range tests {
		at := nameOf(u.Node)
		if now := d.uncollectedTwin(u); now != nil {
			d.report(violation.TestUncollected, u, at, nameOf(now), "Test no longer runs: no runner finds "+nameOf(now).Normalized())
			continue
		}
		d.report(violation.TestDeleted, u, at, nil, "Deleted: "+unitWords(u))
	}
	d.said[n] = true
}

// uncollectedTwin is a definition of the head that does what a test did and is none, nil if there
// is none.
func (d *describer) uncollectedTwin(u kernel.Unit) *kernel.Node {
	body := u.Node.Child("body").Normalized()
	if body == "" {
		return nil
	}
	return d.r.New.Root.Find(func(k *kernel.Node) bool {
		return d.r.New.IsDefinition(k) && !d.r.New.Collected(k) && k.Child("body").Normalized() == body
	})
}

// collectedTwin reports whether the head has a test of a definition's name.
func (d *describer) collectedTwin(n *kernel.Node) bool {
	return d.r.New.Root.Find(func(k *kernel.Node) bool {
		return d.r.New.IsDefinition(k) && nameOf(k).Normalized() == nameOf(n).Normalized() && d.r.New.Collected(k)
	}) != nil
}

// markRemoved tells of a decorator, annotation or attribute that is gone.
func (d *describer) markRemoved(n *kernel.Node, name string) {
	t := d.r.Old
	unit := t.UnitOf(n.Up)
	switch c := t.File; {
	case c.Has("rows", name):
		d.report(violation.ParamsDropped, unit, n, nil, "Cases dropped from "+unitWords(unit))
	case c.Has("test", name) && d.collectedTwin(n.Up):
		d.report(violation.TestModified, unit, n, nil, "Mark replaced of "+unitWords(unit)+": "+name)
	case c.Has("test", name):
		d.report(violation.TestUncollected, unit, nameOf(n.Up), nil, "Test no longer runs: "+unitWords(unit)+" lost its mark "+name)
	case c.Has("fails", name):
		d.report(violation.AssertionWeakened, unit, n, nil, "An expected failure is no longer demanded of "+unitWords(unit))
	default:
		d.report(violation.TestModified, unit, n, nil, "Mark removed from "+unitWords(unit)+": "+name)
	}
}
