package gitrepo

import (
	"bytes"
	"context"
	"hash/maphash"

	"github.com/go-git/go-git/v5/plumbing"
)

// fingerprint counts a file's bytes by line, or by 64 bytes of a longer line, as git's
// diffcore-delta.c does.
type fingerprint struct {
	size   int64
	chunks map[uint64]int64 // hash of a chunk: bytes in such chunks; nil while unread
}

// printer makes and keeps fingerprints for one search, so that each file is read once however many
// it is compared with.
type printer struct {
	ctx   context.Context //nolint:containedctx // lives for one search
	repo  *Repo
	seed  maphash.Seed
	read  int64
	known map[plumbing.Hash]*fingerprint
}

// similarity is the share of the larger file that is also in the other, in percent; 0
// for files that are too large to be compared.
func (p *printer) similarity(a, b treeEntry) (int, error) {
	x, err := p.sized(a)
	if err != nil {
		return 0, err
	}
	y, err := p.sized(b)
	if err != nil {
		return 0, err
	}
	small, large := min(x.size, y.size), max(x.size, y.size)
	if small == 0 || large > maxCompared || small*100 < large*minScore {
		return 0, nil
	}
	if err := p.fill(x, a.id); err != nil {
		return 0, err
	}
	if err := p.fill(y, b.id); err != nil {
		return 0, err
	}
	var shared int64
	for chunk, n := range x.chunks {
		shared += min(n, y.chunks[chunk])
	}
	return int(shared * 100 / large), nil
}

// sized is the fingerprint of a file, by its size alone at first. Contents are read only where
// sizes are near each other.
func (p *printer) sized(e treeEntry) (*fingerprint, error) {
	if f := p.known[e.id]; f != nil {
		return f, nil
	}
	size, err := p.repo.size(e)
	if err != nil {
		return nil, err
	}
	f := &fingerprint{size: size}
	p.known[e.id] = f
	return f, nil
}

// fill reads a file's chunks, unless the search has read its share already.
func (p *printer) fill(f *fingerprint, id plumbing.Hash) error {
	if f.chunks != nil || p.read > maxComparedAll {
		return nil
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	data, err := p.repo.blob(id)
	if err != nil {
		return err
	}
	if p.seed == (maphash.Seed{}) {
		p.seed = maphash.MakeSeed()
	}
	p.read += f.size
	f.chunks = map[uint64]int64{}
	for len(data) > 0 {
		n := bytes.IndexByte(data[:min(len(data), 64)], '\n') + 1
		if n == 0 {
			n = min(len(data), 64)
		}
		f.chunks[maphash.Bytes(p.seed, bytes.TrimSuffix(data[:n], []byte("\r\n")))] += int64(n)
		data = data[n:]
	}
	return nil
}
