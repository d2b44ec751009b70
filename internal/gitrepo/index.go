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

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
)

// staging is a repository's index, locked for writing.
type staging struct {
	path    string
	lock    *os.File
	own     func(string) error
	version uint32
	entries map[string]*index.Entry
	done    bool
}

// newStaging is an empty index whose lock is held.
func newStaging(path string, lock *os.File, own func(string) error) *staging {
	return &staging{path: path, lock: lock, own: own, version: 2, entries: map[string]*index.Entry{}}
}

// lockIndex takes git's lock on the index and reads it.
func (l *local) lockIndex(ctx context.Context) (*staging, error) {
	path := filepath.Join(l.gitDir, "index")
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) //nolint:gosec // as git writes it
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("another git process holds %q; wait for it, or remove the file", path+".lock")
	}
	if err != nil {
		return nil, err
	}
	s := newStaging(path, lock, Adopt(l.gitDir))
	idx, err := l.readIndex(ctx)
	if err != nil {
		s.release()
		return nil, err
	}
	s.version = idx.Version
	for _, e := range idx.Entries {
		if e.Stage != 0 {
			s.release()
			return nil, fmt.Errorf("%q is in the middle of a merge: resolve %q first", l.root, e.Name)
		}
		s.entries[e.Name] = e
	}
	return s, nil
}

// set records a file as it is on disk.
func (s *staging) set(path string, e treeEntry, info fs.FileInfo) error {
	mode, err := strconv.ParseUint(e.mode, 8, 32)
	if err != nil {
		return err
	}
	entry := &index.Entry{Name: path, Hash: e.id, Mode: filemode.FileMode(mode)}
	if info != nil {
		entry.ModifiedAt = info.ModTime()
		entry.Size = uint32(info.Size()) //nolint:gosec // git keeps the size modulo 2^32
	}
	s.entries[path] = entry
	return nil
}

// save writes the index and lets go of the lock.
func (s *staging) save() error {
	idx := &index.Index{Version: s.version}
	for _, e := range s.entries {
		idx.Entries = append(idx.Entries, e)
	}
	var text bytes.Buffer
	if err := index.NewEncoder(&text).Encode(idx); err != nil {
		return err
	}
	if _, err := s.lock.Write(text.Bytes()); err != nil {
		return err
	}
	if err := errors.Join(s.lock.Close(), s.own(s.lock.Name())); err != nil {
		return err
	}
	s.done = true
	return os.Rename(s.lock.Name(), s.path)
}

// release gives the lock up without writing, unless save has.
func (s *staging) release() {
	if s.done {
		return
	}
	s.done = true
	_ = s.lock.Close()
	_ = os.Remove(s.lock.Name())
}

// matches reports whether the index holds a path as a tree does.
func (s *staging) matches(path string, e treeEntry) bool {
	entry := s.entries[path]
	if entry == nil {
		return !e.exists()
	}
	return e.exists() && entry.Hash == e.id
}

// headEntries are the files of a commit by path.
func (r *Repo) headEntries(commit plumbing.Hash) (map[string]treeEntry, error) {
	n, err := r.node(commit)
	if err != nil {
		return nil, err
	}
	out := map[string]treeEntry{}
	return out, r.walk(n.tree, "", func(path string, e treeEntry) error {
		out[path] = e
		return nil
	})
}
