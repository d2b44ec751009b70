package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"workflow-reviewer/internal/change"
)

// Move puts a file of the work tree at another path, with other content if that differs from
// former, which must still stand at the old one. Nothing is staged. It refuses paths that lead
// through symbolic links, and to replace a file.
func (r *Repo) Move(from, to string, former, content []byte) error {
	if r.work == nil || r.work.bare {
		return errors.New("the repository has no work tree")
	}
	if err := errors.Join(checkPath(from), checkPath(to)); err != nil {
		return err
	}
	root, err := os.OpenRoot(r.work.root)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	info, err := lstatBelow(root, from)
	if err != nil || !info.Mode().IsRegular() {
		return errors.Join(fmt.Errorf("%q: %w", from, change.ErrNotRegular), err)
	}
	if now, err := root.ReadFile(from); err != nil || !bytes.Equal(now, former) {
		return errors.Join(fmt.Errorf("%q has changed since it was read", from), err)
	}
	if _, err := lstatBelow(root, to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%q is in the way", to), err)
	}
	if err := checkout(root, to, fileMode(info), content, Adopt(r.work.root)); err != nil {
		return err
	}
	return root.Remove(from)
}

// Exists reports whether something stands at a path of the work tree.
func (r *Repo) Exists(path string) bool {
	if r.work == nil {
		return false
	}
	root, err := os.OpenRoot(r.work.root)
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // read only
	_, err = lstatBelow(root, path)
	return err == nil
}
