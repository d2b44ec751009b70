package integrity

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
)

// Bounds of what is read beside the files that differ.
const (
	maxBeside      = 2000
	maxBesideBytes = 48 << 20
)

// source is one file of a tree.
type source struct {
	Path   string
	Source []byte
}

// read adds files to those that were read, each path once, within the bounds.
func (c *checker) read(ctx context.Context, out []source, files iter.Seq2[change.Tree, string]) ([]source, error) {
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
			out = append(out, source{Path: p, Source: data})
		}
	}
	return out, ctx.Err()
}

// readTexts reads the approved files for the names in them: as the merge base has them, as the head
// has what is new, and as they were approved where that is another version.
func (c *checker) readTexts(ctx context.Context) (err error) {
	differ := c.sorted()
	c.texts, err = c.read(ctx, nil, func(yield func(change.Tree, string) bool) {
		listed := c.records()
		for _, p := range slices.Sorted(maps.Keys(listed)) {
			if listed[p].Role != approval.Config && (!yield(c.Set.MergeBaseTree, p) || !yield(c.Set.HeadTree, p)) {
				return
			}
		}
		for _, e := range differ {
			if !yield(c.Set.MergeBaseTree, e.path) {
				return
			}
		}
	})
	for _, e := range differ {
		old, errOfTree := stat(c.Set.MergeBaseTree, e.path)
		if err = errors.Join(err, errOfTree); err != nil {
			return err
		}
		if old.Blob == e.blob || e.Role == approval.Config {
			continue
		}
		if data, err := c.Blob(ctx, e.blob); err == nil {
			c.texts = append(c.texts, source{e.path, data})
		}
	}
	return err
}
