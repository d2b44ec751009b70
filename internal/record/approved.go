package record

import (
	"cmp"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// Approvals is a lookup of the reviews that approved a version of a file, wherever
// the lifecycle has moved it, the newest first. It says nothing of whether they
// may be believed. History of other tools names no versions and is left out.
// canonical is what a path is in every state of the document there.
func Approvals(canonical func(path string) string, records ...Record) func(path, blob string) []Record {
	records = slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Decision != workflow.Approved || r.Legacy })
	slices.SortStableFunc(records, func(x, y Record) int {
		return cmp.Or(y.Time.Compare(x.Time), strings.Compare(y.Path, x.Path))
	})
	of := map[workflow.File][]int{} // by canonical path and blob
	for i, r := range records {
		for _, f := range r.Files {
			if version := (workflow.File{Path: canonical(f.Path), Blob: f.Blob}); f.Blob != "" {
				of[version] = append(of[version], i)
			}
		}
	}
	return func(path, blob string) (out []Record) {
		for _, i := range of[workflow.File{Path: canonical(path), Blob: blob}] {
			out = append(out, records[i])
		}
		return out
	}
}
