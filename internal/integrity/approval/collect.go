package approval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// Options say what to collect.
type Options struct {
	Tests   []string // paths of the feature's test files
	Protect []string // doublestar globs of further files that the tests are run by
}

// Bounds of what is collected and read.
const (
	maxCollected = 2000
	maxRead      = 1 << 20 // bytes of one file whose references are followed
	maxKept      = 8 << 20 // bytes of texts that are not read again
	maxFolder    = 500     // files of a folder that tests name as a whole
)

// NoDigest stands in File.SHA256 where the content cannot be read: for
// symbolic links, Git LFS pointers, and files larger than change.MaxFile. Their blob id counts.
const NoDigest = "0000000000000000000000000000000000000000000000000000000000000000"

// Collect lists the feature's tests with everything that they load or are run by, sorted by path.
// The implementation under test is not among it. Notices say what was left out. Errors are those of
// the tree and the context.
func Collect(ctx context.Context, tree change.Tree, o Options) ([]File, []workflow.Finding, error) {
	entries, err := tree.List("")
	if err != nil {
		return nil, nil, fmt.Errorf("list files of %s: %w", tree.Commit(), err)
	}
	c := newCollector(tree, entries)
	for _, t := range o.Tests {
		if _, ok := c.entries[t]; !ok {
			c.notice(t, "the test file is not in the tree, so it is not recorded")
			continue
		}
		c.add(t, Test)
	}
	if err := c.follow(ctx); err != nil {
		return nil, nil, err
	}
	if err := c.configuration(ctx, o.Protect); err != nil {
		return nil, nil, err
	}
	if err := c.follow(ctx); err != nil { // what the configuration loads
		return nil, nil, err
	}
	files, err := c.files(ctx)
	return files, c.notices, err
}

// files renders what was collected.
func (c *collector) files(ctx context.Context) ([]File, error) {
	out := make([]File, 0, len(c.roles))
	for p, role := range c.roles {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := FileOf(c.tree, c.entries[p], role)
		if err != nil {
			return nil, err
		}
		if f.SHA256 == NoDigest && f.Mode != change.ModeSymlink {
			c.notice(p,
				"the file is too large to read, or a Git LFS pointer: only its blob id is recorded")
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// FileOf is an entry of a tree as a record has it. Errors are those of the tree.
func FileOf(tree change.Tree, e change.Entry, role Role) (File, error) {
	f := File{Path: e.Path, Mode: e.Mode, Blob: e.Blob, SHA256: NoDigest, Role: role}
	if e.Mode == change.ModeSymlink {
		return f, nil
	}
	data, err := tree.ReadFile(e.Path)
	switch {
	case errors.Is(err, change.ErrTooLarge), errors.Is(err, change.ErrLFSPointer):
	case err != nil:
		return f, fmt.Errorf("read %q: %w", e.Path, err)
	default:
		sum := sha256.Sum256(data)
		f.SHA256 = hex.EncodeToString(sum[:])
	}
	return f, nil
}
