package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
)

// Builder makes a small new repository, as for a demonstration.
type Builder struct {
	dir  string
	repo *Repo
	work *local
}

// Create makes a repository with a work tree in a folder, which must not hold one yet; files that
// are there stay. The branch main is checked out, though empty. The caller closes the Builder.
func Create(dir string) (*Builder, error) {
	git := filepath.Join(dir, ".git")
	if _, err := os.Lstat(git); err == nil {
		return nil, fmt.Errorf("create repository: %q exists", git)
	}
	if err := initStore(git); err != nil {
		return nil, fmt.Errorf("create repository: %w", err)
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = true\n"
	if err := os.WriteFile(filepath.Join(git, "config"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	work, err := openLocal(dir)
	if err != nil {
		return nil, err
	}
	repo := newRepo(Options{Dir: git})
	repo.readOnly = true // Close must not remove it
	return &Builder{dir: dir, repo: repo, work: work}, repo.db.Add(work.objects())
}

// Close releases the repository's files.
func (b *Builder) Close() error { return b.repo.Close() }

// Commit writes a commit on a branch and returns its id. A branch that does not exist begins where
// main is.
func (b *Builder) Commit(branch string, c change.Commit, author Author) (string, error) {
	ref := "refs/heads/" + branch
	if err := plumbing.ReferenceName(ref).Validate(); err != nil {
		return "", fmt.Errorf("commit on %q: %w", branch, err)
	}
	old, err := b.work.ref(ref)
	if err != nil {
		return "", err
	}
	parent := old
	if parent.IsZero() {
		if parent, err = b.work.ref("refs/heads/main"); err != nil {
			return "", err
		}
	}
	objects := b.repo.builder(b.work.objects())
	id, err := objects.commits(parent, []change.Commit{c}, author)
	if err != nil {
		return "", err
	}
	return id.String(), b.work.moveRef(ref, old, id)
}

// Merge moves main to where a branch is that began there.
func (b *Builder) Merge(branch string) error {
	old, err := b.work.ref("refs/heads/main")
	if err != nil {
		return err
	}
	tip, err := b.work.ref("refs/heads/" + branch)
	if err == nil && tip.IsZero() {
		err = fmt.Errorf("merge %q: no such branch", branch)
	}
	if err != nil {
		return err
	}
	return b.work.moveRef("refs/heads/main", old, tip)
}

// Checkout writes a branch's files into the empty work tree and makes it the current branch.
func (b *Builder) Checkout(ctx context.Context, branch string) error {
	tip, err := b.work.ref("refs/heads/" + branch)
	if err != nil {
		return err
	}
	if tip.IsZero() {
		return fmt.Errorf("check out %q: no such branch", branch)
	}
	files, err := b.repo.headEntries(tip)
	if err != nil {
		return err
	}
	head := []byte("ref: refs/heads/" + branch + "\n")
	if err := os.WriteFile(filepath.Join(b.work.gitDir, "HEAD"), head, 0o600); err != nil {
		return err
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	return b.fill(ctx, root, files)
}

// fill writes the files and an index of them.
func (b *Builder) fill(ctx context.Context, root *os.Root, files map[string]treeEntry) error {
	const flags = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	lock, err := os.OpenFile(filepath.Join(b.work.gitDir, "index.lock"), flags, 0o644) //nolint:gosec // as git writes it
	if err != nil {
		return err
	}
	own := Adopt(b.dir)
	index := newStaging(filepath.Join(b.work.gitDir, "index"), lock, own)
	defer index.release()
	for path, e := range files {
		if err := errors.Join(ctx.Err(), checkPath(path)); err != nil {
			return err
		}
		data, err := b.repo.blob(e.id)
		if err != nil {
			return err
		}
		if err := checkout(root, path, e.mode, data, own); err != nil {
			return err
		}
		info, err := root.Lstat(path)
		if err != nil {
			return err
		}
		if err := index.set(path, e, info); err != nil {
			return err
		}
	}
	return index.save()
}
