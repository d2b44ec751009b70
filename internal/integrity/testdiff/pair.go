package testdiff

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// pair compares one approved file with its counterpart.
func (c *comparison) pair(ctx context.Context, p Pair) {
	p.AfterPath = cmp.Or(p.AfterPath, p.Path)
	before := len(c.out.Violations)
	switch {
	case p.After == nil:
		c.deleted(ctx, p)
	case p.AfterPath != p.Path && p.Role == approval.Test && !c.in.Moved(ctx, p.Path, p.AfterPath):
		c.uncollected(p, p.AfterPath)
	default:
		c.contents(ctx, p)
	}
	if c.in.Strict && len(c.out.Violations) == before && (p.AfterPath != p.Path || !bytes.Equal(p.Before, p.After)) {
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
		c.add(First(p, violation.FileChanged, "Approved file changed, and it could not be analysed: "+why))
	case r.Same() && len(r.Forgiven) == 0:
		c.harmless(p.Path, "only layout, comments or annotations differ")
	case r.Same():
		c.harmless(p.Path, "%s", strings.Join(r.Forgiven, "; "))
		c.gained(p, r.Forgiven)
	default:
		for _, v := range describe(p, r) {
			c.add(v)
		}
	}
}

// gained notes where something was added, by the rules that forgave it.
func (c *comparison) gained(p Pair, rules []string) {
	for _, rule := range rules {
		if what, _, added := strings.Cut(rule, " added"); added {
			v := First(p, violation.TestModified, rule)
			at := violation.Place{Path: v.File, Line: v.Line, Text: linesOf(p.After).at(v.Line)}
			c.out.Gained = append(c.out.Gained, Gain{at, what})
			return
		}
	}
}

// First is a finding at the first line in which two versions of a file differ.
func First(p Pair, kind violation.Kind, description string) workflow.Violation {
	for _, h := range hunks(p.Before, p.After) {
		return h.violation(p, kind, description)
	}
	return violation.Added(kind, linesOf(p.After).place(p.AfterPath, 1), description)
}

// uncollected reports a file that moved to where no runner finds it.
func (c *comparison) uncollected(p Pair, to string) {
	c.add(violation.Removed(violation.TestUncollected, linesOf(p.Before).place(p.Path, 1),
		"Tests no longer run: the file was moved to "+to+", and it is not proved that the runner finds it there"))
}

// deleted judges an approved file that is gone: it may stand elsewhere.
func (c *comparison) deleted(ctx context.Context, p Pair) {
	place := linesOf(p.Before).place(p.Path, 1)
	found, same := c.movedTo(ctx, p)
	switch {
	case p.Before == nil:
		c.add(violation.Removed(violation.FileChanged, place, "Approved file deleted"))
	case found != "" && p.Role == approval.Test && !c.in.Moved(ctx, p.Path, found):
		c.uncollected(p, found)
	case same:
		c.taken = append(c.taken, found)
		c.harmless(p.Path, "moved to %s", found)
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
	d := &describer{p: p, r: kernel.Result{Old: kernel.Read(tree)}, was: linesOf(p.Before)}
	for _, u := range d.testsIn(d.r.Old.Root) {
		c.add(violation.Removed(violation.TestDeleted, d.was.place(p.Path, nameOf(u.Node).Line), "Approved "+unitWords(u)+" deleted"))
	}
}

// movedTo is the candidate that holds what a missing file held; same says that it demands what was approved.
func (c *comparison) movedTo(ctx context.Context, p Pair) (found string, same bool) {
	var alike []Source
	for _, s := range c.in.Candidates {
		if slices.Contains(c.taken, s.Path) {
			continue
		}
		if bytes.Equal(s.Source, p.Before) {
			if c.in.Moved(ctx, p.Path, s.Path) {
				return s.Path, true
			}
			found = s.Path
		}
		if path.Ext(s.Path) == path.Ext(p.Path) && IsData(p.Path) == "" {
			alike = append(alike, s)
		}
	}
	if found != "" {
		return found, p.Role != approval.Test
	}
	for _, s := range alike {
		if len(s.Source) > 4*len(p.Before)+1000 || len(p.Before) > 4*len(s.Source)+1000 {
			continue
		}
		p.After, p.AfterPath = s.Source, s.Path
		if r, why := c.code(ctx, p); why == "" && r.Same() {
			return s.Path, true
		}
	}
	return "", false
}
