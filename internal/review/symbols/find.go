// Package symbols finds what a change of code names and what names it: the definitions that its
// lines use, the places that use what it changed, and the tests that name that. It reads syntax, so
// that it knows names and where they stand, but not which of several definitions of a name is
// meant: it takes the nearest.
package symbols

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/textdiff"
)

// The caps of what is read and returned for one change.
const (
	maxSources  = 4_000    // files of the tree that are searched, the nearest first
	maxText     = 64 << 20 // bytes of them
	maxParsed   = 300      // of them
	maxHead     = 6        // lines of a definition's head
	maxOfName   = 2        // definitions of one name
	maxOfSymbol = 4        // uses of one changed symbol
	minName     = 2        // letters of a name that is looked for
)

// Index holds the sources of a tree, each read once. It is not safe for concurrent use.
type Index struct {
	tree  change.Tree
	paths []string // nil until it is asked for
	texts map[string][]byte
	size  int
}

// NewIndex returns the index of a tree. Nothing is read yet.
func NewIndex(tree change.Tree) *Index { return &Index{tree: tree, texts: map[string][]byte{}} }

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
	c := newChange(ctx, files)
	if len(c.used)+len(c.changed) == 0 {
		return Found{}
	}
	s := search{change: c, defined: map[string]int{}, uses: map[string]int{}, tests: map[testAt]*test{}}
	for _, p := range x.nearest(files) {
		text := x.text(p)
		if !namesAny(text, c.used) && !namesAny(text, c.changed) {
			continue
		}
		if s.parsed == maxParsed || ctx.Err() != nil {
			s.found.Partial = true
			break
		}
		s.parsed++
		if src := parse(ctx, p, text); src != nil {
			s.take(src)
		}
	}
	s.found.Changed = c.names()
	s.found.Partial = s.found.Partial || x.size >= maxText || len(x.paths) > maxSources
	s.found.Tests = s.ranked()
	return s.found
}

// nearest are the paths of the tree's sources, those near the changed files first.
func (x *Index) nearest(files []File) []string {
	if x.paths == nil {
		x.paths = []string{}
		entries, _ := x.tree.List("") // a tree that cannot be listed has failed elsewhere already
		for _, e := range entries {
			if _, ok := syntax.LanguageOf(e.Path); ok && e.Size <= syntax.MaxSource {
				x.paths = append(x.paths, e.Path)
			}
		}
	}
	distances := map[string]int{}
	for _, p := range x.paths {
		distances[p] = distance(p, files)
	}
	paths := slices.Clone(x.paths)
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(distances[a], distances[b]) })
	return paths[:min(len(paths), maxSources)]
}

// distance is 0 for a changed file, and grows with the folders between a file and the nearest
// changed one. Tests are further away than all product code.
func distance(p string, files []File) int {
	least := 1 << 10
	for _, f := range files {
		if f.Path == p {
			return 0
		}
		a, b := strings.Split(path.Dir(p), "/"), strings.Split(path.Dir(f.Path), "/")
		common := 0
		for common < min(len(a), len(b)) && a[common] == b[common] {
			common++
		}
		least = min(least, 1+len(a)+len(b)-2*common)
	}
	if conventions.IsTest(p) {
		return least + 1<<11
	}
	return least
}

// text is a source of the tree, nil if it cannot be read or too much was read before.
func (x *Index) text(p string) []byte {
	if text, known := x.texts[p]; known || x.size >= maxText {
		return text
	}
	text, err := x.tree.ReadFile(p)
	if err != nil {
		text = nil
	}
	x.texts[p] = text
	x.size += len(text)
	return text
}

// changed is what the changed files say of themselves.
type changed struct {
	used, changed map[string]bool
	shown         map[string]func(line int) bool // by path
}

func newChange(ctx context.Context, files []File) changed {
	c := changed{used: map[string]bool{}, changed: map[string]bool{}, shown: map[string]func(int) bool{}}
	for _, f := range files {
		c.shown[f.Path] = f.Shown
		after := parse(ctx, f.Path, f.New)
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
			before = parse(ctx, f.Path, f.Old)
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
