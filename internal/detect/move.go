package detect

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// unchangedContent says why a document is in no artifact although the change touches it:
// its content is what it was, here or in another state.
func (d *detector) unchangedContent(c *candidate) string {
	old, blob := d.oldDocument(c)
	switch {
	case old == "":
		return ""
	case blob == c.Blob && old != c.Path:
		return d.movedFrom(old) + " without a change of content"
	case blob == c.Blob, !d.sameContent(c, old):
		return ""
	case old == c.Path && c.typ == workflow.Roadmap && c.match.Feature != "":
		return "its tasks, and those left to do, are the same"
	case old == c.Path:
		return "only its state was changed"
	default:
		return d.movedFrom(old) + ", only its state was changed"
	}
}

// movedFrom says that a document was moved, or copied where the old one is still there.
func (d *detector) movedFrom(old string) string {
	if _, err := d.set.HeadTree.Stat(old); err == nil {
		return "copied from " + old // the deletion is yet to come
	}
	return "moved from " + old
}

// oldDocument is where a document was in the merge base: under its own path, or
// as one of the same type, or in another state.
func (d *detector) oldDocument(c *candidate) (p, blob string) {
	switch c.Status {
	case change.Modified:
		return c.Path, c.OldBlob
	case change.Renamed:
		if old := d.rules.of(c.OldPath); old.class == c.class && old.typ == c.typ {
			return c.OldPath, c.OldBlob
		}
		return "", ""
	}
	for _, s := range layout.States() {
		rel, ok := c.match.In(s)
		if !ok || s == c.match.State {
			continue
		}
		e, err := d.set.MergeBaseTree.Stat(c.place.prefix + rel)
		if err == nil && isRegular(e.Mode) {
			return e.Path, e.Blob
		}
	}
	return "", ""
}

// sameContent compares a document with its old side apart from its state. One that cannot be read
// has changed.
func (d *detector) sameContent(c *candidate, old string) bool {
	now, err := d.headText(c.Path)
	if err != nil {
		return false
	}
	before, err := d.set.MergeBaseTree.ReadFile(old)
	if err == nil && c.typ == workflow.Roadmap && c.match.Feature != "" &&
		layout.SamePlan(string(before), now) {
		return true
	}
	return err == nil &&
		layout.Content(now, c.match.Line()) == layout.Content(string(before), c.match.Line())
}

// effect says what an approval of an artifact does to its spec, or to its bug report.
func (d *detector) effect(a *workflow.Artifact) error {
	var from, to workflow.State
	at := d.rules.place(cmp.Or(a.SpecPath, "-"))
	m, ok := at.match()
	switch {
	case a.Type.Single() && len(a.Files) > 1:
		return nil
	case a.Type == workflow.BugFix:
		return d.effectOfFix(a)
	case !ok || a.SpecPath == "":
		return nil
	case a.Type == workflow.Spec:
		from, to = workflow.Proposed, workflow.Todo
	case a.Type == workflow.Implementation && !d.tasksLeft(at, m):
		from, to = workflow.Doing, workflow.Done
		if m.Kind == layout.Spec && m.State != workflow.Done {
			a.Advice = m.Fill(m.Layout.Advice)
		}
		if at.fallback.guess && at.fallback.feature == a.Feature {
			return nil
		}
	default:
		return nil
	}
	switch next, ok := m.In(to); {
	case !d.mayMove(a.Type):
	case m.Layout.OnApproved == "line":
		d.markSpec(a, m, to)
	case m.Layout.OnApproved == "move" && m.State == from && ok:
		return d.moveTo(a, a.SpecPath, at.prefix+next)
	}
	return nil
}

// tasksLeft reports whether the feature's lists of tasks have open ones beside ticked ones, by a
// layout that reads its state there: the work is not done. A list in which nothing is ticked is not
// kept.
func (d *detector) tasksLeft(at place, m layout.Match) bool {
	file, ticked, all := "", 0, 0
	for _, s := range at.specs.of(m.Feature) {
		if s.tasks && m.Layout.State.Tasks != "" {
			text, _ := d.headText(s.path) // which may not be there
			done, listed := layout.Ticked(text)
			file, ticked, all = cmp.Or(file, s.path), ticked+done, all+listed
		}
	}
	isLeft := ticked > 0 && ticked < all
	if isLeft {
		const why = "has %d of %d tasks open, so an approved implementation is not called complete"
		d.notes.note(file, why, all-ticked, all)
	}
	return isLeft
}

// effectOfFix moves the report of a bug that is fixed.
func (d *detector) effectOfFix(a *workflow.Artifact) error {
	at := d.rules.place(a.Path())
	m, ok := at.match()
	if !ok || m.Kind != layout.Bug || len(m.Layout.Fixed) == 0 || !d.mayMove(a.Type) {
		return nil
	}
	return d.moveTo(a, a.Path(), at.prefix+m.Fill(m.Layout.Fixed[0]))
}

// moveTo is the lifecycle move that an approval makes.
func (d *detector) moveTo(a *workflow.Artifact, from, to string) error {
	_, err := d.set.HeadTree.Stat(to)
	switch {
	case err == nil:
		d.notes.warn(from, "will not be moved when approved: %s exists already", to)
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look up %q: %w", to, err)
	}
	a.Move = &workflow.Move{From: from, To: to}
	return nil
}

// markSpec has an approval set the state line, if the spec has one that does not say as much or
// more already.
func (d *detector) markSpec(a *workflow.Artifact, m layout.Match, to workflow.State) {
	s, line := m.Layout.State, m.Line()
	word := s.Word(to)
	text, err := d.headText(a.SpecPath)
	now := s.LineState(text)
	if err != nil || to == workflow.Todo && (now == workflow.Doing || now == workflow.Done) {
		return // what cannot be read its review will tell
	}
	if _, changed := layout.SetLine(text, line, word); changed {
		a.Mark = &workflow.Mark{Path: a.SpecPath, Line: line, Word: word}
	} else if odd := layout.OddLine(text, line); odd != "" {
		const why = "its line %.80q will not be set when approved: keep only the state there, as %q"
		d.notes.note(a.SpecPath, why, odd, word)
	}
}
