package detect

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/workflow"
)

// headTests are the test files of the head.
type headTests struct {
	byFeature map[string][]string // those whose paths tell, by the key of the feature
	bySegment map[string][]string // the others, by the keys of the parts of their paths
}

// testsOf lists the tests that a group is measured by: those of the change with
// the same feature, and those of the head whose paths name it.
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
		if c.class == testFile {
			out = append(out, c.Path)
		}
	}
	key := keyOf(g.feature)
	out = append(out, d.tests.byFeature[key]...)
	out = append(out, d.tests.bySegment[key]...)
	slices.Sort(out)
	return slices.Compact(out), nil
}

func (d *detector) listTests() error {
	entries, err := d.set.HeadTree.List("")
	if err != nil {
		return fmt.Errorf("list files of %s: %w", short(d.set.Head), err)
	}
	d.tests = &headTests{byFeature: map[string][]string{}, bySegment: map[string][]string{}}
	for _, e := range entries {
		if !isRegular(e.Mode) || d.rules.of(e.Path).class != testFile {
			continue
		}
		if found, ok := d.resolve(e.Path); ok {
			key := keyOf(found.feature)
			d.tests.byFeature[key] = append(d.tests.byFeature[key], e.Path)
			continue
		}
		for _, s := range segments(placeOf(e.Path).rel) {
			key := keyOf(s)
			d.tests.bySegment[key] = append(d.tests.bySegment[key], e.Path)
		}
	}
	return nil
}
