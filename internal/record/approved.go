package record

import (
	"cmp"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// Approvals finds the reviews that approved a version of a file. It says
// nothing of whether they may be believed.
type Approvals struct {
	records []Record
	of      map[workflow.File][]int // by canonical path and blob, newest first
}

// NewApprovals indexes what the APPROVED ones among the records list. History
// of other tools names no versions and is left out.
func NewApprovals(records ...Record) Approvals {
	a := Approvals{of: map[workflow.File][]int{}}
	for _, r := range records {
		if r.Decision == workflow.Approved && !r.Legacy {
			a.records = append(a.records, r)
		}
	}
	slices.SortStableFunc(a.records, func(x, y Record) int {
		return cmp.Or(y.Time.Compare(x.Time), strings.Compare(y.Path, x.Path))
	})
	for i, r := range a.records {
		for _, f := range r.Files {
			if f.Blob != "" {
				version := workflow.File{Path: workflow.Canonical(f.Path), Blob: f.Blob}
				a.of[version] = append(a.of[version], i)
			}
		}
	}
	return a
}

// Of lists the records of a version of a file, wherever the lifecycle has moved
// it, the newest first.
func (a Approvals) Of(path, blob string) []Record {
	var out []Record
	for _, i := range a.of[workflow.File{Path: workflow.Canonical(path), Blob: blob}] {
		out = append(out, a.records[i])
	}
	return out
}
