package odb

import (
	"errors"
	"io"
)

const (
	// pageSize is how much of a pack is read at once: related objects lie near each other.
	pageSize = 16 << 10
	// maxHead is the longest header of an object; pages overlap by that much.
	maxHead = 64
	// pageCache is how many bytes of one pack are kept.
	pageCache = 32 << 20
)

// at returns the bytes of a page from an offset on: at least maxHead unless the file ends there.
func (p *pack) at(offset int64) ([]byte, error) {
	number := offset / pageSize
	page, ok := p.pages.Get(number)
	if !ok {
		page = make([]byte, pageSize+maxHead)
		n, err := p.file.ReadAt(page, number*pageSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		page = page[:n]
		p.pages.Put(number, page, int64(n))
	}
	if offset -= number * pageSize; offset < int64(len(page)) {
		return page[offset:], nil
	}
	return nil, io.ErrUnexpectedEOF
}

// pageReader reads a pack from an offset on, byte by byte as inflating does.
type pageReader struct {
	pack   *pack
	offset int64 // of what follows rest
	rest   []byte
}

// fill makes rest non-empty.
func (r *pageReader) fill() error {
	if len(r.rest) > 0 {
		return nil
	}
	var err error
	if r.rest, err = r.pack.at(r.offset); err != nil {
		return err
	}
	r.offset += int64(len(r.rest))
	return nil
}

// ReadByte implements io.ByteReader.
func (r *pageReader) ReadByte() (byte, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b, nil
}

// Read implements io.Reader.
func (r *pageReader) Read(b []byte) (int, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
