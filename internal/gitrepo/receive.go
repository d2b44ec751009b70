package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

// receive does what git-receive-pack would: the image has no git. It refuses what it does not do,
// which is to run hooks and to update a checked-out branch.
func (l *local) receive(u update, from *odb.DB) error {
	if hook := l.hook(); hook != "" {
		return fmt.Errorf("%w: its %s hook would not run; set the input %q to %q",
			change.ErrReadOnly, hook, "commit", "off")
	}
	if !l.bare && l.isCheckedOut(u.ref) {
		return fmt.Errorf("%w: the branch is checked out there", change.ErrReadOnly)
	}
	own := Adopt(l.objects())
	for _, id := range u.made {
		kind, data, err := from.Read(id, odb.MaxObject)
		if err != nil {
			return err
		}
		if _, err := odb.Write(l.objects(), kind, data, own); err != nil {
			return readOnly(err)
		}
	}
	return l.moveRef(u.ref, u.from, u.to)
}

// hook names a hook that could refuse a push, "" if there is none. Samples are not executable,
// and no hooks.
func (l *local) hook() string {
	folder := filepath.Join(l.common, "hooks")
	if path := l.config.Section("core").Option("hookspath"); path != "" {
		folder = resolvePath(l.root, path)
	}
	for _, name := range []string{"pre-receive", "update", "reference-transaction"} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err == nil && info.Mode()&0o111 != 0 {
			return name
		}
	}
	return ""
}

// isCheckedOut reports whether a ref is the branch of HEAD, which a push must not move under its
// work tree. An unreadable HEAD counts as such.
func (l *local) isCheckedOut(ref string) bool {
	head, err := l.storage().Reference(plumbing.HEAD)
	return err != nil || head.Target() == plumbing.ReferenceName(ref)
}

// moveRef compares and swaps a ref under git's own lock. A ref that is elsewhere, or that another
// process holds, is change.ErrHeadMoved. A packed ref is not touched: a loose one goes before it.
func (l *local) moveRef(name string, from, to plumbing.Hash) (err error) {
	path := filepath.Join(l.common, filepath.FromSlash(name))
	own := Adopt(l.common)
	if err := makeFolders(filepath.Dir(path), own); err != nil {
		return readOnly(err)
	}
	const flags = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	lock, err := os.OpenFile(path+".lock", flags, 0o644) //nolint:gosec // as git writes refs
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w: another process holds %q", change.ErrHeadMoved, path+".lock")
	}
	if err != nil {
		return readOnly(err)
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

// readOnly marks an error of permission as change.ErrReadOnly.
func readOnly(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %w", change.ErrReadOnly, err)
	}
	return err
}
