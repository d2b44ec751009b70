package integrity

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/loss"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// unapproved compares tests that nobody is known to have approved with the merge base: as approved
// ones where the config says so, else for what the change took away from them, which is told and
// blocks nothing.
func (c *checker) unapproved(ctx context.Context) error {
	var files, asked []approval.File
	for _, f := range c.Unapproved {
		if ofApproved := c.hasApproved() && c.steers(f.Path); !c.taken[f.Path] &&
			!ofApproved { // see unlisted
			files = append(files, f)
		}
	}
	if len(files) == 0 || c.Only != "" {
		return nil
	}
	c.features = append(c.features, Feature{Compared: len(files), Baseline: baseline.Baseline{
		Source: baseline.MergeBase, Commit: c.Set.MergeBase, Files: files,
		Trust: "nobody is known to have approved them",
	}})
	for _, f := range files {
		c.taken[f.Path] = true
		head, err := stat(c.Set.HeadTree, f.Path)
		base, err2 := stat(c.Set.BaseTree, f.Path)
		switch err := errors.Join(err, err2); {
		case err != nil:
			return err
		case head == base: // brought from the base
		case c.Enforce || glob.NamesAny(c.Protect, f.Path):
			if err := c.file(len(c.features)-1, f); err != nil {
				return err
			}
		default:
			asked = append(asked, f)
		}
	}
	return c.losses(ctx, asked)
}

// losses tells what the change took away from tests.
func (c *checker) losses(ctx context.Context, tests []approval.File) error {
	if len(tests) == 0 {
		return nil
	}
	var files []loss.File
	left := maxTestsBytes
	add := func(was, now string, parts bool) error {
		before, after, err := c.versions(side{now, was != "", true, was})
		if parts {
			before, after = c.testParts(ctx, was, before), c.testParts(ctx, now, after)
		}
		if left -= len(before) + len(after); left > 0 {
			files = append(files,
				loss.File{Path: cmp.Or(was, now), Now: now, Before: before, After: after})
		}
		return err
	}
	for _, f := range tests {
		if err := add(f.Path, c.movedTo(f.Path), c.Role(f.Path) == detect.Source); err != nil {
			return err
		}
	}
	for _, f := range c.Set.Files {
		if f.Status == change.Added && c.Role(f.Path) >= detect.Helper {
			if err := add("", f.Path, false); err != nil {
				return err
			}
		}
	}
	found, err := loss.Find(ctx, files, c.speaksOfGone)
	for _, v := range found {
		if c.Permit(v.File) == "" {
			c.out.Weakened = append(c.out.Weakened, v)
		}
	}
	return err
}

// testParts is what a source has of tests.
func (c *checker) testParts(ctx context.Context, p string, src []byte) []byte {
	parts, ok := inlineTests(ctx, p, src)
	if !ok || src == nil {
		return nil
	}
	return blanked(src, parts)
}

// movedTo is the path that the change gives a file.
func (c *checker) movedTo(p string) string {
	if i := slices.IndexFunc(c.Set.Files, func(f change.File) bool {
		return f.OldPath == p && f.Status == change.Renamed
	}); i >= 0 {
		return c.Set.Files[i].Path
	}
	return p
}

// passesUnapproved reports whether a violation is about tests that nobody is known to have
// approved, and no demand of theirs is shown to be less.
func (c *checker) passesUnapproved(v workflow.Finding, owners []int) bool {
	ofApproved := func(i int) bool { return c.features[i].Source != baseline.MergeBase }
	switch {
	case !c.MergeBase, glob.NamesAny(c.Protect, v.File):
		return false
	case len(owners) == 0 && c.hasApproved(), slices.ContainsFunc(owners, ofApproved):
		return false
	}
	return v.Category != violation.Weakening
}

// speaksOfGone reports whether a text names something that the change takes away: a file of the
// implementation, or a word of one that stands in no such file of the head that it touches.
func (c *checker) speaksOfGone(text string) bool {
	if c.gone == nil {
		c.gone = c.takenAway()
	}
	return slices.ContainsFunc(word.FindAllString(text, -1),
		func(w string) bool { return c.gone[w] })
}

// takenAway are the words that the change takes out of the implementation. Tests that name them
// went with their subject.
func (c *checker) takenAway() map[string]bool {
	out := map[string]bool{}
	for _, f := range c.Set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if f.Binary || f.Status == change.Added || !c.isCode(p) {
			continue
		}
		src, err := content(c.Set.MergeBaseTree, p)
		if err != nil {
			continue // told where it is compared
		}
		if f.Status == change.Deleted {
			src = append([]byte(strings.TrimSuffix(path.Base(p), path.Ext(p))+" "), src...)
		}
		for _, w := range word.FindAll(src, -1) {
			if len(w) > 3 {
				out[string(w)] = true
			}
		}
	}
	for _, f := range c.Set.Files {
		if f.Binary || !c.isCode(f.Path) {
			continue // a change log names what is gone
		}
		src, err := content(c.Set.HeadTree, f.Path)
		for _, w := range word.FindAll(src, -1) {
			if err == nil {
				delete(out, string(w))
			}
		}
	}
	return out
}

// isCode reports whether a file is a source of the implementation.
func (c *checker) isCode(p string) bool {
	return c.Role(p) < detect.Helper && conventions.Language(p) != ""
}

var word = lazyregexp.New(`[\p{L}_$][\p{L}\p{N}_$]*`)
