// Package query finds places in parsed sources by patterns, written as tree-sitter's queries are:
// what a language's tests, assertions or calls look like is data, and one engine reads it. It works
// on the trees of package syntax, so that no C code sees a source outside of the parser's process.
//
// Of tree-sitter's syntax it knows named nodes with fields, "tokens", the wildcards (_) and _,
// negated fields, alternatives in brackets, the quantifiers ?, * and +, anchors, captures,
// comments, and the predicates #eq?, #any-of?, #match? and #has-ancestor? with their negations.
package query

import (
	"iter"
	"slices"

	"workflow-reviewer/internal/syntax"
)

// maxSteps bounds the work on one node, since a source may be hostile: no pattern needs a hundredth
// of it in code that a person wrote.
const maxSteps = 10_000

// Query is a list of patterns. It is immutable and safe for concurrent use.
type Query struct {
	patterns []pattern
}

// pattern is what stands on the top level of a query: a node, and what follows it among its
// parent's children.
type pattern struct {
	node       *term
	behind     *term // whose children are the terms that follow node; nil if there are none
	predicates []predicate
}

// term is a pattern of one node, or of several that follow each other.
type term struct {
	any      bool    // a wildcard: any node, or any named one
	named    bool    // (kind), not "token"
	kind     string  // of the node
	choices  []*term // one of them, if there are any
	field    string  // that the node stands in, "" for whichever
	without  []string
	children []*term
	end      bool // nothing named stands behind the last of children
	adjacent bool // nothing named stands before it
	least    int  // how often it matches, 1 if it has no quantifier
	many     bool
	captures []string
}

// Match is a place where a pattern holds.
type Match struct {
	Pattern  int         // its index in the query
	Top      syntax.Node // the node that the pattern describes, the first of several
	captured []capture
}

// capture is a node under the name that a query gives it.
type capture struct {
	name string
	node syntax.Node
}

// Node is the first node that was captured by that name, without the @; no node if there is none.
func (m Match) Node(name string) syntax.Node {
	for _, c := range m.captured {
		if c.name == name {
			return c.node
		}
	}
	return syntax.Node{}
}

// Nodes are all nodes that were captured by that name, in the order of the source.
func (m Match) Nodes(name string) (out []syntax.Node) {
	for _, c := range m.captured {
		if c.name == name {
			out = append(out, c.node)
		}
	}
	return out
}

// Matches yields the places in a node where a pattern holds, in the order of the source, one for
// each pattern and node.
func (q *Query) Matches(in syntax.Node) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		ended := false
		in.Walk(func(n syntax.Node) bool {
			for m := range q.At(n) {
				if ended = ended || !yield(m); ended {
					break
				}
			}
			return !ended
		})
	}
}

// At yields the matches of the patterns that describe a node itself. A nil Query has none.
func (q *Query) At(n syntax.Node) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		if q == nil {
			return
		}
		for i, p := range q.patterns {
			if !p.node.mayFit(n) {
				continue
			}
			if m, ok := p.match(n); ok {
				m.Pattern = i
				if !yield(m) {
					return
				}
			}
		}
	}
}

// match matches the pattern at a node, in at most maxSteps steps. The first way that satisfies the
// predicates counts.
func (p pattern) match(n syntax.Node) (Match, bool) {
	s := &search{steps: maxSteps}
	var found Match
	holds := func(captured []capture) bool {
		found = Match{Top: n, captured: captured}
		return !slices.ContainsFunc(p.predicates, func(c predicate) bool { return !c.holds(found) })
	}
	ok := s.node(p.node, n, nil, func(captured []capture) bool {
		if p.behind == nil {
			return holds(captured)
		}
		return s.children(p.behind, 0, 0, n.NextSibling(), captured, holds)
	})
	return found, ok
}

// search matches one pattern at one node. What it found so far is handed on, and whoever is called
// last says whether that will do, so that it can be tried another way.
type search struct {
	steps int
}

// accept goes on with a match. False sends the search back to its other choices.
type accept func([]capture) bool

// node matches a term at a node and goes on with done. It returns to other choices as long as done
// says no.
func (s *search) node(t *term, n syntax.Node, found []capture, done accept) bool {
	if s.steps--; s.steps < 0 {
		return false
	}
	if t.field != "" && n.FieldName() != t.field {
		return false
	}
	if len(t.choices) > 0 {
		for _, c := range t.choices {
			if s.node(c, n, found, func(f []capture) bool { return done(t.capture(f, n)) }) {
				return true
			}
		}
		return false
	}
	if !t.fits(n) {
		return false
	}
	for _, f := range t.without {
		if !n.Field(f).IsZero() {
			return false
		}
	}
	found = t.capture(found, n)
	if len(t.children) == 0 {
		return done(found)
	}
	return s.children(t, 0, 0, n.FirstChild(), found, done)
}

// fits reports whether a node is of the term's kind.
func (t *term) fits(n syntax.Node) bool {
	switch {
	case t.any:
		return n.IsNamed() || !t.named
	case t.named != n.IsNamed():
		return false
	default:
		return n.Kind() == t.kind
	}
}

// mayFit rules most nodes out before a search begins.
func (t *term) mayFit(n syntax.Node) bool {
	if len(t.choices) > 0 {
		return slices.ContainsFunc(t.choices, func(c *term) bool { return c.mayFit(n) })
	}
	return t.fits(n)
}

// capture adds the term's captures of a node. The list itself is not changed, as other choices
// share it.
func (t *term) capture(found []capture, n syntax.Node) []capture {
	if len(t.captures) == 0 {
		return found
	}
	out := append(make([]capture, 0, len(found)+len(t.captures)), found...)
	for _, name := range t.captures {
		out = append(out, capture{name, n})
	}
	return out
}

// children matches the terms of a parent from the i-th on, which has matched times already, at n
// and what follows.
func (s *search) children(
	parent *term,
	i, times int,
	n syntax.Node,
	found []capture,
	done accept,
) bool {
	if i == len(parent.children) {
		return (!parent.end || nextNamed(n).IsZero()) && done(found)
	}
	t := parent.children[i]
	for at := n; !at.IsZero(); at = at.NextSibling() {
		taken := s.node(t, at, found, func(f []capture) bool {
			if t.many && s.children(parent, i, times+1, at.NextSibling(), f, done) {
				return true
			}
			return s.children(parent, i+1, 0, at.NextSibling(), f, done)
		})
		if taken {
			return true
		}
		if s.steps < 0 || t.adjacent && at.IsNamed() && !at.IsComment() {
			break
		}
	}
	return times >= t.least && s.children(parent, i+1, 0, n, found, done)
}

// nextNamed is the node or the next one after it that is named and no comment.
func nextNamed(n syntax.Node) syntax.Node {
	for ; !n.IsZero(); n = n.NextSibling() {
		if n.IsNamed() && !n.IsComment() {
			return n
		}
	}
	return n
}
