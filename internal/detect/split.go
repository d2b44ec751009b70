package detect

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// splitSources gives every source its type. Files that hold no code at all, such as interfaces,
// constants or an empty __init__.py, go with what the rest of their feature is.
func (d *detector) splitSources() {
	d.assignBugs()
	d.noteFallback()
	isA := map[workflow.Type]map[string]bool{workflow.Skeleton: {}, workflow.Implementation: {}}
	for _, c := range d.of(source) {
		switch {
		case len(c.bugs) > 0:
		case c.typ == workflow.Skeleton || c.typ == "" && c.body == stubs:
			isA[workflow.Skeleton][c.found.feature] = true
		case c.typ == workflow.Implementation || c.body == realCode:
			isA[workflow.Implementation][c.found.feature] = true
		}
	}
	for _, c := range d.of(source) {
		if f := c.found.feature; c.typ == "" {
			c.typ = typeOf(c, isA[workflow.Skeleton][f], isA[workflow.Implementation][f])
		}
	}
}

// typeOf tells skeleton from implementation; skeleton and implementation say what other files of
// the feature are.
func typeOf(c *candidate, skeleton, implementation bool) workflow.Type {
	isNew := c.whole || c.Status == change.Added
	switch {
	case c.body == stubs:
		c.why += ", all changed functions are stubs"
		return workflow.Skeleton
	case c.body == signatures && !implementation:
		c.why += ", only declarations"
		return workflow.Skeleton
	case c.body == constants && isNew && skeleton && !implementation:
		c.why += ", no functions, beside a skeleton"
		return workflow.Skeleton
	default:
		return workflow.Implementation
	}
}

// assignBugs gives the sources and tests of a change to the bug reports of their own project. A
// file of a feature that the change works on itself stays with that feature. With several reports,
// a file belongs to the one whose name is in its path, else to the one that names it, else to all
// of them.
func (d *detector) assignBugs() {
	all := d.of(source, testFile, testHelper)
	for _, c := range all {
		c.bugs = d.keptReports(c)
	}
	inChange := d.of(bugReport)
	isOwn := d.workInProgress(all)
	for _, c := range all {
		isElsewhere := func(r *candidate) bool { return r.place.project != c.place.project }
		reports := slices.DeleteFunc(slices.Clone(inChange), isElsewhere)
		switch {
		case c.approved || len(c.bugs) > 0 || len(reports) == 0 || !d.wants(workflow.BugFix):
		case c.found.byPath && isOwn(c.found.feature):
			const why = "belongs to the feature %s, which is being worked on, not to the bug fix"
			d.notes.note(c.Path, why, c.found.feature)
		default:
			c.bugs = d.bugsOf(c, reports)
		}
	}
}

// workInProgress tells whether a feature is one that the change itself works on: the change touches
// its spec, or the spec is in the head and not done. The latter does not count if no source of its
// project would be left for the bug fix: then the fix is in the code of that feature.
func (d *detector) workInProgress(files []*candidate) func(feature string) bool {
	touched := map[string]bool{}
	for _, c := range d.of(document) {
		if c.typ == workflow.Spec {
			touched[keyOf(c.found.feature)] = true
		}
	}
	open := func(feature string) bool {
		p, name := d.rules.projectOf(feature)
		s, ok := p.specs.get(name)
		return ok && s.head && s.state != workflow.Done && s.state != ""
	}
	fixElsewhere := map[*project]bool{}
	for _, c := range files {
		if c.class == source &&
			(len(c.bugs) > 0 || !c.approved && !(c.found.byPath && open(c.found.feature))) {
			fixElsewhere[c.place.project] = true
		}
	}
	return func(feature string) bool {
		p, _ := d.rules.projectOf(feature)
		return touched[keyOf(feature)] || fixElsewhere[p] && open(feature)
	}
}

// bugsOf are the reports that a file belongs to: those that its path names, else those that mention
// it, else all.
func (d *detector) bugsOf(c *candidate, reports []*candidate) []*candidate {
	var named, mentioned []*candidate
	for _, r := range reports {
		isIt := func(s string) bool { return keyOf(s) == keyOf(stemOf(r.Path)) }
		if slices.ContainsFunc(segments(c.place.rel), isIt) {
			named = append(named, r)
		}
		text, _ := d.headText(r.Path) // that it cannot be read its review will tell
		if strings.Contains(text[:min(len(text), maxReport)], c.place.rel) {
			mentioned = append(mentioned, r)
		}
	}
	for _, some := range [][]*candidate{named, mentioned} {
		if len(some) > 0 && len(reports) > 1 {
			return some
		}
	}
	return reports
}

// maxReport is how much of a bug report is searched for file names.
const maxReport = 64 << 10
