package symbols

import (
	"cmp"
	"slices"

	"workflow-reviewer/internal/conventions"
)

// search gathers what the sources of a tree have to do with a change, the nearest source first.
type search struct {
	change  changed
	found   Found
	parsed  int
	defined map[string]int // definitions found so far, by name
	uses    map[string]int // by changed name
	tests   map[testAt]*test
	order   []*test
}

type testAt struct {
	path  string
	start int
}

// test is a test that names what is changed.
type test struct {
	place Place
	names map[string]bool
}

// take looks through one source.
func (s *search) take(src *source) {
	s.definitions(src)
	inTests := conventions.IsTest(src.path)
	for _, m := range src.mentions {
		if !s.change.changed[m.name] || s.change.sees(src.path, m.line) {
			continue
		}
		if t, ok := around(src.tests, m.line, m.line); ok {
			s.test(src, t, m.name)
			continue
		}
		d, ok := around(src.definitions, m.line, m.line)
		switch {
		case !ok || d.name == m.name:
		case inTests:
			s.test(src, d, m.name)
		default:
			s.use(src, d, m)
		}
	}
}

// definitions notes those of a source that the change names. A name that a nearer source defines is
// known.
func (s *search) definitions(src *source) {
	here := map[string]int{}
	for _, d := range src.definitions {
		if !s.change.used[d.name] || s.defined[d.name] > here[d.name] || here[d.name] == maxOfName {
			continue
		}
		here[d.name]++
		s.defined[d.name]++
		within := func(u Place) bool { return u.Path == src.path && u.Start <= d.start && d.head <= u.End }
		if !s.change.sees(src.path, d.head) && !slices.ContainsFunc(s.found.Used, within) {
			s.found.Used = append(s.found.Used, src.place(d.name, "", d.start, min(d.head, d.start+maxHead-1)))
		}
	}
}

func (s *search) use(src *source, in definition, m mention) {
	last := len(s.found.Uses) - 1
	if last >= 0 && s.found.Uses[last].Path == src.path && s.found.Uses[last].Start == m.line {
		return
	}
	if s.uses[m.name]++; s.uses[m.name] > maxOfSymbol {
		s.found.More++
		return
	}
	s.found.Uses = append(s.found.Uses, src.place(m.name, in.name, m.line, m.line))
}

func (s *search) test(src *source, d definition, name string) {
	at := testAt{src.path, d.start}
	t := s.tests[at]
	if t == nil {
		t = &test{place: src.place(d.name, "", d.start, d.end), names: map[string]bool{}}
		s.tests[at] = t
		s.order = append(s.order, t)
	}
	t.names[name] = true
}

// ranked are the tests, those that name most of what is changed first, short ones before long ones.
func (s *search) ranked() []Place {
	slices.SortStableFunc(s.order, func(a, b *test) int {
		return cmp.Or(len(b.names)-len(a.names), len(a.place.Lines)-len(b.place.Lines))
	})
	var out []Place
	for _, t := range s.order {
		out = append(out, t.place)
	}
	return out
}

func (src *source) place(name, in string, start, end int) Place {
	end = min(end, len(src.lines))
	return Place{Path: src.path, Name: name, In: in, Start: start, End: end, Lines: src.lines[start-1 : end]}
}
