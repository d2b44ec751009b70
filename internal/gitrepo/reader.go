package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

// maxEntries is the most files that one listing or comparison may hold.
const maxEntries = 500_000

// treeReader implements change.Tree on one commit.
type treeReader struct {
	repo   *Repo
	commit string
	root   plumbing.Hash // zero for the empty tree

	mu  sync.Mutex
	all []change.Entry // answer of List for all files, nil while unread
}

var _ change.Tree = (*treeReader)(nil)

// Tree returns the files of a commit, which must have been fetched; of the
// empty tree for "". It stays valid until the Repo is closed.
func (r *Repo) Tree(sha string) (change.Tree, error) {
	if sha == "" {
		return &treeReader{repo: r}, nil
	}
	id, err := parseSHA(sha)
	if err != nil {
		return nil, err
	}
	c, err := r.node(id)
	if err != nil {
		return nil, err
	}
	return &treeReader{repo: r, commit: sha, root: c.tree}, nil
}

// Commit implements change.Tree.
func (t *treeReader) Commit() string { return t.commit }

// ReadFile implements change.Tree.
func (t *treeReader) ReadFile(path string) ([]byte, error) {
	e, err := t.repo.lookup(t.root, strings.TrimSuffix(path, "/"))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %q: %w", path, err)
	case !e.exists():
		return nil, fmt.Errorf("read %q: %w", path, fs.ErrNotExist)
	case !e.isRegular():
		return nil, fmt.Errorf("read %q: %w", path, change.ErrNotRegular)
	}
	data, err := t.repo.content(e.id)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	return data, nil
}

// Stat implements change.Tree.
func (t *treeReader) Stat(path string) (change.Entry, error) {
	e, err := t.repo.lookup(t.root, path)
	if err == nil && (!e.exists() || e.isTree()) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return change.Entry{}, fmt.Errorf("stat %q: %w", path, err)
	}
	return t.repo.entry(path, e)
}

// List implements change.Tree. All files are listed once; their folders are parts of that.
func (t *treeReader) List(folder string) ([]change.Entry, error) {
	folder = strings.Trim(folder, "/")
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil && folder == "" {
		all, err := t.list("")
		if err != nil {
			return nil, err
		}
		t.all = all
	}
	if t.all == nil {
		return t.list(folder)
	}
	if folder == "" {
		return slices.Clone(t.all), nil
	}
	byPath := func(e change.Entry, p string) int { return strings.Compare(e.Path, p) }
	from, _ := slices.BinarySearchFunc(t.all, folder+"/", byPath)
	to, _ := slices.BinarySearchFunc(t.all, folder+"0", byPath) // what follows the slash
	return slices.Clone(t.all[from:to]), nil
}

// list lists all files below a folder. A folder that is not there has none.
func (t *treeReader) list(folder string) ([]change.Entry, error) {
	e, err := t.repo.lookup(t.root, folder)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", folder, err)
	}
	if !e.isTree() {
		return nil, nil
	}
	var out []change.Entry
	err = t.repo.walk(e.id, folder, func(path string, e treeEntry) error {
		entry, err := t.repo.entry(path, e)
		out = append(out, entry)
		if len(out) > maxEntries {
			return fmt.Errorf("%w: more than %d files", errHostile, maxEntries)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", folder, err)
	}
	slices.SortFunc(out, func(a, b change.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// walk calls f for each file below a tree, depth first, in git's order; folders themselves are not
// told. It stops at the first error.
func (r *Repo) walk(
	tree plumbing.Hash, folder string, f func(path string, e treeEntry) error,
) error {
	entries, err := r.readTree(tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path, err := join(folder, e.name)
		if err != nil {
			return err
		}
		if e.isTree() {
			err = r.walk(e.id, path, f)
		} else {
			err = f(path, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entry is a tree's entry for the rest of the program. Submodules have no size.
func (r *Repo) entry(path string, e treeEntry) (change.Entry, error) {
	size, err := r.size(e)
	return change.Entry{Path: path, Mode: e.mode, Blob: e.id.String(), Size: size}, err
}

// lacking is the error of an object that the partial clone lacks, with the command or input that
// helps.
func (r *Repo) lacking(what string, err error) error {
	text := fmt.Sprintf("its %s is not in the partial clone; %s", what, r.remedy(false))
	return &tidyError{text, err}
}

// lacks reports whether reading failed for want of an object that a partial clone may lack.
func (r *Repo) lacks(err error) bool {
	return errors.Is(err, odb.ErrNotFound) && r.db.Partial()
}

// size is a file's size in bytes, 0 for a submodule and for a file that a partial clone lacks.
func (r *Repo) size(e treeEntry) (int64, error) {
	if e.mode == change.ModeSubmodule {
		return 0, nil
	}
	if size, ok := r.sizes.Get(e.id); ok {
		return size, nil
	}
	_, size, err := r.db.Header(e.id)
	if r.lacks(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	r.sizes.Put(e.id, size, 1)
	return size, nil
}

// blob reads a file's bytes, which the caller must not change.
func (r *Repo) blob(id plumbing.Hash) ([]byte, error) {
	if data, ok := r.blobs.Get(id); ok {
		return data, nil
	}
	kind, data, err := r.db.Read(id, change.MaxFile)
	if r.lacks(err) {
		return nil, r.lacking("content", err)
	}
	if err != nil {
		return nil, tooLarge(err)
	}
	if kind != plumbing.BlobObject {
		return nil, fmt.Errorf("object %s is a %s: %w", id, kind, change.ErrNotRegular)
	}
	r.blobs.Put(id, data, int64(len(data)+64))
	return data, nil
}

// Blob reads a blob by its id; only what is at hand. A Git LFS pointer is change.ErrLFSPointer.
func (r *Repo) Blob(id string) ([]byte, error) {
	hash, err := parseSHA(id)
	if err != nil {
		return nil, err
	}
	data, err := r.content(hash)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	return data, nil
}

// FetchBlob reads a blob by its id, which it takes from the origin if it is not at hand.
func (r *Repo) FetchBlob(ctx context.Context, id string) ([]byte, error) {
	hash, err := parseSHA(id)
	if err != nil {
		return nil, err
	}
	if err := r.fetchBlob(ctx, hash); err != nil {
		return nil, fmt.Errorf("fetch blob %s: %w", id, err)
	}
	return r.Blob(id)
}

// content is a file's bytes for whoever reads them: a Git LFS pointer is none.
func (r *Repo) content(id plumbing.Hash) ([]byte, error) {
	data, err := r.blob(id)
	if err == nil && change.IsLFSPointer(data) {
		err = change.ErrLFSPointer
	}
	if err != nil {
		return nil, err
	}
	return slices.Clone(data), nil
}

// parseSHA reads a full object id.
func parseSHA(sha string) (plumbing.Hash, error) {
	if !plumbing.IsHash(sha) || len(sha) != 40 {
		return plumbing.ZeroHash, fmt.Errorf("%q is no full id of 40 hexadecimal digits", sha)
	}
	return plumbing.NewHash(sha), nil
}

// parseSHAs reads several.
func parseSHAs(shas ...string) ([]plumbing.Hash, error) {
	out := make([]plumbing.Hash, len(shas))
	for i, sha := range shas {
		var err error
		if out[i], err = parseSHA(sha); err != nil {
			return nil, err
		}
	}
	return out, nil
}
