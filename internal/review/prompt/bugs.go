package prompt

import (
	"path"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// Caps on what a tests review is shown of bugs.
const (
	maxBugs   = 3
	maxBug    = 4_000 // characters
	maxTitles = 50
)

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
			if seen[e.Path] || len(seen) == maxTitles || path.Ext(e.Path) != ".md" || Unreadable(data, err) != "" {
				continue
			}
			seen[e.Path] = true
			if shown < maxBugs &&
				namedWithin(workflow.PlainWords(string(data)), []string{workflow.PlainWords(g.artifact.Feature)}) {
				shown++
				g.docs = append(
					g.docs,
					g.Fit(
						Document{Heading: foreign.Label(e.Path) + " (a fixed bug)", Path: e.Path},
						string(data),
						maxBug,
					),
				)
				continue
			}
			titles.WriteString("- " + foreign.Label(e.Path) + ": " + markdown.Line(titleOf(string(data)), 120) + "\n")
		}
	}
	if titles.Len() > 0 {
		g.docs = append(
			g.docs,
			g.Fit(Document{Heading: "Other fixed bugs", Note: "Only their titles; read_file shows the rest."},
				titles.String(), maxBug),
		)
	}
}
