package odb

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	maxAlternates = 64 // folders one chain of alternates may name
	maxAltFile    = 1 << 20
	looseStart    = 4096 // bytes of a loose object in which its header stands
)

// folder is one objects folder. Its packs are listed once, and again when an object is missing:
// git may have repacked meanwhile.
type folder struct {
	path string

	mu      sync.Mutex
	packs   []*pack
	scanned bool
	partial bool
}

// withAlternates lists an objects folder and those it borrows from, absolute and without symbolic
// links.
func withAlternates(path string) ([]string, error) {
	root, err := resolve(path)
	if err != nil {
		return nil, err
	}
	found := []string{root}
	for i := 0; i < len(found); i++ {
		next, err := alternates(found[i])
		if err != nil {
			return nil, err
		}
		for _, p := range next {
			// An alternate that is gone is skipped, as git does: its objects are
			// reported missing where they are needed.
			if p, err := resolve(p); err == nil && !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
		if len(found) > maxAlternates {
			return nil, fmt.Errorf("read %q: more than %d alternates", root, maxAlternates)
		}
	}
	return found, nil
}

// resolve is the real path of a folder, so that one that alternates name twice is read once.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// alternates reads a folder's info/alternates: one path a line, relative to the folder.
func alternates(folder string) ([]string, error) {
	name := filepath.Join(folder, "info", "alternates")
	f, err := os.Open(name) //nolint:gosec // the folder is the caller's choice
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(f, maxAltFile))
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if unquoted, err := strconv.Unquote(line); err == nil {
			line = unquoted
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(folder, line)
		}
		out = append(out, line)
	}
	return out, nil
}

// packList returns the folder's packs; rescan looks for new ones first.
func (f *folder) packList(rescan bool) ([]*pack, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.scanned && !rescan {
		return f.packs, nil
	}
	entries, err := os.ReadDir(filepath.Join(f.path, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	packs := slices.Clone(f.packs)
	indexed := ""
	for _, e := range entries { // sorted: x.idx, x.pack, x.promisor
		if name, ok := strings.CutSuffix(e.Name(), ".idx"); ok {
			indexed = name
		}
		f.partial = f.partial || strings.HasSuffix(e.Name(), ".promisor")
		name, isPack := strings.CutSuffix(e.Name(), ".pack")
		known := func(p *pack) bool { return p.name == name }
		if isPack && name == indexed && !slices.ContainsFunc(packs, known) {
			packs = append(packs, &pack{name: name, path: filepath.Join(f.path, "pack", name)})
		}
	}
	f.packs, f.scanned = packs, true
	return packs, nil
}

// packOf finds the pack that holds an object.
func (f *folder) packOf(id plumbing.Hash, rescan bool) (*pack, int64, error) {
	packs, err := f.packList(rescan)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range packs {
		if offset, err := p.find(id); !errors.Is(err, ErrNotFound) {
			return p, offset, err
		}
	}
	return nil, 0, ErrNotFound
}

// promisor reports whether a pack of the folder came from a partial clone, so that missing objects
// can be fetched.
func (f *folder) promisor() bool {
	if _, err := f.packList(false); err != nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.partial
}

// loosePath returns the path of a loose object, whether it is there or not.
func (f *folder) loosePath(id plumbing.Hash) string {
	name := id.String()
	return filepath.Join(f.path, name[:2], name[2:])
}

// hasLoose reports whether the object is there as a regular file. Links are none.
func (f *folder) hasLoose(id plumbing.Hash) bool {
	info, err := os.Lstat(f.loosePath(id))
	return err == nil && info.Mode().IsRegular()
}

// loose reads a loose object's header, and its content if that has at most limit bytes.
func (f *folder) loose(id plumbing.Hash, limit int64) (Type, int64, []byte, error) {
	file, err := os.Open(f.loosePath(id))
	if err != nil {
		return 0, 0, nil, err
	}
	defer file.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(file, looseStart))
	if err != nil {
		return 0, 0, nil, err
	}
	head, _, err := inflate(data, maxHead)
	end := bytes.IndexByte(head, 0)
	if err != nil || end < 0 {
		return 0, 0, nil, fmt.Errorf("%w: loose object without header", ErrCorrupt)
	}
	kind, size, err := looseHeader(head[:end])
	if err != nil || size > limit || limit == 0 {
		return kind, size, nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(file, 2*size))
	if err != nil {
		return 0, 0, nil, err
	}
	text, err := inflateAll(append(data, rest...), int64(end)+1+size)
	if err != nil {
		return 0, 0, nil, err
	}
	return kind, size, text[end+1:], nil
}

// looseHeader reads "KIND SIZE" of a loose object. The size is what the content must come to.
func looseHeader(head []byte) (Type, int64, error) {
	name, digits, _ := bytes.Cut(head, []byte(" "))
	kind, err := plumbing.ParseObjectType(string(name))
	size, sizeErr := strconv.ParseInt(string(digits), 10, 63)
	if err != nil || sizeErr != nil || size < 0 || !whole(kind) {
		return 0, 0, fmt.Errorf("%w: loose object header %.40q", ErrCorrupt, head)
	}
	return kind, size, nil
}

// whole reports whether objects of this kind stand for themselves.
func whole(kind Type) bool {
	return kind >= plumbing.CommitObject && kind <= plumbing.TagObject
}
