package prompt

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// Related is what a type's reviewer is shown besides the artifact.
type Related struct {
	Docs     []Document
	Formerly []Document // what earlier versions showed in their place, by which they recorded
	Warnings []string
	Omitted  []string
}

// Gather reads the related documents of an artifact from the head. A spec that the artifact names
// and the head does not hold is an error of fs.ErrNotExist; any other document that is missing is a
// warning. Without a model that would read them, documents that cost much to find are left out.
func Gather(set change.Set, a workflow.Artifact, model bool) (Related, error) {
	g := &gatherer{
		model:    model,
		base:     set.MergeBaseTree,
		Reader:   Reader{tree: set.HeadTree, Left: MaxRelatedAll},
		artifact: a,
	}
	var err error
	if a.Layout != "" {
		err = g.ofLayout()
		return g.related(), err
	}
	switch a.Type {
	case workflow.Scope:
		g.planning("VISION.md")
	case workflow.Roadmap:
		g.planning("SCOPE.md")
	case workflow.Spec:
		g.planning("SCOPE.md")
		g.roadmap()
		if model {
			g.dependencies(a.Path())
		}
	case workflow.Tests, workflow.Skeleton, workflow.Implementation, workflow.BugFix:
		if a.Type != workflow.BugFix || a.SpecPath != "" {
			err = g.spec()
		}
		g.beside()
	}
	return g.related(), err
}

// ofLayout adds what the layout of the feature's documents has: the spec, and its companions.
func (g *gatherer) ofLayout() error {
	a := g.artifact
	if a.SpecPath != "" && a.Type != workflow.Spec {
		if err := g.spec(); err != nil {
			return err
		}
	}
	g.beside()
	for _, p := range a.Companions {
		if d, err := g.read(p, foreign.Label(p), maxRelated); err == nil {
			g.docs = append(g.docs, d)
		}
	}
	return nil
}

// beside adds what the reviewer of code or tests is shown besides the spec: the specs that it
// builds on, and for tests the bugs that they must keep from coming back.
func (g *gatherer) beside() {
	if g.model {
		g.dependencies(g.artifact.SpecPath)
	}
	switch t := g.artifact.Type; {
	case t == workflow.Tests && g.model:
		g.fixedBugs()
	case t == workflow.Implementation || t == workflow.BugFix:
		g.formerTests()
	}
}

// gatherer collects one artifact's related documents.
type gatherer struct {
	Reader
	artifact workflow.Artifact
	base     change.Tree // the merge base's, nil if there is none
	model    bool        // one will read the documents
	docs     []Document
	former   []Document // test files, which stood before docs[before:]
	before   int
	warnings []string
}

// planning adds one of the planning documents whole.
func (g *gatherer) planning(name string) {
	p, ok := findPlanning(g.tree, name, g.artifact.Path())
	if !ok {
		g.missing(name)
		return
	}
	d, err := g.read(p, foreign.Label(p), maxRelated)
	if err != nil {
		g.missing(name)
		return
	}
	g.docs = append(g.docs, d)
}

// missing notes a document that the reviewer should have seen.
func (g *gatherer) missing(name string) {
	g.warnings = append(g.warnings, name+" not found: reviewed without it")
	g.docs = append(g.docs, Document{Heading: name, Note: "Not found in this repository."})
}

// roadmap adds the section of ROADMAP.md that the spec belongs to.
func (g *gatherer) roadmap() {
	p, ok := findPlanning(g.tree, "ROADMAP.md", g.artifact.Path())
	if !ok {
		g.missing("ROADMAP.md")
		return
	}
	data, err := g.tree.ReadFile(p)
	if why := Unreadable(data, err); why != "" {
		g.warnings = append(g.warnings, fmt.Sprintf("%s: %s; reviewed without it", foreign.Label(p), why))
		g.docs = append(g.docs, Document{Heading: foreign.Label(p), Path: p, Note: "Not shown: " + why + "."})
		return
	}
	text := string(data)
	spec, _ := g.tree.ReadFile(g.artifact.Path()) // shown elsewhere; here only its title and references count
	d := Document{Heading: foreign.Label(p), Path: p}
	if len(text) > MaxRoadmap {
		text = text[:MaxRoadmap]
		g.omit(p, fmt.Sprintf("only its first %d KiB were searched for the feature", MaxRoadmap>>10))
	}
	if s, found := FeatureSection(text, g.artifact.Feature, g.artifact.Path(), string(spec)); found {
		d.Heading += ", section “" + markdown.Line(s.Title, maxName) + "”"
		text = s.body
	} else if small(text) {
		d.Note = "No section names this feature; the whole document is shown."
	} else {
		d.Note = "No section names this feature; only the headings are shown. Read the rest with read_file."
		g.omit(p, "no section names the feature, only the headings are shown")
		g.warnings = append(g.warnings,
			foreign.Label(p)+" has no section that names the feature "+markdown.Line(g.artifact.Feature, maxName))
		text = outline(text)
	}
	g.docs = append(g.docs, g.Fit(d, text, maxRelated))
}

// spec adds the feature's spec.
func (g *gatherer) spec() error {
	p := g.artifact.SpecPath
	if p == "" {
		g.docs = append(g.docs, Document{Heading: "Spec", Note: "No spec was found for this feature."})
		return nil
	}
	d, err := g.read(p, foreign.Label(p)+" (the feature's spec)", MaxSpec)
	if err != nil {
		return err
	}
	g.docs = append(g.docs, d)
	return nil
}

// formerTests adds the feature's test files as earlier versions showed them.
func (g *gatherer) formerTests() {
	r := Reader{tree: g.tree, Left: g.Left}
	for _, p := range testsBeside(g.artifact) {
		if d, err := r.read(p, foreign.Label(p)+" (test)", maxRelated); err == nil {
			g.former = append(g.former, d)
		}
	}
	if len(g.artifact.Tests) == 0 && g.artifact.Type == workflow.Implementation {
		g.former = append(g.former, Document{Heading: "Tests", Note: "No test of this feature was found."})
	}
	g.before = len(g.docs)
}

// related is what was gathered.
func (g *gatherer) related() Related {
	return Related{
		Docs: g.docs, Formerly: slices.Insert(slices.Clone(g.docs), min(g.before, len(g.docs)), g.former...),
		Warnings: g.warnings, Omitted: g.omitted,
	}
}

// findPlanning finds VISION.md, SCOPE.md or ROADMAP.md in the usual places, the
// one that shares the artifact's own root first.
func findPlanning(tree change.Tree, name, artifact string) (string, bool) {
	roots := []string{"", "project-meta/", "project-content/"}
	for _, r := range roots[1:] {
		if strings.HasPrefix(artifact, r) {
			roots = append([]string{r}, roots...)
		}
	}
	for _, root := range roots {
		for _, folder := range []string{"", "docs/", "planning/"} {
			for _, n := range []string{name, strings.ToLower(name)} {
				p := root + folder + n
				if _, err := tree.Stat(p); err == nil && p != artifact {
					return p, true
				}
			}
		}
	}
	return "", false
}
