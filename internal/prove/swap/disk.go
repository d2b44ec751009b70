package swap

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// disk is every way in which this package changes the file system. Reading needs none: a test that
// fails or stops each call in turn has pulled the plug at every write.
type disk interface {
	Rename(from, to string) error
	// WriteFile makes a new file.
	WriteFile(path string, data []byte, perm fs.FileMode) error
	Symlink(target, path string) error
	Mkdir(path string, perm fs.FileMode) error
	Remove(path string) error
	Chmod(path string, perm fs.FileMode) error
	// Chtimes sets the time of a last change, of a symbolic link itself.
	Chtimes(path string, t time.Time) error
	// Sync has a file's content, or what was renamed in a folder, on the disk when it returns.
	Sync(path string) error
}

// osDisk is the disk of this machine.
type osDisk struct{}

func (osDisk) Rename(from, to string) error { return os.Rename(from, to) }

// WriteFile makes a new file. One that is there is an error.
func (osDisk) WriteFile(path string, data []byte, perm fs.FileMode) error {
	const isNew = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	f, err := os.OpenFile(path, isNew, perm) //nolint:gosec // below the work tree or the store
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func (osDisk) Symlink(target, path string) error         { return os.Symlink(target, path) }
func (osDisk) Mkdir(path string, perm fs.FileMode) error { return os.Mkdir(path, perm) }
func (osDisk) Remove(path string) error                  { return os.Remove(path) }
func (osDisk) Chmod(path string, perm fs.FileMode) error { return os.Chmod(path, perm) }

// Chtimes sets the time of a file or link, not of what the link leads to.
func (osDisk) Chtimes(path string, t time.Time) error {
	stamp := unix.NsecToTimespec(t.UnixNano())
	return unix.UtimesNanoAt(
		unix.AT_FDCWD,
		path,
		[]unix.Timespec{stamp, stamp},
		unix.AT_SYMLINK_NOFOLLOW,
	)
}

// Sync has a file or folder written to the disk.
func (osDisk) Sync(path string) error {
	f, err := os.Open(path) //nolint:gosec // of the work tree or the store
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// exists reports whether anything is at a path, a broken link too.
func exists(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return nil, nil
	}
	return info, err
}

// removeAll removes what is at a path, whatever it is; links are not followed.
func removeAll(d disk, path string) error {
	info, err := exists(path)
	if info == nil || err != nil {
		return err
	}
	if info.IsDir() {
		if info.Mode().Perm()&0o700 != 0o700 {
			if err := d.Chmod(path, 0o700); err != nil {
				return err
			}
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := removeAll(d, filepath.Join(path, e.Name())); err != nil {
				return err
			}
		}
	}
	return d.Remove(path)
}
