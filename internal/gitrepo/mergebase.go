package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/gitrepo/odb"
)

// historyGap says that an answer needs a commit that is not there, as in a shallow clone.
type historyGap struct{ missing plumbing.Hash }

func (g *historyGap) Error() string {
	return fmt.Sprintf("history is incomplete: commit %s is missing", g.missing)
}

// mark says from where a commit can be reached.
type mark uint8

const (
	fromOne mark = 1 << iota
	fromTwo
	stale  // below a common ancestor
	common // put among the candidates
)

// painting is the state of a walk from two sides, newest commits first, as in git's commit-reach.c:
// its end does not depend on correct dates, only its length does.
type painting struct {
	repo  *Repo
	marks map[plumbing.Hash]mark
	queue queue
	fresh int // queued commits that are not stale
	// gap is a missing parent of a stale commit: harmless unless several candidates must be told
	// apart.
	gap        *historyGap
	candidates []*node
}

// mergeBase returns the best common ancestor of two commits, the newest if there are several, and
// the zero hash if there is none. Where the answer could depend on commits that are missing it is a
// *historyGap, never a guess.
func (r *Repo) mergeBase(ctx context.Context, a, b plumbing.Hash) (plumbing.Hash, error) {
	p, err := r.paint(ctx, a, []plumbing.Hash{b})
	if err != nil {
		return plumbing.ZeroHash, err
	}
	best := p.best()
	if len(best) > 1 {
		if p.gap != nil {
			return plumbing.ZeroHash, p.gap
		}
		if best, err = r.independent(ctx, best); err != nil {
			return plumbing.ZeroHash, err
		}
	}
	if len(best) == 0 {
		return plumbing.ZeroHash, nil
	}
	return best[0].id, nil
}

// paint walks from one commit and from others until all that remains lies below common ancestors.
func (r *Repo) paint(
	ctx context.Context, one plumbing.Hash, twos []plumbing.Hash,
) (*painting, error) {
	p := &painting{repo: r, marks: map[plumbing.Hash]mark{}}
	if err := p.add(one, fromOne); err != nil {
		return nil, err
	}
	for _, two := range twos {
		if err := p.add(two, fromTwo); err != nil {
			return nil, err
		}
	}
	for steps := 0; p.fresh > 0; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// step takes the newest commit and passes its marks on to its parents. What both sides reach is a
// candidate, and all below it is stale.
func (p *painting) step() error {
	n := p.queue.pop()
	m := p.marks[n.id]
	if m&stale == 0 {
		p.fresh--
	}
	pass := m & (fromOne | fromTwo | stale)
	if pass == fromOne|fromTwo {
		if m&common == 0 {
			p.marks[n.id] |= common
			p.candidates = append(p.candidates, n)
		}
		pass |= stale
	}
	for _, parent := range n.parents {
		if err := p.add(parent, pass); err != nil {
			return err
		}
	}
	return nil
}

// add marks a commit and queues it if that is news.
func (p *painting) add(id plumbing.Hash, pass mark) error {
	old := p.marks[id]
	if old&pass == pass {
		return nil
	}
	n, err := p.repo.node(id)
	if errors.Is(err, odb.ErrNotFound) {
		gap := &historyGap{missing: id}
		if pass&stale == 0 {
			return gap
		}
		p.gap = gap
		return nil
	}
	if err != nil {
		return err
	}
	p.marks[id] = old | pass
	p.push(n, old, old|pass)
	return nil
}

// push queues a commit and keeps count of those that are not stale; one that is queued twice must
// not be counted twice.
func (p *painting) push(n *node, was, now mark) {
	queuedBefore := p.queue.waiting[n.id]
	switch {
	case queuedBefore && was&stale == 0 && now&stale != 0:
		p.fresh--
	case !queuedBefore && now&stale == 0:
		p.fresh++
	}
	if !queuedBefore {
		p.queue.push(n)
	}
}

// best are the candidates that are not known to lie below others, newest first.
func (p *painting) best() []*node {
	var out []*node
	for _, n := range p.candidates {
		if p.marks[n.id]&stale == 0 {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b *node) int { return cmp.Compare(b.time, a.time) })
	return out
}

// independent drops candidates that can be reached from others. It paints once for each, as
// there are seldom more than two.
func (r *Repo) independent(ctx context.Context, nodes []*node) ([]*node, error) {
	redundant := map[plumbing.Hash]bool{}
	for i, n := range nodes {
		var others []plumbing.Hash
		for j, o := range nodes {
			if i != j && !redundant[o.id] {
				others = append(others, o.id)
			}
		}
		if redundant[n.id] || len(others) == 0 {
			continue
		}
		p, err := r.paint(ctx, n.id, others)
		if err != nil {
			return nil, err
		}
		if p.gap != nil {
			return nil, p.gap
		}
		redundant[n.id] = p.marks[n.id]&fromTwo != 0
		for _, o := range others {
			redundant[o] = redundant[o] || p.marks[o]&fromOne != 0
		}
	}
	return slices.DeleteFunc(nodes, func(n *node) bool { return redundant[n.id] }), nil
}

// queue holds commits that wait for their turn: the newest first, of the same second the one that
// came first. It is short, as wide as the history, so that it is kept sorted.
type queue struct {
	nodes   []*node // the next is the last
	waiting map[plumbing.Hash]bool
}

// push adds a commit in its place.
func (q *queue) push(n *node) {
	older := func(m *node, t int64) int { return cmp.Compare(m.time, t) }
	at, _ := slices.BinarySearchFunc(q.nodes, n.time, older)
	q.nodes = slices.Insert(q.nodes, at, n)
	if q.waiting == nil {
		q.waiting = map[plumbing.Hash]bool{}
	}
	q.waiting[n.id] = true
}

// pop takes the next commit, of which there must be one.
func (q *queue) pop() *node {
	last := len(q.nodes) - 1
	n := q.nodes[last]
	q.nodes = q.nodes[:last]
	delete(q.waiting, n.id)
	return n
}
