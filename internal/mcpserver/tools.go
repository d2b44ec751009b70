package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"workflow-reviewer/internal/change"
)

// The limits of one answer. Codex itself cuts a tool's answer at 10,000
// tokens, silently in the middle; these stay below that and say what is left.
const (
	maxAnswer = 28 << 10 // bytes
	maxLine   = 1000     // bytes of one line shown
)

// tools answers the calls. It is safe for concurrent use.
type tools struct {
	src     Source
	changes func(context.Context) ([]change.File, error)
	timeout time.Duration // of one search
}

// newTools makes the tools. The list of changed files is computed once, when it is first asked
// for. An error of the list is kept as well: asking again would not mend it.
func newTools(src Source) *tools {
	var (
		once  sync.Once
		files []change.File
		err   error
	)
	return &tools{
		src:     src,
		timeout: 10 * time.Second,
		changes: func(ctx context.Context) ([]change.File, error) {
			once.Do(func() { files, err = src.Changes(context.WithoutCancel(ctx)) })
			return files, err
		},
	}
}

// tree returns the side that a call names; "" is the head.
func (t *tools) tree(side string) (change.Tree, string, error) {
	switch side {
	case "", "head":
		return t.src.Head, "head", nil
	case "base":
		return t.src.Base, "base", nil
	default:
		return nil, "", fmt.Errorf("side %q is neither \"head\" nor \"base\"", side)
	}
}

// cleanPath returns a path below the root in git's spelling; "" is the root.
func cleanPath(p string) (string, error) {
	switch {
	case strings.ContainsRune(p, 0):
		return "", errors.New("path contains a NUL byte")
	case len(p) > 4096:
		return "", errors.New("path is longer than 4,096 bytes")
	case strings.HasPrefix(p, "/"):
		return "", fmt.Errorf("path %q is absolute; give it from the repository's root", p)
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return "", fmt.Errorf("path %q contains \"..\"", p)
		}
		if strings.EqualFold(part, ".git") {
			return "", fmt.Errorf("path %q is git's own and not part of the repository's files", p)
		}
	}
	p = path.Clean(p)
	if p == "." {
		return "", nil
	}
	return p, nil
}

// filePath is cleanPath for a tool that needs a file.
func filePath(p string) (string, error) {
	p, err := cleanPath(p)
	if err == nil && p == "" {
		return "", errors.New("path is empty; list_files shows what there is")
	}
	return p, err
}

// explain turns a tree's error into words that tell nothing about the host.
func explain(file, side string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no file %q at the %s; list_files shows what there is", file, side)
	case errors.Is(err, change.ErrLFSPointer):
		return fmt.Errorf("%q at the %s cannot be read: %w", file, side, change.ErrLFSPointer)
	case errors.Is(err, change.ErrNotRegular):
		return fmt.Errorf(
			"%q is a folder, symbolic link or submodule at the %s; links are not followed", file,
			side,
		)
	case errors.Is(err, change.ErrTooLarge):
		return fmt.Errorf("%q is larger than %d MiB and cannot be read", file, change.MaxFile>>20)
	default:
		return fmt.Errorf("%q cannot be read at the %s", file, side)
	}
}
