package kernel

import (
	"slices"

	"workflow-reviewer/internal/textdiff"
)

// comparer is the state of one comparison. Its tree is the head's.
type comparer struct {
	*Tree
	old   *Tree
	opt   Options
	found []Difference
	gains []Gain
}

// maxDifferences bounds what is reported of one file; there are no fewer differences for it.
const maxDifferences = 500

// compare notes in what the new node differs from the old one.
func (c *comparer) compare(a, b *Node) {
	// Equal hashes are equal trees: the seed is the process's own. Two nodes of different kinds, or
	// in different fields, are one difference whatever is in them. Only blocks are aligned; in all
	// else children stand for each other by their place.
	switch {
	case a.hash == b.hash:
	case a.Kind != b.Kind || a.Field != b.Field:
		c.differ(a, b)
	case c.table.blocks[a.Kind]:
		c.block(a, b)
	case len(a.Kids) == 0 || len(b.Kids) == 0:
		c.differ(a, b)
	case c.lintsChanged(a, b):
	case c.rowsGained(a, b):
	case len(a.Kids) != len(b.Kids):
		c.uneven(a, b)
	default:
		for i := range a.Kids {
			c.compare(a.Kids[i], b.Kids[i])
		}
	}
}

// uneven notes what two lists of different length differ in: the children between what they begin
// and end with.
func (c *comparer) uneven(a, b *Node) {
	i, j, k := 0, len(a.Kids), len(b.Kids)
	for i < min(j, k) && a.Kids[i].hash == b.Kids[i].hash {
		i++
	}
	for j > i && k > i && a.Kids[j-1].hash == b.Kids[k-1].hash {
		j, k = j-1, k-1
	}
	switch {
	case j-i == 1 && k-i == 1:
		c.differ(a.Kids[i], b.Kids[i])
	case c.table.definition[a.Kind] && j == i && b.Kids[i].Is(markKinds...):
		for _, mark := range b.Kids[i:k] {
			c.markAdded(mark)
		}
	case c.table.definition[a.Kind] && k == i && a.Kids[i].Is(markKinds...):
		c.differ(a.Kids[i], nil)
	default:
		c.differ(a, b)
	}
}

// markAdded notes a new mark of an approved definition: one row more behind rows of its kind is a
// gain.
func (c *comparer) markAdded(n *Node) {
	i := slices.Index(n.Up.Kids, n)
	if name := c.markName(n); i > 0 && c.File.Has("rows", name) &&
		name == c.markName(n.Up.Kids[i-1]) {
		c.gains = append(c.gains, Gain{Node: n, What: "row of a table", Acts: c.reached(n)})
		return
	}
	c.differ(nil, n)
}

// differ notes a difference. Either node may be nil.
func (c *comparer) differ(a, b *Node) {
	if is := c.statement(b); c.opt.Loose && is != nil {
		if acts := c.acts(is); acts != "" {
			c.gains = append(c.gains, Gain{Node: is, What: "statement", Acts: acts})
		}
	}
	if len(c.found) < maxDifferences {
		c.found = append(c.found,
			Difference{Old: a, New: b, OldStatement: c.statement(a), NewStatement: c.statement(b)})
	}
}

// statement is the node around n that stands in a block, n itself if it does.
func (c *comparer) statement(n *Node) *Node {
	for n != nil && n.Up != nil && !c.table.blocks[n.Up.Kind] {
		n = n.Up
	}
	return n
}

// block compares the statements or members of two blocks: each old one must stand there as it was,
// in its order.
func (c *comparer) block(a, b *Node) {
	steps := align(a.Kids, b.Kids)
	end := 0 // behind the last approved statement
	for i, s := range steps {
		if s.old != nil && len(s.old.Kind) > 1 {
			end = i + 1
		}
	}
	for i, s := range steps {
		switch {
		case s.new == nil && c.lintsOnly(s.old), s.old == nil && c.lintsOnly(s.new):
		case s.new == nil:
			c.differ(s.old, nil)
		case s.old == nil:
			c.added(s.new, i >= end)
		default:
			c.compare(s.old, s.new)
		}
	}
}

