package integrity

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/workflow"
)

// compare judges the approved files that differ. Tests and what they load are read one by one as
// they are compared.
func (c *checker) compare(ctx context.Context) (err error) {
	r, errOfTests := testdiff.Compare(ctx, testdiff.Input{
		Mentioned: c.mentioned, Strict: c.Strict,
		Changed: func(yield func(testdiff.Pair) bool) {
			for _, e := range c.sorted() {
				var p *testdiff.Pair
				if p, err = c.entry(ctx, e); err != nil || p != nil && !yield(*p) {
					return
				}
				e.before = nil
			}
		},
	})
	if err = errors.Join(err, errOfTests); err != nil {
		return err
	}
	c.found = append(c.found, r.Violations...)
	c.gains = append(c.gains, r.Gains...)
	c.out.Harmless = append(c.out.Harmless, r.Harmless...)
	c.out.NotAnalysed = append(c.out.NotAnalysed, r.NotAnalysed...)
	return nil
}

// entry judges an approved file that differs. Of a test, or of what tests load, it is what is to be
// compared.
func (c *checker) entry(ctx context.Context, e *entry) (*testdiff.Pair, error) {
	if _, touched := c.touched[e.path]; !touched {
		c.out.Notices = append(
			c.out.Notices,
			workflow.Finding{Level: workflow.Warn, File: e.path, Text: fmt.Sprintf(
				"%s differs from its approval on the base already: this change did not touch it.",
				e.path,
			)},
		)
	}
	after, ok, err := c.readable(ctx, e)
	switch {
	case err != nil || !ok:
		return nil, err
	case e.Role == approval.Config || runner.IsWorkflow(e.path) || e.Role == approval.Support &&
		runner.IsConfig(e.path):
		c.judge(e.path, e.before, after)
		return nil, nil
	case e.Role == approval.Test && c.Role(e.path) == detect.Source:
		return c.inline(ctx, e, after), nil
	}
	p := &testdiff.Pair{Path: e.path, Role: e.Role, Before: e.before, After: after}
	for _, f := range c.Set.Files {
		if after == nil && f.Blob == e.blob && f.Status != change.Deleted && !c.taken[f.Path] &&
			c.Role(f.Path) >= detect.Helper {
			p.Elsewhere = f.Path
		}
	}
	return p, nil
}

// mentioned reports whether an approved file besides the one at a path has a name.
func (c *checker) mentioned(p, name string) bool {
	return c.texts.mention(name, p)
}

// sorted are the differing entries by path.
func (c *checker) sorted() []*entry {
	return slices.SortedFunc(maps.Values(c.entries), func(a, b *entry) int {
		return strings.Compare(a.path+"\x00"+a.blob, b.path+"\x00"+b.blob)
	})
}

// named reports whether a violation of the same line was found already.
func (c *checker) named(v workflow.Finding) bool {
	return slices.ContainsFunc(c.found, func(f workflow.Finding) bool {
		return f.File == v.File && f.Line == v.Line && f.Side == v.Side
	})
}

// violate notes a violation. Whether it blocks, is permitted or lifted by evidence is decided by
// place.
func (c *checker) violate(v workflow.Finding) { c.found = append(c.found, v) }
