package odb

import (
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// deflaters is a pool, not state: what is in it does not matter. One takes 800 kB. Loose objects
// are written fast rather than small, as git does; a pack of them is compressed anew.
var deflaters = sync.Pool{New: func() any {
	z, _ := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed) // a level that there is
	return z
}}

// Write adds a loose object to an objects folder, unless it is there, and
// returns its id. made is called for each file and folder that this creates.
func Write(
	objects string, kind Type, data []byte, made func(path string) error,
) (plumbing.Hash, error) {
	id := Hash(kind, data)
	f := &folder{path: objects}
	if f.hasLoose(id) {
		return id, nil
	}
	if err := writeLoose(f.loosePath(id), kind, data, made); err != nil {
		return id, fmt.Errorf("write object %s: %w", id, err)
	}
	return id, nil
}

// writeLoose writes a loose object under a temporary name and renames it, so that no reader sees
// half of it. Made is told of each file and folder before others may need it.
func writeLoose(path string, kind Type, data []byte, made func(string) error) error {
	switch err := os.Mkdir(filepath.Dir(path), 0o777); { //nolint:gosec // as git: the umask decides
	case err == nil:
		if err := made(filepath.Dir(path)); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "tmp_obj_")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())         //nolint:errcheck // gone once renamed
	z := deflaters.Get().(*zlib.Writer) //nolint:errcheck,forcetypeassert // it holds nothing else
	defer deflaters.Put(z)
	z.Reset(tmp)
	_, err = fmt.Fprintf(z, "%s %d\x00", kind, len(data))
	if err == nil {
		_, err = z.Write(data)
	}
	if err = errors.Join(err, z.Close(), tmp.Chmod(0o444), tmp.Close()); err != nil {
		return err
	}
	if err := made(tmp.Name()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
