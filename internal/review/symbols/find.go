// Package symbols finds what a change of code names and what names it: the definitions that its
// lines use, the places that use what it changed, and the tests that name that. It reads syntax, so
// that it knows names and where they stand, but not which of several definitions of a name is
// meant: it takes the nearest.
package symbols

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/textdiff"
)

// The caps of what is returned for one change.
const (
	maxHead     = 6 // lines of a definition's head
	maxOfName   = 2 // definitions of one name
	maxOfSymbol = 4 // uses of one changed symbol
	minName     = 2 // letters of a name that is looked for
)

// File is a changed file. Shown are the lines of the new text that the reader sees anyway.
type File struct {
	Path     string
	Old, New []byte // Old is nil for a new file
	Shown    map[int]bool
}

// Place is some lines of a file, and why they matter.
type Place struct {
	Path       string
	Name       string // that is defined or named here
	In         string // the definition that holds a use, "" for none
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
	s := search{
		used: map[string]bool{}, changed: map[string]bool{}, shown: map[string]map[int]bool{},
		defined: map[string]int{}, uses: map[string]int{},
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
		s.shown[f.Path] = f.Shown
		s.learn(ctx, f)
	}
	s.found.Changed = slices.Sorted(maps.Keys(s.changed))
	if len(s.used)+len(s.changed) == 0 {
		return s.found
	}
	x.open()
	names := slices.AppendSeq(slices.Clone(s.found.Changed), maps.Keys(s.used))
	sources := x.naming(names, paths)
	s.found.Partial = x.partial || len(sources) > maxParsed
	for _, i := range sources[:min(len(sources), maxParsed)] {
		if src := x.source(ctx, i); src != nil && ctx.Err() == nil {
			s.take(src)
		}
	}
	slices.SortStableFunc(s.tests, func(a, b *test) int {
		return cmp.Or(len(b.names)-len(a.names), len(a.place.Lines)-len(b.place.Lines))
	})
	for _, t := range s.tests {
		s.found.Tests = append(s.found.Tests, t.place)
	}
	return s.found
}

// search gathers what the sources of a tree have to do with a change, the nearest source first.
type search struct {
	used, changed map[string]bool         // names on changed lines, and of what they change
	shown         map[string]map[int]bool // lines that the reader sees anyway, by path
	found         Found
	defined       map[string]int // definitions found so far, by name
	uses          map[string]int // by changed name
	tests         []*test
}

// test is a test that names what is changed.
type test struct {
	place Place
	names map[string]bool
}

// learn notes what a changed file says of itself.
func (s *search) learn(ctx context.Context, f File) {
	after := parse(ctx, f.Path, string(f.New))
	if after == nil {
		return
	}
	hunks := textdiff.Hunks(f.Old, f.New, 0)
	added := textdiff.AddedLines(hunks)
	for _, m := range after.mentions {
		if added[m.line] && len(m.name) >= minName {
			s.used[m.name] = true
		}
	}
	var before *source
	if f.Old != nil {
		before = parse(ctx, f.Path, string(f.Old))
	}
	for _, h := range hunks {
		s.touch(h, before, after)
	}
}

// touch notes what a hunk changes: the innermost definitions of its lines, and those that it
// removes.
func (s *search) touch(h change.Hunk, before, after *source) {
	for n := h.NewStart; n < h.NewStart+h.NewLines; n++ {
		s.note(after.definitions, n, n)
	}
	if h.NewLines == 0 {
		s.note(after.definitions, h.NewStart, h.NewStart+1)
	}
	for n := h.OldStart; before != nil && n < h.OldStart+h.OldLines; n++ {
		d, ok := around(before.definitions, n, n)
		stays := func(a definition) bool { return a.name == d.name }
		if ok && !slices.ContainsFunc(after.definitions, stays) {
			s.note(before.definitions, n, n)
		}
	}
}

func (s *search) note(list []definition, first, last int) {
	if d, ok := around(list, first, last); ok && len(d.name) >= minName {
		s.changed[d.name] = true
	}
}

// take looks through one source.
func (s *search) take(src *source) {
	s.definitions(src)
	tests := map[int]*test{} // by their first lines
	for _, m := range src.mentions {
		if !s.changed[m.name] || s.shown[src.path][m.line] {
			continue
		}
		in, isTest := around(src.tests, m.line, m.line)
		if !isTest {
			var ok bool
			if in, ok = around(src.definitions, m.line, m.line); !ok || in.name == m.name {
				continue
			}
		}
		if !isTest && !src.isTest {
			s.use(src, in, m)
			continue
		}
		t := tests[in.start]
		if t == nil {
			t = &test{src.place(in.name, "", in.start, in.end), map[string]bool{}}
			tests[in.start] = t
			s.tests = append(s.tests, t)
		}
		t.names[m.name] = true
	}
}

// definitions notes those of a source that the change names. A name that a nearer source defines is
// known.
func (s *search) definitions(src *source) {
	here := map[string]int{}
	for _, d := range src.definitions {
		n := here[d.name]
		if !s.used[d.name] || s.defined[d.name] > n || n == maxOfName {
			continue
		}
		here[d.name]++
		s.defined[d.name]++
		holds := func(u Place) bool {
			return u.Path == src.path && u.Start <= d.start && d.head <= u.End
		}
		if !s.shown[src.path][d.head] && !slices.ContainsFunc(s.found.Used, holds) {
			end := min(d.head, d.start+maxHead-1)
			s.found.Used = append(s.found.Used, src.place(d.name, "", d.start, end))
		}
	}
}

// use notes a line outside of tests that names what changed, once.
func (s *search) use(src *source, in definition, m mention) {
	if last := len(s.found.Uses) - 1; last >= 0 {
		if p := s.found.Uses[last]; p.Path == src.path && p.Start == m.line {
			return
		}
	}
	if s.uses[m.name]++; s.uses[m.name] > maxOfSymbol {
		s.found.More++
		return
	}
	s.found.Uses = append(s.found.Uses, src.place(m.name, in.name, m.line, m.line))
}
