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
	"workflow-reviewer/internal/workflow"
)

// reportBeside is the bug report of the head in whose folder a document lies, by a layout that
// keeps each report in a folder of its own; "" if there is none.
func (d *detector) reportBeside(at place, m layout.Match) string {
	if m.Layout == nil || m.Feature == "" {
		return ""
	}
	for _, pattern := range m.Layout.Bug {
		name := path.Base(pattern)
		if strings.ContainsAny(name, "{*?") {
			continue
		}
		dir, below, _ := strings.Cut(at.rel, "/"+m.Feature+"/")
		p := at.prefix + path.Join(dir, m.Feature, name)
		if e, err := d.set.HeadTree.Stat(p); below != "" && err == nil && isRegular(e.Mode) {
			if r := d.rules.of(p); r.class == bugReport {
				return p
			}
		}
	}
	return ""
}

// besideReport takes the tasks in the folder of a bug report, where no spec is, for a companion of
// the report.
func (d *detector) besideReport(c *candidate, k kind) kind {
	if k.typ != workflow.Roadmap || k.match.Feature == "" ||
		d.reportBeside(c.place, k.match) == "" {
		return k
	}
	for _, pattern := range k.match.Layout.Spec {
		spec := path.Join(path.Dir(c.Path), path.Base(pattern))
		if _, err := d.set.HeadTree.Stat(spec); !errors.Is(err, fs.ErrNotExist) {
			return k
		}
	}
	k.match.Kind = layout.Companion
	return kind{
		class: nothing, match: k.match,
		why: fmt.Sprintf(
			"the tasks of the bug %s (layout %s), which its reviewers are shown",
			k.match.Feature,
			k.match.Layout.Name,
		),
	}
}

// reportsOf adds the reports of bugs of which the change touches another document: the work on them
// is under way.
func (d *detector) reportsOf() error {
	if len(d.opt.Paths) > 0 {
		return nil
	}
	for _, f := range d.set.Files {
		at := d.rules.place(f.Path)
		m, _ := at.match()
		if f.Status == change.Deleted || m.Kind != layout.Companion && m.Kind != layout.Roadmap {
			continue
		}
		report := d.reportBeside(at, m)
		if report == "" || m.Kind == layout.Roadmap && d.rules.has(workflow.Roadmap) {
			continue
		}
		if err := d.addPart(report); err != nil {
			return err
		}
	}
	return nil
}

// namedTests are the tests of the head that the documents beside a bug report name.
func (d *detector) namedTests(report *candidate) (out []string) {
	if report.match.Layout == nil {
		return nil
	}
	docs, _ := d.related(
		spec{path: report.Path, match: report.match},
	) // what cannot be read its review will tell
	for _, doc := range docs {
		text, err := d.headText(doc)
		if err != nil {
			continue
		}
		text = text[:min(len(text), maxReport)]
		out = append(
			out,
			slices.DeleteFunc(
				slices.Clone(d.tests.all),
				func(p string) bool { return !strings.Contains(text, p) },
			)...)
	}
	return out
}
