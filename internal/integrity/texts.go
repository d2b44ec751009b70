package integrity

import (
	"context"
	"errors"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
)

// readTexts notes the words of the approved files: as the merge base has them, as the head has what
// is new, and as they were approved where that is another version.
func (c *checker) readTexts(ctx context.Context) error {
	c.texts = newTexts()
	listed := c.records()
	for _, p := range slices.Sorted(maps.Keys(listed)) {
		if listed[p].Role == approval.Config {
			continue
		}
		if has, err := c.readText(ctx, c.Set.MergeBaseTree, p); err != nil {
			return err
		} else if has {
			continue
		}
		if _, err := c.readText(ctx, c.Set.HeadTree, p); err != nil {
			return err
		}
	}
	for _, e := range c.sorted() {
		if _, known := c.texts.paths[e.path]; !known {
			if _, err := c.readText(ctx, c.Set.MergeBaseTree, e.path); err != nil {
				return err
			}
		}
		old, err := stat(c.Set.MergeBaseTree, e.path)
		if err != nil {
			return err
		}
		if old.Blob == e.blob || e.Role == approval.Config {
			continue
		}
		read := func() ([]byte, error) { return c.Blob(ctx, e.blob) }
		if data, err := read(); err == nil {
			c.texts.add(e.path, data, read)
		}
	}
	return nil
}

// readText notes the words of a tree's file; false if there is none that can be read as text.
func (c *checker) readText(ctx context.Context, tree change.Tree, p string) (bool, error) {
	read := func() ([]byte, error) { return content(tree, p) }
	data, err := read()
	if err := errors.Join(err, ctx.Err()); err != nil || data == nil {
		return false, err
	}
	c.texts.add(p, data, read)
	return true, nil
}
