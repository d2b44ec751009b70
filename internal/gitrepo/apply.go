package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

// Apply commits on the branch that the workspace has checked out, and brings exactly the commits'
// paths up to date in the work tree and index. Before anything changes it refuses if HEAD is not
// expectedHead (change.ErrHeadMoved), or if one of the paths has uncommitted changes or leads
// through a symbolic link. No hook runs.
func (r *Repo) Apply(ctx context.Context, commits []change.Commit, author Author, expectedHead string) (string, error) {
	if r.work == nil || r.work.bare {
		return "", errors.New("apply commits: the workspace has no work tree")
	}
	a := &application{repo: r, work: r.work}
	defer a.close()
	err := a.prepare(ctx, commits, expectedHead)
	if err == nil {
		err = a.commit(commits, author)
	}
	if err == nil {
		err = a.update()
	}
	if err != nil {
		return "", fmt.Errorf("apply commits in %q: %w", r.work.root, err)
	}
	return a.after.String(), nil
}

// application is one run of Apply.
type application struct {
	repo   *Repo
	work   *local
	root   *os.Root
	index  *staging
	branch string // full ref name
	paths  []string
	before plumbing.Hash
	after  plumbing.Hash
}

// close lets go of the index's lock and of the work tree. It may be called twice.
func (a *application) close() {
	if a.index != nil {
		a.index.release()
	}
	if a.root != nil {
		_ = a.root.Close()
	}
}

// prepare checks all that could go wrong and takes the index' lock.
func (a *application) prepare(ctx context.Context, commits []change.Commit, expectedHead string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := a.onBranch(expectedHead); err != nil {
		return err
	}
	var err error
	if a.root, err = os.OpenRoot(a.work.root); err != nil {
		return err
	}
	if a.index, err = a.work.lockIndex(ctx); err != nil {
		return a.work.noIndex(err)
	}
	a.paths = touched(commits)
	for _, p := range a.paths {
		if err := a.clean(p); err != nil {
			return err
		}
	}
	return nil
}

// onBranch finds the branch that is checked out. It fails on a detached HEAD, and with
// change.ErrHeadMoved where the branch is not at expectedHead.
func (a *application) onBranch(expectedHead string) error {
	head, err := a.work.storage().Reference(plumbing.HEAD)
	if err != nil {
		return err
	}
	if head.Type() != plumbing.SymbolicReference {
		return errors.New("HEAD is detached: check out a branch first")
	}
	a.branch = head.Target().String()
	if a.before, err = a.work.ref(a.branch); err != nil {
		return err
	}
	if a.before.String() != expectedHead {
		return fmt.Errorf("%w: HEAD is at %.12s, not at %.12s", change.ErrHeadMoved, a.before, expectedHead)
	}
	return nil
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

// clean refuses a path that is not in index and work tree as it is in HEAD.
func (a *application) clean(p string) error {
	if err := checkPath(p); err != nil {
		return err
	}
	e, err := a.inCommit(a.before, p)
	if err != nil {
		return err
	}
	if !a.index.matches(p, e) {
		return fmt.Errorf("%q has staged changes: commit or discard them first", p)
	}
	if a.sparse(p) {
		return nil
	}
	info, err := lstatBelow(a.root, p)
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
	data, err := a.root.ReadFile(p)
	if err == nil && !sameText(data, e.id) {
		return fmt.Errorf("%q has uncommitted changes: commit or discard them first", p)
	}
	return err
}

// sameText compares a file with a blob, also as git stores it where it was checked out with Windows
// line endings.
func sameText(data []byte, id plumbing.Hash) bool {
	if odb.Hash(plumbing.BlobObject, data) == id {
		return true
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	return odb.Hash(plumbing.BlobObject, []byte(text)) == id
}

// inCommit looks a path up in a commit. An entry that does not exist is no error, a folder is.
func (a *application) inCommit(commit plumbing.Hash, p string) (treeEntry, error) {
	n, err := a.repo.node(commit)
	if err != nil {
		return treeEntry{}, err
	}
	e, err := a.repo.lookup(n.tree, p)
	if e.isTree() {
		return e, fmt.Errorf("%q is a folder", p)
	}
	return e, err
}

// sparse reports whether a path is left out of the work tree on purpose.
func (a *application) sparse(p string) bool {
	e := a.index.entries[p]
	_, gone := a.root.Lstat(p)
	return e != nil && e.SkipWorktree && gone != nil
}

// lstatBelow looks at a path whose folders must be folders.
func lstatBelow(root *os.Root, p string) (fs.FileInfo, error) {
	for i, c := range p {
		if c != '/' {
			continue
		}
		info, err := root.Lstat(p[:i])
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%q is not a folder", p[:i])
		}
	}
	return root.Lstat(p)
}
