package kernel

import "slices"

// comparer is the state of one comparison. Its tree is the head's.
type comparer struct {
	*Tree
	old   *Tree
	opt   Options
	found []Difference
	gains []Gain
	lints bool
}

// maxDifferences bounds what is reported of one file; there are no fewer differences for it.
const maxDifferences = 500

// compare notes in what the new node differs from the old one.
func (c *comparer) compare(a, b *Node) {
	switch {
	case a.hash == b.hash:
	case a.Kind != b.Kind || a.Field != b.Field:
		c.differ(a, b)
	case c.table.blocks[a.Kind]:
		c.block(a, b)
	case len(a.Kids) == 0 || len(b.Kids) == 0:
		c.differ(a, b)
	case c.lintsChanged(a, b):
		c.lints = true
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
	if name := c.markName(n); i > 0 && c.File.Has("rows", name) && name == c.markName(n.Up.Kids[i-1]) {
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
		c.found = append(c.found, Difference{Old: a, New: b, OldStatement: c.statement(a), NewStatement: c.statement(b)})
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
			c.lints = true
		case s.new == nil:
			c.differ(s.old, nil)
		case s.old == nil:
			c.added(s.new, i >= end)
		default:
			c.compare(s.old, s.new)
		}
	}
}

const (
	// maxCells bounds the table in which the statements of two blocks are matched; larger ones are
	// matched in order.
	maxCells = 4_000_000
	// maxPairs bounds the same for statements that differ.
	maxPairs = 40_000
)

// step is one step through two blocks: a pair, an old statement that is gone (new nil), or a new
// one (old nil).
type step struct{ old, new *Node }

// align matches two lists of statements: equal ones first, then those between them by how alike
// they are.
func align(olds, news []*Node) []step {
	var head, tail []step
	for len(olds) > 0 && len(news) > 0 && olds[0].hash == news[0].hash {
		head = append(head, step{olds[0], news[0]})
		olds, news = olds[1:], news[1:]
	}
	for len(olds) > 0 && len(news) > 0 && olds[len(olds)-1].hash == news[len(news)-1].hash {
		tail = append(tail, step{olds[len(olds)-1], news[len(news)-1]})
		olds, news = olds[:len(olds)-1], news[:len(news)-1]
	}
	slices.Reverse(tail)
	equal := func(i, j int) float64 {
		if olds[i].hash == news[j].hash {
			return 1
		}
		return 0
	}
	i, j := 0, 0
	for _, m := range match(len(olds), len(news), maxCells, equal) {
		head = append(head, alike(olds[i:m[0]], news[j:m[1]])...)
		head = append(head, step{olds[m[0]], news[m[1]]})
		i, j = m[0]+1, m[1]+1
	}
	head = append(head, alike(olds[i:], news[j:])...)
	return append(head, tail...)
}

// match pairs the elements of two lists in their order so that the sum of their scores is greatest,
// as pairs of indices; none if the lists are too long.
func match(n, m, most int, score func(i, j int) float64) [][2]int {
	if n == 0 || m == 0 || n*m > most {
		return nil
	}
	best := make([]float32, (n+1)*(m+1))
	at := func(i, j int) int { return i*(m+1) + j }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best[at(i, j)] = max(best[at(i+1, j)], best[at(i, j+1)])
			if s := score(i, j); s > 0 {
				best[at(i, j)] = max(best[at(i, j)], best[at(i+1, j+1)]+float32(s))
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch best[at(i, j)] {
		case best[at(i+1, j)]:
			i++
		case best[at(i, j+1)]:
			j++
		default:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		}
	}
	return out
}

// alike matches statements of which no two are equal, in their order, so that as much as possible
// is found again.
func alike(olds, news []*Node) []step {
	words := func(nodes []*Node) []map[string]int {
		out := make([]map[string]int, len(nodes))
		for i, k := range nodes {
			out[i] = k.words()
		}
		return out
	}
	var pairs [][2]int
	if len(olds)*len(news) <= maxPairs {
		ow, nw := words(olds), words(news)
		pairs = match(len(olds), len(news), maxPairs, func(i, j int) float64 { return likeness(olds[i], news[j], ow[i], nw[j]) })
	}
	var out []step
	i, j := 0, 0
	upTo := func(n, m int) {
		for ; i < n; i++ {
			out = append(out, step{old: olds[i]})
		}
		for ; j < m; j++ {
			out = append(out, step{new: news[j]})
		}
	}
	for _, p := range pairs {
		upTo(p[0], p[1])
		out = append(out, step{olds[i], news[j]})
		i, j = i+1, j+1
	}
	upTo(len(olds), len(news))
	return out
}

// likeness says how much two statements have in common; 0 if they should not be told as versions of
// one. It only decides how differences are told: two statements that differ do so however they are
// matched.
func likeness(a, b *Node, aw, bw map[string]int) float64 {
	shared, all := 0, 0
	for w, n := range aw {
		shared += min(n, bw[w])
		all += n
	}
	for _, n := range bw {
		all += n
	}
	dice := 2 * float64(shared) / float64(max(all, 1))
	an, bn := a.title(), b.title()
	switch {
	case a.Kind != b.Kind && dice < 0.6:
		return 0
	case a.Kind != b.Kind:
		return dice
	case an != "" && an == bn:
		return 2 + dice
	case (an != "" || bn != "") && dice < 0.5:
		return 0
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
	call := n
	if n.Is("expression_statement") && len(n.Kids) > 0 {
		call = n.Kids[0]
	}
	if args := call.Child("arguments"); args != nil {
		if v := values(args); len(v) > 1 && v[0].Is("string", "template_string", "interpreted_string_literal") {
			return v[0].Text
		}
	}
	return ""
}
