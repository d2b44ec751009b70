package gitrepo

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"workflow-reviewer/internal/change"
)

// commit writes the commits and moves the branch.
func (a *application) commit(commits []change.Commit, author Author) error {
	b := a.repo.builder(a.work.objects())
	var err error
	if a.after, err = b.commits(a.before, commits, author); err != nil {
		return err
	}
	return a.work.moveRef(a.branch, a.before, a.after)
}

// update writes the work tree's files and the index.
func (a *application) update() error {
	own := Adopt(a.work.root)
	for _, p := range a.paths {
		if err := a.updatePath(p, own); err != nil {
			return err
		}
	}
	return a.index.save()
}

// updatePath brings a path of the work tree and its index entry to what the new commit has. A path
// that the sparse checkout leaves out is changed in the index alone.
func (a *application) updatePath(p string, own func(string) error) error {
	e, err := a.inCommit(a.after, p)
	if err != nil {
		return err
	}
	sparse := a.sparse(p)
	if !e.exists() {
		delete(a.index.entries, p)
		if !sparse {
			err = a.remove(p)
		}
		return err
	}
	var info fs.FileInfo
	if !sparse {
		if info, err = a.write(p, e, own); err != nil {
			return err
		}
	}
	if err := a.index.set(p, e, info); err != nil {
		return err
	}
	a.index.entries[p].SkipWorktree = sparse
	return nil
}

// write puts a blob into the work tree as a new file beside the old, so that a reader sees either.
func (a *application) write(p string, e treeEntry, own func(string) error) (fs.FileInfo, error) {
	data, err := a.repo.blob(e.id)
	if err != nil {
		return nil, err
	}
	if err := checkout(a.root, p, e.mode, data, own); err != nil {
		return nil, err
	}
	return a.root.Lstat(p)
}

// checkout writes one file below a root, which symbolic links cannot leave.
func checkout(root *os.Root, p, mode string, data []byte, own func(string) error) error {
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

// remove deletes a file, and the folders that this leaves empty.
func (a *application) remove(p string) error {
	err := a.root.Remove(p)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // written and deleted again by the commits
	}
	for folder := path.Dir(p); err == nil && folder != "."; folder = path.Dir(folder) {
		if a.root.Remove(folder) != nil {
			break
		}
	}
	return err
}
