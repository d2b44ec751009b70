package odb

import (
	"bytes"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// Prefix lists the objects whose id begins with prefix, which has at least one byte.
func (d *DB) Prefix(prefix []byte) ([]plumbing.Hash, error) {
	seen := map[plumbing.Hash]bool{}
	for _, f := range d.list() {
		packs, err := f.packList(true)
		if err != nil {
			return nil, err
		}
		for _, p := range packs {
			if err := p.open(); err != nil {
				return nil, err
			}
			p.ix.prefix(prefix, seen)
		}
		f.loosePrefix(prefix, seen)
	}
	return slices.Collect(maps.Keys(seen)), nil
}

// prefix adds the ids that begin with a prefix of one byte at least.
func (ix *index) prefix(prefix []byte, seen map[plumbing.Hash]bool) {
	defer runtime.KeepAlive(ix.mapped)
	from := int64(0)
	if prefix[0] > 0 {
		from = int64(ix.fanout[prefix[0]-1])
	}
	for n := from; n < int64(ix.fanout[prefix[0]]); n++ {
		if name := ix.name(n); bytes.HasPrefix(name, prefix) {
			seen[plumbing.Hash(name)] = true
		}
	}
}

// loosePrefix adds the ids of loose objects that begin with a prefix.
func (f *folder) loosePrefix(prefix []byte, seen map[plumbing.Hash]bool) {
	first := hex.EncodeToString(prefix[:1])
	entries, err := os.ReadDir(filepath.Join(f.path, first))
	if err != nil {
		return // no such folder: no such object
	}
	for _, e := range entries {
		raw, err := hex.DecodeString(first + e.Name())
		if err == nil && len(raw) == len(plumbing.Hash{}) && bytes.HasPrefix(raw, prefix) {
			seen[plumbing.Hash(raw)] = true
		}
	}
}
