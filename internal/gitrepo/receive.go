package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
)

// moveRef compares and swaps a ref under git's own lock.
func (l *local) moveRef(name string, from, to plumbing.Hash) (err error) {
	path := filepath.Join(l.common, filepath.FromSlash(name))
	own := Adopt(l.common)
	if err := makeFolders(filepath.Dir(path), own); err != nil {
		return err
	}
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) //nolint:gosec // as git writes refs
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: another process holds %q", change.ErrHeadMoved, path+".lock")
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(lock.Name()))
		}
	}()
	_, writeErr := lock.WriteString(to.String() + "\n")
	if err := errors.Join(writeErr, lock.Close(), own(lock.Name())); err != nil {
		return err
	}
	now, err := l.ref(name)
	if err != nil {
		return err
	}
	if now != from {
		return fmt.Errorf("%w: it is at %.12s", change.ErrHeadMoved, now)
	}
	return os.Rename(lock.Name(), path)
}

// makeFolders makes a folder and those above it, with the right owner.
func makeFolders(path string, own func(string) error) error {
	err := os.Mkdir(path, 0o777) //nolint:gosec // as git: the umask decides
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeFolders(filepath.Dir(path), own); err != nil {
			return err
		}
		err = os.Mkdir(path, 0o777) //nolint:gosec // as git: the umask decides
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return own(path)
}
