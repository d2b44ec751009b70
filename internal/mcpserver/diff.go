package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/textdiff"
)

// diffArgs are the arguments of the tool diff.
type diffArgs struct {
	Path   string `json:"path,omitempty"   jsonschema:"the file whose diff to show; without it the changed files are listed"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many lines or files to skip"`
	Limit  int    `json:"limit,omitempty"  jsonschema:"how many lines or files to show, 400 by default, at most 2000"`
}

// diff lists the changed files, or the diff of one, in pages of lines. Renamed files are found by
// either name.
func (t *tools) diff(ctx context.Context, in diffArgs) (string, error) {
	file, err := cleanPath(in.Path)
	if err != nil {
		return "", err
	}
	files, err := t.changes(ctx)
	if err != nil {
		return "", errors.New("the list of changed files cannot be read")
	}
	w := newWindow(in.Offset, in.Limit, 400, 2000)
	if file == "" {
		return pageOf("Files that the change touches:", w, len(files), "files", func(i int) string {
			return describeChange(files[i])
		}), nil
	}
	f, ok := find(files, file)
	if !ok {
		return "", fmt.Errorf(
			"the change does not touch %q; diff without a path lists what it touches", file,
		)
	}
	lines, err := t.unified(f)
	if err != nil {
		return "", err
	}
	return pageOf(describeChange(f), w, len(lines), "lines", func(i int) string {
		return show(visibleEnd(lines[i]))
	}), nil
}

// visibleEnd shows a carriage return at a line's end as git does; lines may differ in nothing else.
func visibleEnd(line string) string {
	if l, ok := strings.CutSuffix(line, "\r"); ok {
		return l + "^M"
	}
	return line
}

// find is the change of a file by its new or its old path.
func find(files []change.File, name string) (change.File, bool) {
	for _, f := range files {
		if f.Path == name || f.OldPath == name {
			return f, true
		}
	}
	return change.File{}, false
}

// describeChange is a changed file on one line.
func describeChange(f change.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.Status, name(f.Path))
	if f.OldPath != "" {
		fmt.Fprintf(&b, " (from %s)", name(f.OldPath))
	}
	if f.OldMode != "" && f.Mode != "" && f.OldMode != f.Mode {
		fmt.Fprintf(&b, " (mode %s, was %s)", f.Mode, f.OldMode)
	}
	if f.Binary {
		b.WriteString(" (binary)")
	}
	return b.String()
}

// unified returns a file's diff in the unified format, a line each.
func (t *tools) unified(f change.File) ([]string, error) {
	before, err := oneSide(t.src.Base, cmp.Or(f.OldPath, f.Path), f.OldBlob, f.OldMode, "base")
	if err != nil {
		return nil, err
	}
	after, err := oneSide(t.src.Head, f.Path, f.Blob, f.Mode, "head")
	if err != nil {
		return nil, err
	}
	hunks := textdiff.Hunks(before, after, 3)
	return splitLines([]byte(textdiff.Format(f.Path, f.OldPath, hunks))), nil
}

// oneSide reads one side of a diff; a side that does not exist is empty.
func oneSide(tree change.Tree, file, blob, mode, side string) ([]byte, error) {
	if blob == "" {
		return nil, nil
	}
	if mode == change.ModeSymlink || mode == change.ModeSubmodule {
		return nil, explain(file, side, change.ErrNotRegular)
	}
	return readText(tree, file, side)
}
