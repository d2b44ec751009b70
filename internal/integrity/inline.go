package integrity

import (
	"bytes"
	"context"
	"path"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/inlined"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/violation"
)

// HasInlineTests reports whether an implementation file holds tests itself, as Rust's unit tests
// do.
func HasInlineTests(ctx context.Context, p string, src []byte) bool {
	parts, ok := inlineTests(ctx, p, src)
	return ok && len(parts) > 0
}

// inlineTests are the parts of a Rust source that belong to its tests, none if none of them speaks
// of tests. ok is false if the source cannot be parsed.
func inlineTests(ctx context.Context, p string, src []byte) (parts []inlined.Item, ok bool) {
	if path.Ext(p) != ".rs" {
		return nil, false
	}
	if !bytes.Contains(src, []byte("test")) {
		return nil, true
	}
	parts, err := inlined.Items(ctx, src)
	if !slices.ContainsFunc(parts, func(i inlined.Item) bool {
		return bytes.Contains(src[i.Start:i.End], []byte("test"))
	}) {
		return nil, err == nil
	}
	return parts, true
}

// blanked is a source with everything but the parts replaced by spaces, so that lines keep their
// numbers.
func blanked(src []byte, parts []inlined.Item) []byte {
	out := make([]byte, 0, len(src))
	for _, b := range src {
		if b != '\n' {
			b = ' '
		}
		out = append(out, b)
	}
	for _, i := range parts {
		copy(out[i.Start:i.End], src[i.Start:i.End])
	}
	return out
}

// inline compares the tests in an implementation file, wherever that moved; the
// rest of it may change. It returns nil where there is nothing left to compare.
func (c *checker) inline(ctx context.Context, e *entry, after []byte) *testdiff.Pair {
	if after == nil {
		after = c.renamed(e)
	}
	was, ok := inlineTests(ctx, e.path, e.before)
	if !ok || len(was) == 0 {
		return &testdiff.Pair{Path: e.path, Role: e.Role, Before: e.before, After: after}
	}
	is, ok := inlineTests(ctx, e.path, after)
	if after != nil && !ok {
		if !slices.ContainsFunc(was,
			func(i inlined.Item) bool {
				return !bytes.Contains(after, e.before[i.Start:i.End])
			}) {
			return nil
		}
		c.out.NotAnalysed = append(c.out.NotAnalysed,
			e.path+": it cannot be parsed, and the tests in it do not stand there as they were")
		c.violate(firstDifference(violation.FileChanged, e.path, blanked(e.before, was), after,
			"Approved tests in an implementation file changed: it cannot be parsed"))
		return nil
	}
	p := &testdiff.Pair{
		Path:      e.path,
		Role:      e.Role,
		Before:    blanked(e.before, was),
		AfterPath: e.now,
	}
	if after != nil {
		p.After = blanked(after, is)
		if bytes.Equal(bytes.TrimSpace(p.Before), bytes.TrimSpace(p.After)) {
			return nil
		}
	}
	return p
}

// renamed is the content of the file that a change made of another, nil if it is gone.
func (c *checker) renamed(e *entry) []byte {
	for _, f := range c.Set.Files {
		if f.Status != change.Renamed || f.OldPath != e.path || !change.SameKind(f.Mode, e.Mode) {
			continue
		}
		data, err := content(c.Set.HeadTree, f.Path)
		if err != nil || data == nil {
			return nil
		}
		e.now = f.Path
		return data
	}
	return nil
}
