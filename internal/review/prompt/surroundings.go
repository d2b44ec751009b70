package prompt

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/symbols"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// Budgets, in characters, of what a reviewer of code is shown around a change. They grow with the
// change, so that a line costs little and a large change is not starved.
const (
	minTests    = 3_000 // tests that name what changed, for the smallest change
	maxTests    = 8_000
	minUses     = 2_000 // where it is used
	maxUses     = 4_000
	maxUsed     = 16_000 // definitions that it names
	maxChanged  = 40_000 // changed tests
	maxUnparsed = 8_000  // a test in a language that is not parsed
)

// surroundings are what a reviewer of code is shown besides the artifact and its documents.
type surroundings struct {
	Docs     []Document
	Warnings []string
	Omitted  []string
	Facts    []string // what of it decides a verdict, for the context's digest
}

// Search is where surroundings are looked for.
type Search struct {
	Set       change.Set
	Index     *symbols.Index // of the head
	Canonical func(path string) string
	Model     bool // one will read what is found; else only what decides a verdict is
}

// Surround finds what a change of code names and what names it, and the tests of its feature.
func (in Search) Surround(ctx context.Context, a workflow.Artifact, v View) surroundings {
	if !slices.Contains(
		[]workflow.Type{workflow.Tests, workflow.Skeleton, workflow.Implementation, workflow.BugFix},
		a.Type,
	) {
		return surroundings{}
	}
	var s surroundings
	measured := a.Type == workflow.Implementation || a.Type == workflow.BugFix
	if measured {
		s.noteTests(in, a)
	}
	if !in.Model {
		return s
	}
	tests := in.changedTests(ctx, a, measured)
	found := in.Index.Find(ctx, slices.Concat(toSearch(v.files), shownOnly(tests.files)))
	s.used(found.Used)
	size := changedSize(v.files)
	if measured {
		s.uses(found, min(minUses+size/4, maxUses))
		s.Docs = append(s.Docs, tests.docs...)
		s.Omitted = append(s.Omitted, tests.Omitted...)
		s.naming(found, min(minTests+size/4, maxTests))
		s.otherTests(in, a, found, tests)
	}
	if found.Partial {
		s.Omitted = append(
			s.Omitted,
			"definitions and uses: only the part of the repository near the change was searched",
		)
	}
	return s
}

// noteTests makes the feature's tests part of what decides the verdict, whatever of them is shown.
func (s *surroundings) noteTests(in Search, a workflow.Artifact) {
	for _, t := range testsBeside(a) {
		e, err := in.Set.HeadTree.Stat(t)
		if err != nil {
			s.Warnings = append(s.Warnings, NotFound(workflow.Tests, t))
		}
		s.Facts = append(s.Facts, "test", in.Canonical(t), e.Blob)
	}
}

// testsBeside are the feature's tests that are not under review themselves.
func testsBeside(a workflow.Artifact) []string {
	under := FilePaths(a)
	return slices.DeleteFunc(slices.Clone(a.Tests), func(t string) bool { return slices.Contains(under, t) })
}

// changedTests renders the feature's tests that the change touches.
func (in Search) changedTests(ctx context.Context, a workflow.Artifact, wanted bool) View {
	touched := workflow.Artifact{Type: workflow.Tests}
	for _, t := range testsBeside(a) {
		if wanted && slices.ContainsFunc(in.Set.Files, func(f change.File) bool { return f.Path == t }) {
			touched.Files = append(touched.Files, workflow.File{Path: t})
		}
	}
	v := Look(ctx, in.Set, touched, maxChanged)
	for i := range v.docs {
		v.docs[i].Heading += " (test)"
		v.docs[i].Note = "A test of the feature. " + v.docs[i].Note
	}
	return v
}

// toSearch are the files of an artifact as the search for names takes them.
func toSearch(files []*File) []symbols.File {
	var out []symbols.File
	for _, f := range files {
		if f.blind == "" {
			out = append(out, symbols.File{Path: f.path, Old: f.old, New: f.New, Shown: f.shows})
		}
	}
	return out
}

// shownOnly are files that are no part of the change under review, but shown.
func shownOnly(files []*File) []symbols.File {
	var out []symbols.File
	for _, f := range files {
		out = append(out, symbols.File{Path: f.path, Shown: f.shows})
	}
	return out
}

// changedSize is how many characters the changed lines of files have.
func changedSize(files []*File) int {
	size := 0
	for _, f := range files {
		size += f.changedSize()
	}
	return size
}

