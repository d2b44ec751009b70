package gitrepo

import (
	"bytes"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"workflow-reviewer/internal/gitrepo/odb"
)

// window is the number of objects of similar size that are compared for deltas, the object
// itself included: the trees of many commits shrink to a tenth by their neighbours.
const window = 2

// packOf encodes objects while the pack is read, and holds few of them in memory at a time. An
// object that cannot be read is an error of reading the pack. Closing that ends the encoding.
func (r *Repo) packOf(ids []plumbing.Hash, refDeltas bool) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		_, err := packfile.NewEncoder(in, lender{db: r.db}, refDeltas).Encode(ids, window)
		in.CloseWithError(err)
	}()
	return out
}

// lender gives an encoder the objects of a database.
type lender struct {
	storer.EncodedObjectStorer // nil: the encoder calls nothing else
	db                         *odb.DB
}

// EncodedObject implements storer.EncodedObjectStorer.
func (l lender) EncodedObject(
	_ plumbing.ObjectType, id plumbing.Hash,
) (plumbing.EncodedObject, error) {
	kind, size, err := l.db.Header(id)
	return lent{db: l.db, id: id, kind: kind, size: size}, err
}

// lent is an object whose content stays in the database until it is read.
type lent struct {
	plumbing.EncodedObject // nil: the encoder calls nothing else
	db                     *odb.DB
	id                     plumbing.Hash
	kind                   odb.Type
	size                   int64
}

// Hash, Type, Size and Reader implement plumbing.EncodedObject.
func (o lent) Hash() plumbing.Hash { return o.id }

func (o lent) Type() plumbing.ObjectType { return o.kind }

func (o lent) Size() int64 { return o.size }

// Reader reads the object from the store, whole and checked. Closing the reader does nothing.
func (o lent) Reader() (io.ReadCloser, error) {
	_, data, err := o.db.Read(o.id, odb.MaxObject)
	return io.NopCloser(bytes.NewReader(data)), err
}
