package review

import (
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// Caps on what a tests review is shown of the code under test, and of bugs.
const (
	maxSubjects   = 8      // source files
	maxSignatures = 20_000 // characters
	maxSource     = 1 << 20
	maxBugs       = 3
	maxBug        = 4_000
	maxTitles     = 50
)

var (
	importLine = lazyregexp.New(`\b(?:import|from|require|require_relative|use|using|include)\b`)
	testMark   = lazyregexp.New(`(?i)^test[_-]|[_-]?(?:test|tests|spec)$|\.(?:test|spec)$`)
)

// signatures adds the public signatures of the code that the tests under review
// are about: sources that the tests are named after or import.
func (g *gatherer) signatures(ctx context.Context) {
	var b strings.Builder
	for _, p := range g.subjects() {
		data, err := g.tree.ReadFile(p)
		lang, ok := syntax.LanguageOf(p)
		if unreadable(data, err) != "" || !ok || len(data) > maxSource {
			continue
		}
		tree, err := syntax.Parse(ctx, lang, data)
		if err != nil {
			continue
		}
		lines := strings.Split(string(data), "\n")
		b.WriteString(label(p) + "\n")
		for _, fn := range syntax.Functions(tree) {
			if fn.Kind != syntax.Statement && fn.Name != "" && (fn.Name[0] != '_' || strings.HasPrefix(fn.Name, "__")) {
				b.WriteString(signature(lines, fn))
			}
		}
	}
	if b.Len() > 0 {
		g.docs = append(g.docs, g.fit(document{
			heading: "Signatures of the code under test",
			note:    "Found by names and imports; bodies are left out. read_file shows the rest.",
		}, b.String(), maxSignatures))
	}
}

// signature is a function's head, with the number of its first line.
func signature(lines []string, fn syntax.Function) string {
	w := lineWriter{}
	for n := fn.StartLine; n <= min(fn.EndLine, fn.StartLine+5, len(lines)); n++ {
		l := strings.TrimRight(lines[n-1], "\r")
		w.line(change.Line{Op: ' ', Text: l, New: n})
		if end := strings.TrimSpace(l); strings.HasSuffix(end, "{") || strings.HasSuffix(end, ":") || strings.HasSuffix(end, ";") ||
			strings.HasSuffix(end, "=>") {
			break
		}
	}
	return w.b.String()
}

// subjects are the source files that the tests under review are about.
func (g *gatherer) subjects() []string {
	stems, imported := map[string]bool{}, map[string]bool{}
	for _, f := range g.artifact.Files {
		stem := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
		stems[workflow.PlainWords(testMark.ReplaceAllString(stem, ""))] = true
		data, err := g.tree.ReadFile(f.Path)
		if unreadable(data, err) != "" {
			continue
		}
		for l := range strings.Lines(string(data)) {
			if len(l) < maxLine && importLine.MatchString(l) {
				for _, w := range strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(" \t\"'`.,;:/(){}[]<>\r\n", r) }) {
					imported[workflow.PlainWords(w)] = true
				}
			}
		}
	}
	delete(stems, "")
	entries, err := g.tree.List("")
	if err != nil {
		return nil
	}
	var named, others []string
	for _, e := range entries {
		stem := workflow.PlainWords(strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path)))
		_, known := syntax.LanguageOf(e.Path)
		switch {
		case !known || conventions.IsTest(e.Path) ||
			slices.ContainsFunc(g.artifact.Files, func(f workflow.File) bool { return f.Path == e.Path }):
		case stems[stem]:
			named = append(named, e.Path)
		case len(stem) > 2 && stem != "index" && stem != "init" && imported[stem]:
			others = append(others, e.Path)
		}
	}
	all := slices.Concat(named, others)
	return all[:min(len(all), maxSubjects)]
}

// fixedBugs adds the reports of bugs that were fixed before this change and name
// the feature, and the titles of the others: tests must keep them from coming back.
func (g *gatherer) fixedBugs() {
	if g.base == nil {
		return
	}
	var titles strings.Builder
	shown, seen := 0, map[string]bool{}
	for _, root := range []string{"", g.artifact.Root, "project-meta"} {
		entries, err := g.base.List(path.Join(root, "bugs/fixed"))
		if err != nil {
			continue
		}
		for _, e := range entries {
			data, err := g.base.ReadFile(e.Path)
			if seen[e.Path] || len(seen) == maxTitles || path.Ext(e.Path) != ".md" || unreadable(data, err) != "" {
				continue
			}
			seen[e.Path] = true
			if shown < maxBugs && namedWithin(workflow.PlainWords(string(data)), []string{workflow.PlainWords(g.artifact.Feature)}) {
				shown++
				g.docs = append(g.docs, g.fit(document{heading: label(e.Path) + " (a fixed bug)", path: e.Path}, string(data), maxBug))
				continue
			}
			titles.WriteString("- " + label(e.Path) + ": " + line(titleOf(string(data)), 120) + "\n")
		}
	}
	if titles.Len() > 0 {
		g.docs = append(g.docs, g.fit(document{heading: "Other fixed bugs", note: "Only their titles; read_file shows the rest."},
			titles.String(), maxBug))
	}
}
