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

// around finds what a change of code names and what names it, and the tests of its feature.
func (m *Material) around(ctx context.Context, p *Parts) {
	a := p.Artifact
	isTested := a.Type == workflow.Implementation || a.Type == workflow.BugFix
	if !isTested && a.Type != workflow.Tests && a.Type != workflow.Skeleton {
		return
	}
	var beside []string // the feature's tests that are not under review themselves
	if isTested {
		under := FilePaths(a)
		beside = slices.DeleteFunc(slices.Clone(a.Tests), func(t string) bool {
			return slices.Contains(under, t)
		})
		p.noteTests(m, beside)
	}
	if !m.Model {
		return
	}
	changed := m.changedTests(ctx, beside)
	found := m.index.Find(ctx, searched(p.View.files, changed.files))
	for _, u := range found.Used {
		p.Names = append(p.Names, "used", u.Name, strings.Join(u.Lines, "\n"))
	}
	p.list("Definitions that the changed lines name", found.Used, maxUsed, 0,
		"Shown for what they promise: of each name the nearest, without its body.")
	if isTested {
		size := changedSize(p.View.files)
		p.list("Uses of what changed", found.Uses, min(minUses+size/4, maxUses), found.More,
			"Shown since a change may break them: lines outside of tests that name it.")
		p.Near = append(p.Near, changed.Docs...)
		p.Omitted = append(p.Omitted, changed.Omitted...)
		p.list("Tests that name what changed", found.Tests, min(minTests+size/4, maxTests), 0,
			"Shown since they ask for it; they are not changed.")
		p.otherTests(m, found, slices.DeleteFunc(beside, func(t string) bool {
			return slices.ContainsFunc(changed.files, func(f *file) bool { return f.path == t })
		}))
	}
	if found.Partial {
		p.Omitted = append(p.Omitted,
			"definitions and uses: only the part of the repository near the change was searched")
	}
}

// noteTests makes the feature's tests part of what decides the verdict, whatever of them is shown.
func (p *Parts) noteTests(m *Material, tests []string) {
	for _, t := range tests {
		e, err := m.Set.HeadTree.Stat(t)
		if err != nil {
			p.Warnings = append(p.Warnings, NotFound(workflow.Tests, t))
		}
		p.Names = append(p.Names, "test", m.Canonical(t), e.Blob)
	}
}

// changedTests renders those of a feature's tests that the change touches.
func (m *Material) changedTests(ctx context.Context, tests []string) View {
	touched := workflow.Artifact{Type: workflow.Tests}
	for _, t := range tests {
		if _, ok := m.changed[t]; ok {
			touched.Files = append(touched.Files, workflow.File{Path: t})
		}
	}
	v := m.View(ctx, touched, maxChanged)
	for i := range v.Docs {
		v.Docs[i].Heading += " (test)"
		v.Docs[i].Note = "A test of the feature. " + v.Docs[i].Note
	}
	return v
}

// searched are the files of an artifact as the search for names takes them, and files that are no
// part of the change under review, but shown.
func searched(own, shown []*file) []symbols.File {
	var out []symbols.File
	for _, f := range own {
		if f.blind == "" {
			out = append(out, symbols.File{Path: f.path, Old: f.old, New: f.new, Shown: f.shown})
		}
	}
	for _, f := range shown {
		out = append(out, symbols.File{Path: f.path, Shown: f.shown})
	}
	return out
}

// changedSize is how many characters the changed lines of files have.
func changedSize(files []*file) int {
	size := 0
	for _, f := range files {
		for _, l := range f.lines() {
			if l.Op != ' ' || f.old == nil {
				size += utf8.RuneCountInString(l.Text)
			}
		}
	}
	return size
}

// list adds places under the paths of their files, as far as they fit into a budget of characters;
// more of them were left out before.
func (p *Parts) list(heading string, places []symbols.Place, budget, more int, why string) {
	var b strings.Builder
	last := ""
	for _, place := range places {
		w := &lineWriter{}
		at := foreign.Label(place.Path)
		if place.In != "" {
			at += ", in " + markdown.Line(place.In, 100)
		}
		if at != last {
			w.b.WriteString(at + "\n")
		}
		for i, l := range place.Lines {
			w.line(change.Line{Op: ' ', Text: strings.TrimRight(l, "\r"), New: place.Start + i})
		}
		if last = at; b.Len()+w.b.Len() > budget {
			more, last = more+1, ""
			continue
		}
		b.WriteString(w.b.String())
	}
	if more > 0 {
		why += fmt.Sprintf(" %d more are left out; search finds them.", more)
	}
	p.Near = append(p.Near, withBodies(Document{Heading: heading, Note: why, Body: b.String()})...)
}

// otherTests says where the feature's tests are that nothing leads to; in languages that are not
// parsed they are shown.
func (p *Parts) otherTests(m *Material, found symbols.Found, tests []string) {
	r := Reader{tree: m.Set.HeadTree, Left: maxTests}
	var unnamed []string
	for _, t := range tests {
		isNamed := func(n symbols.Place) bool { return n.Path == t }
		switch {
		case slices.ContainsFunc(found.Tests, isNamed):
		case len(found.Changed) > 0:
			unnamed = append(unnamed, foreign.Label(t))
		default:
			if d, err := r.read(t, foreign.Label(t)+" (test)", maxUnparsed); err == nil {
				p.Near = append(p.Near, d)
			}
		}
	}
	p.Omitted = append(p.Omitted, r.omitted...)
	p.Near = append(p.Near, withBodies(Document{
		Heading: "Other tests of the feature",
		Note:    "Not shown: they name nothing that changed.",
		Body:    cut(maxFileList, strings.Join(unnamed, "\n")),
	})...)
	if len(p.Artifact.Tests)+len(found.Tests) == 0 && p.Artifact.Type == workflow.Implementation {
		p.Near = append(p.Near,
			Document{Heading: "Tests", Note: "No test of this feature was found."})
	}
}
