package odb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	indexHead = 8 + 256*4 // magic, version, fan-out table
	indexTail = 2 * 20    // checksums of pack and index
)

// index is a pack index of version 2, see gitformat-pack(5).
type index struct {
	*mapped
	fanout [256]uint32
}

// openIndex maps a pack's index into memory and checks its head. The mapping ends when the index is
// collected.
func openIndex(path string) (*index, error) {
	m, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	ix := &index{mapped: m}
	if err := ix.readFanout(); err != nil {
		return nil, fmt.Errorf("read pack index %q: %w", path, err)
	}
	return ix, nil
}

// readFanout reads the table of counts by first byte. Tables that fall, and files that are too
// short for what they claim, are ErrCorrupt.
func (ix *index) readFanout() error {
	if len(ix.data) < indexHead {
		return fmt.Errorf("%w: pack index is cut short", ErrCorrupt)
	}
	head := ix.data[:indexHead]
	if string(head[:8]) != "\xfftOc\x00\x00\x00\x02" {
		return fmt.Errorf("pack index is not of version 2; run git repack -ad")
	}
	last := uint32(0)
	for i := range ix.fanout {
		ix.fanout[i] = binary.BigEndian.Uint32(head[8+4*i:])
		if ix.fanout[i] < last {
			return fmt.Errorf("%w: pack index is not sorted", ErrCorrupt)
		}
		last = ix.fanout[i]
	}
	if int64(len(ix.data)) < indexHead+int64(last)*28+indexTail {
		return fmt.Errorf("%w: pack index is cut short", ErrCorrupt)
	}
	return nil
}

// find returns an object's offset in the pack.
func (ix *index) find(id plumbing.Hash) (int64, error) {
	defer runtime.KeepAlive(ix.mapped)
	from := 0
	if id[0] > 0 {
		from = int(ix.fanout[id[0]-1])
	}
	n, found := sort.Find(int(ix.fanout[id[0]])-from, func(i int) int {
		return bytes.Compare(id[:], ix.name(int64(from+i)))
	})
	if !found {
		return 0, ErrNotFound
	}
	return ix.offset(int64(from + n))
}

// name is the n-th object's id, valid as long as the index is in use.
func (ix *index) name(n int64) []byte {
	at := indexHead + n*20
	return ix.data[at : at+20]
}

// offset reads the n-th object's place: 31 bits, or a pointer into the table of 64-bit offsets.
func (ix *index) offset(n int64) (int64, error) {
	count := int64(ix.fanout[255])
	short := binary.BigEndian.Uint32(ix.data[indexHead+count*24+n*4:])
	if short&(1<<31) == 0 {
		return int64(short), nil
	}
	at := indexHead + count*28 + int64(short&^(1<<31))*8
	if at+8 > int64(len(ix.data))-indexTail {
		return 0, fmt.Errorf("%w: pack index points outside itself", ErrCorrupt)
	}
	long := binary.BigEndian.Uint64(ix.data[at:])
	return int64(long &^ (1 << 63)), nil //nolint:gosec // top bit cleared
}
