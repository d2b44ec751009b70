package review

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// maxDependencies is how many specs are shown because a spec names them.
const maxDependencies = 6

var (
	dependencyTitle = regexp.MustCompile(`(?i)\bdepend(?:s|encies|ency)?\b|\bprerequisites?\b|\brelated (?:specs?|specifications?|features?|documents?)\b|\bbuilds on\b|\brequires\b|\breferences\b`)
	dependencyLine  = regexp.MustCompile(`(?i)^\W*(?:\*\*)?(?:depends on|dependenc(?:y|ies)|requires|builds on|extends|prerequisites?)\b`)
	markdownPath    = regexp.MustCompile(`[\w./@-]+\.md\b`)
	featureWord     = regexp.MustCompile(`[A-Za-z][\w]*(?:-[\w]+)+|[A-Za-z]\w{3,}`)
)

// dependencies adds the specs that a spec names under its dependencies, by their
// paths or by the names of their features.
func (g *gatherer) dependencies(spec string) {
	if spec == "" {
		return
	}
	data, err := g.tree.ReadFile(spec)
	if unreadable(data, err) != "" {
		return
	}
	text := dependencyText(string(data))
	shown := []string{spec}
	add := func(p string) {
		if slices.Contains(shown, p) || len(shown) > maxDependencies || slices.ContainsFunc(g.artifact.Files, func(f workflow.File) bool { return f.Path == p }) {
			return
		}
		d, err := g.read(p, label(p)+" (named by the spec as a dependency)", maxRelated)
		if err == nil {
			shown = append(shown, p)
			g.docs = append(g.docs, d)
		}
	}
	for _, m := range markdownPath.FindAllString(text, 50) {
		for _, p := range g.specPlaces(spec, m) {
			if _, err := g.tree.Stat(p); err == nil {
				add(p)
				break
			}
		}
	}
	known := g.specsBeside(spec)
	for _, w := range featureWord.FindAllString(text, 500) {
		if p := known[strings.ToLower(w)]; p != "" {
			add(p)
		}
	}
}

// dependencyText is what a spec says under headings about dependencies and in
// lines that begin with them.
func dependencyText(spec string) string {
	var b strings.Builder
	for _, s := range sections(spec) {
		if dependencyTitle.MatchString(s.title) {
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

// specPlaces are where a path that a spec gives may be: beside it, from the root,
// and in the other folders of the lifecycle.
func (g *gatherer) specPlaces(spec, named string) []string {
	named = strings.TrimPrefix(path.Clean(named), "/")
	beside := path.Join(path.Dir(spec), named)
	out := []string{beside, named}
	for _, p := range []string{beside, named} {
		if c := workflow.Canonical(p); strings.Contains(c, "*") {
			for _, s := range lifecycle {
				out = append(out, strings.Replace(c, "*", string(s), 1))
			}
		}
	}
	folder := path.Dir(path.Dir(spec))
	for _, s := range lifecycle {
		out = append(out, path.Join(folder, string(s), path.Base(named)))
	}
	return slices.DeleteFunc(out, func(p string) bool { return strings.HasPrefix(p, "..") })
}

var lifecycle = [...]workflow.State{workflow.Done, workflow.Doing, workflow.Todo, workflow.Proposed}

// specsBeside are the specs of a spec's project by the name of their feature.
func (g *gatherer) specsBeside(spec string) map[string]string {
	folder := path.Dir(path.Dir(spec))
	if stateOf(spec) == "" || !slices.Contains(lifecycle[:], stateOf(spec)) {
		return nil
	}
	entries, err := g.tree.List(folder)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, e := range entries {
		if strings.HasSuffix(e.Path, ".md") && slices.Contains(lifecycle[:], stateOf(e.Path)) {
			out[strings.ToLower(strings.TrimSuffix(path.Base(e.Path), ".md"))] = e.Path
		}
	}
	return out
}
