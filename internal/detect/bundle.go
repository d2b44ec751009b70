package detect

import (
	"math"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
)

// bundleOrder is the place of a document in its bundle: that of the pattern which names it.
func bundleOrder(m layout.Match) int { return slices.Index(m.Layout.Spec, m.Pattern) }

// completeBundles adds to a bundle of which the change touches or deletes a file
// all its other files: it is reviewed as a whole.
func (d *detector) completeBundles() error {
	done := map[string]bool{}
	complete := func(p string) error {
		at := d.rules.place(p)
		m, ok := at.match()
		key := at.prefix + m.Feature
		if !ok || m.Kind != layout.Spec || !m.Layout.Bundle || done[key] {
			return nil
		}
		done[key] = true
		parts, err := d.inFolders(at.prefix, m.Parts(), math.MaxInt64)
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err := d.addPart(part); err != nil {
				return err
			}
		}
		return nil
	}
	for _, c := range slices.Clone(d.files) {
		if err := complete(c.Path); err != nil {
			return err
		}
	}
	if len(d.opt.Paths) > 0 {
		return nil
	}
	for _, f := range d.set.Files {
		if f.Status == change.Deleted {
			if err := complete(f.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPart adds a file of a bundle, unless it is there or is none for another reason.
func (d *detector) addPart(p string) error {
	if slices.ContainsFunc(d.files, func(c *candidate) bool { return c.Path == p }) {
		return nil
	}
	e, err := d.set.HeadTree.Stat(p)
	if err != nil {
		return err
	}
	c := d.unchanged(e)
	for _, f := range d.set.Files {
		if f.Path == p && f.Status != change.Deleted {
			c.File = f // touched, and passed over as one that only tells another state
		}
	}
	c.explicit = true
	d.consider(c)
	return nil
}

// sortBundle puts the files of a bundle in its order.
func sortBundle(files []*candidate) {
	if l := files[0].match.Layout; l == nil || !l.Bundle {
		return
	}
	slices.SortStableFunc(files, func(a, b *candidate) int {
		if n := bundleOrder(a.match) - bundleOrder(b.match); n != 0 {
			return n
		}
		return strings.Compare(a.Path, b.Path)
	})
}
