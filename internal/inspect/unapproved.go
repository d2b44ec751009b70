package inspect

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
)

// comparesMergeBase reports whether the merge base counts where nothing is approved.
func (i Inspection) comparesMergeBase() bool {
	return i.Policy.Baseline != "none" && i.Set.MergeBase != "" && !i.Given
}

// tested reports whether a tree may have tests: before the first of them, nothing that runs
// tests can demand less, and where there are none, nothing can work around them.
func (i Inspection) tested(tree change.Tree) bool {
	entries, err := tree.List("")
	return err != nil || slices.ContainsFunc(entries, func(e change.Entry) bool {
		role, ext := i.Lookup.Role(e.Path), path.Ext(e.Path)
		return role == detect.Test || ext == ".rs" || // inline ones
			role == detect.Helper &&
				conventions.TestFolder(conventions.Folders(e.Path), ext) != "" // under another name
	})
}

// unapproved are the tests and helpers that the change touches, as the merge
// base has them; which of them are approved is not asked here.
func (i Inspection) unapproved(ctx context.Context) ([]approval.File, error) {
	if !i.comparesMergeBase() {
		return nil, nil
	}
	inline, err := i.inline(ctx)
	if err != nil {
		return nil, err
	}
	var out []approval.File
	for _, f := range i.Set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if f.OldBlob == "" || f.OldMode == change.ModeSubmodule {
			continue
		}
		switch role := i.Lookup.Role(p); {
		case role == detect.Test, slices.Contains(inline, p):
			out = append(
				out, approval.File{Path: p, Mode: f.OldMode, Blob: f.OldBlob, Role: approval.Test},
			)
		case role == detect.Helper:
			out = append(
				out,
				approval.File{Path: p, Mode: f.OldMode, Blob: f.OldBlob, Role: approval.Support},
			)
		}
	}
	return out, nil
}

// inline are the implementation files that the change touches and that hold tests themselves, by
// the merge base's content: a branch cannot hide a test by taking it out.
func (i Inspection) inline(ctx context.Context) ([]string, error) {
	var out []string
	for _, f := range i.Set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if f.OldBlob == "" || i.Lookup.Role(p) != detect.Source || f.OldMode == change.ModeSymlink {
			continue
		}
		src, err := i.Set.MergeBaseTree.ReadFile(p)
		if errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrNotRegular) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if integrity.HasInlineTests(ctx, p, src) {
			out = append(out, p)
		}
	}
	return out, ctx.Err()
}
