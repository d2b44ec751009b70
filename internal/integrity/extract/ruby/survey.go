package ruby

import (
	"workflow-reviewer/internal/syntax"
)

// maxClimb is how far up the tree a block is looked for.
const maxClimb = 400

// survey finds the blocks and methods that assert something or define tests,
// and the lists that are only iterated.
func (m *model) survey(root syntax.Node) {
	uses := map[string]*use{}
	for n := range root.All("call", "identifier", "constant", "method") {
		if n.Is("constant", "identifier") {
			count(n, uses)
		}
		name := methodName(n)
		if n.Is("method") {
			name = ""
			if isTestName(n.Field("name").Text()) {
				m.climb(n, m.defines)
			}
		}
		switch {
		case isAssertion(name):
			m.climb(n, m.demands)
		case unitSort(name) != none && (n.Is("call") && !n.Field("block").IsZero() || unitSort(name) == test):
			m.climb(n, m.defines)
		}
	}
	for name, u := range uses {
		m.tables[name] = u.declared == 1 && u.iterated > 0 && u.other == 0
	}
}

func (m *model) climb(n syntax.Node, found map[syntax.Node]bool) {
	for range maxClimb {
		if n = n.Parent(); n.IsZero() {
			return
		}
		if !n.Is("block", "do_block", "method", "singleton_method", "if", "unless", "if_modifier", "unless_modifier", "begin", "for", "lambda") {
			continue
		}
		if found[n] {
			return
		}
		found[n] = true
		if n.Is("method", "singleton_method") {
			name := n.Field("name").Text()
			m.helpers[name] = m.helpers[name] || m.demands[n]
		}
	}
}

// use is how often a name is used, and for what.
type use struct{ declared, iterated, other int }

func count(n syntax.Node, uses map[string]*use) {
	u := uses[n.Text()]
	if u == nil {
		u = &use{}
		uses[n.Text()] = u
	}
	switch p := n.Parent(); {
	case p.Is("assignment") && n.FieldName() == "left":
		u.declared++
	case isIterated(n, p):
		u.iterated++
	default:
		u.other++
	}
}

// isIterated reports whether a name stands where its elements are gone
// through, also where only some of them are: LIST.first(2).each.
func isIterated(n, p syntax.Node) bool {
	for range maxClimb {
		if p.Is("in") {
			return true
		}
		if !p.Is("call") || n.FieldName() != "receiver" {
			return false
		}
		if isIterator(p.Field("method").Text()) && !p.Field("block").IsZero() {
			return true
		}
		n, p = p, p.Parent()
	}
	return false
}

// isIterator reports whether a method calls its block once for each element.
func isIterator(name string) bool {
	switch name {
	case "each", "each_pair", "each_with_index", "each_entry":
		return true
	default:
		return false
	}
}
