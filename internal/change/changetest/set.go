package changetest

import (
	"sort"
	"strings"

	"workflow-reviewer/internal/change"
)

// Commit ids of the trees that Set makes.
const (
	BaseCommit      = "ba5e00000000000000000000000000000000ba5e"
	MergeBaseCommit = "3e46e00000000000000000000000000000003e46"
	HeadCommit      = "4ead0000000000000000000000000000000004ea"
)

// Set is the change between mergeBase and head, with base as the target branch's tip. Files are
// compared as git does; a file that was deleted and added with equal content is an exact rename.
// Ignored is never set.
func Set(base, mergeBase, head map[string]string) change.Set {
	baseTree, old, now := newTree(BaseCommit, base), newTree(MergeBaseCommit, mergeBase),
		newTree(HeadCommit, head)
	return change.Set{
		Base: BaseCommit, MergeBase: MergeBaseCommit, Head: HeadCommit,
		BaseTree: baseTree, MergeBaseTree: old, HeadTree: now,
		Files: diff(old, now),
	}
}

func diff(old, now *tree) []change.File {
	var files []change.File
	gone := map[string][]node{} // by blob, sorted by path
	for _, o := range old.nodes {
		if i, ok := now.byPath[o.Path]; !ok {
			gone[o.Blob] = append(gone[o.Blob], o)
		} else if n := now.nodes[i]; n.Blob != o.Blob || n.Mode != o.Mode {
			files = append(files, changed(change.Modified, &o, &n))
		}
	}
	for _, n := range now.nodes {
		if _, ok := old.byPath[n.Path]; ok {
			continue
		}
		if from := gone[n.Blob]; len(from) > 0 {
			gone[n.Blob] = from[1:]
			files = append(files, changed(change.Renamed, &from[0], &n))
			continue
		}
		files = append(files, changed(change.Added, nil, &n))
	}
	for _, rest := range gone {
		for _, o := range rest {
			files = append(files, changed(change.Deleted, &o, nil))
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files
}

func changed(status change.Status, old, now *node) change.File {
	f := change.File{Status: status}
	if old != nil {
		f.Path, f.OldBlob, f.OldMode, f.Binary = old.Path, old.Blob, old.Mode, binary(old.content)
	}
	if now != nil {
		f.Path, f.Blob, f.Mode, f.Size = now.Path, now.Blob, now.Mode, now.Size
		f.Binary = f.Binary || binary(now.content)
	}
	if status == change.Renamed {
		f.OldPath = old.Path
	}
	return f
}

func binary(content string) bool {
	return strings.IndexByte(content[:min(len(content), 8000)], 0) >= 0
}
