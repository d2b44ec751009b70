package kernel

import "slices"

const (
	// maxCells bounds the table in which the statements of two blocks are matched; larger ones are matched in order.
	maxCells = 4_000_000
	// maxPairs bounds the same for statements that differ.
	maxPairs = 40_000
)

// step is one step through two blocks: a pair, an old statement that is gone (new nil), or a new one (old nil).
type step struct{ old, new *Node }

// block compares the statements or members of two blocks: each old one must have a counterpart that is the
// same, in the same order, and a new one between them must be inert.
func (c *comparer) block(a, b *Node) bool {
	if a.Kind != b.Kind {
		return c.differ(a, b)
	}
	same := true
	steps := c.reordered(align(a.Kids, b.Kids, c.table.imports))
	end := 0 // behind the last approved statement
	for i, s := range steps {
		if s.old != nil && len(s.old.Kind) > 1 {
			end = i + 1
		}
	}
	for i, s := range steps {
		switch {
		case s.new == nil:
			same = c.gone(s.old) && same
		case s.old == nil:
			same = c.added(s.new, i >= end) && same
		default:
			same = c.same(s.old, s.new) && same
		}
	}
	return same
}

// align matches two lists of statements: equal ones first, then those between them by how alike they are.
func align(olds, news []*Node, apart set) []step {
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
	i, j := 0, 0
	for _, m := range common(olds, news) {
		head = append(head, alike(olds[i:m[0]], news[j:m[1]], apart)...)
		head = append(head, step{olds[m[0]], news[m[1]]})
		i, j = m[0]+1, m[1]+1
	}
	head = append(head, alike(olds[i:], news[j:], apart)...)
	return append(head, tail...)
}

// common is a longest common subsequence by hash, as pairs of indices.
func common(olds, news []*Node) [][2]int {
	n, m := len(olds), len(news)
	if n == 0 || m == 0 || n*m > maxCells {
		return nil
	}
	length := make([]int32, (n+1)*(m+1))
	at := func(i, j int) int { return i*(m+1) + j }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if olds[i].hash == news[j].hash {
				length[at(i, j)] = length[at(i+1, j+1)] + 1
			} else {
				length[at(i, j)] = max(length[at(i+1, j)], length[at(i, j+1)])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case olds[i].hash == news[j].hash:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case length[at(i+1, j)] >= length[at(i, j+1)]:
			i++
		default:
			j++
		}
	}
	return out
}

// alike matches statements of which no two are equal, in their order, so that as much as possible is found
// again; those of kinds in apart are never taken for versions of each other.
func alike(olds, news []*Node, apart set) []step {
	n, m := len(olds), len(news)
	if n == 0 || m == 0 || n*m > maxPairs {
		return inOrder(olds, news)
	}
	words := func(nodes []*Node) []map[string]int {
		out := make([]map[string]int, len(nodes))
		for i, k := range nodes {
			out[i] = k.words()
		}
		return out
	}
	ow, nw := words(olds), words(news)
	best := make([]float64, (n+1)*(m+1))
	at := func(i, j int) int { return i*(m+1) + j }
	score := make([]float64, n*m)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if !apart[olds[i].Kind] {
				score[i*m+j] = likeness(olds[i], news[j], ow[i], nw[j])
			}
			best[at(i, j)] = max(best[at(i+1, j)], best[at(i, j+1)], best[at(i+1, j+1)]+score[i*m+j])
		}
	}
	var out []step
	i, j := 0, 0
	for i < n && j < m {
		switch s := score[i*m+j]; {
		case s > 0 && best[at(i, j)] == best[at(i+1, j+1)]+s:
			out = append(out, step{olds[i], news[j]})
			i, j = i+1, j+1
		case best[at(i, j)] == best[at(i+1, j)]:
			out = append(out, step{old: olds[i]})
			i++
		default:
			out = append(out, step{new: news[j]})
			j++
		}
	}
	return append(out, inOrder(olds[i:], news[j:])...)
}

// inOrder takes two lists for unrelated: the old one is gone, the new one
// added. What is too long to match falls here too.
func inOrder(olds, news []*Node) []step {
	var out []step
	for _, o := range olds {
		out = append(out, step{old: o})
	}
	for _, n := range news {
		out = append(out, step{new: n})
	}
	return out
}

// likeness says how much two statements have in common; 0 if they should not be taken for versions of one. It
// only decides how differences are told: two statements that differ differ however they are matched.
func likeness(a, b *Node, aw, bw map[string]int) float64 {
	if a.shape == b.shape {
		return 4
	}
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
		return name.Source()
	}
	call := n
	if n.Is("expression_statement") && len(n.Kids) > 0 {
		call = n.Kids[0]
	}
	if args := call.Child("arguments"); args != nil {
		if v := values(args); len(v) > 1 && v[0].Is("string", "template_string") {
			return v[0].Text
		}
	}
	return ""
}
