package prompt

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// gatherer collects one artifact's related documents.
type gatherer struct {
	*Material
	*Parts
	Reader
}

func (g *gatherer) add(d Document) { g.Related = append(g.Related, d) }

// show adds a file of the head, with what it is behind its path. One that does not exist is an
// error of fs.ErrNotExist.
func (g *gatherer) show(file, what string, limit int) error {
	d, err := g.read(file, foreign.Label(file)+what, limit)
	if err == nil {
		g.add(d)
	}
	return err
}

// related adds the documents that belong to an artifact of the type.
func (g *gatherer) related() (err error) {
	switch g.Artifact.Type {
	case workflow.Scope:
		g.planning("VISION.md")
	case workflow.Roadmap:
		g.planning("SCOPE.md")
	case workflow.Spec:
		g.planning("SCOPE.md")
		g.roadmap()
		g.dependencies(g.Artifact.Path())
	case workflow.Tests, workflow.Skeleton, workflow.Implementation, workflow.BugFix:
		err = g.spec()
		g.dependencies(g.Artifact.SpecPath)
	}
	for _, p := range g.Artifact.Companions {
		_ = g.show(p, "", maxRelated) // one may be missing
	}
	return err
}

// planning adds one of the planning documents whole. Layouts that are no plain folders bring their
// own as companions.
func (g *gatherer) planning(name string) {
	if g.Artifact.Layout != "" {
		return
	}
	if p, ok := g.findPlanning(name); ok && g.show(p, "", maxRelated) == nil {
		return
	}
	g.Warnings = append(g.Warnings, name+" not found: reviewed without it")
	g.add(Document{Heading: name, Note: "Not found in this repository."})
}

// findPlanning finds a planning document in the usual places, the one that shares the artifact's
// own root first.
func (g *gatherer) findPlanning(name string) (string, bool) {
	roots := []string{"", "project-meta/", "project-content/"}
	for _, r := range roots[1:] {
		if strings.HasPrefix(g.Artifact.Path(), r) {
			roots = append([]string{r}, roots...)
		}
	}
	for _, root := range roots {
		for _, folder := range []string{"", "docs/", "planning/"} {
			for _, n := range []string{name, strings.ToLower(name)} {
				p := root + folder + n
				if _, err := g.tree.Stat(p); err == nil && p != g.Artifact.Path() {
					return p, true
				}
			}
		}
	}
	return "", false
}

// What is shown of a roadmap that has no section for the feature, in characters, and what is
// searched for one, in bytes.
const (
	maxUnnamedRoadmap = 12_000
	maxRoadmap        = 256 << 10
)

// roadmap adds the section of ROADMAP.md that the spec belongs to.
func (g *gatherer) roadmap() {
	p, ok := g.findPlanning("ROADMAP.md")
	data, err := []byte(nil), error(nil)
	if ok {
		data, err = g.tree.ReadFile(p)
	}
	if !ok || g.Artifact.Layout != "" || Unreadable(data, err) != "" {
		g.planning("ROADMAP.md") // which says why
		return
	}
	text := string(data[:min(len(data), maxRoadmap)])
	spec, _ := g.tree.ReadFile(g.Artifact.Path()) // is shown elsewhere; here its title counts
	d, limit := Document{Heading: foreign.Label(p), Path: p}, maxRelated
	if s, found := featureSection(text, g.Artifact, string(spec)); found {
		d.Heading += ", section “" + markdown.Line(s.Title, maxName) + "”"
		text = s.body
	} else {
		d.Note = "No section names this feature. Read with read_file what is not shown."
		limit = maxUnnamedRoadmap
		if len(text) > limit {
			g.Warnings = append(g.Warnings,
				fmt.Sprintf("%s has no section that names the feature %s",
					foreign.Label(p), markdown.Line(g.Artifact.Feature, maxName)))
		}
	}
	g.add(g.Fit(d, text, limit))
}

// spec adds the feature's spec.
func (g *gatherer) spec() error {
	p := g.Artifact.SpecPath
	if p == "" {
		if g.Artifact.Type != workflow.BugFix {
			g.add(Document{Heading: "Spec", Note: "No spec was found for this feature."})
		}
		return nil
	}
	data, err := g.tree.ReadFile(p)
	if IsNotFound(err) {
		return errors.New(NotFound(workflow.Spec, p))
	}
	if why := Unreadable(data, err); why != "" {
		return errors.New("Spec " + foreign.Label(p) + " cannot be shown: " + why)
	}
	d := Document{Heading: foreign.Label(p) + " (the feature's spec)", Path: p}
	g.add(g.Fit(d, string(data), MaxSpec))
	return nil
}

const (
	maxNames        = 200 // words of a spec that are looked up
	maxDependencies = 6   // documents that are shown because a spec names them
)

// names are words of a text that may be a path or the name of a feature: of several parts.
var names = lazyregexp.New(`(?:\.\.?/)*[\w@]+(?:[-./]+[\w@]+)+`)

// dependencies adds the documents that a spec names, by their paths or as other specs beside it by
// the names of their features.
func (g *gatherer) dependencies(spec string) {
	data, err := g.tree.ReadFile(spec)
	if !g.Model || spec == "" || Unreadable(data, err) != "" {
		return
	}
	shown := append(FilePaths(g.Artifact), spec)
	most := len(shown) + maxDependencies
	for _, name := range names.FindAllString(string(data), maxNames) {
		p := g.document(spec, name)
		if p == "" || slices.Contains(shown, p) || len(shown) == most {
			continue
		}
		shown = append(shown, p)
		_ = g.show(p, " (named by the spec)", maxRelated) // it is there
	}
}

// document is the Markdown file that a spec means by a name, "" for none.
func (g *gatherer) document(spec, name string) string {
	candidates := []string{path.Join(path.Dir(spec), name), path.Clean(name)}
	if path.Ext(name) != ".md" {
		candidates = nil
	}
	for _, s := range Lifecycle {
		file := path.Join(path.Dir(path.Dir(spec)), string(s), path.Base(name))
		candidates = append(candidates, strings.TrimSuffix(file, ".md")+".md")
	}
	for _, p := range candidates {
		if e, err := g.tree.Stat(p); err == nil && e.Mode == change.ModeRegular {
			return p
		}
	}
	return ""
}

// Lifecycle is the states of a spec, the latest first.
var Lifecycle = []workflow.State{
	workflow.Done, workflow.Doing, workflow.Todo, workflow.Proposed,
}

// StateOf is the state that the folder of a spec tells.
func StateOf(spec string) workflow.State { return workflow.State(path.Base(path.Dir(spec))) }
