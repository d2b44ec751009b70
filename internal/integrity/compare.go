package integrity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// compare judges the approved files that differ.
func (c *checker) compare(ctx context.Context) error {
	var pairs []testdiff.Pair
	for _, e := range c.sorted() {
		after, ok, err := c.readable(e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if e.Role == approval.Config || runner.IsWorkflow(e.path) || e.Role == approval.Support && runner.IsConfig(e.path) {
			if err := c.configuration(e, after); err != nil {
				return err
			}
			continue
		}
		pairs = append(pairs, testdiff.Pair{
			Path: e.path, Role: e.Role, Before: e.before, After: after,
			BeforeMode: e.Mode, AfterMode: e.head.Mode,
		})
	}
	if len(pairs) == 0 {
		return nil
	}
	return c.tests(ctx, pairs)
}

// sorted are the differing entries by path.
func (c *checker) sorted() []*entry {
	out := make([]*entry, 0, len(c.entries))
	for _, e := range c.entries {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b *entry) int {
		return strings.Compare(a.path+"\x00"+a.blob, b.path+"\x00"+b.blob)
	})
	return out
}

// readable reads both sides of an entry. ok is false where they cannot be
// compared by content: any difference is a violation then.
func (c *checker) readable(e *entry) (after []byte, ok bool, err error) {
	if e.head.Path != "" && !sameKind(e.head.Mode, e.Mode) {
		c.violate(violation.Changed(violation.FileChanged, violation.Place{Path: e.path, Line: 1, Text: kindOf(e.Mode)},
			violation.Place{Path: e.path, Line: 1, Text: kindOf(e.head.Mode)},
			fmt.Sprintf("Approved file replaced: %s became %s", kindOf(e.Mode), kindOf(e.head.Mode))))
		return nil, false, nil
	}
	if e.before, err = c.before(e); err != nil {
		return nil, false, err
	}
	if e.head.Path != "" {
		after, err = c.Set.HeadTree.ReadFile(e.path)
		if err != nil && !unreadable(err) {
			return nil, false, fmt.Errorf("read %q of the head: %w", e.path, err)
		}
	}
	if e.before == nil || err != nil {
		why := "the approved content is not at hand"
		if err != nil {
			why = err.Error()
		}
		c.byBytes(e, why)
		return nil, false, nil
	}
	return after, true, nil
}

// byBytes reports a difference that cannot be looked into.
func (c *checker) byBytes(e *entry, why string) {
	c.out.NotAnalysed = append(c.out.NotAnalysed, e.path+": "+why)
	at := violation.Place{Path: e.path, Line: 1, Text: "blob " + e.blob[:min(10, len(e.blob))]}
	if e.head.Path == "" {
		c.violate(violation.Removed(violation.FileChanged, at, "Approved file removed: "+e.path+" is not in the head"))
		return
	}
	is := violation.Place{Path: e.path, Line: 1, Text: "blob " + e.head.Blob[:min(10, len(e.head.Blob))]}
	c.violate(violation.Changed(violation.FileChanged, at, is, "Approved file changed: the head's content is not the approved one ("+why+")"))
}

func unreadable(err error) bool {
	return errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrNotRegular)
}

// before is the approved content of an entry, nil if no tree holds it.
func (c *checker) before(e *entry) ([]byte, error) {
	for _, t := range c.contents(e) {
		is, err := stat(t, e.path)
		if err != nil {
			return nil, err
		}
		if is.Blob != e.blob {
			continue
		}
		data, err := t.ReadFile(e.path)
		switch {
		case err == nil:
			return append([]byte{}, data...), nil
		case !unreadable(err):
			return nil, fmt.Errorf("read the approved %q: %w", e.path, err)
		}
	}
	return nil, nil
}

func kindOf(mode string) string {
	switch mode {
	case change.ModeSymlink:
		return "a symbolic link"
	case change.ModeSubmodule:
		return "a submodule"
	default:
		return "a file"
	}
}

// tests compares test files and what they load; of files that the runner loads
// by itself also what they do to a run.
func (c *checker) tests(ctx context.Context, pairs []testdiff.Pair) error {
	candidates, err := c.candidates(ctx)
	if err != nil {
		return err
	}
	unchanged, err := c.unchanged(ctx)
	if err != nil {
		return err
	}
	r, err := testdiff.Compare(ctx, testdiff.Input{
		Changed: pairs, Candidates: candidates, Approved: unchanged, Collected: c.collector.Collects, Strict: c.Strict,
	})
	if err != nil {
		return err
	}
	c.found = append(c.found, r.Violations...)
	c.out.Harmless = append(c.out.Harmless, r.Harmless...)
	c.out.NotAnalysed = append(c.out.NotAnalysed, r.NotAnalysed...)
	for _, p := range pairs {
		if runner.Autoloaded(p.Path) && !c.Strict {
			c.judge(p.Path, p.Before, p.After)
		}
		if !c.blamed(p.Path) && !c.mentioned(p.Path) {
			c.out.Harmless = append(c.out.Harmless, p.Path+": it demands no less than was approved")
		}
	}
	return nil
}

// mentioned reports whether something is said of a file already.
func (c *checker) mentioned(p string) bool {
	about := func(s string) bool { return strings.HasPrefix(s, p+":") }
	return slices.ContainsFunc(c.out.Harmless, about) || slices.ContainsFunc(c.out.NotAnalysed, about)
}

// named reports whether a violation of the same line was found already.
func (c *checker) named(v workflow.Violation) bool {
	return slices.ContainsFunc(c.found, func(f workflow.Violation) bool {
		return f.File == v.File && f.Line == v.Line && f.Side == v.Side
	})
}

func (c *checker) violate(v workflow.Violation) { c.found = append(c.found, v) }

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

// firstDifference is a violation at the first line in which two texts differ.
func firstDifference(kind violation.Kind, p string, before, after []byte, description string) workflow.Violation {
	was, is := testmodel.LinesOf(before), testmodel.LinesOf(after)
	n := 1
	for n < max(len(was), len(is)) && was.At(n) == is.At(n) {
		n++
	}
	a, b := violation.Place{Path: p, Line: n, Text: was.At(n)}, violation.Place{Path: p, Line: n, Text: is.At(n)}
	switch {
	case after == nil:
		return violation.Removed(kind, violation.Place{Path: p, Line: 1, Text: was.At(1)}, description)
	case before == nil:
		return violation.Added(kind, violation.Place{Path: p, Line: 1, Text: is.At(1)}, description)
	case n > len(is):
		return violation.Removed(kind, a, description)
	}
	return violation.Changed(kind, a, b, description)
}
