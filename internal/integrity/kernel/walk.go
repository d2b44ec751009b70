package kernel

import (
	"maps"
	"slices"

	"workflow-reviewer/internal/integrity/catalogue"
)

// reader tells what nodes mean.
type reader struct {
	table     *table
	catalogue catalogue.File
	declared  map[string]bool // functions of the file's own, outside of all others
}

// comparer is the state of one comparison.
type comparer struct {
	reader
	old, new *Tree
	opt      Options

	to, from map[*local]*local // renamings, both ways
	journal  []*local          // the order of the renamings, to take them back
	forgiven map[string]bool
	units    map[*Node]unitFacts
	trial    int // above 0: differences are not noted
	found    []Difference
}

// maxDifferences bounds what is reported of one file; there are no fewer differences for it.
const maxDifferences = 500

// same reports whether the new node demands what the old one demands, and notes every difference.
func (c *comparer) same(a, b *Node) bool {
	if forgiven, same := c.rewritten(a, b); forgiven {
		return same
	}
	if a.Kind != b.Kind || a.Field != b.Field || len(a.Kids) == 0 != (len(b.Kids) == 0) && !c.table.blocks[a.Kind] {
		return c.differ(a, b)
	}
	switch {
	case c.table.blocks[a.Kind]:
		return c.block(a, b)
	case len(a.Kids) == 0:
		return c.leaf(a, b)
	}
	return c.pairwise(a, b)
}

// pairwise compares children that must be equal one by one.
func (c *comparer) pairwise(a, b *Node) bool {
	if len(a.Kids) != len(b.Kids) {
		return c.uneven(a, b)
	}
	same := true
	for i := range a.Kids {
		same = c.same(a.Kids[i], b.Kids[i]) && same
	}
	return same
}

// uneven notes what two lists of different length differ in: the children between what they begin and end with.
func (c *comparer) uneven(a, b *Node) bool {
	i, j, k := 0, len(a.Kids), len(b.Kids)
	for i < min(j, k) && a.Kids[i].hash == b.Kids[i].hash {
		i++
	}
	for j > i && k > i && a.Kids[j-1].hash == b.Kids[k-1].hash {
		j, k = j-1, k-1
	}
	if j-i == 1 && k-i == 1 {
		return c.differ(a.Kids[i], b.Kids[i])
	}
	return c.differ(a, b)
}

// leaf compares two leaves.
func (c *comparer) leaf(a, b *Node) bool {
	if a.variable || b.variable {
		if a.variable == b.variable && c.rename(a, b) {
			return true
		}
		return c.differ(a, b)
	}
	if c.module(a) {
		if c.resolved(a, c.opt.OldPath) == c.resolved(b, c.opt.NewPath) {
			return true
		}
		return c.differ(a, b)
	}
	if a.Text == b.Text {
		return true
	}
	return c.differ(a, b)
}

// differ notes a difference. Either node may be nil.
func (c *comparer) differ(a, b *Node) bool {
	if c.trial == 0 && len(c.found) < maxDifferences {
		d := Difference{Old: a, New: b, OldStatement: c.statement(a), NewStatement: c.statement(b)}
		c.found = append(c.found, d)
	}
	return false
}

// statement is the node around n that stands in a block, n itself if it does.
func (c *comparer) statement(n *Node) *Node {
	for n != nil && n.Up != nil && !c.table.blocks[n.Up.Kind] {
		n = n.Up
	}
	return n
}

// try compares without noting differences; what it learnt of names is kept only if the nodes are the same.
func (c *comparer) try(a, b *Node) bool {
	return c.attempt(func() bool { return c.same(a, b) })
}

// attempt runs a comparison that may fail without a trace.
func (c *comparer) attempt(compare func() bool) bool {
	mark := len(c.journal)
	before := c.forgiven
	c.forgiven = map[string]bool{}
	c.trial++
	ok := compare()
	c.trial--
	if ok {
		for r := range c.forgiven {
			before[r] = true
		}
	} else {
		for _, l := range c.journal[mark:] {
			delete(c.from, c.to[l])
			delete(c.to, l)
		}
		c.journal = c.journal[:mark]
	}
	c.forgiven = before
	return ok
}

func (c *comparer) forgive(rule string) { c.forgiven[rule] = true }

func (c *comparer) rules() []string { return slices.Sorted(maps.Keys(c.forgiven)) }
