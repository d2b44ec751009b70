// Package testcount counts the tests of a source by its syntax: how many a runner runs at least,
// and how many of these may be skipped. What depends on more than the source – loops, conditions,
// inherited and generated tests – counts as none, so that the count is never above what runs.
//
// What tests are is data of package lang: tests.scm and skips.scm, and of suites.scm
//
//	@open    what a test may stand in: the file, a block
//	@suite   what holds tests, with its @name if another one of that name replaces it
//	@loose   a suite, unless the file is @strict: then tests outside of suites do not count either
//	@bar     what does not run, or not always, with all that is in it
//	@test    tests besides those of tests.scm
package testcount

import (
	"context"
	"regexp"
	"slices"

	"workflow-reviewer/internal/lang"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

// Count counts the tests that a source has at least.
type Count struct {
	Tests int
	// Skips of them may be skipped: they are marked so, or have a call that skips.
	Skips int
}

// Add is the sum of two counts.
func (c Count) Add(o Count) Count { return Count{c.Tests + o.Tests, c.Skips + o.Skips} }

// Of counts the tests of a source. One of a language that is not read, or that cannot be parsed,
// has none.
func Of(ctx context.Context, p string, src []byte) (count Count) {
	language, ok := syntax.LanguageOf(p)
	if !ok || query.For(language, "suites") == nil || !counted(lang.Of(p), p) {
		return Count{}
	}
	tree, err := syntax.Parse(ctx, language, src)
	if err != nil || tree.HasError() {
		return Count{}
	}
	f := read(tree)
	seen := map[string]bool{}
	for _, test := range f.tests {
		name, ok := f.place(test)
		if !ok || name != "" && seen[name] {
			continue
		}
		seen[name] = true
		count.Tests++
		if f.skips(test) {
			count.Skips++
		}
	}
	return count
}

// counted reports whether the runner takes a file of that path, on whatever machine.
func counted(l lang.File, p string) bool {
	if l.Counted != "" && !regexp.MustCompile(l.Counted).MatchString(p) {
		return false
	}
	return l.Uncounted == "" || !regexp.MustCompile(l.Uncounted).MatchString(p)
}

// file is what the queries say of the nodes of a source.
type file struct {
	root    syntax.Node
	tests   []syntax.Node                   // in the order of the source, each once
	marks   map[string]map[syntax.Node]bool // by what they are captured as
	names   map[syntax.Node]string          // of suites, and of tests that replace each other
	skipped []syntax.Node                   // in the order of the source
}

func read(tree *syntax.Tree) *file {
	f := &file{
		root:  tree.Root(),
		marks: map[string]map[syntax.Node]bool{},
		names: map[syntax.Node]string{},
	}
	for _, subject := range []string{"tests", "suites", "skips"} {
		for m := range query.For(tree.Language(), subject).Matches(tree.Root()) {
			for _, mark := range []string{
				"test", "open", "suite", "loose", "strict", "bar", "skip",
			} {
				f.mark(mark, m)
			}
		}
	}
	for _, list := range []*[]syntax.Node{&f.tests, &f.skipped} {
		slices.SortFunc(*list, func(a, b syntax.Node) int { return a.StartByte() - b.StartByte() })
	}
	return f
}

// mark notes what a match captures under a name.
func (f *file) mark(as string, m query.Match) {
	n := m.Node(as)
	if n.IsZero() || f.marks[as][n] {
		return
	}
	if f.marks[as] == nil {
		f.marks[as] = map[syntax.Node]bool{}
	}
	f.marks[as][n] = true
	switch as {
	case "test":
		f.tests = append(f.tests, n)
		f.names[n] = m.Node("unique").Text()
	case "suite", "loose":
		f.names[n] = m.Node("name").Text()
	case "skip":
		f.skipped = append(f.skipped, n)
	}
}

// place is the name of a test with those of its suites, "" if it has none that another may take;
// false if it does not count.
func (f *file) place(test syntax.Node) (name string, ok bool) {
	strict := f.marks["strict"][f.root]
	suites, name := 0, f.names[test]
	if f.marks["bar"][test] {
		return "", false
	}
	for n := test.Parent(); !n.IsZero(); n = n.Parent() {
		isSuite := f.marks["suite"][n] || f.marks["loose"][n] && !strict
		if f.marks["bar"][n] || !isSuite && !f.marks["open"][n] {
			return "", false
		}
		if isSuite {
			suites++
			if name != "" {
				name = f.names[n] + "." + name
			}
		}
	}
	return name, suites > 0 || !strict
}

// skips reports whether a test, or what it stands in, is skipped, or something in it may skip it.
func (f *file) skips(test syntax.Node) bool {
	for n := test; !n.IsZero(); n = n.Parent() {
		if f.marks["skip"][n] {
			return true
		}
	}
	i, _ := slices.BinarySearchFunc(
		f.skipped,
		test.StartByte(),
		func(n syntax.Node, at int) int { return n.StartByte() - at },
	)
	return i < len(f.skipped) && f.skipped[i].StartByte() < test.EndByte()
}
