// Package odb reads git object databases: loose objects and packs, of one or more objects folders
// and their alternates, as if they were one. Reading is safe for concurrent use and bounded in
// memory, and every object that is read whole is checked against its id, so that a damaged or
// forged database is an error and never other content.
package odb

import (
	"crypto/sha1" //nolint:gosec // git's object ids are SHA-1
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// Type is an object's kind; its values are those of the pack format.
type Type = plumbing.ObjectType

// MaxObject is the largest object that is ever held in memory, in bytes.
const MaxObject = 256 << 20

// Errors of reading.
var (
	ErrNotFound = plumbing.ErrObjectNotFound
	ErrTooLarge = errors.New("object is too large")
	ErrCorrupt  = errors.New("object database is corrupt")
)

// DB is a list of objects folders that are read as one.
type DB struct {
	mu      sync.RWMutex
	folders []*folder
	bases   *Cache[baseKey, object]
}

// object is one object's kind and content, not yet compared with its id.
type object struct {
	kind Type
	data []byte
}

// New returns a database without folders.
func New() *DB {
	return &DB{bases: NewCache[baseKey, object](48 << 20)}
}

// Add appends an objects folder, and the folders that its info/alternates names, unless they are
// already there.
func (d *DB) Add(path string) error {
	found, err := withAlternates(path)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range found {
		if !slices.ContainsFunc(d.folders, func(f *folder) bool { return f.path == p }) {
			d.folders = append(d.folders, &folder{path: p})
		}
	}
	return nil
}

// Folders lists the absolute paths of all folders, in the order of reading.
func (d *DB) Folders() []string {
	var out []string
	for _, f := range d.list() {
		out = append(out, f.path)
	}
	return out
}

// list is the folders as they are now. It is safe for concurrent use.
func (d *DB) list() []*folder {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.folders
}

// Partial reports whether a folder belongs to a partial clone, in which objects
// may be missing although others refer to them.
func (d *DB) Partial() bool {
	return slices.ContainsFunc(d.list(), func(f *folder) bool { return f.promisor() })
}

// Has reports whether an object is there, whole or not: it is not read.
func (d *DB) Has(id plumbing.Hash) bool {
	return d.find(id,
		func(*pack, int64) error { return nil },
		func(*folder) error { return nil }) == nil
}

// Header returns an object's kind and size in bytes without reading it whole.
func (d *DB) Header(id plumbing.Hash) (kind Type, size int64, err error) {
	err = d.find(id, func(p *pack, offset int64) (err error) {
		kind, size, err = d.packedHeader(p, offset)
		return err
	}, func(f *folder) (err error) {
		kind, size, _, err = f.loose(id, 0)
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("read object %s: %w", id, err)
	}
	return kind, size, nil
}

// Read returns an object's kind and content, which the caller must not change.
// An object of more than limit bytes is ErrTooLarge.
func (d *DB) Read(id plumbing.Hash, limit int64) (Type, []byte, error) {
	obj, err := d.read(id, min(limit, MaxObject))
	if err != nil {
		return 0, nil, fmt.Errorf("read object %s: %w", id, err)
	}
	if Hash(obj.kind, obj.data) != id {
		return 0, nil, fmt.Errorf("read object %s: %w: the content has another id", id, ErrCorrupt)
	}
	return obj.kind, obj.data, nil
}

// read reads an object from the first pack or folder that has it. Objects over limit bytes are
// ErrTooLarge.
func (d *DB) read(id plumbing.Hash, limit int64) (obj object, err error) {
	err = d.find(id, func(p *pack, offset int64) (err error) {
		obj, err = d.packed(p, offset, limit)
		return err
	}, func(f *folder) error {
		kind, size, data, err := f.loose(id, limit)
		if err == nil && size > limit {
			err = ErrTooLarge
		}
		obj = object{kind, data}
		return err
	})
	return obj, err
}

// find calls packed or loose for the first place that holds the object: packs before loose objects,
// which cost a look at the disk each. Packs that appeared since the last look are found on a miss.
func (d *DB) find(
	id plumbing.Hash, packed func(*pack, int64) error, loose func(*folder) error,
) error {
	folders := d.list()
	for _, rescan := range []bool{false, true} {
		for _, f := range folders {
			p, offset, err := f.packOf(id, rescan)
			if err == nil {
				return packed(p, offset)
			}
			if !errors.Is(err, ErrNotFound) {
				return err
			}
		}
		for _, f := range folders {
			if f.hasLoose(id) {
				return loose(f)
			}
		}
	}
	return ErrNotFound
}

// Hash is the id of an object with this content.
func Hash(kind Type, data []byte) plumbing.Hash {
	h := sha1.New() //nolint:gosec // git's object ids are SHA-1
	var head [48]byte
	buf := append(head[:0], kind.Bytes()...)
	buf = append(buf, ' ')
	buf = strconv.AppendInt(buf, int64(len(data)), 10)
	h.Write(append(buf, 0))
	h.Write(data)
	var id plumbing.Hash
	h.Sum(id[:0])
	return id
}
