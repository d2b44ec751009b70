package integrity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/testdiff"
)

// Bounds of what is read beside the files that differ.
const (
	maxBeside      = 2000
	maxBesideBytes = 48 << 20
)

// candidates are the new and changed test files of the head that no record
// lists: tests may have moved there.
func (c *checker) candidates(ctx context.Context) ([]testdiff.Source, error) {
	var out []testdiff.Source
	left := int64(maxBesideBytes)
	for _, f := range c.Set.Files {
		if c.taken[f.Path] || f.Status == change.Deleted || c.Role(f.Path) < detect.Helper || len(out) == maxBeside {
			continue
		}
		if left -= f.Size; left < 0 || ctx.Err() != nil {
			break
		}
		data, err := c.Set.HeadTree.ReadFile(f.Path)
		if err != nil && !unreadable(err) {
			return nil, fmt.Errorf("read %q of the head: %w", f.Path, err)
		}
		if err == nil {
			out = append(out, testdiff.Source{Path: f.Path, Source: data})
		}
	}
	return out, ctx.Err()
}

// unchanged are approved files that did not change.
func (c *checker) unchanged(ctx context.Context) ([]testdiff.Source, error) {
	var out []testdiff.Source
	left := maxBesideBytes
	seen := map[string]bool{}
	for _, a := range c.approved {
		if a.tree == nil || a.Role == approval.Config || seen[a.Path] || len(out) == maxBeside {
			continue
		}
		seen[a.Path] = true
		data, err := a.tree.ReadFile(a.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // approved on the base since, and not here yet
		}
		if err != nil && !unreadable(err) {
			return nil, fmt.Errorf("read %q of the head: %w", a.Path, err)
		}
		if left -= len(data); left < 0 || ctx.Err() != nil {
			break
		}
		if err == nil {
			out = append(out, testdiff.Source{Path: a.Path, Source: data})
		}
	}
	return out, ctx.Err()
}
