package odb

import (
	"bufio"
	"compress/zlib"
	"fmt"
	"io"
	"sync"
)

// inflater is a pooled zlib stream.
type inflater struct {
	src *bufio.Reader
	z   io.ReadCloser
}

// inflaters is a pool, not state: what is in it does not matter.
var inflaters = sync.Pool{New: func() any { return &inflater{src: bufio.NewReader(nil)} }}

// inflate starts to decompress r. The result must be freed.
func inflate(r io.Reader) (*inflater, error) {
	in := inflaters.Get().(*inflater) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	in.src.Reset(r)
	var err error
	if in.z == nil {
		in.z, err = zlib.NewReader(in.src)
	} else {
		err = in.z.(zlib.Resetter).Reset(in.src, nil) //nolint:errcheck,forcetypeassert // documented by zlib.NewReader
	}
	if err != nil {
		in.free()
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return in, nil
}

func (in *inflater) Read(p []byte) (int, error) { return in.z.Read(p) }

func (in *inflater) free() {
	in.src.Reset(nil)
	inflaters.Put(in)
}
