package gitrepo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

// binaryHead is the number of bytes that git looks at to tell text from binary.
const binaryHead = 8000

// Set compares head with its merge base with base. Both commits must have been fetched; the merge
// base is fetched if need be. base "" stands for the empty tree: every file of the head is then
// Added, as with unrelated histories.
//
// Where history is shallow the merge base comes from Options.MergeBase, else
// from fetching more history; if neither answers, Set fails.
func (r *Repo) Set(ctx context.Context, base, head string) (change.Set, error) {
	set := change.Set{Base: base, Head: head}
	var err error
	if base != "" {
		if set.MergeBase, err = r.findMergeBase(ctx, base, head); err != nil {
			return set, fmt.Errorf("find merge base of %.12s and %.12s: %w", base, head, err)
		}
	}
	return r.compare(ctx, set)
}

// Between compares two commits with each other, whatever their histories: from
// is base and merge base at once. Both must have been fetched.
func (r *Repo) Between(ctx context.Context, from, to string) (change.Set, error) {
	return r.compare(ctx, change.Set{Base: from, MergeBase: from, Head: to})
}

// compare completes a set whose commits are known.
func (r *Repo) compare(ctx context.Context, set change.Set) (change.Set, error) {
	var err error
	for _, t := range []struct {
		sha  string
		tree *change.Tree
	}{{set.Base, &set.BaseTree}, {set.MergeBase, &set.MergeBaseTree}, {set.Head, &set.HeadTree}} {
		if *t.tree, err = r.Tree(t.sha); err != nil {
			return change.Set{}, err
		}
	}
	set.Files, err = r.files(ctx, rootOf(set.MergeBaseTree), rootOf(set.HeadTree))
	if err != nil {
		return set, fmt.Errorf("compare %.12s with %.12s: %w", set.MergeBase, set.Head, err)
	}
	return set, r.markIgnored(set)
}

func rootOf(t change.Tree) plumbing.Hash {
	return t.(*treeReader).root //nolint:errcheck,forcetypeassert // made by Repo.Tree
}

// files lists what differs between two trees, sorted by path, moves joined.
func (r *Repo) files(ctx context.Context, from, to plumbing.Hash) ([]change.File, error) {
	deltas, err := r.diff(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if deltas, err = r.renames(ctx, deltas); err != nil {
		return nil, err
	}
	files := make([]change.File, 0, len(deltas))
	for _, d := range deltas {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := r.file(d)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", d.path, err)
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// file describes what became of a path: a changed file with modes, blobs, and the size of the
// new content in bytes.
func (r *Repo) file(d delta) (change.File, error) {
	f := change.File{Path: d.path, Status: change.Modified, Mode: d.new.mode, OldMode: d.old.mode}
	if d.old.exists() {
		f.OldBlob = d.old.id.String()
	}
	if d.new.exists() {
		f.Blob = d.new.id.String()
	}
	switch {
	case !d.old.exists():
		f.Status = change.Added
	case !d.new.exists():
		f.Status = change.Deleted
	case d.movedFrom != "":
		f.Status, f.OldPath = change.Renamed, d.movedFrom
	}
	var err error
	if d.new.exists() {
		if f.Size, err = r.size(d.new); err != nil {
			return f, err
		}
	}
	f.Binary, err = r.binary(d)
	return f, err
}

// binary reports whether either side has a NUL byte near its start.
func (r *Repo) binary(d delta) (bool, error) {
	for _, e := range []treeEntry{d.old, d.new} {
		if !e.isRegular() {
			continue
		}
		head, err := r.head(e.id)
		if err != nil || bytes.IndexByte(head, 0) >= 0 {
			return true, err
		}
	}
	return false, nil
}

// head returns a file's first bytes. Of a file too large to be held in memory, or that a partial
// clone lacks, nothing is known: it counts as text, so that it is not left out of review.
func (r *Repo) head(id plumbing.Hash) ([]byte, error) {
	data, err := r.blob(id)
	if r.lacks(err) {
		return nil, nil
	}
	if errors.Is(err, change.ErrTooLarge) {
		if _, data, err = r.db.Read(id, odb.MaxObject); errors.Is(err, odb.ErrTooLarge) {
			return nil, nil
		}
	}
	return data[:min(len(data), binaryHead)], err
}

// markIgnored sets File.Ignored by the base commit's attributes: the head must
// not be able to declare its own files generated, nor to move to such a place what was none.
func (r *Repo) markIgnored(set change.Set) error {
	a := &attributes{tree: set.BaseTree, rules: map[string][]rule{}}
	for i := range set.Files {
		f := &set.Files[i]
		was, err := a.ignored(cmp.Or(f.OldPath, f.Path))
		if err == nil && was != "" {
			f.Ignored, err = a.ignored(f.Path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
