package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"workflow-reviewer/internal/change"
)

// Builder makes a small new repository, as for a demonstration. It needs no git, as the image has
// none.
type Builder struct {
	dir  string
	repo *Repo
	work *local

	files map[string]bool // in the work tree
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
	const config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = true\n"
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

// Merge moves main to where a branch is that began there, as a fast-forward. The work tree stays as
// it is.
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

// Checkout writes a branch's files into the work tree, takes those of the last Checkout out that it
// does not have, and makes it the current branch. What stands in a file's place is replaced.
func (b *Builder) Checkout(branch string) error {
	tip, err := b.work.ref("refs/heads/" + branch)
	if err == nil && tip.IsZero() {
		err = errors.New("no such branch")
	}
	if err != nil {
		return fmt.Errorf("check out %q: %w", branch, err)
	}
	head := []byte("ref: refs/heads/" + branch + "\n")
	if err := os.WriteFile(filepath.Join(b.work.gitDir, "HEAD"), head, 0o600); err != nil {
		return err
	}
	n, err := b.repo.node(tip)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	idx, gone := &index.Index{Version: 2}, b.files
	b.files = map[string]bool{}
	err = b.repo.walk(n.tree, "", func(p string, e treeEntry) error {
		data, err := b.repo.blob(e.id)
		if err == nil {
			err = checkout(root, p, e.mode, data)
		}
		if err != nil {
			return err
		}
		delete(gone, p)
		b.files[p] = true
		staged := idx.Add(p) // without size and times, so that git looks at the file
		staged.Hash = e.id
		staged.Mode, err = filemode.New(e.mode)
		return err
	})
	if err != nil {
		return err
	}
	for p := range gone {
		if err := root.Remove(p); err != nil {
			return err
		}
		_ = root.Remove(path.Dir(p)) // if it is empty
	}
	var text bytes.Buffer
	if err := index.NewEncoder(&text).Encode(idx); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.work.gitDir, "index"), text.Bytes(), 0o600)
}
