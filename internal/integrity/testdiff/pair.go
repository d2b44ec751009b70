package testdiff

import (
	"bytes"
	"cmp"
	"context"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// pair compares one approved file with its counterpart.
func (c *comparison) pair(ctx context.Context, p Pair) {
	p.AfterPath = cmp.Or(p.AfterPath, p.Path)
	before := len(c.out.Violations)
	switch {
	case p.After == nil:
		c.deleted(ctx, p)
	default:
		c.contents(ctx, p)
	}
	if c.in.Strict && len(c.out.Violations) == before &&
		(p.AfterPath != p.Path || !bytes.Equal(p.Before, p.After)) {
		c.add(First(p, violation.FileChanged, "Approved file changed, and every difference counts"))
	}
}

// contents compares two versions of a file's content.
func (c *comparison) contents(ctx context.Context, p Pair) {
	if bytes.Equal(p.Before, p.After) {
		if p.AfterPath != p.Path {
			c.harmless(p.Path, "moved to %s unchanged", p.AfterPath)
		}
		return
	}
	if IsData(p.Path) != "" {
		c.data(p)
		return
	}
	r, why := c.code(ctx, p)
	switch {
	case why != "":
		if why == unknownLanguage {
			why += ", compared byte by byte"
		}
		c.out.NotAnalysed = append(c.out.NotAnalysed, p.Path+": "+why)
		c.add(
			First(p, violation.FileChanged,
				"Approved file changed, and it could not be analysed: "+why),
		)
	case r.Standing() == proof.Same:
		c.harmless(p.Path, "only layout, comments or annotations differ")
	default:
		for _, f := range Describe(p, r) {
			c.add(f.Finding)
		}
		c.gained(p, r)
		if r.Standing() == proof.Gained {
			c.harmless(p.Path, "what was approved stands in it as it was, beside additions")
		}
	}
}

// gained notes what a file has besides all that was approved of it.
func (c *comparison) gained(p Pair, r kernel.Result) {
	d := newDescriber(p, r)
	for _, g := range r.Gains {
		c.out.Gains = append(c.out.Gains,
			Gain{d.is.place(p.AfterPath, g.Node.Line), g.What, g.Acts})
		if g.Acts != "" {
			c.add(d.acting(g))
		}
	}
}

// First is a finding at the first line in which two versions of a file differ.
func First(p Pair, kind violation.Kind, description string) workflow.Finding {
	for _, h := range hunks(p.Before, p.After) {
		return h.violation(p, kind, description)
	}
	return violation.Added(kind, linesOf(p.After).place(p.AfterPath, 1), description)
}

// uncollected reports a file that moved to where no runner finds it.
func (c *comparison) uncollected(p Pair, to string) {
	c.add(violation.Removed(
		violation.TestUncollected,
		linesOf(p.Before).place(p.Path, 1),
		"Tests no longer run: the file was moved to "+to+", and it is not proved that the runner finds it there",
	))
}

// deleted tells of an approved file that is gone.
func (c *comparison) deleted(ctx context.Context, p Pair) {
	place := linesOf(p.Before).place(p.Path, 1)
	switch {
	case p.Elsewhere != "":
		c.uncollected(p, p.Elsewhere)
	case p.Before == nil:
		c.add(violation.Removed(violation.FileChanged, place, "Approved file deleted"))
	case IsData(p.Path) != "":
		c.add(violation.Removed(IsData(p.Path), place, "Approved data file deleted"))
	case p.Role != approval.Test:
		c.add(violation.Removed(violation.HelperChanged, place, "Approved file deleted"))
	default:
		c.add(violation.Removed(violation.TestDeleted, place, "Approved test file deleted"))
		c.testsGone(ctx, p)
	}
}

// testsGone names the tests of a file that is gone.
func (c *comparison) testsGone(ctx context.Context, p Pair) {
	tree, why := parse(ctx, p.Path, p.Before)
	if why != "" {
		return
	}
	for _, f := range Gone(p, kernel.Read(tree)) {
		c.add(f.Finding)
	}
}

// Gone tells of the tests of a file that is gone.
func Gone(p Pair, t *kernel.Tree) []Described {
	d := newDescriber(p, kernel.Result{Old: t})
	for _, u := range testsIn(t, t.Root) {
		d.report(violation.TestDeleted, u, nameOf(u.Node), nil)
	}
	return d.out
}
