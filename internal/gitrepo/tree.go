package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
)

const (
	maxTree = 64 << 20 // bytes of one tree object
	maxPath = 4096     // bytes, Linux' PATH_MAX; also bounds how deep trees nest
)

// errHostile marks names and shapes of trees that git itself never writes.
var errHostile = errors.New("tree is malformed or hostile")

// treeEntry is one line of a tree object. The zero value means «no entry».
type treeEntry struct {
	name string
	mode string // one of change.Mode…, or modeTree
	id   plumbing.Hash
}

const modeTree = "040000"

func (e treeEntry) isTree() bool { return e.mode == modeTree }

func (e treeEntry) isRegular() bool {
	return e.mode == change.ModeRegular || e.mode == change.ModeExecutable
}

// exists reports whether there is an entry at all.
func (e treeEntry) exists() bool { return e.mode != "" }

// readTree returns a tree's entries in git's order; the zero id is the empty tree. Trees with names
// that lead out of their folder, with unsorted or duplicate names, are refused.
func (r *Repo) readTree(id plumbing.Hash) ([]treeEntry, error) {
	if id.IsZero() {
		return nil, nil
	}
	if entries, ok := r.trees.Get(id); ok {
		return entries, nil
	}
	kind, data, err := r.db.Read(id, maxTree)
	if r.lacks(err) {
		return nil, r.lacking("list of files", err)
	}
	if err != nil {
		return nil, err
	}
	if kind != plumbing.TreeObject {
		return nil, fmt.Errorf("read tree %s: it is a %s", id, kind)
	}
	entries, err := parseTree(data)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", id, err)
	}
	r.keepTree(id, entries, len(data))
	return entries, nil
}

// keepTree keeps the entries of a tree object of so many bytes.
func (r *Repo) keepTree(id plumbing.Hash, entries []treeEntry, size int) {
	r.trees.Put(id, entries, int64(size+64*len(entries)))
}

// parseTree reads a tree object. Entries out of order, names that git forbids and unknown modes are
// errors that wrap errHostile: a checkout of such a tree could write anywhere.
func parseTree(data []byte) ([]treeEntry, error) {
	entries := make([]treeEntry, 0, bytes.Count(data, []byte{0}))
	for text := string(data); text != ""; { // one copy, of which names are parts
		head, rest, ok := strings.Cut(text, "\x00")
		digits, name, spaced := strings.Cut(head, " ")
		if !ok || !spaced || len(rest) < len(plumbing.Hash{}) {
			return nil, fmt.Errorf("%w: entry is cut short", errHostile)
		}
		e := treeEntry{name: name}
		text = rest[copy(e.id[:], rest):]
		var err error
		if e.mode, err = parseMode(digits); err != nil {
			return nil, err
		}
		if err := checkName(e.name); err != nil {
			return nil, err
		}
		if n := len(entries); n > 0 && compareEntries(entries[n-1], e) >= 0 {
			return nil, fmt.Errorf("%w: entry %q is out of order", errHostile, e.name)
		}
		entries = append(entries, e)
		if e.isTree() && hasFileNamed(entries, e.name) {
			return nil, fmt.Errorf("%w: two entries %q", errHostile, e.name)
		}
	}
	return entries, nil
}

// parseMode maps a mode to the one that git would write today: old trees hold group-writable files
// and leading zeros.
func parseMode(digits string) (string, error) {
	mode, err := strconv.ParseUint(digits, 8, 32)
	if err == nil {
		switch mode >> 12 {
		case 0o04:
			return modeTree, nil
		case 0o10:
			if mode&0o100 != 0 {
				return change.ModeExecutable, nil
			}
			return change.ModeRegular, nil
		case 0o12:
			return change.ModeSymlink, nil
		case 0o16:
			return change.ModeSubmodule, nil
		}
	}
	return "", fmt.Errorf("%w: mode %.10q", errHostile, digits)
}

// checkName refuses names that are no single path component, or git's own.
func checkName(name string) error {
	if name == "" || name == "." || name == ".." ||
		strings.EqualFold(name, ".git") || strings.Contains(name, "/") {
		return fmt.Errorf("%w: entry named %q", errHostile, name)
	}
	return nil
}

// checkPath refuses paths that could leave the repository, or mean something else on another
// system.
func checkPath(path string) error {
	if len(path) > maxPath || !utf8.ValidString(path) {
		return fmt.Errorf("path %.80q is too long or not UTF-8", path)
	}
	isOdd := func(r rune) bool { return r < ' ' || r == '\\' || r == ':' || r == 0x7f }
	for _, name := range strings.Split(path, "/") {
		err := checkName(strings.TrimRight(name, ". "))
		if err != nil || strings.EqualFold(name, "git~1") || strings.ContainsFunc(name, isOdd) {
			return fmt.Errorf("path %q may not be written", path)
		}
	}
	return nil
}

// compareEntries is git's order of names: a folder sorts as if it ended in a slash.
func compareEntries(a, b treeEntry) int {
	n := min(len(a.name), len(b.name))
	if c := strings.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return int(a.at(n)) - int(b.at(n))
}

// at is the byte by which git sorts entries: a folder's name ends in a slash.
func (e treeEntry) at(i int) byte {
	switch {
	case i < len(e.name):
		return e.name[i]
	case e.isTree():
		return '/'
	}
	return 0
}

// hasFileNamed looks back from the last entry, a folder, for a file of the same
// name: between them only names with that prefix can stand.
func hasFileNamed(entries []treeEntry, name string) bool {
	for i := len(entries) - 2; i >= 0 && strings.HasPrefix(entries[i].name, name); i-- {
		if entries[i].name == name {
			return true
		}
	}
	return false
}

// lookup finds the entry at a path below a tree; the zero entry if there is
// none. The path's folders must be folders: symbolic links are not followed.
func (r *Repo) lookup(tree plumbing.Hash, path string) (treeEntry, error) {
	e := treeEntry{mode: modeTree, id: tree}
	for path != "" {
		if !e.isTree() {
			return treeEntry{}, nil
		}
		entries, err := r.readTree(e.id)
		if err != nil {
			return treeEntry{}, err
		}
		var name string
		name, path, _ = strings.Cut(path, "/")
		e = treeEntry{}
		for _, c := range entries {
			if c.name == name {
				e = c
				break
			}
		}
	}
	return e, nil
}

// join appends a name to a folder's path.
func join(folder, name string) (string, error) {
	if folder != "" {
		name = folder + "/" + name
	}
	if len(name) > maxPath {
		return "", fmt.Errorf("%w: path %.80q… has more than %d bytes", errHostile, name, maxPath)
	}
	return name, nil
}

// BlobID is the id that git gives to a file of this content.
func BlobID(content []byte) string {
	return plumbing.ComputeHash(plumbing.BlobObject, content).String()
}
