package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"workflow-reviewer/internal/change"
)

// RestoredFile is a file as it shall stand in a work tree.
type RestoredFile struct {
	Path    string // slash-separated, below the work tree
	Mode    string // change.ModeRegular or change.ModeExecutable
	Content []byte
}

// Restore writes files over the workspace's work tree, each as a whole, and returns the paths of
// those that differed. Before anything is written it refuses paths that lead out of the work tree,
// through a symbolic link or through a file, and those that are folders; a symbolic link that
// stands in a file's place is replaced, never written through. No other path is touched.
func (r *Repo) Restore(files []RestoredFile) ([]string, error) {
	differing, err := r.Differing(files)
	if err != nil || len(differing) == 0 {
		return nil, err
	}
	root, err := os.OpenRoot(r.work.root)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	own := Adopt(r.work.root)
	var done []string
	for _, f := range differing {
		if err := checkout(root, f.Path, f.Mode, f.Content, own); err != nil {
			return done, fmt.Errorf("restore %q: %w", f.Path, err)
		}
		done = append(done, f.Path)
	}
	return done, nil
}

// Differing are those of the files that the work tree does not have as they shall be. Paths that
// Restore refuses are an error.
func (r *Repo) Differing(files []RestoredFile) ([]RestoredFile, error) {
	if r.work == nil || r.work.bare {
		return nil, errors.New("the repository has no work tree")
	}
	root, err := os.OpenRoot(r.work.root)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	var differing []RestoredFile
	for _, f := range files {
		same, err := stands(root, f)
		if err != nil {
			return nil, fmt.Errorf("restore %q: %w", f.Path, err)
		}
		if !same {
			differing = append(differing, f)
		}
	}
	return differing, nil
}

// stands reports whether a work tree has a file as it shall be.
func stands(root *os.Root, f RestoredFile) (bool, error) {
	if err := checkPath(f.Path); err != nil {
		return false, err
	}
	if f.Mode != change.ModeRegular && f.Mode != change.ModeExecutable {
		return false, fmt.Errorf("%w: its mode is %s", change.ErrNotRegular, f.Mode)
	}
	info, err := lstatBelow(root, f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case info.IsDir():
		return false, errors.New("a folder stands in its place: remove it first")
	case !info.Mode().IsRegular() || info.Mode().Perm()&0o100 != 0 != (f.Mode == change.ModeExecutable) ||
		info.Size() != int64(len(f.Content)):
		return false, nil
	}
	data, err := root.ReadFile(f.Path)
	return err == nil && slices.Equal(data, f.Content), err
}
