package gitrepo

import "github.com/go-git/go-git/v5/plumbing"

// queued is a commit that waits for its turn.
type queued struct {
	*node
	turn int
}

// queue orders commits by date, newest first, then by arrival.
type queue struct {
	items   []queued
	turns   int
	waiting map[plumbing.Hash]bool
}

func (q *queue) Len() int { return len(q.items) }

func (q *queue) Less(i, j int) bool {
	a, b := q.items[i], q.items[j]
	if a.time != b.time {
		return a.time > b.time
	}
	return a.turn < b.turn
}

func (q *queue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }

// Push implements heap.Interface.
func (q *queue) Push(x any) {
	item := x.(queued) //nolint:errcheck,forcetypeassert // the queue holds nothing else
	item.turn = q.turns
	q.turns++
	if q.waiting == nil {
		q.waiting = map[plumbing.Hash]bool{}
	}
	q.waiting[item.id] = true
	q.items = append(q.items, item)
}

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	delete(q.waiting, last.id)
	return last
}
