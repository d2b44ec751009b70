package pipeline

import (
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/report"
)

// putBack is the way back from a breach: for each file a commit that has it as it was approved, or
// else as the merge base has it. What only the change brings must go.
func putBack(set change.Set, o integrity.Outcome) []report.PutBack {
	approved, heads := map[string]approval.File{}, map[string]string{}
	for _, f := range o.Features {
		for _, file := range f.Files {
			approved[file.Path], heads[file.Path] = file, f.Head
		}
	}
	var out []report.PutBack
	for _, v := range o.Breaches() {
		commit := heads[v.File]
		for _, from := range []struct {
			commit string
			tree   change.Tree
		}{{set.Base, set.BaseTree}, {set.MergeBase, set.MergeBaseTree}} {
			if holdsBlob(from.tree, v.File, approved[v.File].Blob) {
				commit = from.commit
			}
		}
		if commit == "" && !holdsBlob(set.HeadTree, v.File, "") {
			continue
		}
		k := slices.IndexFunc(out, func(p report.PutBack) bool { return p.Commit == commit })
		if k < 0 {
			k, out = len(out), append(out, report.PutBack{Commit: commit})
		}
		if !slices.Contains(out[k].Paths, v.File) {
			out[k].Paths = append(out[k].Paths, v.File)
		}
	}
	return out
}

// holdsBlob reports whether a tree has a file, as the blob that is named if one is.
func holdsBlob(tree change.Tree, file, blob string) bool {
	if tree == nil {
		return false
	}
	e, err := tree.Stat(file)
	return err == nil && (blob == "" || e.Blob == blob)
}
