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
	named    int // 1 where the name stayed
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

// origin is what an added file must share with a deleted one to be its move.
type origin struct {
	id   plumbing.Hash
	kind string
}

// maxAlike is how many deleted files with the same content are looked at for one added, as in git.
const maxAlike = 100

// exactRenames pairs files with the same blob; of several it prefers the one whose name stayed,
// then the first.
func exactRenames(deltas []delta) []rename {
	deleted, added := unpaired(deltas, nil, func(treeEntry) bool { return true })
	sources := map[origin][]int{}
	for _, i := range deleted {
		o := origin{deltas[i].old.id, kindOf(deltas[i].old)}
		sources[o] = append(sources[o], i)
	}
	var pairs []rename
	for _, to := range added {
		o := origin{deltas[to].new.id, kindOf(deltas[to].new)}
		alike := sources[o]
		if len(alike) == 0 {
			continue
		}
		at := slices.IndexFunc(alike[:min(len(alike), maxAlike)], func(from int) bool {
			return path.Base(deltas[from].path) == path.Base(deltas[to].path)
		})
		at = max(at, 0)
		pairs = append(pairs, rename{from: alike[at], to: to, score: 100})
		sources[o] = slices.Delete(alike, at, at+1)
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
				pair := rename{from: from, to: to, score: score}
				if path.Base(deltas[from].path) == path.Base(deltas[to].path) {
					pair.named = 1
				}
				pairs = append(pairs, pair)
			}
		}
	}
	return greedy(pairs), nil
}

// greedy takes the best pairs whose ends are both free. Of pairs that are alike to the same
// degree the one whose name stayed goes first, then the first in git's order.
func greedy(pairs []rename) []rename {
	slices.SortStableFunc(pairs, func(a, b rename) int {
		return cmp.Or(b.score-a.score, b.named-a.named)
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
