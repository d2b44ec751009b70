package detect

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/lazyregexp"
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
	k := d.besideReport(c, d.keepReport(c, d.rules.of(c.Path)))
	if d.demanded(c, k) {
		k = kind{
			class: source,
			typ:   workflow.Implementation,
			why:   "it holds what every review must tell",
		}
		c.demanded = true
	}
	c.class, c.typ, c.whyClass, c.match = k.class, k.typ, k.why, k.match
	name := path.Base(c.Path)
	bare := path.Ext(name) == "" || strings.HasPrefix(name, ".") && strings.Count(name, ".") == 1
	if c.class == nothing && c.whyClass == noArtifact && bare {
		c.class, c.whyClass = source, "a program by its first line" // inspect has a look
	}
	if why, warning := d.rejects(c, k); why != "" {
		d.notes.skip(warning || c.explicit, c.Path, why)
		return
	}
	d.files = append(d.files, c)
}

// demanded reports whether a file is reviewed only because of what it holds.
func (d *detector) demanded(c *candidate, k kind) bool {
	open := k.class == nothing && !k.closed && c.Status != change.Deleted && c.Ignored == ""
	return open && d.opt.Demands != nil && d.opt.Demands(c.Path)
}

// rejects says why a file is in no artifact, "" if it may be.
func (d *detector) rejects(c *candidate, k kind) (why string, warning bool) {
	was := k.class != nothing // a warning for what would have been reviewed
	switch {
	case c.Status == change.Deleted && !was:
		return k.why, false
	case c.Status == change.Deleted && k.match.Kind == layout.Capability:
		return d.retired()
	case c.Status == change.Deleted:
		if to := d.arrivals()[d.rules.canonical(c.Path)]; to != "" {
			return "moved to " + to + ", which is looked at there", false
		}
		return "deleted", false
	case c.Mode == change.ModeSubmodule:
		return "a submodule, whose content is in another repository", true
	case c.Mode == change.ModeSymlink:
		return "a symbolic link, which is never followed", was
	case k.class == nothing && c.class == nothing:
		m, hint := k.match, ""
		switch {
		case k.why == noArtifact:
			hint = d.elsewhere(c)
		case m.Kind == layout.Companion && prose(c.Path):
			hint = d.unread(c)
		}
		if hint != "" {
			return hint, true
		}
		if (m.Kind == layout.Companion || m.Kind == layout.Tool) && namedSpec.MatchString(c.Path) &&
			!noSpec.MatchString(c.Path) {
			return fmt.Sprintf(
				"named like a spec, where the layout %s has none: its specs are %s (others want an entry in \"layouts\")",
				m.Layout.Name,
				m.Layout.Spec[0],
			), true
		}
		named := noSpec.MatchString(c.Path) || notSpec.MatchString(path.Base(c.Path))
		if titles := d.headings(c); m.Kind == layout.Tool && len(titles) > 0 && prose(c.Path) && !named {
			return fmt.Sprintf(
				"its headings %q look like those of a spec, story, plan or bug report, and the layout %s has none "+
					"there: its specs are %s (others want an entry in \"layouts\")",
				titles,
				m.Layout.Name,
				m.Layout.Spec[0],
			), true
		}
		if hiddenBrief.MatchString(c.place.rel) {
			return "a spec in several documents below .workflow/, which is never reviewed: keep its folder as specs/NAME/", true
		}
		return k.why, false
	case c.Binary && !c.demanded:
		return "a binary file", was
	case c.Ignored != "" && k.class != document && k.class != bugReport:
		return c.Ignored + ", by the base commit's .gitattributes", false
	}
	return d.rejectsUnchanged(c)
}

// namedSpec matches documents that their authors take for specs, noSpec where such are check lists
// or templates.
var (
	namedSpec = lazyregexp.New(
		`(?i)(?:^|/)(?:[\w-]+[-_])?(?:spec|requirements|bugfix)\.mdx?$|(?:^|/)\.kiro/specs/[^/]+\.mdx?$`,
	)
	noSpec = lazyregexp.New(
		`(?:^|/)(?:checklists|contracts|templates?|commands|prompts|schemas)/`,
	)
)

// arrivals are the documents that the change adds, by what they stay in every state.
func (d *detector) arrivals() map[string]string {
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

// rejectsUnchanged says why a file whose content is that of the merge base is in no artifact.
func (d *detector) rejectsUnchanged(c *candidate) (why string, warning bool) {
	if c.explicit {
		return "", false
	}
	if c.class == document {
		if why = d.former(c); why == "" {
			why = d.synced(c)
		}
		if why != "" {
			return why, false
		}
	}
	if c.Blob != c.OldBlob {
		return "", false
	}
	switch c.Status {
	case change.Modified:
		return "only its mode was changed", false
	case change.Renamed:
		c.moved = true
	}
	return "", false
}

// synced says that the change archives the work on a spec of what exists, which was
// reviewed with that work and says all that is new here; "" if it does not.
func (d *detector) synced(c *candidate) string {
	if c.match.Kind != layout.Capability {
		return ""
	}
	var features, texts []string
	for _, f := range d.set.Files {
		at := d.rules.place(f.Path)
		m, ok := at.layouts.Match(at.rel)
		old, _ := at.layouts.Match(strings.TrimPrefix(f.OldPath, at.prefix))
		archives := f.Status == change.Added ||
			f.Status == change.Renamed && old.State != workflow.Done
		_, tail, _ := strings.Cut(c.place.rel, "specs/")
		if !ok || !archives || at.project != c.place.project || !strings.HasSuffix(at.rel, "/"+tail) {
			continue
		}
		if m.Kind != layout.Spec || m.State != workflow.Done || m.Capture("capability") != c.match.Feature {
			continue
		}
		if text, err := d.headText(f.Path); err == nil {
			features, texts = append(features, m.Feature), append(texts, text)
		}
	}
	before, err := d.oldText(c)
	now, err2 := d.headText(c.Path)
	if err != nil || err2 != nil || len(features) == 0 ||
		!layout.Synced(before, now, strings.Join(texts, "\n")) {
		return ""
	}
	return "brought up to date by the archive of " + strings.Join(
		features,
		" and ",
	) + ", with which it was reviewed"
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

// collectUnchanged takes a path that was asked for and did not change. What is no file of the head
// is noted as missing.
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
	c := d.unchanged(e)
	c.explicit = true
	d.consider(c)
	return nil
}

// unchanged is a file of the head that the change does not touch.
func (d *detector) unchanged(e change.Entry) *candidate {
	return &candidate{place: d.rules.place(e.Path), whole: true, File: change.File{
		Path: e.Path, Status: change.Modified, Blob: e.Blob, OldBlob: e.Blob, Mode: e.Mode, OldMode: e.Mode, Size: e.Size,
	}}
}

// miss records that a named path is no file; an empty message is made from its type.
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

// missingName is how a message calls a missing file of a type.
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
