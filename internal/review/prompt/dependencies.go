package prompt

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// maxDependencies is how many specs are shown because a spec names them.
const maxDependencies = 6

var (
	dependencyTitle = lazyregexp.New(`(?i)\bdepend(?:s|encies|ency)?\b|\bprerequisites?\b|\brelated ` +
		`(?:specs?|specifications?|features?|documents?)\b|\bbuilds on\b|\brequires\b|\breferences\b`)
	dependencyLine = lazyregexp.New(
		`(?i)^\W*(?:\*\*)?(?:depends on|dependenc(?:y|ies)|requires|builds on|extends|prerequisites?)\b`,
	)
	markdownPath = lazyregexp.New(`[\w./@-]+\.md\b`)
	featureWord  = lazyregexp.New(`[A-Za-z][\w]*(?:-[\w]+)+|[A-Za-z]\w{3,}`)
)

// dependencies adds the specs that a spec names under its dependencies, by their
// paths or by the names of their features.
func (g *gatherer) dependencies(spec string) {
	if spec == "" {
		return
	}
	data, err := g.tree.ReadFile(spec)
	if Unreadable(data, err) != "" {
		return
	}
	text := dependencyText(string(data))
	shown := []string{spec}
	add := func(p string) {
		if slices.Contains(shown, p) || len(shown) > maxDependencies ||
			slices.ContainsFunc(g.artifact.Files, func(f workflow.File) bool { return f.Path == p }) {
			return
		}
		d, err := g.read(p, foreign.Label(p)+" (named by the spec as a dependency)", maxRelated)
		if err == nil {
			shown = append(shown, p)
			g.docs = append(g.docs, d)
		}
	}
	known := g.specsBeside(spec)
	for _, m := range markdownPath.FindAllString(text, 50) {
		for _, p := range []string{path.Join(path.Dir(spec), m), path.Clean(m), known[stemOf(m)]} {
			if _, err := g.tree.Stat(p); err == nil && p != "" {
				add(p)
				break
			}
		}
	}
	for _, w := range featureWord.FindAllString(text, 500) {
		if p := known[strings.ToLower(w)]; p != "" {
			add(p)
		}
	}
}

// stemOf is a file's name in lower case without folder and ending.
func stemOf(p string) string { return strings.ToLower(strings.TrimSuffix(path.Base(p), path.Ext(p))) }

// dependencyText is what a spec says under headings about dependencies and in lines that begin with
// them.
func dependencyText(spec string) string {
	var b strings.Builder
	for _, s := range sections(spec) {
		if dependencyTitle.MatchString(s.Title) {
			b.WriteString(s.body)
		}
	}
	for l := range strings.Lines(spec) {
		if dependencyLine.MatchString(l) {
			b.WriteString(l)
		}
	}
	return b.String()
}

// Lifecycle is the states of a spec, the latest first.
var Lifecycle = []workflow.State{workflow.Done, workflow.Doing, workflow.Todo, workflow.Proposed}

// specsBeside are the specs of a spec's project by the name of their feature.
func (g *gatherer) specsBeside(spec string) map[string]string {
	if !slices.Contains(Lifecycle, StateOf(spec)) {
		return nil
	}
	entries, err := g.tree.List(path.Dir(path.Dir(spec)))
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, e := range entries {
		if path.Ext(e.Path) == ".md" && slices.Contains(Lifecycle, StateOf(e.Path)) {
			out[stemOf(e.Path)] = e.Path
		}
	}
	return out
}

// StateOf is the state that the folder of a spec tells.
func StateOf(spec string) workflow.State { return workflow.State(path.Base(path.Dir(spec))) }