// maxPairs bounds how many pairs of statements that differ are looked at in one block; more are
// told as removed and added.
const maxPairs = 40_000

// step is one step through two blocks: a pair, an old statement that is gone (new nil), or a new
// one (old nil).
type step struct{ old, new *Node }

// align matches two lists of statements: equal ones first, then those between them by how alike
// they are.
func align(olds, news []*Node) (steps []step) {
	hashes := func(nodes []*Node) (out []uint64) {
		for _, n := range nodes {
			out = append(out, n.hash)
		}
		return out
	}
	i, j := 0, 0
	for _, p := range textdiff.Pairs(hashes(olds), hashes(news)) {
		steps = append(steps, alike(olds[i:p[0]], news[j:p[1]])...)
		steps = append(steps, step{olds[p[0]], news[p[1]]})
		i, j = p[0]+1, p[1]+1
	}
	return append(steps, alike(olds[i:], news[j:])...)
}

// alike matches statements of which no two are equal, in their order, so that as much as possible
// is found again.
func alike(olds, news []*Node) (steps []step) {
	i, j := 0, 0
	for _, p := range append(match(olds, news), [2]int{len(olds), len(news)}) {
		for ; i < p[0]; i++ {
			steps = append(steps, step{old: olds[i]})
		}
		for ; j < p[1]; j++ {
			steps = append(steps, step{new: news[j]})
		}
		if i < len(olds) && j < len(news) {
			steps = append(steps, step{olds[i], news[j]})
		}
		i, j = i+1, j+1
	}
	return steps
}

// match pairs statements so that the sum of their likeness is greatest, as pairs of indices.
func match(olds, news []*Node) (pairs [][2]int) {
	if len(olds)*len(news) > maxPairs {
		return nil
	}
	best := make([][]float64, len(olds)+1)
	for i := range best {
		best[i] = make([]float64, len(news)+1)
	}
	for i := len(olds) - 1; i >= 0; i-- {
		own := olds[i].words()
		for j := len(news) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if s := likeness(olds[i], news[j], own, news[j].words()); s > 0 {
				best[i][j] = max(best[i][j], best[i+1][j+1]+s)
			}
		}
	}
	for i, j := 0, 0; i < len(olds) && j < len(news); {
		switch best[i][j] {
		case best[i+1][j]:
			i++
		case best[i][j+1]:
			j++
		default:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		}
	}
	return pairs
}

// likeness says how much two statements have in common; 0 if they should not be told as versions of
// one. It only decides how differences are told: two statements that differ do so however they are
// matched.
func likeness(a, b *Node, aw, bw map[string]int) float64 {
	shared, all := 0, 0
	for w, n := range aw {
		shared, all = shared+min(n, bw[w]), all+n
	}
	for _, n := range bw {
		all += n
	}
	dice := 2 * float64(shared) / float64(max(all, 1))
	an, bn := a.title(), b.title()
	switch {
	case a.Kind != b.Kind && dice < 0.6, an != bn && dice < 0.5:
		return 0
	case a.Kind != b.Kind:
		return dice
	case an == bn && an != "":
		return 2 + dice
	}
	return 0.2 + dice
}

// words counts the leaves of a node by their text.
func (n *Node) words() map[string]int {
	out := map[string]int{}
	n.Leaves(func(l *Node) bool {
		out[l.Text]++
		return len(out) < 2000
	})
	return out
}

// title is the name that a member has: that of its definition, or the text that a call begins with.
func (n *Node) title() string {
	if name := n.Child("name"); name != nil {
		return name.Normalized()
	}
	if args := n.call().Child("arguments"); args != nil {
		if v := values(args); len(v) > 1 &&
			v[0].Is("string", "template_string", "interpreted_string_literal") {
			return v[0].Text
		}
	}
	return ""
}
