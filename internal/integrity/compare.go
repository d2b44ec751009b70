package integrity

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/workflow"
)

// compare judges the approved files that differ.
func (c *checker) compare(ctx context.Context) error {
	var pairs []testdiff.Pair
	for _, e := range c.sorted() {
		if _, touched := c.touched[e.path]; !touched {
			c.out.Notices = append(c.out.Notices, workflow.Notice{Warning: true, Path: e.path, Text: fmt.Sprintf(
				"%s differs from its approval on the base already: this change did not touch it.", e.path)})
		}
		after, ok, err := c.readable(ctx, e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if e.Role == approval.Config || runner.IsWorkflow(e.path) || e.Role == approval.Support && runner.IsConfig(e.path) {
			c.judge(ctx, e.path, e.before, after)
			continue
		}
		if e.Role == approval.Test && c.Role(e.path) == detect.Source {
			if p := c.inline(ctx, e, after); p != nil {
				pairs = append(pairs, *p)
			}
			continue
		}
		pairs = append(pairs, testdiff.Pair{Path: e.path, Role: e.Role, Before: e.before, After: after})
	}
	if len(pairs) == 0 && len(c.records()) == 0 {
		return nil
	}
	return c.tests(ctx, pairs)
}

// sorted are the differing entries by path.
func (c *checker) sorted() []*entry {
	return slices.SortedFunc(maps.Values(c.entries), func(a, b *entry) int {
		return strings.Compare(a.path+"\x00"+a.blob, b.path+"\x00"+b.blob)
	})
}

// tests compares test files and what they load; of files that the runner loads by itself also what they do to a run.
func (c *checker) tests(ctx context.Context, pairs []testdiff.Pair) error {
	candidates, err := c.read(ctx, nil, c.candidates)
	if err != nil {
		return err
	}
	unchanged, err := c.read(ctx, nil, c.unchanged)
	if err != nil {
		return err
	}
	r, err := testdiff.Compare(ctx, testdiff.Input{
		Changed: pairs, Candidates: candidates, Approved: unchanged, Strict: c.Strict,
	})
	if err != nil {
		return err
	}
	c.found = append(c.found, r.Violations...)
	c.gains = append(c.gains, r.Gains...)
	c.out.Harmless = append(c.out.Harmless, r.Harmless...)
	c.out.NotAnalysed = append(c.out.NotAnalysed, r.NotAnalysed...)
	for _, p := range pairs {
		about := func(s string) bool { return strings.HasPrefix(s, p.Path+":") }
		if c.blamed(p.Path) || slices.ContainsFunc(c.out.Harmless, about) || slices.ContainsFunc(c.out.NotAnalysed, about) {
			continue
		}
		c.out.Harmless = append(c.out.Harmless, p.Path+": "+unblamed(r.Gains, p.Path))
	}
	return nil
}

// unblamed says what is known of an approved file that differs and violates nothing.
func unblamed(gains []testdiff.Gain, path string) string {
	if slices.ContainsFunc(gains, func(g testdiff.Gain) bool { return g.Path == path }) {
		return "what was approved stands in it as it was, beside additions"
	}
	return "it demands no less than was approved"
}

// named reports whether a violation of the same line was found already.
func (c *checker) named(v workflow.Violation) bool {
	return slices.ContainsFunc(c.found, func(f workflow.Violation) bool {
		return f.File == v.File && f.Line == v.Line && f.Side == v.Side
	})
}

func (c *checker) violate(v workflow.Violation) { c.found = append(c.found, v) }
