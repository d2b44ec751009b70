package odb

import (
	"bytes"
	"errors"
	"io"
)

const (
	// pageSize is how much of a pack is read at once: related objects lie near
	// each other.
	pageSize = 16 << 10
	// maxHead is the longest header of an object; pages overlap by that much.
	maxHead = 64
	// pageCache is how many bytes of one pack are kept.
	pageCache = 32 << 20
)

// at returns the bytes of a page from an offset on: at least maxHead unless the
// file ends there.
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

// from reads the file from an offset on.
func (p *pack) from(offset int64) io.Reader {
	head, _ := p.at(offset) // an error shows again below
	rest := io.NewSectionReader(p.file, offset+int64(len(head)), 1<<62)
	return io.MultiReader(bytes.NewReader(head), rest)
}
