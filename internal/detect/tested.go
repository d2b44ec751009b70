package detect

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// headTests are the test files of the head.
type headTests struct {
	all       []string
	byFeature map[string][]string // by the keys of the features that their paths name
	byStem    map[string][]string // by the keys of their own names
}

// testsOf lists the tests that a group is measured by: those of the change with the same feature,
// those of the head whose paths name it, and those that are named after one of its files. Of a
// group of tests, it is the others.
func (d *detector) testsOf(g group) ([]string, error) {
	if d.tests == nil {
		if err := d.listTests(); err != nil {
			return nil, err
		}
	}
	out := slices.Clone(d.tests.byFeature[keyOf(g.feature)])
	for _, c := range d.of(testFile) {
		if g.typ != workflow.BugFix && c.found.feature == g.feature && len(c.bugs) == 0 {
			out = append(out, c.Path)
		}
	}
	for _, c := range g.files {
		switch c.class {
		case testFile:
			out = append(out, c.Path)
		case bugReport:
			out = append(out, d.namedTests(c)...)
		case source:
			out = append(out, d.tests.namedAfter(c.Path)...)
		}
	}
	slices.Sort(out)
	others := d.of(source) // which may be named like tests
	if g.typ == workflow.Tests {
		others = append(others, g.files...)
	}
	return slices.DeleteFunc(slices.Compact(out), func(p string) bool {
		return slices.ContainsFunc(others, func(c *candidate) bool { return c.Path == p })
	}), nil
}

// listTests lists the tests of the head, once.
func (d *detector) listTests() error {
	d.tests = &headTests{byStem: map[string][]string{}}
	var err error
	d.tests.all, d.tests.byFeature, err = d.testsIn(d.set.HeadTree, d.rules.isTest)
	for _, p := range d.tests.all {
		for _, s := range stems(path.Base(p)) {
			d.tests.byStem[keyOf(s)] = append(d.tests.byStem[keyOf(s)], p)
		}
	}
	return err
}

// testsIn lists the tests of a tree, sorted, and by the keys of the features that their paths name.
func (d *detector) testsIn(
	tree change.Tree,
	isTest func(string) bool,
) ([]string, map[string][]string, error) {
	entries, err := tree.List("")
	if err != nil {
		return nil, nil, fmt.Errorf("list files of %s: %w", short(tree.Commit()), err)
	}
	var all []string
	byFeature := map[string][]string{}
	for _, e := range entries {
		if isRegular(e.Mode) && isTest(e.Path) {
			all = append(all, e.Path)
			for _, key := range d.keys(e.Path) {
				byFeature[key] = append(byFeature[key], e.Path)
			}
		}
	}
	return all, byFeature, nil
}

// keys are those of the features that a path names: a spec's, or those of all parts of itself.
func (d *detector) keys(p string) (out []string) {
	if found, ok := d.resolve(p); ok {
		return []string{keyOf(found.feature)}
	}
	at := d.rules.place(p)
	for _, s := range segments(at.rel) {
		out = append(out, keyOf(at.project.prefix()+s))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// namedAfter lists the tests that are named like a source: store_test.go or tests/test_store.py for
// store. Of several, as for index or main, it is those that share the most folders with the source.
func (t *headTests) namedAfter(p string) []string {
	var out []string
	most := 0
	for _, test := range t.byStem[keyOf(stemOf(p))] {
		shared := sharedFolders(p, test)
		if shared > most {
			out, most = nil, shared
		}
		if shared == most && path.Ext(test) == path.Ext(p) {
			out = append(out, test)
		}
	}
	return out
}

// sharedFolders counts the folders of a path that are among those of another.
func sharedFolders(p, other string) int {
	others := strings.Split(path.Dir(other), "/")
	n := 0
	for _, dir := range strings.Split(path.Dir(p), "/") {
		if slices.Contains(others, dir) {
			n++
		}
	}
	return n
}
