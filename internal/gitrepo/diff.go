package gitrepo

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// delta is a path whose entry differs; old or new is the zero entry where the
// path did not exist. Entries are never folders.
type delta struct {
	path      string
	old, new  treeEntry
	movedFrom string // the old path of a renamed file, else empty
}

// differ compares trees. Folders with equal ids are skipped unread.
type differ struct {
	ctx    context.Context //nolint:containedctx // lives for one call of diff
	repo   *Repo
	deltas []delta
}

// diff lists the files that differ between two trees, in git's order.
func (r *Repo) diff(ctx context.Context, from, to plumbing.Hash) ([]delta, error) {
	d := &differ{ctx: ctx, repo: r}
	if err := d.trees("", from, to); err != nil {
		return nil, err
	}
	return d.deltas, nil
}

// trees compares two trees entry by entry, in git's order, and descends only where their ids
// differ. It stops when the context ends.
func (d *differ) trees(folder string, from, to plumbing.Hash) error {
	if from == to {
		return nil
	}
	if err := d.ctx.Err(); err != nil {
		return err
	}
	a, err := d.repo.readTree(from)
	if err != nil {
		return err
	}
	b, err := d.repo.readTree(to)
	if err != nil {
		return err
	}
	for len(a) > 0 || len(b) > 0 {
		var left, right treeEntry
		left, right, a, b = next(a, b)
		if err := d.pair(folder, left, right); err != nil {
			return err
		}
	}
	return nil
}

// next is a step of a merge of two sorted lists: it takes the first entry of one list, or of
// both where they name the same.
func next(a, b []treeEntry) (left, right treeEntry, restA, restB []treeEntry) {
	var order int
	switch {
	case len(a) == 0:
		order = 1
	case len(b) == 0:
		order = -1
	default:
		order = compareEntries(a[0], b[0])
	}
	if order <= 0 {
		left, a = a[0], a[1:]
	}
	if order >= 0 {
		right, b = b[0], b[1:]
	}
	return left, right, a, b
}

// pair compares two entries of the same name, of which one may be missing. A
// file and a folder of the same name never meet here: they sort apart.
func (d *differ) pair(folder string, left, right treeEntry) error {
	if left.id == right.id && left.mode == right.mode {
		return nil
	}
	path, err := join(folder, left.name)
	if !left.exists() {
		path, err = join(folder, right.name)
	}
	if err != nil {
		return err
	}
	if left.isTree() || right.isTree() {
		return d.trees(path, left.id, right.id)
	}
	d.deltas = append(d.deltas, delta{path: path, old: left, new: right})
	if len(d.deltas) > maxEntries {
		return fmt.Errorf("%w: more than %d changed files", errHostile, maxEntries)
	}
	return nil
}
