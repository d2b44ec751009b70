package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/symbols"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// Budgets, in characters, of what a reviewer of code is shown around a change. They grow with the change, so that
// a line costs little and a large change is not starved.
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
	docs     []document
	warnings []string
	omitted  []string
	facts    []string // what of it decides a verdict, for the context's digest
}

// surround finds what a change of code names and what names it, and the tests of its feature.
func (p *planner) surround(ctx context.Context, a workflow.Artifact, v view) surroundings {
	if !slices.Contains([]workflow.Type{workflow.Tests, workflow.Skeleton, workflow.Implementation, workflow.BugFix}, a.Type) {
		return surroundings{}
	}
	var s surroundings
	measured := a.Type == workflow.Implementation || a.Type == workflow.BugFix
	if measured {
		s.noteTests(p, a)
	}
	if p.opts.Engine == EngineRules {
		return s
	}
	tests := p.changedTests(ctx, a, measured)
	found := p.index.Find(ctx, slices.Concat(toSearch(v.files), shownOnly(tests.files)))
	s.used(found.Used)
	size := changedSize(v.files)
	if measured {
		s.uses(found, min(minUses+size/4, maxUses))
		s.docs = append(s.docs, tests.docs...)
		s.omitted = append(s.omitted, tests.omitted...)
		s.naming(found, min(minTests+size/4, maxTests))
		s.otherTests(p, a, found, tests)
	}
	if found.Partial {
		s.omitted = append(s.omitted, "definitions and uses: only the part of the repository near the change was searched")
	}
	return s
}

// noteTests makes the feature's tests part of what decides the verdict, whatever of them is shown.
func (s *surroundings) noteTests(p *planner, a workflow.Artifact) {
	for _, t := range testsBeside(a) {
		e, err := p.Set.HeadTree.Stat(t)
		if err != nil {
			s.warnings = append(s.warnings, notFound(workflow.Tests, t))
		}
		s.facts = append(s.facts, "test", p.Canonical(t), e.Blob)
	}
}

// testsBeside are the feature's tests that are not under review themselves.
func testsBeside(a workflow.Artifact) []string {
	under := filePaths(a)
	return slices.DeleteFunc(slices.Clone(a.Tests), func(t string) bool { return slices.Contains(under, t) })
}

// changedTests renders the feature's tests that the change touches.
func (p *planner) changedTests(ctx context.Context, a workflow.Artifact, wanted bool) view {
	touched := workflow.Artifact{Type: workflow.Tests}
	for _, t := range testsBeside(a) {
		if wanted && slices.ContainsFunc(p.Set.Files, func(f change.File) bool { return f.Path == t }) {
			touched.Files = append(touched.Files, workflow.File{Path: t})
		}
	}
	v := look(ctx, p.Set, touched, maxChanged)
	for i := range v.docs {
		v.docs[i].heading += " (test)"
		v.docs[i].note = "A test of the feature. " + v.docs[i].note
	}
	return v
}

// toSearch are the files of an artifact as the search for names takes them.
func toSearch(files []*artifactFile) []symbols.File {
	var out []symbols.File
	for _, f := range files {
		if f.blind == "" {
			out = append(out, symbols.File{Path: f.path, Old: f.old, New: f.new, Shown: f.shows})
		}
	}
	return out
}

// shownOnly are files that are no part of the change under review, but shown.
func shownOnly(files []*artifactFile) []symbols.File {
	var out []symbols.File
	for _, f := range files {
		out = append(out, symbols.File{Path: f.path, Shown: f.shows})
	}
	return out
}

// changedSize is how many characters the changed lines of files have.
func changedSize(files []*artifactFile) int {
	size := 0
	for _, f := range files {
		size += f.changedSize()
	}
	return size
}

func (s *surroundings) used(places []symbols.Place) {
	for _, u := range places {
		s.facts = append(s.facts, "used", u.Name, strings.Join(u.Lines, "\n"))
	}
	body, left := placeLines(places, maxUsed, false)
	s.add(document{
		heading: "Definitions that the changed lines name",
		note:    "Shown for what they promise: of each name the nearest, without its body." + moreOf(left),
		body:    body,
	})
}

func (s *surroundings) uses(found symbols.Found, budget int) {
	body, left := placeLines(found.Uses, budget, true)
	s.add(document{
		heading: "Uses of what changed",
		note:    "Shown since a change may break them: lines outside of tests that name it." + moreOf(left+found.More),
		body:    body,
	})
}

func (s *surroundings) naming(found symbols.Found, budget int) {
	body, left := placeLines(found.Tests, budget, false)
	note := "Shown since they ask for it; they are not changed."
	if left > 0 {
		note += fmt.Sprintf(" %d more name it.", left)
	}
	s.add(document{heading: "Tests that name what changed", note: note, body: body})
}

// otherTests says where the feature's tests are that nothing leads to; in languages that are not parsed they are shown.
func (s *surroundings) otherTests(p *planner, a workflow.Artifact, found symbols.Found, changed view) {
	others := slices.DeleteFunc(testsBeside(a), func(t string) bool {
		return slices.ContainsFunc(changed.files, func(f *artifactFile) bool { return f.path == t }) ||
			slices.ContainsFunc(found.Tests, func(f symbols.Place) bool { return f.Path == t })
	})
	r := reader{tree: p.Set.HeadTree, left: maxTests}
	var unnamed []string
	for _, t := range others {
		if len(found.Changed) > 0 {
			unnamed = append(unnamed, label(t))
			continue
		}
		if d, err := r.read(t, label(t)+" (test)", maxUnparsed); err == nil {
			s.docs = append(s.docs, d)
		}
	}
	s.omitted = append(s.omitted, r.omitted...)
	if len(unnamed) > 0 {
		body, _ := cut(strings.Join(unnamed, "\n"), maxFileList)
		s.docs = append(s.docs, document{
			heading: "Other tests of the feature", note: "Not shown: they name nothing that changed.", body: body,
		})
	}
	if len(a.Tests) == 0 && len(found.Tests) == 0 && a.Type == workflow.Implementation {
		s.docs = append(s.docs, document{heading: "Tests", note: "No test of this feature was found."})
	}
}

func (s *surroundings) add(d document) {
	if d.body != "" {
		s.docs = append(s.docs, d)
	}
}

func moreOf(left int) string {
	if left == 0 {
		return ""
	}
	return fmt.Sprintf(" %d more are left out; search finds them.", left)
}

// placeLines writes places under the paths of their files, as far as they fit; left counts those that do not.
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

func placeTitle(p symbols.Place, within bool) string {
	if within && p.In != "" {
		return label(p.Path) + ", in " + markdown.Line(p.In, 100)
	}
	return label(p.Path)
}

// changedSize is how many characters the lines have that the change adds.
func (f *artifactFile) changedSize() int {
	if f.old == nil {
		return utf8.RuneCount(f.new)
	}
	size := 0
	for _, h := range textdiff.Hunks(f.old, f.new, 0) {
		for _, l := range h.Lines {
			size += len(l.Text)
		}
	}
	return size
}
