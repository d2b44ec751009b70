package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
)

// Apply commits on the branch that the workspace has checked out, and has the developer's git bring
// the commits' paths, and no others, up to date in work tree and index. Before anything changes it
// refuses if HEAD is not expectedHead (change.ErrHeadMoved), or if what would be lost stands at one
// of the paths. No hook runs.
func (r *Repo) Apply(
	ctx context.Context, commits []change.Commit, author Author, expectedHead string,
) (string, error) {
	if err := r.CanApply(ctx); err != nil {
		return "", fmt.Errorf("apply commits: %w", err)
	}
	after, err := r.apply(ctx, commits, author, expectedHead)
	if err != nil {
		return "", fmt.Errorf("apply commits in %q: %w", r.work.root, err)
	}
	return after.String(), nil
}

// apply goes on where there is a work tree. Up to the move of the branch nothing but objects is
// written; what fails after it leaves the commits, and the work tree as it is then.
func (r *Repo) apply(
	ctx context.Context, commits []change.Commit, author Author, expectedHead string,
) (after plumbing.Hash, err error) {
	branch, before, err := r.work.checkedOut(expectedHead)
	if err != nil {
		return after, err
	}
	if err := r.inTheWay(before, commits); err != nil {
		return after, err
	}
	if after, err = r.builder(r.work.objects()).commits(before, commits, author); err != nil {
		return after, err
	}
	// It fails where files differ, which only matters at the paths of the commits.
	_, _ = r.work.git(ctx, "update-index", "-q", "--refresh")
	from, to := before.String(), after.String()
	if _, err := r.work.git(ctx, "read-tree", "-m", "-u", "--dry-run", from, to); err != nil {
		return after, fmt.Errorf("%w; commit, discard or move it first", err)
	}
	if err := r.work.moveRef(branch, before, after); err != nil {
		return after, err
	}
	ctx = context.WithoutCancel(ctx) // a work tree that stays behind would undo the commits
	if _, err = r.work.git(ctx, "read-tree", "-m", "-u", from, to); err != nil {
		err = fmt.Errorf("%s has the commits, the work tree has not: %w; run %q", branch, err,
			"git read-tree -m -u "+from+" "+to)
	}
	return after, err
}

// inTheWay refuses what stands where commits add a file, as git would write over ignored files.
func (r *Repo) inTheWay(before plumbing.Hash, commits []change.Commit) error {
	n, err := r.node(before)
	if err != nil {
		return err
	}
	root, err := r.openWorktree()
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // read only
	for _, c := range commits {
		for _, w := range c.Writes {
			e, err := r.lookup(n.tree, w.Path)
			if err != nil {
				return err
			}
			if e.exists() {
				continue // git looks at what it knows
			}
			switch _, err := lstatBelow(root, w.Path); {
			case err == nil:
				return fmt.Errorf("%q is in the way and not committed; move it first", w.Path)
			case !errors.Is(err, fs.ErrNotExist):
				return fmt.Errorf("%w; move it first", err)
			}
		}
	}
	return nil
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
