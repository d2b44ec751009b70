package testdiff

import (
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// added tells what is new and not proved harmless.
func (d *describer) added(n *kernel.Node) {
	t := d.r.New
	unit := t.UnitOf(n)
	callee := t.Callee(n)
	if name, ok := t.IsMark(n); ok {
		d.markAdded(n, name)
		return
	}
	focus := n.Find(func(k *kernel.Node) bool { return kernel.Focuses(t.Lang, t.Callee(k)) })
	skip := n.Find(func(k *kernel.Node) bool {
		return t.File.Has("skip", t.Callee(k)) || k.Is("raise_statement") && strings.Contains(k.Normalized(), "SkipTest")
	})
	mock := n.Find(func(k *kernel.Node) bool { return isMock(t.Callee(k)) })
	switch {
	case focus != nil:
		d.report(violation.TestFocused, unit, nil, focus, "Test focused, so that others do not run")
	case n.Normalized() != "" && isHiding(n):
		d.report(violation.TestUncollected, unit, nil, n, "Tests no longer run: "+oneLine(n.Normalized()))
	case skip != nil && !(unit.Node == n && unit.Role == kernel.Test && unit.Node != skip):
		d.report(violation.TestSkipped, unit, nil, skip, "Test skipped: "+unitWords(t.UnitOf(skip)))
	case leaves(t, n) != nil && unit.Node != n && unit.Role != kernel.Module && unit.Role != kernel.Suite:
		d.report(violation.EarlyReturn, unit, nil, leaves(t, n), "Early return added to "+unitWords(unit))
	case catches(n) && unit.Node != n:
		d.report(violation.ExceptionSwallowed, unit, nil, handlerOf(n), "A failure is swallowed in "+unitWords(unit))
	case mock != nil:
		d.report(violation.MockOfSUT, unit, nil, mock, "Something is replaced while the tests run: "+t.Callee(mock))
	case isRetry(n.Normalized()):
		d.report(violation.RetriesAdded, unit, nil, n, "A failing test is retried until it passes")
	case unit.Node == n && strings.HasPrefix(unit.Name, "pytest_"):
		d.report(violation.ConftestHook, unit, nil, n, "A hook of the runner was added: "+unit.Name)
	case unit.Node == n && unit.Role == kernel.Setup:
		d.report(violation.FixtureChanged, unit, nil, n, "Fixture or hook added that the runner calls for approved tests: "+unitWords(unit))
	case callee != "" && t.File.Has("hook", callee):
		d.report(violation.FixtureChanged, kernel.Unit{Role: kernel.Setup, Name: callee, Node: n}, nil, n,
			"Hook added that the runner calls for approved tests: "+callee)
	default:
		d.report(violation.TestModified, unit, nil, n, "Added to "+unitWords(unit)+", and not proved harmless")
	}
}

// markAdded tells of a new decorator, annotation or attribute.
func (d *describer) markAdded(n *kernel.Node, name string) {
	t := d.r.New
	unit := t.UnitOf(n.Up)
	switch c := t.File; {
	case c.Has("skip", name), c.Has("skip", name[strings.LastIndexByte(name, '.')+1:]),
		strings.Contains(strings.ToLower(name), "skip"), c.Has("fails", name):
		d.report(violation.TestSkipped, unit, nil, n, "Test skipped or expected to fail: "+unitWords(unit))
	case isRetry(name):
		d.report(violation.RetriesAdded, unit, nil, n, "A failing test is retried until it passes: "+unitWords(unit))
	case isMock(name):
		d.report(violation.MockOfSUT, unit, nil, n, "Something is replaced while the test runs: "+oneLine(n.Normalized()))
	default:
		d.report(violation.TestModified, unit, nil, n, "Mark added to "+unitWords(unit)+": "+name)
	}
}

// leaves is the first return among what is new that leaves its unit, and not a function that the
// unit hands on.
func leaves(t *kernel.Tree, n *kernel.Node) *kernel.Node {
	return n.Find(func(k *kernel.Node) bool {
		if !k.Is("return_statement", "return", "return_expression") || len(k.Kids) == 0 {
			return false
		}
		unit, functions := t.UnitOf(k).Node, 0
		for up := k; up != nil && up != unit; up = up.Up {
			if up.Is("func_literal", "arrow_function", "function_expression") {
				functions++
			}
		}
		return functions == 0 || functions == 1 && !t.IsDefinition(unit)
	})
}

// isMock reports whether a callee replaces something, by the names that the mocking libraries give
// this.
func isMock(callee string) bool {
	return replaces.MatchString(callee[strings.LastIndex(callee, ".")+1:]) || strings.Contains(callee, "patch")
}

var replaces = lazyregexp.New(`^(?:setattr|stubs?|spyOn|mock|doMock|replace|mock(?:Implementation|ReturnValue)|stub_const|` +
	`allow_any_instance_of)$|mockStatic`)

// isRetry reports whether a text names a retry of failing tests.
func isRetry(text string) bool { return retries.MatchString(text) }

// isHiding reports whether a statement takes tests out of collection.
func isHiding(n *kernel.Node) bool { return hides.MatchString(n.Normalized()) }

var (
	retries = lazyregexp.New(`(?i)flaky|rerun|retrytimes|retries|retry`)
	hides   = lazyregexp.New(`^(?:__test__|collect_ignore|del test|private$)|\. __test__ =|go:build|\+build`)
)

// oneLine cuts a text to 80 bytes.
func oneLine(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
