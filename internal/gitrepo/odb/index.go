package odb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	indexHead  = 8 + 256*4 // magic, version, fan-out table
	indexTail  = 2 * 20    // checksums of pack and index
	wholeIndex = 64 << 20  // an index up to this size is read into memory
)

// index is a pack index of version 2, see gitformat-pack(5).
type index struct {
	r      io.ReaderAt
	data   []byte   // all of it, or nil if it is too large
	file   *os.File // nil once the index is in memory
	fanout [256]uint32
	size   int64
}

func openIndex(path string) (*index, error) {
	file, err := os.Open(path) //nolint:gosec // a file of the objects folder
	if err != nil {
		return nil, err
	}
	ix, err := readIndex(file)
	if err != nil || ix.file == nil {
		_ = file.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("read pack index %q: %w", path, err)
	}
	return ix, nil
}

func readIndex(file *os.File) (*index, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	ix := &index{r: file, file: file, size: info.Size()}
	if ix.size <= wholeIndex {
		data, err := io.ReadAll(io.LimitReader(file, wholeIndex+1))
		if err != nil {
			return nil, err
		}
		ix.r, ix.data, ix.file, ix.size = bytes.NewReader(data), data, nil, int64(len(data))
	}
	return ix, ix.readFanout()
}

func (ix *index) readFanout() error {
	var head [indexHead]byte
	if _, err := ix.r.ReadAt(head[:], 0); err != nil {
		return fmt.Errorf("%w: pack index is cut short", ErrCorrupt)
	}
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
	if ix.size < indexHead+int64(last)*28+indexTail {
		return fmt.Errorf("%w: pack index is cut short", ErrCorrupt)
	}
	return nil
}

// find returns an object's offset in the pack.
func (ix *index) find(id plumbing.Hash) (int64, error) {
	lo, hi := int64(0), int64(ix.fanout[id[0]])
	if id[0] > 0 {
		lo = int64(ix.fanout[id[0]-1])
	}
	for lo < hi {
		mid := (lo + hi) / 2
		name, err := ix.name(mid)
		if err != nil {
			return 0, err
		}
		switch bytes.Compare(id[:], name) {
		case 0:
			return ix.offset(mid)
		case -1:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	return 0, ErrNotFound
}

// name is the n-th object's id.
func (ix *index) name(n int64) ([]byte, error) {
	at := indexHead + n*20
	if ix.data != nil {
		return ix.data[at : at+20], nil
	}
	name := make([]byte, 20)
	_, err := ix.r.ReadAt(name, at)
	return name, err
}

// offset reads the n-th object's place: 31 bits, or a pointer into the table of 64-bit offsets.
func (ix *index) offset(n int64) (int64, error) {
	count := int64(ix.fanout[255])
	var b [8]byte
	if _, err := ix.r.ReadAt(b[:4], indexHead+count*24+n*4); err != nil {
		return 0, err
	}
	short := binary.BigEndian.Uint32(b[:4])
	if short&(1<<31) == 0 {
		return int64(short), nil
	}
	at := indexHead + count*28 + int64(short&^(1<<31))*8
	if at+8 > ix.size-indexTail {
		return 0, fmt.Errorf("%w: pack index points outside itself", ErrCorrupt)
	}
	if _, err := ix.r.ReadAt(b[:], at); err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(b[:]) &^ (1 << 63)), nil //nolint:gosec // top bit cleared
}

func (ix *index) close() error {
	if ix.file == nil {
		return nil
	}
	return ix.file.Close()
}
