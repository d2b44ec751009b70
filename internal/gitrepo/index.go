package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"workflow-reviewer/internal/ctime"
)

// merged is the stage of an entry that is in no conflict; go-git's index.Merged is another number.
const merged = index.Stage(0)

// staging is a repository's index, locked for writing. Its extensions are dropped when it is saved:
// they are caches, which git makes anew.
type staging struct {
	*index.Index
	path string
	lock *os.File
	own  func(string) error
	done bool
}

// lockIndex takes git's lock on the index and reads it. The caller releases it.
func (l *local) lockIndex(ctx context.Context) (*staging, error) {
	path := filepath.Join(l.gitDir, "index")
	const flags = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	lock, err := os.OpenFile(path+".lock", flags, 0o644) //nolint:gosec // as git writes it
	if errors.Is(err, fs.ErrExist) {
		const help = "wait for it, or remove the file"
		return nil, fmt.Errorf("another git process holds %q; %s", path+".lock", help)
	}
	if err != nil {
		return nil, err
	}
	s := &staging{path: path, lock: lock, own: Adopt(l.gitDir)}
	if s.Index, err = l.readIndex(ctx); err != nil {
		s.release()
		return nil, err
	}
	for _, e := range s.Entries {
		if e.Stage != merged {
			s.release()
			return nil, fmt.Errorf("%q is being merged: resolve %q first", l.root, e.Name)
		}
	}
	return s, nil
}

// entry is a path's entry, nil if there is none.
func (s *staging) entry(path string) *index.Entry {
	e, err := s.Entry(path)
	if err != nil {
		return nil
	}
	return e
}

// matches reports whether the index holds a path as a tree does.
func (s *staging) matches(path string, e treeEntry) bool {
	entry := s.entry(path)
	if entry == nil {
		return !e.exists()
	}
	return e.exists() && entry.Hash == e.id
}

// remove drops a path, which need not be there.
func (s *staging) remove(path string) error {
	if s.entry(path) == nil {
		return nil
	}
	_, err := s.Remove(path)
	return err
}

// set records a file as it is on disk; nil for one that is left out of the work tree.
func (s *staging) set(path string, e treeEntry, info fs.FileInfo) error {
	mode, err := strconv.ParseUint(e.mode, 8, 32)
	if err != nil {
		return err
	}
	entry := s.entry(path)
	if entry == nil {
		entry = s.Add(path)
	}
	*entry = index.Entry{
		Name: path, Hash: e.id, Mode: filemode.FileMode(mode), SkipWorktree: info == nil,
	}
	if info != nil {
		entry.CreatedAt, entry.ModifiedAt = time.Unix(0, ctime.Of(info)), info.ModTime()
		entry.Size = uint32(info.Size()) //nolint:gosec // git keeps the size modulo 2^32
	}
	return nil
}

// save writes the index and lets go of the lock.
func (s *staging) save() error {
	text, err := indexText(&index.Index{Version: s.Version, Entries: s.Entries})
	if err != nil {
		return err
	}
	if _, err := s.lock.Write(text); err != nil {
		return err
	}
	if err := errors.Join(s.lock.Close(), s.own(s.lock.Name())); err != nil {
		return err
	}
	s.done = true
	return os.Rename(s.lock.Name(), s.path)
}

// indexText is an index as a file.
func indexText(idx *index.Index) ([]byte, error) {
	var text bytes.Buffer
	err := index.NewEncoder(&text).Encode(idx)
	return text.Bytes(), err
}

// release gives the lock up without writing, unless save has. It may be deferred beside save.
func (s *staging) release() {
	if s.done {
		return
	}
	s.done = true
	_ = s.lock.Close()
	_ = os.Remove(s.lock.Name())
}
