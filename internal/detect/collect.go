package detect

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// collect gathers the candidates and notes what is none.
func (d *detector) collect() error {
	var err error
	if len(d.opt.Paths) > 0 {
		err = d.collectPaths()
	} else {
		for _, f := range d.set.Files {
			d.consider(&candidate{File: f})
		}
	}
	slices.SortFunc(d.files, func(a, b *candidate) int { return strings.Compare(a.Path, b.Path) })
	return err
}

// consider classifies a file, and keeps it unless it is nothing.
func (d *detector) consider(c *candidate) {
	c.place = placeOf(c.Path)
	k := d.keepReport(c, d.rules.of(c.Path))
	c.class, c.typ, c.whyClass = k.class, k.typ, k.why
	if c.class == nothing && mayBeScript(c) {
		c.class, c.whyClass = source, "a program by its first line" // inspect has a look
	}
	if why, warning := d.rejects(c, k); why != "" {
		d.notes.skip(warning || c.explicit, c.Path, why)
		return
	}
	d.files = append(d.files, c)
}

func mayBeScript(c *candidate) bool {
	return c.whyClass == noArtifact && maySay(c.Path)
}

// rejects says why a file is in no artifact, "" if it may be.
func (d *detector) rejects(c *candidate, k kind) (why string, warning bool) {
	was := k.class != nothing // a warning for what would have been reviewed
	switch {
	case c.Status == change.Deleted && !was:
		return k.why, false
	case c.Status == change.Deleted:
		if to := d.arrivals()[workflow.Canonical(c.Path)]; to != "" {
			return "moved to " + to + ", which is looked at there", false
		}
		return "deleted", false
	case c.Mode == change.ModeSubmodule:
		return "a submodule, whose content is in another repository", true
	case c.Mode == change.ModeSymlink:
		return "a symbolic link, which is never followed", was
	case k.class == nothing && c.class == nothing:
		if hint := lookAlike(c.place.rel); hint != "" && k.why == noArtifact {
			return hint, true
		}
		if hint := specsElsewhere(c.place.rel); hint != "" && k.why == noArtifact && !d.rules.has(workflow.Spec) {
			return hint, false
		}
		return k.why, false
	case c.Binary:
		return "a binary file", was
	case c.Ignored != "" && k.class != document && k.class != bugReport:
		return c.Ignored + ", by the base commit's .gitattributes", false
	}
	return d.rejectsUnchanged(c)
}

// arrivals are the documents that the change adds, by their canonical paths.
func (d *detector) arrivals() map[string]string {
	if d.added == nil {
		d.added = map[string]string{}
		for _, f := range d.set.Files {
			if canonical := workflow.Canonical(f.Path); f.Status != change.Deleted && canonical != f.Path {
				d.added[canonical] = f.Path
			}
		}
	}
	return d.added
}

// rejectsUnchanged says why a file whose content is that of the merge base is
// in no artifact.
func (d *detector) rejectsUnchanged(c *candidate) (why string, warning bool) {
	if c.explicit {
		return "", false
	}
	if from := d.copiedSpec(c); from != "" {
		return fmt.Sprintf("copied from %s without a change of content", from), false
	}
	if c.Blob != c.OldBlob {
		return "", false
	}
	switch {
	case c.Status == change.Modified:
		return "only its mode was changed", false
	case c.Status != change.Renamed:
		return "", false
	}
	old := d.rules.of(c.OldPath)
	c.moved = true
	if c.typ == workflow.Spec && old.typ == workflow.Spec {
		return fmt.Sprintf("moved from %s without a change of content", c.OldPath), false
	}
	if c.class == document && old.class == document && old.typ == c.typ {
		return fmt.Sprintf("moved from %s without a change of content", c.OldPath), false
	}
	return "", false
}

// copiedSpec is the spec of the merge base that a new one repeats in another
// state, "" if there is none: a move whose deletion is yet to come.
func (d *detector) copiedSpec(c *candidate) string {
	if c.typ != workflow.Spec || c.Status != change.Added || stateOf(c.place.rel) == "" {
		return ""
	}
	dir, file := path.Split(c.Path)
	for _, s := range []workflow.State{workflow.Proposed, workflow.Todo, workflow.Doing, workflow.Done} {
		from := path.Join(path.Dir(path.Clean(dir)), string(s), file)
		if e, err := d.set.MergeBaseTree.Stat(from); err == nil && e.Blob == c.Blob {
			return from
		}
	}
	return ""
}

// collectPaths gathers the files that were named instead of the change's.
func (d *detector) collectPaths() error {
	changed := map[string]change.File{}
	for _, f := range d.set.Files {
		changed[f.Path] = f
	}
	seen := map[string]bool{}
	for _, given := range d.opt.Paths {
		p := path.Clean(strings.TrimPrefix(strings.TrimSpace(given), "./"))
		if p == "." || seen[p] {
			continue
		}
		seen[p] = true
		if f, ok := changed[p]; ok && f.Status != change.Deleted {
			d.consider(&candidate{File: f, explicit: true})
			continue
		}
		if err := d.collectUnchanged(p); err != nil {
			return err
		}
	}
	return nil
}

func (d *detector) collectUnchanged(p string) error {
	if path.IsAbs(p) || p == ".." || strings.HasPrefix(p, "../") {
		d.miss(p, p+" is outside of the repository: name paths from its root")
		return nil
	}
	e, err := d.set.HeadTree.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		inside, err := d.set.HeadTree.List(p)
		if err != nil {
			return fmt.Errorf("list %q: %w", p, err)
		}
		if len(inside) > 0 {
			d.miss(p, p+" is a folder: name its files")
		} else {
			d.miss(p, "")
		}
		return nil
	case err != nil:
		return fmt.Errorf("look up %q: %w", p, err)
	}
	c := unchanged(e)
	c.explicit = true
	d.consider(c)
	return nil
}

// unchanged is a file of the head that the change does not touch.
func unchanged(e change.Entry) *candidate {
	return &candidate{place: placeOf(e.Path), whole: true, File: change.File{
		Path: e.Path, Status: change.Modified, Blob: e.Blob, OldBlob: e.Blob, Mode: e.Mode, OldMode: e.Mode, Size: e.Size,
	}}
}

// miss records that a named path is no file; an empty message is made from its
// type.
func (d *detector) miss(p, message string) {
	k := d.rules.of(p)
	t := k.typ
	switch {
	case t != "":
	case k.class == nothing && len(d.opt.Types) == 1:
		t = d.opt.Types[0]
	default:
		t = workflow.Implementation
	}
	if message == "" {
		message = missingName(t) + " not found"
		if t.Single() || t == workflow.BugFix {
			message += " at " + p
		} else {
			message += ": " + p
		}
	}
	d.missing = append(d.missing, Missing{Path: p, Type: t, Message: message})
}

func missingName(t workflow.Type) string {
	switch t {
	case workflow.Tests:
		return "Test file"
	case workflow.Implementation, workflow.Skeleton:
		return t.Title() + " file"
	case workflow.BugFix:
		return "Bug report"
	default:
		return t.Title()
	}
}
