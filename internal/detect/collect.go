package detect

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/layout"
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
	if err == nil {
		err = d.completeBundles()
	}
	if err == nil {
		err = d.reportsOf()
	}
	slices.SortFunc(d.files, func(a, b *candidate) int { return strings.Compare(a.Path, b.Path) })
	return err
}

// consider classifies a file, and keeps it unless it is nothing.
func (d *detector) consider(c *candidate) {
	c.place = d.rules.place(c.Path)
	k := d.besideReport(c, d.keepReport(c, d.kindOf(c)))
	c.kind = k
	c.foreign = k.foreign || c.Ignored != ""
	name := path.Base(c.Path)
	bare := path.Ext(name) == "" || c.Mode == change.ModeExecutable && !prose(name) ||
		strings.HasPrefix(name, ".") && strings.Count(name, ".") == 1
	if c.class == nothing && c.why == noArtifact && bare {
		c.class, c.why = source, "a program by its first line" // inspect has a look
	}
	why, warning := d.rejection(c, k)
	isOurs := k.closed && !k.foreign
	if why != "" && (isOurs || !d.demand(c)) {
		d.notes.skip(warning || c.explicit, c.Path, why)
		return
	}
	d.files = append(d.files, c)
}

// kindOf is what the rules make of a file. What the change moves to where others' work is stays
// what it was.
func (d *detector) kindOf(c *candidate) kind {
	k := d.rules.of(c.Path)
	if was := d.kindBefore(c); k.foreign && was.class != nothing {
		was.why = "it was reviewed as " + c.OldPath
		return was
	}
	return k
}

// kindBefore is what the rules make of the path that a file had before, the zero value if it had
// none. Of empty files nobody knows which one was moved.
func (d *detector) kindBefore(c *candidate) kind {
	if c.Status != change.Renamed || c.Size == 0 {
		return kind{}
	}
	return d.rules.of(c.OldPath)
}

// maxForeign is how much of vendored and generated files is searched in one run, in bytes.
const maxForeign = 4 << 20

// demand makes a file that would be in no artifact part of the implementation, if it must be
// reviewed because of what it holds.
func (d *detector) demand(c *candidate) bool {
	if c.Status == change.Deleted || d.opt.Demands == nil {
		return false
	}
	if c.foreign {
		if d.foreign+c.Size > maxForeign {
			const text = "vendored and generated files were searched for secrets up to %d MiB alone"
			d.notes.warn("", text, maxForeign>>20)
			return false
		}
		d.foreign += c.Size
	}
	c.demanded = d.opt.Demands(c.Path, c.foreign)
	if c.demanded {
		c.class, c.typ = source, workflow.Implementation
		c.why = "it holds what every review must tell"
	}
	return c.demanded
}

// rejection says why a file is in no artifact, "" if it may be.
func (d *detector) rejection(c *candidate, k kind) (why string, warning bool) {
	was := k.class != nothing // a warning for what would have been reviewed
	switch {
	case c.Status == change.Deleted && was:
		if to := d.addedDocuments()[d.rules.canonical(c.Path)]; to != "" {
			return "moved to " + to + ", which is looked at there", false
		}
		return "deleted", false
	case c.Status == change.Deleted:
		return k.why, false
	case c.Mode == change.ModeSubmodule:
		return "a submodule, whose content is in another repository", true
	case c.Mode == change.ModeSymlink:
		return "a symbolic link, which is never followed", was
	case c.class == nothing:
		if hint := d.missedDocument(c, k); hint != "" {
			return hint, true
		}
		if d.kindBefore(c).class != nothing {
			return k.why + ", unlike before it moved there", false
		}
		return k.why, false
	case c.Binary && !d.isText(c):
		return "a binary file", was
	case c.Ignored != "" && k.class != document && k.class != bugReport:
		return c.Ignored + ", by the base commit's .gitattributes", false
	case c.explicit:
		return "", false
	case c.class == document:
		if why = cmp.Or(d.unchangedContent(c), d.syncedByArchive(c)); why != "" {
			return why, false
		}
	}
	isLink := c.OldMode == change.ModeSymlink // whose target nobody reviewed
	if c.Blob == c.OldBlob && c.Status == change.Modified && !isLink {
		return "only its mode was changed", false
	}
	c.moved = c.Blob == c.OldBlob && c.Status == change.Renamed
	return "", false
}

// isText reports whether a document or test that holds zero bytes is text, by its name or by what
// it holds besides, or held. Others are pictures and the like, which a config's patterns take in.
func (d *detector) isText(c *candidate) bool {
	if c.class != document && c.class != bugReport && c.class != testFile {
		return false
	}
	if prose(c.Path) || conventions.Language(c.place.rel) != "" {
		return true
	}
	isUTF8 := func(t change.Tree, p string) bool {
		data, err := t.ReadFile(p)
		return err == nil && utf8.Valid(data)
	}
	old := c.oldPath()
	return isUTF8(d.set.HeadTree, c.Path) || old != "" && isUTF8(d.set.MergeBaseTree, old)
}

