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
	maxFolder    = 500     // files of a folder that tests name as a whole
	// Of files by which runs may begin, beside what is recorded; beyond it any target
	// of a Makefile may be asked for.
	maxBegins    = 1000
	maxBeginning = 256 << 10 // bytes of one
)

// NoDigest stands in File.SHA256 where the content cannot be read: for
// symbolic links, and files larger than change.MaxFile. Their blob id counts.
const NoDigest = "0000000000000000000000000000000000000000000000000000000000000000"

// Collect lists the feature's tests with everything that they load or are run
// by, sorted by path. The implementation under test is not among it. Notices
// say what was left out. Errors are those of the tree and the context.
func Collect(ctx context.Context, tree change.Tree, o Options) ([]File, []workflow.Notice, error) {
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
		e := c.entries[p]
		f := File{Path: p, Mode: e.Mode, Blob: e.Blob, SHA256: NoDigest, Role: role}
		if e.Mode != change.ModeSymlink {
			data, err := c.tree.ReadFile(p)
			switch {
			case errors.Is(err, change.ErrTooLarge):
				c.notice(p, "the file is too large to read: only its blob id is recorded")
			case err != nil:
				return nil, fmt.Errorf("read %q: %w", p, err)
			default:
				sum := sha256.Sum256(data)
				f.SHA256 = hex.EncodeToString(sum[:])
			}
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}
