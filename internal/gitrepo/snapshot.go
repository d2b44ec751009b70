package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

// Bounds of what a snapshot takes in beside what git has already.
const (
	maxSnapshotFiles = 20_000
	maxSnapshotBytes = 256 << 20
)

// Snapshot makes a commit of the work tree as it stands: what is tracked, and what is neither
// tracked nor ignored. Its parent is HEAD; where nothing differs it is HEAD. It lies in our own
// store alone, the workspace is only read, and symbolic links are recorded, never followed. left
// are the files that are too large to be read, "path: why".
func (r *Repo) Snapshot(ctx context.Context, author Author) (commit string, left []string, err error) {
	if r.work == nil || r.work.bare {
		return "", nil, errors.New("the repository has no work tree")
	}
	idx, err := r.work.readIndex(ctx)
	if err != nil {
		return "", nil, r.work.noIndex(err)
	}
	head, err := r.work.ref("HEAD")
	if err != nil {
		return "", nil, err
	}
	if head.IsZero() {
		return "", nil, fmt.Errorf("%q has no commit yet: make one first", r.work.root)
	}
	s := &snapshot{repo: r, modes: r.work.config.Section("core").Option("filemode") != "false"}
	if s.committed, err = r.headEntries(head); err != nil {
		return "", nil, err
	}
	if s.root, err = os.OpenRoot(r.work.root); err != nil {
		return "", nil, err
	}
	defer s.root.Close() //nolint:errcheck // read only
	tree, err := s.take(ctx, idx)
	if err != nil {
		return "", nil, fmt.Errorf("read the work tree %q: %w", r.work.root, err)
	}
	n, err := r.node(head)
	if err != nil || n.tree == tree {
		return head.String(), s.left, err
	}
	id, err := s.write(plumbing.CommitObject, commitText(tree, head, change.Commit{Subject: "Uncommitted work"}, author))
	return id.String(), s.left, err
}

// snapshot is one run of Snapshot.
type snapshot struct {
	repo      *Repo
	root      *os.Root
	modes     bool                 // what the file system says of programs counts
	committed map[string]treeEntry // of HEAD
	tracked   map[string]bool
	entries   map[string]treeEntry // of the new tree
	left      []string
	files     int
	bytes     int64
}

// take returns the tree of what is there.
func (s *snapshot) take(ctx context.Context, idx *index.Index) (plumbing.Hash, error) {
	s.entries, s.tracked = map[string]treeEntry{}, map[string]bool{}
	for _, e := range idx.Entries {
		if err := ctx.Err(); err != nil {
			return plumbing.ZeroHash, err
		}
		if s.tracked[e.Name] { // a stage of a conflict
			continue
		}
		s.tracked[e.Name] = true
		if err := s.known(e); err != nil {
			return plumbing.ZeroHash, fmt.Errorf("%q: %w", e.Name, err)
		}
	}
	if err := s.repo.work.untracked(ctx, s.root, s.tracked, s.add); err != nil {
		return plumbing.ZeroHash, err
	}
	return s.tree(s.entries)
}

// known takes in a file that the index names.
func (s *snapshot) known(e *index.Entry) error {
	staged := treeEntry{mode: fmt.Sprintf("%06o", uint32(e.Mode)), id: e.Hash} // the mode as trees spell it
	info, err := lstatBelow(s.root, e.Name)
	switch {
	case e.SkipWorktree && err != nil || err == nil && info.IsDir() && staged.mode == change.ModeSubmodule:
		s.entries[e.Name] = staged
		return nil
	case err != nil || info.IsDir():
		return nil //nolint:nilerr // it is gone, or what stands there is found by the walk
	case e.Stage == index.Merged && !modified(s.root, e):
		if info.Mode().IsRegular() && staged.isRegular() && s.modes {
			staged.mode = fileMode(info)
		}
		s.entries[e.Name] = staged
		return nil
	}
	return s.add(e.Name, info)
}

// add takes in a file as it is on disk. One that is too large stays as it was committed.
func (s *snapshot) add(p string, info fs.FileInfo) error {
	if err := checkPath(p); err != nil {
		s.left = append(s.left, p+": its name may not be written")
		return nil //nolint:nilerr // it is told
	}
	if info.Size() > change.MaxFile {
		s.left = append(s.left, p+": "+change.ErrTooLarge.Error())
		if was := s.committed[p]; was.exists() {
			s.entries[p] = was
		}
		return nil
	}
	s.files++
	s.bytes += info.Size()
	if s.files > maxSnapshotFiles || s.bytes > maxSnapshotBytes {
		return fmt.Errorf("more than %d files or %d MiB are neither committed nor ignored: name what is not yours in .gitignore",
			maxSnapshotFiles, maxSnapshotBytes>>20)
	}
	e := s.committed[p]
	if !e.isRegular() || s.modes {
		e.mode = fileMode(info)
	}
	var data []byte
	var err error
	switch {
	case info.Mode().IsRegular():
		data, err = s.root.ReadFile(p)
	case info.Mode()&fs.ModeSymlink != 0:
		var target string
		target, err = s.root.Readlink(p)
		data, e.mode = []byte(target), change.ModeSymlink
	default:
		return nil // a socket or a device is no file of git's
	}
	if err == nil {
		e.id, err = s.write(plumbing.BlobObject, data)
	}
	s.entries[p] = e
	return err
}

// tree writes the tree of some files, by their paths below it, and those below
// it. What git has already is not written again.
func (s *snapshot) tree(files map[string]treeEntry) (plumbing.Hash, error) {
	below := map[string]map[string]treeEntry{}
	var entries []treeEntry
	for p, e := range files {
		name, rest, deeper := strings.Cut(p, "/")
		if !deeper {
			e.name = name
			entries = append(entries, e)
			continue
		}
		if below[name] == nil {
			below[name] = map[string]treeEntry{}
		}
		below[name][rest] = e
	}
	for _, name := range slices.Sorted(maps.Keys(below)) {
		id, err := s.tree(below[name])
		if err != nil {
			return id, err
		}
		entries = append(entries, treeEntry{name: name, mode: modeTree, id: id})
	}
	slices.SortFunc(entries, compareEntries)
	text := treeText(entries)
	if id := odb.Hash(plumbing.TreeObject, text); s.repo.db.Has(id) {
		return id, nil
	}
	return s.write(plumbing.TreeObject, text)
}

// write adds an object to our own store.
func (s *snapshot) write(kind odb.Type, data []byte) (plumbing.Hash, error) {
	return odb.Write(filepath.Join(s.repo.opt.Dir, "objects"), kind, data, func(string) error { return nil })
}

// fileMode is git's mode of a regular file, by its owner's right to execute.
func fileMode(info fs.FileInfo) string {
	if info.Mode().Perm()&0o100 != 0 {
		return change.ModeExecutable
	}
	return change.ModeRegular
}
