package detect

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// headTests are the test files of the head.
type headTests struct {
	all       []string
	byFeature map[string][]string // those whose paths tell, by the key of the feature
	bySegment map[string][]string // the others, by the keys of the parts of their paths
	byStem    map[string][]string // all, by the keys of their own names
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
	var out []string
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
			out = append(out, d.namedTests(c, d.tests.all)...)
		}
	}
	key := keyOf(g.feature)
	out = append(out, d.tests.byFeature[key]...)
	out = append(out, d.tests.bySegment[key]...)
	for _, c := range g.files {
		if c.class == source {
			out = append(out, d.tests.namedAfter(c.Path)...)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	for _, c := range d.of(source) {
		out = slices.DeleteFunc(
			out,
			func(p string) bool { return p == c.Path },
		) // which is named like a test
	}
	if g.typ == workflow.Tests {
		out = slices.DeleteFunc(out, g.has)
	}
	return out, nil
}

func (g group) has(p string) bool {
	return slices.ContainsFunc(g.files, func(c *candidate) bool { return c.Path == p })
}

// listTests lists the tests of the head by feature, folder and stem, once.
func (d *detector) listTests() error {
	entries, err := d.set.HeadTree.List("")
	if err != nil {
		return fmt.Errorf("list files of %s: %w", short(d.set.Head), err)
	}
	d.tests = &headTests{
		byFeature: map[string][]string{},
		bySegment: map[string][]string{},
		byStem:    map[string][]string{},
	}
	for _, e := range entries {
		if !isRegular(e.Mode) || !d.rules.isTest(e.Path) {
			continue
		}
		d.tests.all = append(d.tests.all, e.Path)
		for _, s := range stems(path.Base(e.Path)) {
			d.tests.byStem[keyOf(s)] = append(d.tests.byStem[keyOf(s)], e.Path)
		}
		if found, ok := d.resolve(e.Path); ok {
			key := keyOf(found.feature)
			d.tests.byFeature[key] = append(d.tests.byFeature[key], e.Path)
			continue
		}
		at := d.rules.place(e.Path)
		for _, s := range segments(at.rel) {
			key := keyOf(at.prefixed(s))
			d.tests.bySegment[key] = append(d.tests.bySegment[key], e.Path)
		}
	}
	return nil
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
