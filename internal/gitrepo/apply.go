package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
)

// Apply commits on the branch that the workspace has checked out, and brings exactly the commits'
// paths up to date in the work tree and index. Before anything changes it refuses if HEAD is not
// expectedHead (change.ErrHeadMoved), or if one of the paths has uncommitted changes or leads
// through a symbolic link. No hook runs.
func (r *Repo) Apply(
	ctx context.Context, commits []change.Commit, author Author, expectedHead string,
) (string, error) {
	root, err := r.openWorktree()
	if err != nil {
		return "", fmt.Errorf("apply commits: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	after, err := r.apply(ctx, root, commits, author, expectedHead)
	if err != nil {
		return "", fmt.Errorf("apply commits in %q: %w", r.work.root, err)
	}
	return after.String(), nil
}

// apply goes on once the work tree is open. Up to the move of the branch nothing but objects is
// written; what fails after it leaves the commits, and the work tree as it is then.
func (r *Repo) apply(
	ctx context.Context, root *os.Root, commits []change.Commit, author Author, expectedHead string,
) (after plumbing.Hash, err error) {
	if err := ctx.Err(); err != nil {
		return after, err
	}
	branch, before, err := r.work.checkedOut(expectedHead)
	if err != nil {
		return after, err
	}
	index, err := r.work.lockIndex(ctx)
	if err != nil {
		return after, err
	}
	defer index.release()
	u := updater{repo: r, root: root, index: index, paths: touched(commits)}
	if err := u.clean(before); err != nil {
		return after, err
	}
	if after, err = r.builder(r.work.objects()).commits(before, commits, author); err != nil {
		return after, err
	}
	if err := r.work.moveRef(branch, before, after); err != nil {
		return after, err
	}
	return after, u.update(after)
}

// checkedOut finds the branch of HEAD. It fails on a detached HEAD, and with change.ErrHeadMoved
// where the branch is not at expected.
func (l *local) checkedOut(expected string) (branch string, tip plumbing.Hash, err error) {
	head, err := l.storage().Reference(plumbing.HEAD)
	if err != nil {
		return "", tip, err
	}
	if head.Type() != plumbing.SymbolicReference {
		return "", tip, errors.New("HEAD is detached: check out a branch first")
	}
	branch = head.Target().String()
	if tip, err = l.ref(branch); err == nil && tip.String() != expected {
		err = fmt.Errorf("%w: HEAD is at %.12s, not at %.12s", change.ErrHeadMoved, tip, expected)
	}
	return branch, tip, err
}

// touched are the paths of all commits, sorted, each once.
func touched(commits []change.Commit) []string {
	var out []string
	for _, c := range commits {
		out = append(out, c.Deletes...)
		for _, w := range c.Writes {
			out = append(out, w.Path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// updater brings paths of a work tree and its index to what a commit has.
type updater struct {
	repo  *Repo
	root  *os.Root
	index *staging
	paths []string
}

// each calls f with the entry that a commit has at each path, the zero entry where it has none.
func (u updater) each(commit plumbing.Hash, f func(p string, e treeEntry) error) error {
	n, err := u.repo.node(commit)
	if err != nil {
		return err
	}
	for _, p := range u.paths {
		e, err := u.repo.lookup(n.tree, p)
		if err == nil && e.isTree() {
			err = fmt.Errorf("%q is a folder", p)
		}
		if err = errors.Join(err, checkPath(p)); err == nil {
			err = f(p, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// clean refuses paths that are not in index and work tree as they are in a commit.
func (u updater) clean(commit plumbing.Hash) error {
	return u.each(commit, func(p string, e treeEntry) error {
		if !u.index.matches(p, e) {
			return fmt.Errorf("%q has staged changes: commit or discard them first", p)
		}
		if u.sparse(p) {
			return nil
		}
		info, err := lstatBelow(u.root, p)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !e.exists():
			return nil
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%q has been deleted in the work tree: commit or restore it first", p)
		case err != nil:
			return err
		case !e.exists():
			return fmt.Errorf("%q is in the way: it is not under version control", p)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%q: %w", p, change.ErrNotRegular)
		}
		data, err := u.root.ReadFile(p)
		if err == nil && !sameText(data, e.id) {
			return fmt.Errorf("%q has uncommitted changes: commit or discard them first", p)
		}
		return err
	})
}

// sparse reports whether a path is left out of the work tree on purpose. A file that stands
// there all the same is not.
func (u updater) sparse(p string) bool {
	e := u.index.entry(p)
	_, gone := u.root.Lstat(p)
	return e != nil && e.SkipWorktree && gone != nil
}

// update writes files and index. A path that the sparse checkout leaves out is changed in the index
// alone.
func (u updater) update(commit plumbing.Hash) error {
	err := u.each(commit, func(p string, e treeEntry) error {
		sparse := u.sparse(p)
		switch {
		case !e.exists() && sparse:
			return u.index.remove(p)
		case !e.exists():
			return errors.Join(u.index.remove(p), u.remove(p))
		case sparse:
			return u.index.set(p, e, nil)
		}
		data, err := u.repo.blob(e.id)
		if err == nil {
			err = checkout(u.root, p, e.mode, data)
		}
		if err != nil {
			return err
		}
		info, err := u.root.Lstat(p)
		return errors.Join(err, u.index.set(p, e, info))
	})
	if err != nil {
		return err
	}
	return u.index.save()
}

// remove deletes a file, and the folders that this leaves empty.
func (u updater) remove(p string) error {
	err := u.root.Remove(p)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // written and deleted again by the commits
	}
	for folder := path.Dir(p); err == nil && folder != "."; folder = path.Dir(folder) {
		if u.root.Remove(folder) != nil {
			break
		}
	}
	return err
}
