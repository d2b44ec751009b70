package mcpserver

import (
	"context"
	"fmt"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/change"
)

// listArgs are the arguments of the tool list_files.
type listArgs struct {
	Folder  string `json:"folder,omitempty"  jsonschema:"list only what is below this folder"`
	Pattern string `json:"pattern,omitempty" jsonschema:"glob on the whole path, ** crosses folders"`
	Side    string `json:"side,omitempty"    jsonschema:"head (default) or base"`
	Offset  int    `json:"offset,omitempty"  jsonschema:"how many entries to skip"`
	Limit   int    `json:"limit,omitempty"   jsonschema:"how many entries to show, 200 by default, at most 1000"`
}

// list lists files of one side with their sizes, in pages.
func (t *tools) list(_ context.Context, in listArgs) (string, error) {
	tree, side, err := t.tree(in.Side)
	if err != nil {
		return "", err
	}
	entries, err := selectFiles(tree, in.Folder, in.Pattern)
	if err != nil {
		return "", err
	}
	w := newWindow(in.Offset, in.Limit, 200, 1000)
	return pageOf("Files at the "+side+":", w, len(entries), "files", func(i int) string {
		return describe(entries[i])
	}), nil
}

// selectFiles lists a tree's entries below a folder that match a glob. The folder need not exist:
// then there are none.
func selectFiles(tree change.Tree, folder, pattern string) ([]change.Entry, error) {
	folder, err := cleanPath(folder)
	if err != nil {
		return nil, err
	}
	if pattern != "" && !doublestar.ValidatePattern(pattern) {
		return nil, fmt.Errorf("pattern %q is not a valid glob", pattern)
	}
	all, err := tree.List(folder)
	if err != nil {
		return nil, fmt.Errorf("folder %q cannot be listed", folder)
	}
	if pattern == "" {
		return all, nil
	}
	return slices.DeleteFunc(
		slices.Clone(all),
		func(e change.Entry) bool { return !doublestar.MatchUnvalidated(pattern, e.Path) },
	), nil
}

// describe is a file on one line.
func describe(e change.Entry) string {
	switch e.Mode {
	case change.ModeSymlink:
		return name(e.Path) + " (symbolic link, not followed)"
	case change.ModeSubmodule:
		return name(e.Path) + " (submodule, not read)"
	default:
		return fmt.Sprintf("%s (%d bytes)", name(e.Path), e.Size)
	}
}

// readArgs are the arguments of the tool read_file.
type readArgs struct {
	Path   string `json:"path"             jsonschema:"the file, from the repository's root"`
	Side   string `json:"side,omitempty"   jsonschema:"head (default) or base"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many lines to skip"`
	Limit  int    `json:"limit,omitempty"  jsonschema:"how many lines to show, 400 by default, at most 2000"`
	Column int    `json:"column,omitempty" jsonschema:"how many bytes of each line to skip: shows what is cut"`
}

// read is a text file with numbered lines, in pages. Links, submodules, binary and too large files
// are errors.
func (t *tools) read(_ context.Context, in readArgs) (string, error) {
	tree, side, err := t.tree(in.Side)
	if err != nil {
		return "", err
	}
	file, err := filePath(in.Path)
	if err != nil {
		return "", err
	}
	b, err := readText(tree, file, side)
	if err != nil {
		return "", err
	}
	lines := splitLines(b)
	w := newWindow(in.Offset, in.Limit, 400, 2000)
	return pageOf(name(file)+" at the "+side+":", w, len(lines), "lines", func(i int) string {
		from := min(max(in.Column, 0), len(lines[i]))
		return fmt.Sprintf("%5d  %s", i+1, show(lines[i][from:]))
	}), nil
}

// readText returns a file that can be shown line by line.
func readText(tree change.Tree, file, side string) ([]byte, error) {
	b, err := tree.ReadFile(file)
	if err != nil {
		return nil, explain(file, side, err)
	}
	if isBinary(b) {
		return nil, fmt.Errorf("%q is a binary file of %d bytes", file, len(b))
	}
	return b, nil
}
