package gitrepo

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo/odb"
)

// edit changes one name of a tree: to the folder's content, or to the file.
type edit struct {
	children map[string]*edit
	write    *change.Write
	mode     string // of a file that is new at its path
}

// plan turns a commit into a tree of edits.
func (b *builder) plan(tree plumbing.Hash, c change.Commit) (*edit, error) {
	root := &edit{children: map[string]*edit{}}
	modes := map[plumbing.Hash]string{}
	for _, path := range c.Deletes {
		e, err := b.repo.lookup(tree, path)
		if err != nil {
			return nil, err
		}
		modes[e.id] = e.mode
		if err := root.add(path, &edit{}); err != nil {
			return nil, err
		}
	}
	for _, w := range c.Writes {
		mode := change.ModeRegular
		if len(modes) > 0 && modes[odb.Hash(plumbing.BlobObject, w.Bytes())] == change.ModeExecutable {
			mode = change.ModeExecutable // the file moves
		}
		if err := root.add(w.Path, &edit{write: &w, mode: mode}); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// add puts an edit at a path below e.
func (e *edit) add(path string, leaf *edit) error {
	if err := checkPath(path); err != nil {
		return err
	}
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		next := e.children[name]
		if next == nil {
			next = &edit{children: map[string]*edit{}}
			e.children[name] = next
		}
		if e = next; e.children == nil {
			return fmt.Errorf("path %q leads through a file of the same commit", path)
		}
	}
	last := names[len(names)-1]
	if e.children[last] != nil {
		return fmt.Errorf("path %q occurs twice", path)
	}
	e.children[last] = leaf
	return nil
}

// checkPath refuses paths that could leave the repository, or mean something else on another
// system.
func checkPath(path string) error {
	if len(path) > maxPath || !utf8.ValidString(path) {
		return fmt.Errorf("path %.80q is too long or not UTF-8", path)
	}
	for _, name := range strings.Split(path, "/") {
		err := checkName(strings.TrimRight(name, ". "))
		if err != nil || strings.EqualFold(name, "git~1") ||
			strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '\\' || r == ':' || r == 0x7f }) {
			return fmt.Errorf("path %q may not be written", path)
		}
	}
	return nil
}
