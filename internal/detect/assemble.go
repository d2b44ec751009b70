package detect

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// group is the files of one artifact to be.
type group struct {
	typ     workflow.Type
	feature string
	files   []*candidate
}

// assemble makes the artifacts of the wanted types.
func (d *detector) assemble() ([]workflow.Artifact, error) {
	var out []workflow.Artifact
	for _, g := range d.groups() {
		if !d.wants(g.typ) {
			g.files = slices.DeleteFunc(g.files, func(c *candidate) bool { return !c.demanded })
		}
		if len(g.files) == 0 {
			d.notes.note("",
				"%s: %s is not reviewed: its type is not among those asked for",
				g.typ, g.feature,
			)
			continue
		}
		a, err := d.artifact(g)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// groups sorts the candidates into artifacts, in the order of the result.
func (d *detector) groups() []group {
	var out []group
	put := func(t workflow.Type, feature string, c *candidate) {
		i := slices.IndexFunc(out, func(g group) bool { return g.typ == t && g.feature == feature })
		if i < 0 {
			i = len(out)
			out = append(out, group{typ: t, feature: feature})
		}
		out[i].files = append(out[i].files, c)
	}
	fixed := map[*candidate]bool{}
	for _, c := range d.of(source, testFile, testHelper) {
		for _, r := range c.bugs {
			fixed[r] = true
		}
	}
	for _, c := range d.files {
		switch {
		case c.class == bugReport && c.moved && !fixed[c]:
			const why = "moved here without a change of content, and no source with it: the fix is yet to come"
			d.notes.skip(false, c.Path, why)
		case c.class == bugReport:
			put(workflow.BugFix, c.found.feature, c)
		case len(c.bugs) > 0:
			for _, r := range c.bugs {
				put(workflow.BugFix, r.found.feature, c)
			}
		case c.class == testFile || c.class == testHelper:
			put(workflow.Tests, c.found.feature, c)
		default:
			put(c.typ, c.found.feature, c)
		}
	}
	order := workflow.Types()
	slices.SortStableFunc(out, func(a, b group) int {
		return cmp.Or(
			slices.Index(order, a.typ)-slices.Index(order, b.typ),
			strings.Compare(a.feature, b.feature),
		)
	})
	for i, g := range out {
		if g.typ == workflow.BugFix {
			slices.SortStableFunc(
				g.files,
				func(a, b *candidate) int { return bugOrder(a) - bugOrder(b) },
			)
			out[i].files = slices.Compact(g.files)
		}
	}
	return out
}

// bugOrder puts the report first, then the fix, then its tests.
func bugOrder(c *candidate) int {
	return slices.Index([]class{bugReport, source, testFile, testHelper}, c.class)
}

// artifact makes the artifact of a group: its files, spec, tests and companions, and where an
// approval moves it.
func (d *detector) artifact(g group) (workflow.Artifact, error) {
	a := workflow.Artifact{Type: g.typ, Feature: g.feature, Why: whys(g.files)}
	if g.typ == workflow.Spec {
		sortBundle(g.files)
	}
	for _, c := range g.files {
		a.Files = append(
			a.Files,
			workflow.File{Path: c.Path, Blob: c.Blob, Content: d.contentOf(c)},
		)
	}
	a.SpecPath = d.specOf(g)
	d.place(&a)
	if m := g.files[0].match; g.typ.Single() && len(g.files) > 1 &&
		(m.Layout == nil || m.Layout.OnApproved == "move") {
		d.notes.warn(
			a.Path(),
			"one of several documents named %s: they are reviewed together and none of them is moved",
			g.feature,
		)
	}
	err := d.companions(&a)
	if err != nil {
		return a, err
	}
	switch g.typ {
	case workflow.Skeleton, workflow.Tests, workflow.Implementation, workflow.BugFix:
		if a.Tests, err = d.testsOf(g); err != nil {
			return a, err
		}
	}
	return a, d.effect(&a)
}

// specOf is the spec of a group's feature: a bug fix's is that of the code it mends, if that is
// one.
func (d *detector) specOf(g group) string {
	switch g.typ {
	case workflow.Spec:
		return g.files[0].Path
	case workflow.Vision, workflow.Scope:
		return ""
	case workflow.Roadmap:
		if g.files[0].match.Feature == "" {
			return ""
		}
	case workflow.BugFix:
		found := map[string]bool{}
		for _, c := range g.files {
			if c.class == source && c.found.byPath {
				found[d.rules.pathOf(c.found.feature)] = true
			}
		}
		delete(found, "")
		if p := d.rules.pathOf(g.feature); p != "" || len(found) != 1 {
			return p
		}
		return slices.Collect(maps.Keys(found))[0]
	}
	return d.rules.pathOf(g.feature)
}

// whys explains the types and features of a group's files, one line for all files with the same
// reasons.
func whys(files []*candidate) (out []string) {
	paths := map[string][]string{}
	var order []string
	for _, c := range files {
		feature := "feature: " + c.found.why
		if len(c.bugs) > 0 {
			feature = "changed together with the bug report"
		}
		why := strings.TrimPrefix(c.why+"; "+feature, "; ")
		if paths[why] == nil {
			order = append(order, why)
		}
		paths[why] = append(paths[why], c.Path)
	}
	for _, why := range order {
		out = append(out, listFew(paths[why])+": "+why)
	}
	return out
}
