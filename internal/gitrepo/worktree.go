package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"workflow-reviewer/internal/change"
)

// Folders returns the workspace's work tree and its own git folder, which a linked work tree
// and a submodule have elsewhere. It is an error if there is no work tree.
func (r *Repo) Folders() (root, gitDir string, err error) {
	if r.work == nil || r.work.bare {
		return "", "", errors.New("the repository has no work tree")
	}
	return r.work.root, r.work.gitDir, nil
}

// openWorktree opens the work tree, out of which no path and no symbolic link leads. The caller
// closes it.
func (r *Repo) openWorktree() (*os.Root, error) {
	folder, _, err := r.Folders()
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(folder)
}

// Exists reports whether something stands at a path of the work tree.
func (r *Repo) Exists(path string) bool {
	root, err := r.openWorktree()
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // read only
	_, err = lstatBelow(root, path)
	return err == nil
}

// WriteFile puts a regular file into the work tree, as a whole, in place of what stands there. It
// refuses paths that lead through a symbolic link or a file, and to replace a folder.
func (r *Repo) WriteFile(path string, content []byte) error {
	root, err := r.openWorktree()
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	if _, err := matchesFile(root, RestoredFile{path, change.ModeRegular, content}); err != nil {
		return fmt.Errorf("write %q: %w", path, err)
	}
	return checkout(root, path, change.ModeRegular, content)
}

// Move puts a file of the work tree at another path, with other content if that differs from
// former, which must still stand at the old one. Nothing is staged. It refuses paths that lead
// through symbolic links, and to replace a file.
func (r *Repo) Move(from, to string, former, content []byte) error {
	root, err := r.openWorktree()
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	if err := errors.Join(checkPath(from), checkPath(to)); err != nil {
		return err
	}
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
	if err := checkout(root, to, fileMode(info), content); err != nil {
		return err
	}
	return root.Remove(from)
}

// RestoredFile is a file as it shall stand in a work tree.
type RestoredFile struct {
	Path    string // slash-separated, below the work tree
	Mode    string // change.ModeRegular or change.ModeExecutable
	Content []byte
}

// Differing are those of the files that the work tree does not have as they shall be. Paths that
// lead out of the work tree, through a symbolic link or through a file, and those that are folders,
// are an error.
func (r *Repo) Differing(files []RestoredFile) ([]RestoredFile, error) {
	root, err := r.openWorktree()
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // nothing to flush
	var differing []RestoredFile
	for _, f := range files {
		same, err := matchesFile(root, f)
		if err != nil {
			return nil, fmt.Errorf("restore %q: %w", f.Path, err)
		}
		if !same {
			differing = append(differing, f)
		}
	}
	return differing, nil
}

// matchesFile reports whether a work tree has a file as it shall be.
func matchesFile(root *os.Root, f RestoredFile) (bool, error) {
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
	case !info.Mode().IsRegular(), fileMode(info) != f.Mode, info.Size() != int64(len(f.Content)):
		return false, nil
	}
	data, err := root.ReadFile(f.Path)
	return err == nil && bytes.Equal(data, f.Content), err
}

// maxRaw bounds a file that is put back into a work tree, in bytes.
const maxRaw = 1 << 30

// Raw reads a blob as git stores it, to put a file back into the work tree: a large one too, and of
// Git LFS the pointer.
func (r *Repo) Raw(id string) ([]byte, error) {
	hash, err := parseSHA(id)
	if err != nil {
		return nil, err
	}
	_, data, err := r.db.Read(hash, maxRaw)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	return data, nil
}

// fileMode is git's mode of a regular file, by its owner's right to execute.
func fileMode(info fs.FileInfo) string {
	if info.Mode().Perm()&0o100 != 0 {
		return change.ModeExecutable
	}
	return change.ModeRegular
}

// lstatBelow looks at a path whose folders must be folders, and no symbolic links to some. Of
// the last name it tells what stands there, which may be a link.
func lstatBelow(root *os.Root, p string) (fs.FileInfo, error) {
	for i, c := range p {
		if c != '/' {
			continue
		}
		info, err := root.Lstat(p[:i])
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%q is not a folder", p[:i])
		}
	}
	return root.Lstat(p)
}

// checkout writes one file below a root, which symbolic links cannot leave: as a new file beside
// the old, so that a reader sees either. What it makes belongs to the root's owner.
func checkout(root *os.Root, p, mode string, data []byte) error {
	own := Adopt(root.Name())
	for i, c := range p {
		if c != '/' {
			continue
		}
		err := root.Mkdir(p[:i], 0o777)
		if err == nil {
			err = own(path.Join(root.Name(), p[:i]))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	perm := fs.FileMode(0o666)
	if mode == change.ModeExecutable {
		perm = 0o777
	}
	tmp := p + ".tmp-workflow-reviewer"
	f, err := root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close(), own(path.Join(root.Name(), tmp)))
	if err == nil {
		err = root.Rename(tmp, p)
	}
	if err != nil {
		_ = root.Remove(tmp)
	}
	return err
}