// used adds the definitions of what changed lines name.
func (s *surroundings) used(places []symbols.Place) {
	for _, u := range places {
		s.Facts = append(s.Facts, "used", u.Name, strings.Join(u.Lines, "\n"))
	}
	body, left := placeLines(places, maxUsed, false)
	s.add(Document{
		Heading: "Definitions that the changed lines name",
		Note:    "Shown for what they promise: of each name the nearest, without its body." + moreOf(left),
		Body:    body,
	})
}

// uses adds the places that name what changed, within a budget of characters.
func (s *surroundings) uses(found symbols.Found, budget int) {
	body, left := placeLines(found.Uses, budget, true)
	s.add(Document{
		Heading: "Uses of what changed",
		Note:    "Shown since a change may break them: lines outside of tests that name it." + moreOf(left+found.More),
		Body:    body,
	})
}

// naming adds the tests that name what changed, within a budget of characters.
func (s *surroundings) naming(found symbols.Found, budget int) {
	body, left := placeLines(found.Tests, budget, false)
	note := "Shown since they ask for it; they are not changed."
	if left > 0 {
		note += fmt.Sprintf(" %d more name it.", left)
	}
	s.add(Document{Heading: "Tests that name what changed", Note: note, Body: body})
}

// otherTests says where the feature's tests are that nothing leads to; in languages that are not
// parsed they are shown.
func (s *surroundings) otherTests(in Search, a workflow.Artifact, found symbols.Found, changed View) {
	others := slices.DeleteFunc(testsBeside(a), func(t string) bool {
		return slices.ContainsFunc(changed.files, func(f *File) bool { return f.path == t }) ||
			slices.ContainsFunc(found.Tests, func(f symbols.Place) bool { return f.Path == t })
	})
	r := Reader{tree: in.Set.HeadTree, Left: maxTests}
	var unnamed []string
	for _, t := range others {
		if len(found.Changed) > 0 {
			unnamed = append(unnamed, foreign.Label(t))
			continue
		}
		if d, err := r.read(t, foreign.Label(t)+" (test)", maxUnparsed); err == nil {
			s.Docs = append(s.Docs, d)
		}
	}
	s.Omitted = append(s.Omitted, r.omitted...)
	if len(unnamed) > 0 {
		body, _ := foreign.Cut(strings.Join(unnamed, "\n"), maxFileList)
		s.Docs = append(s.Docs, Document{
			Heading: "Other tests of the feature", Note: "Not shown: they name nothing that changed.", Body: body,
		})
	}
	if len(a.Tests) == 0 && len(found.Tests) == 0 && a.Type == workflow.Implementation {
		s.Docs = append(s.Docs, Document{Heading: "Tests", Note: "No test of this feature was found."})
	}
}

// add adds a document that has a body.
func (s *surroundings) add(d Document) {
	if d.Body != "" {
		s.Docs = append(s.Docs, d)
	}
}

// moreOf says how many places are left out.
func moreOf(left int) string {
	if left == 0 {
		return ""
	}
	return fmt.Sprintf(" %d more are left out; search finds them.", left)
}

// placeLines writes places under the paths of their files, as far as they fit; left counts those
// that do not.
func placeLines(places []symbols.Place, budget int, within bool) (body string, left int) {
	var b strings.Builder
	last := ""
	for _, p := range places {
		w := lineWriter{}
		if at := placeTitle(p, within); at != last {
			w.b.WriteString(at + "\n")
			last = at
		}
		for i, l := range p.Lines {
			w.line(change.Line{Op: ' ', Text: strings.TrimRight(l, "\r"), New: p.Start + i})
		}
		if b.Len()+w.b.Len() > budget {
			left++
			last = ""
			continue
		}
		b.WriteString(w.b.String())
	}
	return b.String(), left
}

// placeTitle is a place's file, and within it the function.
func placeTitle(p symbols.Place, within bool) string {
	if within && p.In != "" {
		return foreign.Label(p.Path) + ", in " + markdown.Line(p.In, 100)
	}
	return foreign.Label(p.Path)
}

// changedSize is how many characters the lines have that the change adds.
func (f *File) changedSize() int {
	if f.old == nil {
		return utf8.RuneCount(f.New)
	}
	size := 0
	for _, h := range textdiff.Hunks(f.old, f.New, 0) {
		for _, l := range h.Lines {
			size += len(l.Text)
		}
	}
	return size
}
