package detect

import (
	"slices"

	"workflow-reviewer/internal/workflow"
)

// Approved is what a version of a file was approved as.
type Approved struct {
	Type    workflow.Type
	Feature string
	Path    string // the artifact's name then: of a bug fix, its report
	Record  string // the review file that says so
}

// approvedAs asks what a file of the head was approved as, the newest approval
// first; a feature that could not be one is passed over.
func (d *detector) approvedAs(c *candidate) []Approved {
	if d.opt.Approved == nil || c.Blob == "" {
		return nil
	}
	return slices.DeleteFunc(d.opt.Approved(c.Path, c.Blob), func(a Approved) bool {
		p, name := d.rules.projectOf(a.Feature)
		return p.name(name) != a.Feature
	})
}

// keepReport makes a report of what its approval moved to the fixed ones.
func (d *detector) keepReport(c *candidate, k kind) kind {
	if k.class != nothing || k.why != noArtifact {
		return k
	}
	for _, a := range d.approvedAs(c) {
		if a.Type == workflow.BugFix && d.rules.canonical(a.Path) == c.Path {
			return kind{class: bugReport, typ: workflow.BugFix, why: "approved by " + a.Record}
		}
	}
	return k
}

// keepName gives code the type and feature that this version of it was approved
// with, whatever has moved since, so that its review is found again.
func (d *detector) keepName(c *candidate) {
	as := d.approvedAs(c)
	if len(as) == 0 {
		return
	}
	switch first := as[0]; first.Type {
	case workflow.BugFix:
		c.fixes = slices.DeleteFunc(as, func(a Approved) bool { return a.Type != workflow.BugFix })
		return
	case workflow.Tests:
		if c.class == source {
			c.class = testFile
		}
	case workflow.Skeleton, workflow.Implementation:
		c.class, c.typ = source, first.Type
	default:
		return // code now, a document then
	}
	c.approved = true
	c.found = resolution{feature: as[0].Feature, why: "approved by " + as[0].Record, byPath: true}
}

// keptReports are the reports of the bug fixes that a file was approved with. A report that the
// change does not hold is taken from the head; of one that is not there either only the name is
// left.
func (d *detector) keptReports(c *candidate) []*candidate {
	var out []*candidate
	for _, a := range c.fixes {
		isReport := func(r *candidate) bool {
			return r.class == bugReport && r.found.feature == a.Feature
		}
		if i := slices.IndexFunc(d.files, isReport); i >= 0 {
			out = append(out, d.files[i])
			continue
		}
		r := &candidate{}
		for _, p := range []string{a.Path, d.rules.canonical(a.Path)} {
			if e, err := d.set.HeadTree.Stat(p); err == nil && isRegular(e.Mode) {
				r = d.unchanged(e)
				d.files = append(d.files, r)
				break
			}
		}
		r.class, r.why, r.found = bugReport, "approved by "+a.Record, resolution{
			feature: a.Feature,
		}
		out = append(out, r)
	}
	return out
}
