package detect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
type Lookup struct {
	d     *detector
	roles map[string]Role                     // answers of Role
	tests map[change.Tree]map[string][]string // answers of Tests
}

// NewLookup reads the specs of a change's head and base. Errors are those of the trees.
func NewLookup(set change.Set, opt Options) (*Lookup, error) {
	d, err := newDetector(set, opt)
	if err != nil {
		return nil, err
	}
	return &Lookup{
		d:     d,
		roles: map[string]Role{},
		tests: map[change.Tree]map[string][]string{},
	}, d.resolveChanges()
}

// Role tells by the name alone what a path is. What the config's paths say of artifacts takes no
// test out of protection: a file that a language's convention calls a test is one here.
func (l *Lookup) Role(p string) Role {
	role, known := l.roles[p]
	if !known {
		role = l.d.role(p)
		l.roles[p] = role
	}
	return role
}

// role says what a file is for tests, by the project's patterns and each language's conventions.
func (d *detector) role(p string) Role {
	at := d.rules.place(p)
	if ownFile(at.rel) != "" || foreignFile(at.rel) != "" {
		return Neither
	}
	switch c, _ := testConvention(at.rel); c {
	case testFile:
		return Test
	case testHelper:
		return Helper
	}
	switch d.rules.of(p).class {
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
	p, name := l.d.rules.projectOf(feature)
	_, spec := p.specs.get(name)
	return spec || slices.ContainsFunc(featureLabels(l.d.opt.Labels), same) ||
		slices.ContainsFunc(slices.Collect(maps.Keys(l.d.opt.Features)), same)
}

// Features are the names that somebody gave: by a spec, by the config, or by a label.
func (l *Lookup) Features() []string {
	out := slices.Concat(featureLabels(l.d.opt.Labels), slices.Collect(maps.Keys(l.d.opt.Features)))
	for _, p := range l.d.rules.projects {
		for _, specs := range p.specs {
			out = append(out, p.name(specs[0].feature))
		}
	}
	return out
}

// SpecState is the spec of a feature in the head, and how far it is.
type SpecState struct {
	Feature, Path string
	State         workflow.State
}

// Specs are the specs of the head, or the lists of tasks of features without one, sorted by
// feature.
func (l *Lookup) Specs() []SpecState {
	var out []SpecState
	for _, p := range l.d.rules.projects {
		for _, specs := range p.specs {
			i := slices.IndexFunc(
				specs,
				func(s spec) bool { return s.head && !s.distant && !s.existing },
			)
			if i < 0 {
				continue
			}
			state, _ := l.d.stateOf(specs[i])
			found := SpecState{p.name(specs[i].feature), specs[i].path, state}
			if !slices.Contains(out, found) {
				out = append(out, found)
			}
		}
	}
	slices.SortFunc(out, func(a, b SpecState) int { return strings.Compare(a.Feature, b.Feature) })
	return out
}

// Tests lists, sorted, the test files of a tree that belong to a feature by their own paths.
func (l *Lookup) Tests(tree change.Tree, feature string) ([]string, error) {
	if l.tests[tree] == nil {
		_, index, err := l.d.testsIn(tree, func(p string) bool { return l.Role(p) == Test })
		if err != nil {
			return nil, err
		}
		l.tests[tree] = index
	}
	return slices.Clone(l.tests[tree][keyOf(feature)]), nil
}

// Names reports whether a path is a feature's by its name.
func (l *Lookup) Names(p, feature string) bool {
	return slices.Contains(l.d.keys(p), keyOf(feature))
}

// AllTests lists, sorted, every test file of a tree, and what stands in its test folders besides.
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

// Stem is the feature that a name written by hand means: that of the spec whose name it is, else of
// the one whose words it holds, as login of "login-mcp" or "2-login-claude". A name that holds
// none, or several, is returned as it is.
func (l *Lookup) Stem(name string) string {
	p, bare := l.d.rules.projectOf(name)
	s, ok := p.specs.get(bare)
	if !ok {
		s, ok = p.specs.inWords(bare)
	}
	if !ok {
		return name
	}
	return p.name(s.feature)
}

// Doing reports whether the feature has a spec in specs/doing/, in the base or
// in the head: moving it is no way out of what holds for it.
func (l *Lookup) Doing(feature string) bool {
	p, name := l.d.rules.projectOf(feature)
	return slices.ContainsFunc(
		p.specs[keyOf(name)],
		func(s spec) bool { return s.state == workflow.Doing },
	)
}

// SameFeature reports whether two names are one feature's: letter case, "-" and "_" do not count.
func SameFeature(a, b string) bool { return keyOf(a) == keyOf(b) && keyOf(a) != "" }
