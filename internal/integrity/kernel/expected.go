package kernel

import (
	"slices"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// expectsFailure reports whether a failing assertion may let a test pass: by what is in the test, by marks and
// options of it and of what it stands in, and by what the file says of all its tests.
func (c *reader) expectsFailure(unit *Node) bool {
	if unit.Any(func(k *Node) bool {
		call, ok := c.table.callOf(k)
		return len(k.Kids) == 0 && (k.Text == "recover" || c.catalogue.Has("fails", k.Text)) ||
			ok && c.catalogue.Has("fails", c.table.calleeOf(call)) ||
			k.Is("defer_statement", "rescue", "ensure", "finally_clause") && k.Up != nil
	}) {
		return true
	}
	root := unit
	for at := unit; at != nil; at = at.Up {
		root = at
		if c.table.definition[at.Kind] && c.marksTolerate(at) {
			return true
		}
		call, ok := c.table.callOf(at)
		if ok && slices.ContainsFunc(call.args, func(n *Node) bool { return !n.Is(functionValues...) && n.Any(tolerates) }) {
			return true
		}
	}
	return c.fileTolerates(root, unit)
}

// marksTolerate reports whether a mark of a test or of what holds it lets failures
// pass, or is a decorator of Python's that nobody knows, which may.
func (c *reader) marksTolerate(n *Node) bool {
	marks, _ := c.marks(n)
	return slices.ContainsFunc(marks, func(m *Node) bool {
		name := c.markName(m)
		known := slices.ContainsFunc([]string{"mark", "test", "skip", "rows", "label", "hook"}, func(group string) bool {
			return c.catalogue.Has(group, name)
		})
		return c.catalogue.Has("fails", name) || m.Any(func(k *Node) bool {
			return len(k.Kids) == 0 && c.catalogue.Has("fails", k.Text) || tolerates(k)
		}) || c.table.lang == syntax.Python && !known && !plainDecorator.MatchString(name)
	})
}

// plainDecorator matches names of decorators that set up what a test needs, repeat it with other values, or skip it.
var plainDecorator = lazyregexp.New(`^(?:pytest\.mark\..*|(?:unittest\.)?skip\w*|(?:requires?|needs|skip|only_on)_\w+|` +
	`(?:\w+\.)*(?:freeze_time|travel|(?:override|modify)_settings|activate|httprettified|use_cassette|expand|mock|mock_\w+|Mocker|tag` +
	`|gen_test|async_test|asyncio_test|inlineCallbacks|unittest_run_loop|multiple|flaky|ddt|data|unpack|file_data|parameterized|fixture))$`)

// fileTolerates reports whether something outside of the tests lets failures of
// all of them pass: a mark of the module, a rule, a fixture that handles them.
func (c *reader) fileTolerates(root, unit *Node) bool {
	found := false
	root.Walk(func(k *Node) bool {
		call, ok := c.table.callOf(k)
		switch {
		case found, c.table.definition[k.Kind] && c.isTest(k), c.table.imports[k.Kind], ok && c.holdsTests(c.table.calleeOf(call)) &&
			!c.catalogue.Has("suite", c.table.calleeOf(call)):
			return false
		case k.Is(markKinds...) && k.Up != nil && c.table.definition[k.Up.Kind] && !within(unit, k.Up):
			return false // of another class
		case tolerates(k), k.Is("yield") && handled(k):
			found = true
		}
		return !found
	})
	return found
}

// within reports whether a node stands in another.
func within(n, in *Node) bool {
	for n != nil && n != in {
		n = n.Up
	}
	return n != nil
}

// handled reports whether an error that a fixture is given where it yields is caught.
func handled(n *Node) bool {
	for at := n.Up; at != nil && !at.Is("function_definition"); at = at.Up {
		if at.Is("try_statement", "with_statement") && at.Any(func(k *Node) bool {
			return k.Is("except_clause") || len(k.Kids) == 0 && (k.Text == "raises" || k.Text == "suppress")
		}) {
			return true
		}
	}
	return false
}

// tolerates reports whether a leaf is a word by which tests are told to fail.
func tolerates(n *Node) bool { return len(n.Kids) == 0 && tolerating[n.Text] }

var tolerating = setOf(words["tolerating"]...)
