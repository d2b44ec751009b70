// Package changetest builds change.Tree and change.Set values in memory, for
// tests that need a pull request without a repository.
package changetest

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sort"
	"strings"

	"workflow-reviewer/internal/change"
)

// Marks that carry a git mode in a file map's value.
const (
	executableMark = "\x00changetest:executable\x00"
	symlinkMark    = "\x00changetest:symlink\x00"
	submoduleMark  = "\x00changetest:submodule\x00"
)

// Executable is a file map's value for a file of mode 100755.
func Executable(content string) string { return executableMark + content }

// Symlink is a file map's value for a symbolic link to target.
func Symlink(target string) string { return symlinkMark + target }

// Submodule is a file map's value for a submodule at a commit.
func Submodule(commit string) string { return submoduleMark + commit }

// Blob is the git blob id of content.
func Blob(content string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
	return hex.EncodeToString(sum[:])
}

// Tree is a tree of the given commit id that holds files, path to content. A value made by
// Executable, Symlink or Submodule has that mode, any other is a regular file. The map is copied.
func Tree(commit string, files map[string]string) change.Tree { return newTree(commit, files) }

func newTree(commit string, files map[string]string) *tree {
	t := &tree{commit: commit, byPath: make(map[string]int, len(files))}
	for path, value := range files {
		t.nodes = append(t.nodes, newNode(path, value))
	}
	sort.Slice(t.nodes, func(i, j int) bool { return t.nodes[i].Path < t.nodes[j].Path })
	for i, n := range t.nodes {
		t.byPath[n.Path] = i
	}
	return t
}

type tree struct {
	commit string
	nodes  []node // sorted by path
	byPath map[string]int
}

type node struct {
	change.Entry
	content string
}

func newNode(path, value string) node {
	n := node{Entry: change.Entry{Path: path, Mode: change.ModeRegular}, content: value}
	for mark, mode := range map[string]string{
		executableMark: change.ModeExecutable,
		symlinkMark:    change.ModeSymlink,
		submoduleMark:  change.ModeSubmodule,
	} {
		if rest, ok := strings.CutPrefix(value, mark); ok {
			n.Mode, n.content = mode, rest
		}
	}
	if n.Mode == change.ModeSubmodule {
		n.Blob = n.content
		return n
	}
	n.Blob, n.Size = Blob(n.content), int64(len(n.content))
	return n
}

func (t *tree) Commit() string { return t.commit }

func (t *tree) ReadFile(path string) ([]byte, error) {
	i, ok := t.byPath[path]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	n := t.nodes[i]
	switch {
	case n.Mode == change.ModeSymlink || n.Mode == change.ModeSubmodule:
		return nil, &fs.PathError{Op: "read", Path: path, Err: change.ErrNotRegular}
	case n.Size > change.MaxFile:
		return nil, &fs.PathError{Op: "read", Path: path, Err: change.ErrTooLarge}
	case change.IsLFSPointer([]byte(n.content)):
		return nil, &fs.PathError{Op: "read", Path: path, Err: change.ErrLFSPointer}
	}
	return []byte(n.content), nil
}

func (t *tree) Stat(path string) (change.Entry, error) {
	i, ok := t.byPath[path]
	if !ok {
		return change.Entry{}, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return t.nodes[i].Entry, nil
}

func (t *tree) List(folder string) ([]change.Entry, error) {
	prefix := strings.Trim(folder, "/")
	if prefix != "" {
		prefix += "/"
	}
	var out []change.Entry
	for _, n := range t.nodes {
		if strings.HasPrefix(n.Path, prefix) {
			out = append(out, n.Entry)
		}
	}
	return out, nil
}
