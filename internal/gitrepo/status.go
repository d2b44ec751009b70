package gitrepo

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/ctime"
	"workflow-reviewer/internal/gitrepo/odb"
)

// status is a work tree beside its index and the commit that is checked out.
type status struct {
	repo      *Repo
	root      *os.Root
	entries   []*index.Entry       // of the index
	committed map[string]treeEntry // of HEAD, empty before the first commit
	head      *node                // nil before the first commit
}

// status reads index and HEAD of the work tree. Where nothing was ever checked out it is an
// fs.ErrNotExist. The caller closes the root.
func (r *Repo) status(ctx context.Context) (*status, error) {
	root, err := r.openWorktree()
	if err != nil {
		return nil, err
	}
	s := &status{repo: r, root: root, committed: map[string]treeEntry{}}
	if err := s.read(ctx); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

func (s *status) read(ctx context.Context) error {
	idx, err := s.repo.work.readIndex(ctx)
	if err != nil {
		return err
	}
	s.entries = idx.Entries
	tip, err := s.repo.work.ref("HEAD")
	if err != nil || tip.IsZero() {
		return err
	}
	if s.head, err = s.repo.node(tip); err == nil {
		err = s.repo.walk(s.head.tree, "", func(path string, e treeEntry) error {
			s.committed[path] = e
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("read HEAD of %q: %w", s.repo.work.root, err)
	}
	return nil
}

// tracked are the paths of the index, those in conflict too.
func (s *status) tracked() map[string]bool {
	tracked := make(map[string]bool, len(s.entries))
	for _, e := range s.entries {
		tracked[e.Name] = true
	}
	return tracked
}

// dirty lists the paths, sorted, that differ between HEAD, index and work tree. Untracked files are
// not among them.
func (s *status) dirty(ctx context.Context) ([]string, error) {
	var out []string
	tracked := s.tracked()
	for _, e := range s.entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.committed[e.Name].id != e.Hash || s.modified(e) {
			out = append(out, e.Name)
		}
	}
	for p := range s.committed {
		if !tracked[p] {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// modified reports whether a file differs from its index entry: by size and times first, as git
// does, else by content.
func (s *status) modified(e *index.Entry) bool {
	info, err := s.root.Lstat(e.Name)
	switch {
	case err != nil:
		return !e.SkipWorktree
	case info.IsDir():
		return modeOf(e) != change.ModeSubmodule
	case untouched(info, e):
		return false
	case !info.Mode().IsRegular():
		target, err := s.root.Readlink(e.Name)
		return err != nil || !sameText([]byte(target), e.Hash)
	}
	same, err := s.hasContent(e, info.Size())
	return err != nil || !same
}

// hasContent reports whether a regular file of so many bytes is what was committed: as it is, as
// git stores a file with Windows line endings, or as the object that a Git LFS pointer names.
func (s *status) hasContent(e *index.Entry, size int64) (bool, error) {
	if size <= change.MaxFile {
		data, err := s.root.ReadFile(e.Name)
		if err != nil || sameText(data, e.Hash) {
			return err == nil, err
		}
	}
	f, err := s.root.Open(e.Name)
	if err != nil {
		return false, err
	}
	defer f.Close() //nolint:errcheck // read only
	id, sum := plumbing.NewHasher(plumbing.BlobObject, size), sha256.New()
	if _, err := io.Copy(io.MultiWriter(id, sum), f); err != nil || id.Sum() == e.Hash {
		return err == nil, err
	}
	pointer, err := s.repo.blob(e.Hash)
	return err == nil && change.LFSPointsTo(pointer, sum.Sum(nil)), err
}

// untouched reports whether a file is known to be the one that its index entry was made of.
// Anybody can set back the time of its content, and nobody that of the change.
func untouched(info fs.FileInfo, e *index.Entry) bool {
	return info.ModTime().Equal(e.ModifiedAt) && info.Size()&(1<<32-1) == int64(e.Size) &&
		ctime.Of(info) == e.CreatedAt.UnixNano()
}

// modeOf is an index entry's mode as trees spell it.
func modeOf(e *index.Entry) string { return fmt.Sprintf("%06o", uint32(e.Mode)) }

// sameText compares a file with a blob, also as git stores it where it was checked out with Windows
// line endings.
func sameText(data []byte, id plumbing.Hash) bool {
	if odb.Hash(plumbing.BlobObject, data) == id {
		return true
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	return odb.Hash(plumbing.BlobObject, []byte(text)) == id
}

// WorktreeDirty lists the paths, sorted, that differ between HEAD, index and work tree. Untracked
// files are not among them. Files are read only where their size or time differs from the index.
// Nothing is listed for a workspace without work tree.
func (r *Repo) WorktreeDirty(ctx context.Context) ([]string, error) {
	if r.work == nil || r.work.bare {
		return nil, nil
	}
	s, err := r.status(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer s.root.Close() //nolint:errcheck // read only
	return s.dirty(ctx)
}

// Uncommitted are those of the paths at which the work tree holds what would be lost if it were
// written over: a change that is not committed, or a file that git does not know.
func (r *Repo) Uncommitted(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	s, err := r.status(ctx)
	if err != nil {
		return nil, err
	}
	defer s.root.Close() //nolint:errcheck // read only
	dirty, err := s.dirty(ctx)
	tracked := s.tracked()
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		_, gone := s.root.Lstat(p)
		return gone != nil || tracked[p] && !slices.Contains(dirty, p)
	}), err
}

// Untracked lists the files of the work tree that git neither tracks nor ignores.
func (r *Repo) Untracked(ctx context.Context) (out []string, err error) {
	s, err := r.status(ctx)
	if err != nil {
		return nil, err
	}
	defer s.root.Close() //nolint:errcheck // read only
	err = s.untracked(ctx, func(p string, _ fs.FileInfo) error {
		out = append(out, p)
		return nil
	})
	return out, err
}

// untracked calls each for the files that are neither tracked nor ignored, by info/exclude and
// each folder's .gitignore; the user's own excludes are not known. Files of another repository
// inside the work tree are none of its.
func (s *status) untracked(ctx context.Context, each func(p string, info fs.FileInfo) error) error {
	exclude, err := os.ReadFile(filepath.Join(s.repo.work.common, "info", "exclude"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tracked := s.tracked()
	rules := map[string][]gitignore.Pattern{} // of each folder and those above it
	enter := func(dir string, above []gitignore.Pattern, domain []string) {
		// A link out of the work tree has no rules.
		own, _ := s.root.ReadFile(path.Join(dir, ".gitignore"))
		rules[dir] = slices.Concat(above, patterns(own, domain))
	}
	enter(".", patterns(exclude, nil), nil)
	return fs.WalkDir(s.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && p != "." {
			return nil // it went while its folder was read
		}
		if err := errors.Join(err, ctx.Err()); err != nil || p == "." {
			return err
		}
		above, parts := rules[path.Dir(p)], strings.Split(p, "/")
		ignored := strings.EqualFold(d.Name(), ".git") ||
			gitignore.NewMatcher(above).Match(parts, d.IsDir())
		if d.IsDir() {
			if _, err := s.root.Lstat(path.Join(p, ".git")); ignored || err == nil {
				return fs.SkipDir
			}
			enter(p, above, parts)
			return nil
		}
		if ignored || tracked[p] {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = each(p, info)
		}
		return err
	})
}

// patterns reads the rules of an ignore file that stands in a folder.
func patterns(rules []byte, domain []string) (out []gitignore.Pattern) {
	for l := range strings.Lines(string(rules)) {
		if l = strings.TrimRight(l, "\r\n"); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, gitignore.ParsePattern(l, domain))
		}
	}
	return out
}
