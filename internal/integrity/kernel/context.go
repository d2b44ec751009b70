package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// mayFail reports whether a failure of the assertion may be what lets a test pass, so that a stronger one would
// demand less: it stands in a test that expects to fail, in what catches errors, or in a function that is
// handed to something else than the runner. In a helper that depends on who calls it: it may if the file speaks
// of failing assertions anywhere.
func (c *comparer) mayFail(n *Node) bool {
	for at := n.Up; at != nil; at = at.Up {
		switch {
		case at.Is("with_statement"):
			header := at.part("with_clause")
			if header == nil || header.Any(func(k *Node) bool { return len(k.Kids) == 0 && speaksOfFailure(k.Text) }) {
				return true
			}
		case at.Is("try_statement", "try_expression", "rescue", "begin", "defer_statement") && !at.Up.Is("program", "source_file"):
			return true
		case c.table.functions[at.Kind] && (c.isTest(at) || c.isTestBody(at)):
			return c.unit(at).fails && !onlyRaises(at)
		case c.table.functions[at.Kind]:
			if call, ok := c.handedTo(at); ok {
				callee := c.table.calleeOf(call)
				if c.holdsTests(callee) || c.catalogue.Has("skip", callee) || c.catalogue.Has("hook", callee) {
					return false
				}
				return speaksOfFailure(callee) || call.name == "expect" || c.table.lang != syntax.Ruby
			}
			return c.old.Root.Any(func(k *Node) bool { return len(k.Kids) == 0 && slices.Contains(assertionErrors, k.Text) })
		}
	}
	return false
}

// onlyRaises reports whether what expects failures in a test does so for parts
// of it, not for the whole: the way up from a node has looked at those.
func onlyRaises(unit *Node) bool {
	return !unit.Any(func(k *Node) bool {
		return k.Is(markKinds...) && k.Any(func(l *Node) bool { return len(l.Kids) == 0 && speaksOfFailure(l.Text) })
	}) &&
		!unit.Any(func(k *Node) bool { return k.Is("defer_statement") || k.Text == "recover" || k.Text == "xfail" })
}

// speaksOfFailure reports whether a name is likely one of what expects or swallows failures.
func speaksOfFailure(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words["speaksOfFailure"], func(w string) bool { return strings.Contains(name, w) })
}

// assertionErrors are what failing assertions raise, and marks that expect it.
var assertionErrors = words["assertionErrors"]

// demanded reports whether a node with a tolerance is compared for equality
// where that must hold: nothing around it negates, counts or keeps the result.
func (c *comparer) demanded(n *Node) bool {
	if c.mayFail(n) {
		return false
	}
	inCall := false
	for at := n; at != nil; at = at.Up {
		switch {
		case at.Is("comparison_operator"):
			if _, op, _ := comparison(at); op != "==" {
				return false
			}
		case at.Is("assert_statement"), c.table.blocks[at.Kind], at.Is("statement_list"):
			return inCall || at.Is("assert_statement")
		case c.table.functions[at.Kind]:
			return inCall && at != n
		case at.Is("assignment", "variable_declarator", "boolean_operator", "not_operator", "unary_expression", "unary",
			"conditional_expression", "lambda", "binary_expression", "binary",
			"generator_expression", "list_comprehension", "set_comprehension", "dictionary_comprehension", "return_statement",
			"if_statement", "while_statement", "prefix_unary_expression", "subscript"):
			return false
		case at.Kind == n.Kind || len(at.Kids) > 0:
			call, ok := c.table.callOf(at)
			if !ok {
				continue
			}
			a, known := c.assertionOf(at)
			if known && (a.negated || negative(a.name)) || !known && !slices.Contains(carriers, call.name) ||
				negative(c.table.skeleton(call.object)) {
				return false
			}
			inCall = true
		}
	}
	return inCall
}

// carriers are calls that are no assertions of the catalogue but demand what they are given.
var carriers = []string{"isCloseTo", "closeTo", "of", "to", "should", "assertThat", "That"}

// negative reports whether a name says that something must not be.
func negative(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words["negative"], func(w string) bool { return strings.Contains(name, w) })
}
