package detect

import (
	"cmp"
	"maps"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// featureOfDocuments is the feature whose documents show that the rest of the change is its work:
// of those that the change touches, the one whose tasks it ticks off, whose spec it adds, or of
// which it touches more than companions. "" if that leaves none, or several: these are among.
func (d *detector) featureOfDocuments(p *project) (feature, why string, among map[string]signs) {
	touched := map[string]signs{}
	for _, f := range d.set.Files {
		at := d.rules.place(f.Path)
		if at.project != p || f.Status == change.Deleted || f.Mode == change.ModeSymlink {
			continue
		}
		if m, ok := at.match(); ok && m.Feature != "" {
			d.noteSigns(p, touched, f, m)
		}
	}
	for _, sign := range []struct {
		of  func(signs) bool
		why string
	}{
		{func(s signs) bool { return s.ticked }, "the change ticks off its tasks"},
		{func(s signs) bool { return s.added }, "the change adds its spec"},
		{
			func(s signs) bool { return s.document },
			"of all specs and tasks the change touches its alone",
		},
		{
			func(signs) bool { return true },
			"of all features the change touches the documents of this one alone",
		},
	} {
		having := maps.Clone(touched)
		maps.DeleteFunc(having, func(_ string, s signs) bool { return !sign.of(s) })
		if len(having) > 0 {
			touched = having
		}
		for feature := range having {
			if len(having) == 1 {
				return feature, sign.why, nil
			}
		}
	}
	return "", "", touched
}

// signs tell of what the change does to a feature's documents.
type signs struct{ ticked, added, document bool }

// noteSigns notes what the change of one document says. Specs that are yet to be approved or
// started by their folder, and companions of what is done, say nothing.
func (d *detector) noteSigns(p *project, touched map[string]signs, f change.File, m layout.Match) {
	feature := p.specs.canonical(m.Feature)
	s := touched[feature]
	switch m.Kind {
	case layout.Spec:
		s.document = true
		s.added = s.added || f.Status == change.Added
	case layout.Roadmap:
		s.document = true
		s.ticked = s.ticked || d.ticks(f)
	case layout.Companion:
		if m.State == workflow.Done {
			return
		}
	default:
		return
	}
	if m.State == workflow.Proposed ||
		m.State == workflow.Todo && len(m.Layout.State.Folders.Doing) > 0 {
		return
	}
	touched[feature] = s
}

// ticks reports whether the change ticks boxes of a list of tasks.
func (d *detector) ticks(f change.File) bool {
	text, err := d.headText(f.Path)
	if err != nil {
		return false
	}
	now, _ := layout.Ticked(text)
	if old := cmp.Or(f.OldPath, f.Path); f.Status != change.Added {
		if data, err := d.set.MergeBaseTree.ReadFile(old); err == nil {
			before, _ := layout.Ticked(string(data))
			return now > before
		}
	}
	return now > 0
}
