package gitrepo

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// maxPairs bounds the search for edited moves: deleted times added files, git's
	// diff.renameLimit of 1,000 squared.
	maxPairs = 1_000_000
	// maxCompared is the largest file, in bytes, that is searched for edited moves, and
	// maxComparedAll their sum.
	maxCompared    = 1 << 20
	maxComparedAll = 256 << 20
	minScore       = 50 // percent of the larger file, git's default
)

// rename is a pair of indices into a list of deltas.
type rename struct {
	from, to int
	score    int // percent
	sameName bool
}

// renames joins deleted and added files into moves: those with the same content
// always, and within bounds those that are at least half alike.
func (r *Repo) renames(ctx context.Context, deltas []delta) ([]delta, error) {
	moved := exactRenames(deltas)
	edited, err := r.editedRenames(ctx, deltas, moved)
	if err != nil {
		return nil, err
	}
	moved = append(moved, edited...)
	drop := map[int]bool{}
	for _, m := range moved {
		drop[m.from] = true
		deltas[m.to].old = deltas[m.from].old
		deltas[m.to].movedFrom = deltas[m.from].path
	}
	kept := deltas[:0]
	for i, d := range deltas {
		if !drop[i] {
			kept = append(kept, d)
		}
	}
	return kept, nil
}

// unpaired are the indices of deleted and of added files that no rename has taken yet and that keep
// accepts.
func unpaired(deltas []delta, taken []rename, keep func(treeEntry) bool) (deleted, added []int) {
	used := map[int]bool{}
	for _, t := range taken {
		used[t.from], used[t.to] = true, true
	}
	for i, d := range deltas {
		switch {
		case used[i]:
		case !d.new.exists() && keep(d.old):
			deleted = append(deleted, i)
		case !d.old.exists() && keep(d.new):
			added = append(added, i)
		}
	}
	return deleted, added
}

// origin is the key that an added file must share with a deleted one to be its move.
type origin struct {
	id   plumbing.Hash
	kind string
	base string // last component of the path, or "" for any
}

// exactRenames pairs files with the same blob; of several it prefers the one whose name stayed,
// then the first.
func exactRenames(deltas []delta) []rename {
	deleted, added := unpaired(deltas, nil, func(treeEntry) bool { return true })
	sources := map[origin][]int{}
	for _, i := range deleted {
		o := origin{deltas[i].old.id, kindOf(deltas[i].old), path.Base(deltas[i].path)}
		sources[o] = append(sources[o], i)
		o.base = ""
		sources[o] = append(sources[o], i)
	}
	var pairs []rename
	used := map[int]bool{}
	take := func(to int, o origin) bool {
		for len(sources[o]) > 0 {
			from := sources[o][0]
			sources[o] = sources[o][1:]
			if !used[from] {
				used[from] = true
				pairs = append(pairs, rename{from: from, to: to, score: 100})
				return true
			}
		}
		return false
	}
	var left []int
	for _, to := range added {
		d := deltas[to]
		if !take(to, origin{d.new.id, kindOf(d.new), path.Base(d.path)}) {
			left = append(left, to)
		}
	}
	for _, to := range left {
		take(to, origin{deltas[to].new.id, kindOf(deltas[to].new), ""})
	}
	return pairs
}

// kindOf is a mode without the executable bit: a file does not move onto a link.
func kindOf(e treeEntry) string {
	return e.mode[:3]
}

// editedRenames pairs what is left by similarity, best first.
func (r *Repo) editedRenames(
	ctx context.Context, deltas []delta, taken []rename,
) ([]rename, error) {
	deleted, added := unpaired(deltas, taken, treeEntry.isRegular)
	if len(deleted) == 0 || len(added) == 0 || len(deleted)*len(added) > maxPairs {
		return nil, nil
	}
	prints := printer{repo: r, ctx: ctx, known: map[plumbing.Hash]*fingerprint{}}
	var pairs []rename
	for _, from := range deleted {
		for _, to := range added {
			score, err := prints.similarity(deltas[from].old, deltas[to].new)
			if err != nil {
				return nil, err
			}
			if score >= minScore {
				same := path.Base(deltas[from].path) == path.Base(deltas[to].path)
				pairs = append(pairs, rename{from: from, to: to, score: score, sameName: same})
			}
		}
	}
	return greedy(pairs), nil
}

// greedy takes the best pairs whose ends are both free.
func greedy(pairs []rename) []rename {
	slices.SortStableFunc(pairs, func(a, b rename) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		if a.sameName != b.sameName {
			if a.sameName {
				return -1
			}
			return 1
		}
		return 0
	})
	used := map[int]bool{}
	var out []rename
	for _, p := range pairs {
		if !used[p.from] && !used[p.to] {
			used[p.from], used[p.to] = true, true
			out = append(out, p)
		}
	}
	return out
}
