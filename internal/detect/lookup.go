package detect

import (
	"fmt"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/workflow"
)

// Role is what a path is for the tests of a repository.
type Role int

// The roles.
const (
	Neither Role = iota // no program: a document, data, vendored, generated
	Source              // what tests are about
	Helper              // what tests load or are run by
	Test                // holds tests
)

// Lookup answers questions about single paths and features, by the rules of
// Artifacts. It is not safe for concurrent use.
type Lookup struct{ d *detector }

// NewLookup reads the specs of a change's head and base. Errors are those of
// the trees.
func NewLookup(set change.Set, opt Options) (*Lookup, error) {
	d := &detector{set: set, opt: opt, rules: newRules(opt), notes: &notes{}}
	if err := d.indexSpecs(); err != nil {
		return nil, err
	}
	return &Lookup{d}, nil
}

// Role tells by the name alone what a path is. What the config's paths say of
// artifacts takes no test out of protection: a file that a language's
// convention calls a test is one here.
func (l *Lookup) Role(p string) Role {
	at := placeOf(p)
	if ownFile(at.rel) != "" || foreignFile(at.rel) != "" {
		return Neither
	}
	switch c, _ := testConvention(at.rel); c {
	case testFile:
		return Test
	case testHelper:
		return Helper
	}
	switch l.d.rules.of(p).class {
	case testFile:
		return Test
	case testHelper:
		return Helper
	case source:
		return Source
	}
	if conventions.Language(at.rel) != "" {
		return Source
	}
	return Neither
}

// Named reports whether somebody gave a feature its name: by a spec, by the
// config, or by a label. Otherwise it is the branch that is called so.
func (l *Lookup) Named(feature string) bool {
	same := func(name string) bool { return SameFeature(name, feature) }
	_, spec := l.d.specs.get(feature)
	return spec || slices.ContainsFunc(featureLabels(l.d.opt.Labels), same) || slices.ContainsFunc(slices.Collect(maps.Keys(l.d.opt.Features)), same)
}

// Tests lists, sorted, the test files of a tree that belong to a feature by
// their own paths.
func (l *Lookup) Tests(tree change.Tree, feature string) ([]string, error) {
	entries, err := tree.List("")
	if err != nil {
		return nil, fmt.Errorf("list files of %s: %w", short(tree.Commit()), err)
	}
	var out []string
	key := keyOf(feature)
	for _, e := range entries {
		if isRegular(e.Mode) && l.Role(e.Path) == Test && l.names(e.Path, key) {
			out = append(out, e.Path)
		}
	}
	return out, nil
}

// names reports whether a path names a feature, as a spec's or by a part of
// itself.
func (l *Lookup) names(p, key string) bool {
	if found, ok := l.d.resolve(p); ok {
		return keyOf(found.feature) == key
	}
	return slices.ContainsFunc(segments(placeOf(p).rel), func(s string) bool { return keyOf(s) == key })
}

// Names reports whether a path is a feature's by its name.
func (l *Lookup) Names(p, feature string) bool { return l.names(p, keyOf(feature)) }

// AllTests lists, sorted, every test file of a tree, and what stands in its
// test folders besides.
func (l *Lookup) AllTests(tree change.Tree) (tests, helpers []string, err error) {
	entries, err := tree.List("")
	if err != nil {
		return nil, nil, fmt.Errorf("list files of %s: %w", short(tree.Commit()), err)
	}
	for _, e := range entries {
		switch l.Role(e.Path) {
		case Test:
			tests = append(tests, e.Path)
		case Helper:
			helpers = append(helpers, e.Path)
		}
	}
	return tests, helpers, nil
}

// Doing reports whether the feature has a spec in specs/doing/, in the base or
// in the head: moving it is no way out of what holds for it.
func (l *Lookup) Doing(feature string) bool {
	return slices.ContainsFunc(l.d.specs[keyOf(feature)], func(s spec) bool { return s.state == workflow.Doing })
}

// SameFeature reports whether two names are one feature's: letter case, "-" and
// "_" do not count.
func SameFeature(a, b string) bool { return keyOf(a) == keyOf(b) && keyOf(a) != "" }
