package integrity

import (
	"context"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
)

// entry is an approved file that the head does not have as it was approved.
type entry struct {
	key
	approval.File
	before   []byte       // approved content, nil if it is unavailable
	head     change.Entry // of the same path; zero if it is gone
	now      string       // where its content went, "" if nowhere
	features []int
}

// gather finds the features that the change has to do with, and of their
// approved files those that are not what they were.
func (c *checker) gather(ctx context.Context) error {
	c.taken = map[string]bool{}
	for _, b := range c.Baselines {
		for _, f := range b.Files {
			c.taken[f.Path] = true
		}
	}
	for _, b := range c.Baselines {
		if err := ctx.Err(); err != nil {
			return err
		}
		asked := slices.Contains(c.Asked, b.Feature)
		if c.Only != "" && b.Feature != c.Only {
			continue
		}
		if !asked && b.Source != baseline.BranchRecord && len(b.Tampered) == 0 && !c.touches(b) &&
			!(b.Unknown && c.touchesRecord(b)) {
			if b.Known() {
				c.out.Untouched = append(c.out.Untouched, b.Feature)
			}
			continue
		}
		c.features = append(c.features, Feature{Baseline: b, Asked: asked, Compared: len(b.Files)})
		for _, f := range b.Files {
			_, touched := c.touched[f.Path]
			// Tests that were approved on the branch may be gone again without a trace in the whole
			// of the change.
			gone := b.Source == baseline.BranchRecord && f.Role == approval.Test
			if !touched && !asked && !gone {
				continue // what the change leaves alone is another's matter
			}
			if err := c.file(len(c.features)-1, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// touches reports whether the change touches an approved file.
func (c *checker) touches(b baseline.Baseline) bool {
	return slices.ContainsFunc(b.Files, func(f approval.File) bool {
		_, ok := c.touched[f.Path]
		return ok
	})
}

// touchesRecord reports whether the change touches a feature's record, or what is a test of the
// feature by its name.
func (c *checker) touchesRecord(b baseline.Baseline) bool {
	if _, ok := c.touched[approval.Path(b.Feature)]; ok {
		return true
	}
	for p, f := range c.touched {
		if f.OldBlob != "" && c.Role(p) == detect.Test && c.Names(p, b.Feature) {
			return true
		}
	}
	return false
}

// file compares one approved file by its blob and mode.
func (c *checker) file(feature int, f approval.File) error {
	head, err := stat(c.Set.HeadTree, f.Path)
	if err != nil {
		return err
	}
	b := c.features[feature].Baseline
	same, err := c.passes(b, f, head)
	switch {
	case err != nil:
		return err
	case !same:
		c.differs(feature, f, head)
	case f.Role == approval.Test:
		c.intact = append(c.intact, f.Path)
	}
	return nil
}

// differs notes an approved file whose entry in the head is another one. Files that several
// features approved are compared once.
func (c *checker) differs(feature int, f approval.File, head change.Entry) {
	k := key{f.Path, f.Blob}
	e := c.entries[k]
	if e == nil {
		e = &entry{key: k, File: f, head: head}
		c.entries[k] = e
	}
	if !slices.Contains(e.features, feature) {
		e.features = append(e.features, feature)
	}
}

// passes reports whether a file counts as what was approved: it is the same; or the change left it
// alone and it is what the merge base's record approved, or what the base will bring; or another
// record on the base approves what the base has.
func (c *checker) passes(b baseline.Baseline, f approval.File, head change.Entry) (bool, error) {
	if head.Blob == f.Blob {
		return c.isSame(f, head), nil
	}
	base, err := stat(c.Set.BaseTree, f.Path)
	if err != nil {
		return false, err
	}
	old, err := stat(c.Set.MergeBaseTree, f.Path)
	if err != nil {
		return false, err
	}
	if old.Blob == head.Blob && change.SameKind(old.Mode, head.Mode) {
		if base.Blob == f.Blob && change.SameKind(base.Mode, f.Mode) {
			return true, nil
		}
		if i := slices.IndexFunc(b.Former,
			func(was approval.File) bool { return was.Path == f.Path }); i >= 0 &&
			b.Former[i].Blob == head.Blob {
			return true, nil
		}
	}
	return head.Blob == base.Blob && head.Blob != "" && change.SameKind(head.Mode, base.Mode) &&
		c.approvedElsewhere(b, head), nil
}

// isSame reports whether the head has an approved file in its bytes, and the change does not take
// the permission to execute from what runs tests: hooks without it are passed over.
func (c *checker) isSame(f approval.File, head change.Entry) bool {
	was := c.touched[f.Path].OldMode
	loses := f.Role == approval.Config && head.Mode == change.ModeRegular &&
		f.Mode == change.ModeExecutable && was == f.Mode
	return head.Blob == f.Blob && change.SameKind(head.Mode, f.Mode) && !loses
}

// approvedElsewhere reports whether another feature's baseline approves a file
// as it is: what features share may be approved again for one of them.
func (c *checker) approvedElsewhere(b baseline.Baseline, is change.Entry) bool {
	for _, other := range c.Baselines {
		if other.Feature != b.Feature &&
			slices.ContainsFunc(other.Files, func(f approval.File) bool {
				return f.Path == is.Path && f.Blob == is.Blob
			}) {
			return true
		}
	}
	return false
}

// stat is a tree's entry, the zero Entry if there is none.
func stat(tree change.Tree, p string) (change.Entry, error) { return baseline.Stat(tree, p) }

// hasApproved reports whether there are approved tests at all.
func (c *checker) hasApproved() bool {
	return slices.ContainsFunc(c.Baselines, func(b baseline.Baseline) bool { return b.Known() })
}

// owners are the features that a path was compared for.
func (c *checker) owners(p string) []int {
	var out []int
	for _, e := range c.entries {
		if e.path == p || e.now == p {
			out = append(out, e.features...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
