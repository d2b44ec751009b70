// Package symbols finds what a change of code names and what names it: the definitions that its
// lines use, the places that use what it changed, and the tests that name that. It reads syntax, so
// that it knows names and where they stand, but not which of several definitions of a name is
// meant: it takes the nearest.
package symbols

import (
	"context"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/textdiff"
)

// The caps of what is looked through and returned for one change.
const (
	maxParsed   = 300 // sources that hold a name that is looked for
	maxHead     = 6   // lines of a definition's head
	maxOfName   = 2   // definitions of one name
	maxOfSymbol = 4   // uses of one changed symbol
)

// File is a changed file. Shown reports whether the reader sees a line of the new text anyway.
type File struct {
	Path     string
	Old, New []byte // Old is nil for a new file
	Shown    func(line int) bool
}

// Place is some lines of a file, and why they matter.
type Place struct {
	Path       string
	Name       string // that is defined or named here
	In         string // the definition that holds the lines, "" for none
	Start, End int
	Lines      []string
}

// Found is what a change names and what names it.
type Found struct {
	Changed []string // names of what it changes
	Used    []Place  // heads of the definitions that its lines name
	Uses    []Place  // lines outside of tests that name what it changes
	Tests   []Place  // tests that name it, those that name most first
	More    int      // uses that are left out
	Partial bool     // not all of the tree was searched
}

// Find looks for what the changed files name and for what names what they change.
func (x *Index) Find(ctx context.Context, files []File) Found {
	c := x.newChange(ctx, files)
	if len(c.used)+len(c.changed) == 0 {
		return Found{}
	}
	s := search{change: c, defined: map[string]int{}, uses: map[string]int{}, tests: map[testAt]*test{}}
	for n, p := range x.holding(files, c.used, c.changed) {
		if n == maxParsed || ctx.Err() != nil {
			s.found.Partial = true
			break
		}
		if src := x.source(ctx, p); src != nil {
			s.take(src)
		}
	}
	s.found.Changed = c.names()
	s.found.Partial = s.found.Partial || !x.complete()
	s.found.Tests = s.ranked()
	return s.found
}

// changed is what the changed files say of themselves.
type changed struct {
	used, changed map[string]bool
	shown         map[string]func(line int) bool // by path
}

func (x *Index) newChange(ctx context.Context, files []File) changed {
	c := changed{used: map[string]bool{}, changed: map[string]bool{}, shown: map[string]func(int) bool{}}
	for _, f := range files {
		c.shown[f.Path] = f.Shown
		after := x.parse(ctx, f.Path, f.New)
		if after == nil {
			continue
		}
		hunks := textdiff.Hunks(f.Old, f.New, 0)
		added := textdiff.AddedLines(hunks)
		for _, m := range after.mentions {
			if added[m.line] && len(m.name) >= minName {
				c.used[m.name] = true
			}
		}
		var before *source
		if f.Old != nil {
			before = x.parse(ctx, f.Path, f.Old)
		}
		for _, h := range hunks {
			c.touch(h, before, after)
		}
	}
	return c
}

// touch notes what a hunk changes: the innermost definitions of its lines, and those that it
// removes.
func (c changed) touch(h change.Hunk, before, after *source) {
	for n := h.NewStart; n < h.NewStart+h.NewLines; n++ {
		c.note(after.definitions, n, n)
	}
	if h.NewLines == 0 {
		c.note(after.definitions, h.NewStart, h.NewStart+1)
	}
	if before == nil {
		return
	}
	for n := h.OldStart; n < h.OldStart+h.OldLines; n++ {
		d, ok := around(before.definitions, n, n)
		if ok && !slices.ContainsFunc(after.definitions, func(a definition) bool { return a.name == d.name }) {
			c.note(before.definitions, n, n)
		}
	}
}

func (c changed) note(list []definition, first, last int) {
	if d, ok := around(list, first, last); ok && len(d.name) >= minName {
		c.changed[d.name] = true
	}
}

func (c changed) names() []string {
	var names []string
	for n := range c.changed {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// sees reports whether the reader sees a line anyway.
func (c changed) sees(p string, line int) bool {
	shown := c.shown[p]
	return shown != nil && shown(line)
}
