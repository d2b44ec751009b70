package odb

import (
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"sync"
)

// inflater is a pooled zlib stream.
type inflater struct{ z io.ReadCloser }

// inflaters is a pool, not state: what is in it does not matter.
var inflaters = sync.Pool{New: func() any { return &inflater{} }}

// inflate starts to decompress r. The result must be freed.
func inflate(r flate.Reader) (*inflater, error) {
	in := inflaters.Get().(*inflater) //nolint:errcheck,forcetypeassert // the pool holds nothing else
	var err error
	if in.z == nil {
		in.z, err = zlib.NewReader(r)
	} else {
		err = in.z.(zlib.Resetter).Reset(r, nil) //nolint:errcheck,forcetypeassert // documented by zlib.NewReader
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return in, nil
}

func (in *inflater) Read(p []byte) (int, error) { return in.z.Read(p) }

func (in *inflater) free() { inflaters.Put(in) }
