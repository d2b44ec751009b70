package testdiff

import (
	"cmp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// A difference is told by what it looks like: first by the effects that new code has on the tests
// around it, then by what became of the assertion that stood there. The kernel has decided before
// that there is one; the look only chooses its kind, and the last resort is «changed».

// effect is what code does to the tests around it, by its look.
type effect struct {
	kind violation.Kind
	is   func(t *kernel.Tree, n *kernel.Node) bool
	// inside is set where it concerns what stands around it: a new test may do so itself.
	inside bool
	// edit is set where a changed statement is told by it as well.
	edit bool
}

// effects are looked for in their order.
var effects = []effect{
	{violation.TestFocused, isFocus, false, true},
	{violation.TestUncollected, isHiding, false, false},
	{violation.TestSkipped, isSkip, true, true},
	{violation.EarlyReturn, isReturn, true, false},
	{violation.ExceptionSwallowed, isCatch, true, true},
	{violation.MockOfSUT, isMock, false, false},
	{violation.RetriesAdded, isRetry, false, false},
}

// added tells what is new and not proved harmless.
func (d *describer) added(n *kernel.Node) {
	t := d.r.New
	unit := t.UnitOf(n)
	for _, e := range effects {
		at := n.Find(func(k *kernel.Node) bool { return e.is(t, k) })
		if at != nil && !(e.inside && unit.Node == n && at != n) {
			d.report(e.kind, unit, nil, at)
			return
		}
	}
	hook := unit.Role == kernel.Setup && unit.Node == n
	switch {
	case unit.Node == n && strings.HasPrefix(unit.Name, "pytest_"):
		d.report(violation.ConftestHook, unit, nil, n)
	case hook, t.Callee(n) != "" && t.File.Has("hook", t.Callee(n)):
		d.report(violation.FixtureChanged, unit, nil, n)
	default:
		d.report(violation.TestModified, unit, nil, n)
	}
}

// changed tells how a statement or a part of it became another.
func (d *describer) changed(diff kernel.Difference) {
	old, now := diff.OldStatement, diff.NewStatement
	unit, at := d.r.Old.UnitOf(diff.Old), orLine(diff.Old, old)
	is := orLine(diff.New, now)
	renamed := d.r.Old.UnitOf(old).Node == old && diff.Old.Field == "name" && diff.Old.Up == old
	switch m := mark(d.r.Old, diff.Old); {
	case renamed && unit.Role == kernel.Test:
		d.report(violation.TestUncollected, unit, diff.Old, diff.New)
		return
	case d.rowsGone(diff):
		return
	case m != nil:
		d.markChanged(m, cmp.Or(mark(d.r.New, diff.New), now))
		return
	}
	// What the statement did before it does still: only an effect that is new is told. A mark is
	// told by itself, where it came or went.
	for _, e := range effects {
		was := old.Any(func(k *kernel.Node) bool { return e.is(d.r.Old, k) })
		at := now.Find(func(k *kernel.Node) bool { return e.is(d.r.New, k) })
		if e.edit && at != nil && !was && mark(d.r.New, at) == nil {
			d.report(e.kind, unit, nil, at)
			return
		}
	}
	kind := d.assertionChanged(diff)
	if kind == violation.AssertionRemoved {
		at, is = old, now
	}
	d.report(kind, unit, at, is)
}

// removed tells what is gone.
func (d *describer) removed(n *kernel.Node) {
	t := d.r.Old
	unit := t.UnitOf(n)
	if _, ok := t.IsMark(n); ok {
		d.markChanged(n, nil)
		return
	}
	tests := testsIn(t, n)
	for _, u := range tests {
		d.report(violation.TestDeleted, u, nameOf(u.Node), nil)
	}
	assertion := n.Find(func(k *kernel.Node) bool {
		_, ok := t.AssertionOf(k)
		return ok && (k == n || t.InBlock(k))
	})
	switch whole := unit.Node == n; {
	case len(tests) > 0:
		d.said[n] = true
	case whole && unit.Role == kernel.Setup:
		d.report(violation.FixtureChanged, unit, nameOf(n), nil)
	case whole:
		d.report(violation.HelperChanged, unit, nameOf(n), nil)
	case assertion != nil:
		d.report(violation.AssertionRemoved, unit, assertion, nil)
	default:
		d.report(violation.TestModified, unit, n, nil)
	}
}

// markChanged tells how a decorator, annotation or attribute became another, or went (nil).
func (d *describer) markChanged(old, now *kernel.Node) {
	t, unit := d.r.Old, d.r.Old.UnitOf(old.Up)
	name, _ := t.IsMark(old)
	kind := violation.TestModified
	switch {
	case skips.MatchString(now.Normalized()):
		kind = violation.TestSkipped
	case t.File.Has("rows", name) && len(now.Normalized()) < len(old.Normalized()):
		kind = violation.ParamsDropped
	case t.File.Has("rows", name):
		kind = violation.ExpectedChanged
	case now == nil && t.File.Has("test", name):
		kind, old = violation.TestUncollected, nameOf(old.Up)
	case now != nil, t.File.Has("fails", name):
		kind = violation.AssertionWeakened
	}
	d.report(kind, unit, old, now)
}

// rowsGone tells of rows that a table lost.
func (d *describer) rowsGone(diff kernel.Difference) bool {
	was, ok := kernel.IsList(diff.Old)
	is, ok2 := kernel.IsList(diff.New)
	if _, asserts := assertionIn(d.r.Old, diff.OldStatement); asserts || !ok || !ok2 ||
		len(is) >= len(was) {
		return false
	}
	n := len(d.out)
	for _, k := range was {
		same := func(other *kernel.Node) bool { return other.Normalized() == k.Normalized() }
		if !slices.ContainsFunc(is, same) {
			d.report(violation.ParamsDropped, d.r.Old.UnitOf(diff.Old), k, nil)
		}
	}
	return len(d.out) > n
}

// orLine is the differing node where it stands on a line of its own within a statement of several,
// else the statement.
func orLine(part, statement *kernel.Node) *kernel.Node {
	if part != nil && statement != nil && part.Line != statement.Line {
		return part
	}
	return statement
}

// nameOf is the node at the name of a definition, the node itself if it has none.
func nameOf(n *kernel.Node) *kernel.Node { return cmp.Or(n.Child("name"), n) }

// testsIn are the tests that a node is or holds.
func testsIn(t *kernel.Tree, n *kernel.Node) (out []kernel.Unit) {
	n.Walk(func(k *kernel.Node) bool {
		u, _ := t.Unit(k)
		if u.Role == kernel.Test {
			out = append(out, u)
		}
		return u.Role != kernel.Test
	})
	return out
}

// mark is the decorator or annotation that a node stands in, nil if it stands in none.
func mark(t *kernel.Tree, n *kernel.Node) *kernel.Node {
	for ; n != nil; n = n.Up {
		if _, ok := t.IsMark(n); ok {
			return n
		}
	}
	return nil
}

// called is the name of a call or mark, "" of anything else.
func called(t *kernel.Tree, n *kernel.Node) string {
	if name, ok := t.IsMark(n); ok {
		return name
	}
	return t.Callee(n)
}

// isFocus reports whether a call makes the runner leave out all others.
func isFocus(t *kernel.Tree, n *kernel.Node) bool { return kernel.Focuses(t.Lang, t.Callee(n)) }

// isHiding reports whether a statement takes tests out of collection.
func isHiding(_ *kernel.Tree, n *kernel.Node) bool { return hides.MatchString(n.Normalized()) }

// isSkip reports whether a call or mark skips, or expects a failure.
func isSkip(t *kernel.Tree, n *kernel.Node) bool {
	name := called(t, n)
	_, isMark := t.IsMark(n)
	last := name[strings.LastIndexByte(name, '.')+1:]
	listed := func(name string) bool { return t.File.Has("skip", name) }
	switch {
	case n.Is("raise_statement"):
		return strings.Contains(n.Normalized(), "SkipTest")
	case name == "":
		return false
	case isMark && (listed(last) || t.File.Has("fails", name) ||
		strings.Contains(strings.ToLower(name), "skip")):
		return true
	}
	return listed(name) || listed(name+"()") // skipIf(c)("…", f)
}

// isReturn reports whether a return leaves its test, helper or fixture, and not a function that
// this hands on.
func isReturn(t *kernel.Tree, n *kernel.Node) bool {
	unit := t.UnitOf(n)
	if !n.Is("return_statement", "return", "return_expression") || len(n.Kids) == 0 ||
		unit.Role == kernel.Module || unit.Role == kernel.Suite {
		return false
	}
	functions := 0
	for up := n; up != nil && up != unit.Node; up = up.Up {
		if up.Is("func_literal", "arrow_function", "function_expression") {
			functions++
		}
	}
	return functions == 0 || functions == 1 && !t.IsDefinition(unit.Node)
}

// isCatch reports whether a statement catches failures within it.
func isCatch(_ *kernel.Tree, n *kernel.Node) bool {
	return n.Is("catch_clause", "except_clause", "rescue", "rescue_modifier") ||
		n.Is("with_statement") && strings.Contains(n.Normalized(), "suppress")
}

// isMock reports whether a call or mark replaces something, by the names that the mocking libraries
// give this.
func isMock(t *kernel.Tree, n *kernel.Node) bool {
	name := called(t, n)
	return replaces.MatchString(name[strings.LastIndex(name, ".")+1:]) ||
		strings.Contains(name, "patch")
}

// isRetry reports whether a leaf names a retry of failing tests.
func isRetry(_ *kernel.Tree, n *kernel.Node) bool { return retries.MatchString(n.Text) }

var (
	replaces = lazyregexp.New(
		`^(?:setattr|stubs?|spyOn|mock|doMock|replace|mock(?:Implementation|ReturnValue)|stub_const|` +
			`allow_any_instance_of)$|mockStatic`,
	)
	retries = lazyregexp.New(`(?i)flaky|rerun|retrytimes|retries|retry`)
	skips   = lazyregexp.New(`(?i)skip|\bignore\b`)
	hides   = lazyregexp.New(
		`^(?:__test__|collect_ignore|del test|private$)|\. __test__ =|go:build|\+build`,
	)
)

// Describe puts the differences of two versions of a file into words. It finds a word for each; it
// cannot find that one is none.
func Describe(p Pair, r kernel.Result) []Described {
	d := newDescriber(p, r)
	for _, diff := range r.Differences {
		d.difference(diff)
	}
	return d.out
}

// acting tells of an addition that acts on others, by what it does where there is a kind for that.
func (d *describer) acting(g kernel.Gain) workflow.Finding {
	d.out = nil
	d.added(g.Node)
	named := []violation.Kind{
		violation.RetriesAdded,
		violation.TestFocused,
		violation.TestSkipped,
		violation.TestUncollected,
	}
	if len(d.out) == 1 && slices.Contains(named, violation.Kind(d.out[0].Kind)) {
		return d.out[0].Finding
	}
	return violation.Added(violation.ActsOnOthers, d.is.place(d.p.AfterPath, g.Node.Line),
		"Added "+g.What+" acts on others: it "+g.Acts)
}

// difference tells one difference.
func (d *describer) difference(diff kernel.Difference) {
	old, now := diff.OldStatement, diff.NewStatement
	if d.said[old] && old != nil || d.said[now] && now != nil {
		return
	}
	switch {
	case diff.New == nil:
		d.removed(diff.Old)
	case diff.Old == nil:
		d.added(diff.New)
	default:
		d.changed(diff)
	}
}
