package integrity

import (
	"context"
	"iter"

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

// read adds files to those that were read, each path once, within the bounds.
func (c *checker) read(ctx context.Context, out []testdiff.Source, files iter.Seq2[change.Tree, string]) ([]testdiff.Source, error) {
	left := maxBesideBytes
	seen := map[string]bool{}
	for _, s := range out {
		left -= len(s.Source)
		seen[s.Path] = true
	}
	for tree, p := range files {
		if seen[p] {
			continue
		}
		data, err := content(tree, p)
		if err != nil {
			return nil, err
		}
		if left -= len(data); left < 0 || len(out) == maxBeside || ctx.Err() != nil {
			break
		}
		if data != nil {
			seen[p] = true
			out = append(out, testdiff.Source{Path: p, Source: data})
		}
	}
	return out, ctx.Err()
}

// candidates are the new and changed test files of the head that no record lists: tests may have moved there.
func (c *checker) candidates(yield func(change.Tree, string) bool) {
	for _, f := range c.Set.Files {
		if !c.taken[f.Path] && f.Status != change.Deleted && c.Role(f.Path) >= detect.Helper && !yield(c.Set.HeadTree, f.Path) {
			return
		}
	}
}

// unchanged are approved files that did not change.
func (c *checker) unchanged(yield func(change.Tree, string) bool) {
	for _, a := range c.approved {
		if a.tree != nil && a.Role != approval.Config && !yield(a.tree, a.Path) {
			return
		}
	}
}

// readTexts reads the approved files for the names in them.
func (c *checker) readTexts(ctx context.Context) (err error) {
	c.texts, err = c.read(ctx, nil, func(yield func(change.Tree, string) bool) {
		for p, f := range c.records() {
			if f.Role != approval.Config && (!yield(c.Set.MergeBaseTree, p) || !yield(c.Set.HeadTree, p)) {
				return
			}
		}
	})
	return err
}
