package integrity

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/workaround"
	"workflow-reviewer/internal/textdiff"
)

type baselineOf = baseline.Baseline

// workarounds looks for tricks in the changed implementation.
func (c *checker) workarounds(ctx context.Context) error {
	if !c.Workarounds {
		return nil
	}
	files, err := c.sources(ctx)
	if err != nil || len(files) == 0 {
		return err
	}
	tests, err := c.literals(ctx)
	if err != nil {
		return err
	}
	r, err := workaround.Check(ctx, workaround.Input{
		Files: files, Tests: tests, IsTest: func(p string) bool { return c.Role(p) >= detect.Helper },
	})
	if err != nil {
		return err
	}
	c.out.NotAnalysed = append(c.out.NotAnalysed, r.NotAnalysed...)
	kept, excused, notices := workaround.Apply(r.Violations, c.Allow, c.Today)
	c.out.Workarounds, c.out.Excused = kept, excused
	c.out.Notices = append(c.out.Notices, notices...)
	return nil
}

// sources are the implementation files that the change adds to.
func (c *checker) sources(ctx context.Context) ([]workaround.Changed, error) {
	var out []workaround.Changed
	for _, f := range c.Set.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Status == change.Deleted || f.Blob == f.OldBlob || f.Binary || f.Ignored == "vendored" || c.Role(f.Path) != detect.Source {
			continue
		}
		after, err := content(c.Set.HeadTree, f.Path)
		if err != nil {
			return nil, err
		}
		if after == nil {
			c.out.NotAnalysed = append(c.out.NotAnalysed, fmt.Sprintf("%s: it is too large or no file", f.Path))
			continue
		}
		w := workaround.Changed{Path: f.Path, After: after}
		if f.OldBlob != "" {
			old := f.Path
			if f.OldPath != "" {
				old = f.OldPath
			}
			if w.Before, err = content(c.Set.MergeBaseTree, old); err != nil {
				return nil, err
			}
			w.Added = textdiff.AddedLines(textdiff.Hunks(w.Before, after, 0))
		}
		out = append(out, w)
	}
	return out, nil
}

// literals are the tests whose inputs and expectations an implementation must
// not recognise: the approved ones, and those that the change brings.
func (c *checker) literals(ctx context.Context) ([]workaround.Source, error) {
	var out []workaround.Source
	left := maxBesideBytes
	seen := map[string]bool{}
	add := func(p string, data []byte) {
		if left -= len(data); data != nil && left >= 0 && !seen[p] && len(out) < maxBeside {
			seen[p] = true
			out = append(out, workaround.Source{Path: p, Source: data})
		}
	}
	for _, e := range c.sorted() {
		if e.Role == approval.Test {
			add(e.path, e.before)
		}
	}
	for _, a := range c.approved {
		if a.Role != approval.Test || a.tree == nil || seen[a.Path] || left < 0 {
			continue
		}
		data, err := content(a.tree, a.Path)
		if err != nil {
			return nil, err
		}
		add(a.Path, data)
	}
	for _, f := range c.Set.Files {
		if f.Status == change.Deleted || seen[f.Path] || left < 0 || c.Role(f.Path) != detect.Test {
			continue
		}
		data, err := content(c.Set.HeadTree, f.Path)
		if err != nil {
			return nil, err
		}
		add(f.Path, data)
	}
	return out, ctx.Err()
}
