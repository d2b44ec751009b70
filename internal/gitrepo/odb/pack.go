package odb

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxHead is the longest header of an object in bytes: a size, and an id or a distance.
const maxHead = 64

// maxChain is the longest chain of deltas that git writes.
const maxChain = 4095

// pack is one pack file with its index, opened when first used.
type pack struct {
	name, path string // without extension

	once sync.Once
	err  error
	ix   *index
	*mapped
}

// baseKey names an object by its place.
type baseKey struct {
	pack   *pack
	offset int64
}

// open maps index and pack once. Later calls return the first one's error.
func (p *pack) open() error {
	p.once.Do(func() {
		if p.ix, p.err = openIndex(p.path + ".idx"); p.err == nil {
			p.mapped, p.err = mapFile(p.path + ".pack")
		}
	})
	return p.err
}

// find is an object's place in the pack, or ErrNotFound.
func (p *pack) find(id plumbing.Hash) (int64, error) {
	if err := p.open(); err != nil {
		if errors.Is(err, fs.ErrNotExist) { // repacked meanwhile
			return 0, ErrNotFound
		}
		return 0, err
	}
	return p.ix.find(id)
}

// entry is an object's header in a pack.
type entry struct {
	kind Type
	size int64 // of what follows once inflated: the object, or the delta
	data int64 // offset of the compressed bytes
	base int64 // offset of a delta's base
}

// entry reads the header at an offset.
func (p *pack) entry(offset int64) (entry, error) {
	defer runtime.KeepAlive(p.mapped)
	b := p.from(offset)
	if len(b) < 2 {
		return entry{}, fmt.Errorf("%w: pack is cut short", ErrCorrupt)
	}
	b = b[:min(len(b), maxHead)]
	e := entry{kind: Type(b[0] >> 4 & 7), size: int64(b[0] & 15)}
	i, shift := 1, 4
	for ; b[i-1]&0x80 != 0; i++ {
		if i >= len(b) || shift > 53 {
			return entry{}, fmt.Errorf("%w: object size in pack", ErrCorrupt)
		}
		e.size |= int64(b[i]&0x7f) << shift
		shift += 7
	}
	e.data = offset + int64(i)
	return p.withBase(e, offset, b[i:])
}

// withBase reads where a delta's base is: a distance, or an object id.
func (p *pack) withBase(e entry, offset int64, b []byte) (entry, error) {
	switch {
	case whole(e.kind):
		return e, nil
	case e.kind == plumbing.REFDeltaObject && len(b) >= 20:
		var id plumbing.Hash
		copy(id[:], b)
		base, err := p.ix.find(id)
		e.base, e.data = base, e.data+20
		return e, err
	case e.kind == plumbing.OFSDeltaObject:
		distance := int64(-1)
		for i, c := range b {
			distance = (distance+1)<<7 | int64(c&0x7f)
			if distance > offset {
				break
			}
			if c&0x80 == 0 && distance > 0 {
				e.base, e.data = offset-distance, e.data+int64(i)+1
				return e, nil
			}
		}
	}
	return entry{}, fmt.Errorf("%w: object header in pack", ErrCorrupt)
}

// from returns the pack from an offset on, nothing behind its end.
func (p *pack) from(offset int64) []byte {
	return p.data[min(max(offset, 0), int64(len(p.data))):]
}

// inflate returns an entry's bytes, of which its header says how many there are. More than limit is
// ErrTooLarge before anything is inflated.
func (p *pack) inflate(e entry, limit int64) ([]byte, error) {
	if e.size > limit {
		return nil, ErrTooLarge
	}
	defer runtime.KeepAlive(p.mapped)
	return inflateAll(p.from(e.data), e.size)
}

// packed reads an object from a pack, applying its deltas. The bases in between are kept for the
// next objects, which mostly build on the same ones. Only the object itself is held to the
// limit; all else to MaxObject.
func (d *DB) packed(p *pack, offset, limit int64) (object, error) {
	obj, deltas, err := d.chain(p, offset, limit)
	if err != nil {
		return object{}, err
	}
	for i := len(deltas) - 1; i >= 0; i-- {
		delta, err := p.inflate(deltas[i], MaxObject)
		if err != nil {
			return object{}, err
		}
		allowed := int64(MaxObject)
		if i == 0 {
			allowed = limit
		}
		if obj.data, err = applyDelta(obj.data, delta, allowed); err != nil {
			return object{}, err
		}
		if i > 0 {
			d.bases.Put(baseKey{p, deltas[i-1].base}, obj, int64(len(obj.data)))
		}
	}
	if int64(len(obj.data)) > limit {
		return object{}, ErrTooLarge
	}
	return obj, nil
}

// chain follows deltas down to an object that is whole or at hand, which it
// returns with the deltas, the last to apply first.
func (d *DB) chain(p *pack, offset, limit int64) (object, []entry, error) {
	var deltas []entry
	for len(deltas) <= maxChain {
		if obj, ok := d.bases.Get(baseKey{p, offset}); ok {
			return obj, deltas, nil
		}
		e, err := p.entry(offset)
		if err != nil {
			return object{}, nil, err
		}
		if !whole(e.kind) {
			deltas, offset = append(deltas, e), e.base
			continue
		}
		allowed := int64(MaxObject)
		if len(deltas) == 0 {
			allowed = limit
		}
		data, err := p.inflate(e, allowed)
		if err != nil {
			return object{}, nil, err
		}
		obj := object{e.kind, data}
		if len(deltas) > 0 {
			d.bases.Put(baseKey{p, offset}, obj, int64(len(data)))
		}
		return obj, deltas, nil
	}
	return object{}, nil, fmt.Errorf("%w: endless chain of deltas", ErrCorrupt)
}

// packedHeader returns an object's kind and size; of a delta only its head is inflated.
func (d *DB) packedHeader(p *pack, offset int64) (Type, int64, error) {
	if obj, ok := d.bases.Get(baseKey{p, offset}); ok {
		return obj.kind, int64(len(obj.data)), nil
	}
	e, err := p.entry(offset)
	if err != nil {
		return 0, 0, err
	}
	size := e.size
	if !whole(e.kind) {
		if size, err = p.deltaSize(e); err != nil {
			return 0, 0, err
		}
	}
	for n := 0; !whole(e.kind); n++ {
		if n > maxChain {
			return 0, 0, fmt.Errorf("%w: endless chain of deltas", ErrCorrupt)
		}
		if e, err = p.entry(e.base); err != nil {
			return 0, 0, err
		}
	}
	return e.kind, size, nil
}

// deltaSize is the size of what a delta makes.
func (p *pack) deltaSize(e entry) (int64, error) {
	defer runtime.KeepAlive(p.mapped)
	head, _, err := inflate(p.from(e.data), 20)
	if err != nil {
		return 0, err
	}
	return deltaSize(head)
}
