package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/storer"

	"workflow-reviewer/internal/gitrepo/odb"
)

// thinLimit bounds the bytes of objects that a thin pack unfolds to in memory.
const thinLimit = 256 << 20

// thinPack receives a pack whose deltas may build on objects that only the workspace has. For other
// packs servers do not look at the files of a shallow workspace, and send all of them again.
// Nothing is stored before all of it is read, so that what the store holds is always whole.
type thinPack struct {
	storer.EncodedObjectStorer // nil: the parser calls nothing else
	repo                       *Repo
	objects                    map[plumbing.Hash]plumbing.EncodedObject
	size                       int64
}

// readThin unpacks a thin pack into our store.
func (r *Repo) readThin(in io.Reader) error {
	t := &thinPack{repo: r, objects: map[plumbing.Hash]plumbing.EncodedObject{}}
	parser, err := packfile.NewParserWithStorage(packfile.NewScanner(in), t)
	if err != nil {
		return err
	}
	if _, err := parser.Parse(); err != nil {
		return err
	}
	folder := filepath.Join(r.opt.Dir, "objects")
	for id, o := range t.objects {
		data, err := content(o)
		if err != nil {
			return err
		}
		wrote, err := odb.Write(folder, o.Type(), data, Adopt(folder))
		if err == nil && wrote != id {
			err = fmt.Errorf("object %s has another id", id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// content reads a whole object and closes its reader.
func content(o plumbing.EncodedObject) ([]byte, error) {
	r, err := o.Reader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, errors.Join(err, r.Close())
}

// SetEncodedObject implements storer.EncodedObjectStorer.
func (t *thinPack) SetEncodedObject(o plumbing.EncodedObject) (plumbing.Hash, error) {
	if t.size += o.Size(); t.size > thinLimit {
		return plumbing.ZeroHash, errors.New("the pack is too large to be unfolded")
	}
	t.objects[o.Hash()] = o
	return o.Hash(), nil
}

// EncodedObject implements storer.EncodedObjectStorer: it finds the bases of deltas, in the pack
// and in what was there before. What it takes from there is checked against its id.
func (t *thinPack) EncodedObject(
	_ plumbing.ObjectType, id plumbing.Hash,
) (plumbing.EncodedObject, error) {
	if o := t.objects[id]; o != nil {
		return o, nil
	}
	kind, data, err := t.repo.db.Read(id, odb.MaxObject)
	if err != nil {
		return nil, err
	}
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, err = o.Write(data)
	return o, err
}
