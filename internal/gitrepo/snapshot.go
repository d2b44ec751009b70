package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"workflow-reviewer/internal/change"
)

// Bounds of what a snapshot takes in beside what git has already.
const (
	maxSnapshotFiles = 20_000
	maxSnapshotBytes = 256 << 20
)

// merged is the stage of an entry that is in no conflict; go-git's index.Merged is another number.
const merged = index.Stage(0)

// Snapshot makes a commit of the work tree as it stands: what is tracked, and what is neither
// tracked nor ignored. Its parent is HEAD; where nothing differs it is HEAD. It lies in our own
// store alone, the workspace is only read, and symbolic links are recorded, never followed. left
// are the files that are too large to be read, "path: why".
func (r *Repo) Snapshot(
	ctx context.Context, author Author,
) (commit string, left []string, err error) {
	st, err := r.status(ctx)
	if err != nil {
		return "", nil, err
	}
	defer st.root.Close() //nolint:errcheck // read only
	if st.head == nil {
		return "", nil, fmt.Errorf("%q has no commit yet: make one first", r.work.root)
	}
	s := &snapshot{
		status: st, objects: r.builder(filepath.Join(r.opt.Dir, "objects")),
		modes: r.work.config.Section("core").Option("filemode") != "false",
		files: map[string]treeEntry{},
	}
	tree, err := s.take(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("read the work tree %q: %w", r.work.root, err)
	}
	id := st.head.id
	if tree != st.head.tree {
		text := commitText(tree, id, change.Commit{Subject: "Uncommitted work"}, author)
		id, err = s.objects.write(plumbing.CommitObject, text)
	}
	return id.String(), s.left, err
}

// snapshot is one run of Snapshot.
type snapshot struct {
	*status
	objects *builder
	modes   bool                 // what the file system says of programs counts
	files   map[string]treeEntry // of the new tree
	left    []string
	count   int   // of files that were read
	bytes   int64 // of them
}

// take returns the tree of what is there: HEAD's without what is gone, with what differs.
// Folders in which nothing differs are neither read nor written.
func (s *snapshot) take(ctx context.Context) (plumbing.Hash, error) {
	seen := map[string]bool{}
	for _, e := range s.entries {
		if err := ctx.Err(); err != nil {
			return plumbing.ZeroHash, err
		}
		if seen[e.Name] { // a stage of a conflict
			continue
		}
		seen[e.Name] = true
		if err := s.known(e); err != nil {
			return plumbing.ZeroHash, fmt.Errorf("%q: %w", e.Name, err)
		}
	}
	if err := s.untracked(ctx, s.add); err != nil {
		return plumbing.ZeroHash, err
	}
	deletes, writes := newEdits(), newEdits()
	var err error
	for p := range s.committed {
		if _, ok := s.files[p]; !ok {
			err = errors.Join(err, deletes.add(p, &edit{}))
		}
	}
	for p, e := range s.files {
		if was := s.committed[p]; was.id != e.id || was.mode != e.mode {
			err = errors.Join(err, writes.add(p, &edit{entry: e}))
		}
	}
	tree := s.head.tree
	for _, edits := range []*edit{deletes, writes} { // a file may stand where a folder was
		if err == nil && len(edits.children) > 0 {
			tree, err = s.objects.tree(tree, edits)
		}
	}
	if err == nil && tree.IsZero() {
		tree, err = s.objects.write(plumbing.TreeObject, nil)
	}
	return tree, err
}

// known takes in a file that the index names: as it is staged where the disk has the same or, in a
// sparse checkout, nothing; as it is on disk where that differs.
func (s *snapshot) known(e *index.Entry) error {
	staged := treeEntry{mode: modeOf(e), id: e.Hash}
	info, err := lstatBelow(s.root, e.Name)
	switch {
	case err != nil && e.SkipWorktree,
		err == nil && info.IsDir() && staged.mode == change.ModeSubmodule:
		s.files[e.Name] = staged
		return nil
	// A symbolic link above a path has taken its folder's place: what lies behind it is not ours.
	case err != nil || info.IsDir():
		return nil //nolint:nilerr // it is gone, or what stands there is found by the walk
	case e.Stage == merged && !s.modified(e):
		if info.Mode().IsRegular() && staged.isRegular() && s.modes {
			staged.mode = fileMode(info)
		}
		s.files[e.Name] = staged
		return nil
	}
	return s.add(e.Name, info)
}

// add takes in a file as it is on disk. One that is too large stays as it was committed.
func (s *snapshot) add(p string, info fs.FileInfo) error {
	was := s.committed[p]
	if err := checkPath(p); err != nil {
		s.left = append(s.left, p+": its name may not be written")
		return nil //nolint:nilerr // it is told
	}
	if info.Size() > change.MaxFile {
		s.left = append(s.left, p+": "+change.ErrTooLarge.Error())
		if was.exists() {
			s.files[p] = was
		}
		return nil
	}
	s.count++
	s.bytes += info.Size()
	if s.count > maxSnapshotFiles || s.bytes > maxSnapshotBytes {
		return fmt.Errorf("more than %d files or %d MiB are neither committed nor ignored: "+
			"name what is not yours in .gitignore", maxSnapshotFiles, maxSnapshotBytes>>20)
	}
	e := treeEntry{mode: was.mode}
	if !was.isRegular() || s.modes {
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
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it went while the work tree was read
	}
	if err == nil {
		e.id, err = s.objects.write(plumbing.BlobObject, data)
	}
	s.files[p] = e
	return err
}