// addedDocuments are the documents that the change adds, by what they stay in every state.
func (d *detector) addedDocuments() map[string]string {
	if d.added == nil {
		d.added = map[string]string{}
		for _, f := range d.set.Files {
			if f.Status != change.Deleted {
				d.added[d.rules.canonical(f.Path)] = f.Path
			}
		}
	}
	return d.added
}

// syncedByArchive says that the change archives the work on a spec of what exists, which was
// reviewed with that work and says all that is new here; "" if it does not.
func (d *detector) syncedByArchive(c *candidate) string {
	if c.match.Kind != layout.Capability {
		return ""
	}
	_, tail, _ := strings.Cut(c.place.rel, "specs/")
	var features, texts []string
	for _, f := range d.set.Files {
		at := d.rules.place(f.Path)
		m, _ := at.match()
		isIts := at.project == c.place.project && strings.HasSuffix(at.rel, "/"+tail) &&
			m.Capture("capability") == c.match.Feature
		if !isIts || m.Kind != layout.Spec || m.State != workflow.Done {
			continue
		}
		old, _ := at.layouts.Match(strings.TrimPrefix(f.OldPath, at.prefix))
		if f.Status != change.Added && (f.Status != change.Renamed || old.State == workflow.Done) {
			continue
		}
		if text, err := d.headText(f.Path); err == nil {
			features, texts = append(features, m.Feature), append(texts, text)
		}
	}
	before, err := d.oldText(c)
	now, err2 := d.headText(c.Path)
	isTold := err == nil && err2 == nil && layout.Synced(before, now, strings.Join(texts, "\n"))
	if len(features) == 0 || !isTold {
		return ""
	}
	all := strings.Join(features, " and ")
	return "brought up to date by the archive of " + all + ", with which it was reviewed"
}

// oldText is what a document was in the merge base, "" if it was not there.
func (d *detector) oldText(c *candidate) (string, error) {
	old, _ := d.oldDocument(c)
	if old == "" {
		return "", nil
	}
	data, err := d.set.MergeBaseTree.ReadFile(old)
	return string(data), err
}

// collectPaths gathers the files that were named instead of the change's.
func (d *detector) collectPaths() error {
	seen := map[string]bool{}
	for _, given := range d.opt.Paths {
		p := path.Clean(strings.TrimPrefix(strings.TrimSpace(given), "./"))
		if p == "." || seen[p] {
			continue
		}
		seen[p] = true
		if i := d.changed(p); i >= 0 {
			d.consider(&candidate{File: d.set.Files[i], explicit: true})
			continue
		}
		if err := d.collectUnchanged(p); err != nil {
			return err
		}
	}
	return nil
}

// changed is the index of a file of the head that the change touches, -1 if it does not.
func (d *detector) changed(p string) int {
	return slices.IndexFunc(d.set.Files, func(f change.File) bool {
		return f.Path == p && f.Status != change.Deleted
	})
}

// collectUnchanged takes a path that was asked for and did not change. What is no file of the head
// is noted as missing.
func (d *detector) collectUnchanged(p string) error {
	if !fs.ValidPath(p) {
		d.addMissing(p, p+" is outside of the repository: name paths from its root")
		return nil
	}
	e, err := d.set.HeadTree.Stat(p)
	switch {
	case err == nil:
		c := d.unchanged(e)
		c.explicit = true
		d.consider(c)
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look up %q: %w", p, err)
	}
	inside, err := d.set.HeadTree.List(p)
	if err != nil {
		return fmt.Errorf("list %q: %w", p, err)
	}
	message := ""
	if len(inside) > 0 {
		message = p + " is a folder: name its files"
	}
	d.addMissing(p, message)
	return nil
}

// unchanged is a file of the head that the change does not touch.
func (d *detector) unchanged(e change.Entry) *candidate {
	return &candidate{place: d.rules.place(e.Path), whole: true, File: change.File{
		Path: e.Path, Status: change.Modified, Size: e.Size,
		Blob: e.Blob, OldBlob: e.Blob, Mode: e.Mode, OldMode: e.Mode,
	}}
}

// addMissing records that a named path is no file; an empty message is made from its type.
func (d *detector) addMissing(p, message string) {
	k := d.rules.of(p)
	t := cmp.Or(k.typ, workflow.Implementation)
	if k.class == nothing && len(d.opt.Types) == 1 {
		t = d.opt.Types[0]
	}
	name, at := t.Title(), " at "
	switch t {
	case workflow.Tests, workflow.Implementation, workflow.Skeleton:
		name, at = strings.TrimSuffix(name, "s")+" file", ": "
	case workflow.BugFix:
		name = "Bug report"
	}
	d.missing = append(d.missing, Missing{p, t, cmp.Or(message, name+" not found"+at+p)})
}
