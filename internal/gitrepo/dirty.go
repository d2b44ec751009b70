package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/format/index"

	"workflow-reviewer/internal/change"
)

// WorktreeDirty lists the paths, sorted, that differ between HEAD, index and work tree. Untracked
// files are not among them. Files are read only where their size or time differs from the index.
// Nothing is listed for a workspace without work tree.
func (r *Repo) WorktreeDirty(ctx context.Context) ([]string, error) {
	if r.work == nil || r.work.bare {
		return nil, nil
	}
	idx, err := r.work.readIndex(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.dirty(ctx, idx)
}

// Uncommitted are those of the paths at which the work tree holds what would be lost if it were
// written over: a change that is not committed, or a file that git does not know.
func (r *Repo) Uncommitted(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	idx, err := r.work.readIndex(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		idx, err = &index.Index{}, nil
	}
	if err != nil {
		return nil, err
	}
	dirty, err := r.dirty(ctx, idx)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(r.work.root)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // read only
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		_, gone := root.Lstat(p)
		known := slices.ContainsFunc(idx.Entries, func(e *index.Entry) bool { return e.Name == p })
		return gone != nil || known && !slices.Contains(dirty, p)
	}), nil
}

// dirty lists the paths whose content in index or work tree differs from HEAD, sorted. Untracked
// files are not among them.
func (r *Repo) dirty(ctx context.Context, idx *index.Index) ([]string, error) {
	committed := map[string]treeEntry{}
	if head, err := r.work.ref("HEAD"); err == nil && !head.IsZero() {
		if committed, err = r.headEntries(head); err != nil {
			return nil, fmt.Errorf("read HEAD of %q: %w", r.work.root, err)
		}
	}
	root, err := os.OpenRoot(r.work.root)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // read only
	return compareWorktree(ctx, root, idx, committed)
}

// compareWorktree compares the index with the committed entries and with the files. It empties
// committed as it goes; what is left is not in the index.
func compareWorktree(ctx context.Context, root *os.Root, idx *index.Index, committed map[string]treeEntry) ([]string, error) {
	var out []string
	for _, e := range idx.Entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if committed[e.Name].id != e.Hash || modified(root, e) {
			out = append(out, e.Name)
		}
		delete(committed, e.Name)
	}
	out = slices.AppendSeq(out, maps.Keys(committed))
	slices.Sort(out)
	return slices.Compact(out), nil
}

// modified reports whether a file differs from its index entry: by size and time first, as git
// does, else by content. Files over change.MaxFile that may differ count as modified.
func modified(root *os.Root, e *index.Entry) bool {
	info, err := root.Lstat(e.Name)
	if err != nil {
		return !e.SkipWorktree
	}
	if info.IsDir() {
		return fmt.Sprintf("%o", uint32(e.Mode)) != change.ModeSubmodule
	}
	if uint32(info.Size()) == e.Size && info.ModTime().Equal(e.ModifiedAt) { //nolint:gosec // git keeps the size modulo 2^32
		return false
	}
	if !info.Mode().IsRegular() {
		target, err := root.Readlink(e.Name)
		return err != nil || !sameText([]byte(target), e.Hash)
	}
	if info.Size() > change.MaxFile {
		return true
	}
	data, err := root.ReadFile(e.Name)
	return err != nil || !sameText(data, e.Hash)
}
