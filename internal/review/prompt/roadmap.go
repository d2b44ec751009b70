package prompt

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// section is a heading of a Markdown document with all that stands below it, up to the next heading
// of its level or above.
type section struct {
	Title string // plain
	level int
	body  string // heading line included
}

// sections splits a Markdown document; nested sections are listed after, and are part of, the one
// that holds them.
func sections(doc string) []section {
	lines := strings.SplitAfter(doc, "\n")
	all := markdown.ParseOutline([]byte(doc)).Sections
	var list []section
	for i, s := range all {
		if s.Level == 0 || s.Level == markdown.LabelLevel || s.Raw == "" {
			continue
		}
		end := len(lines)
		for _, next := range all[i+1:] {
			if next.Level <= s.Level {
				end = next.Line - 1
				break
			}
		}
		body := strings.Join(lines[s.Line-1:max(end, s.Line)], "")
		list = append(list, section{s.Raw, s.Level, strings.TrimRight(body, " \t\n") + "\n"})
	}
	return list
}

// featureSection finds the part of a roadmap that a spec belongs to: below the shortest heading
// that names the feature as the spec's file or title does, else the shortest section whose text
// names it.
func featureSection(roadmap string, a workflow.Artifact, spec string) (section, bool) {
	title := titleOf(spec)
	if _, after, ok := strings.Cut(title, ":"); ok { // "Spec: Login"
		title = after
	}
	stem := strings.TrimSuffix(path.Base(a.Path()), path.Ext(a.Path()))
	var names []string
	for _, n := range []string{a.Feature, stem, title} {
		if n = workflow.PlainWords(n); n != "" {
			names = append(names, " "+n+" ")
		}
	}
	var inTitle, inText []section
	for _, s := range sections(roadmap) {
		named := func(text string) bool {
			words := " " + workflow.PlainWords(text) + " "
			return slices.ContainsFunc(names, func(n string) bool {
				return strings.Contains(words, n)
			})
		}
		switch {
		case named(s.Title):
			inTitle = append(inTitle, s)
		case named(s.body):
			inText = append(inText, s)
		}
	}
	switch {
	case inTitle != nil:
		return slices.MinFunc(inTitle, func(x, y section) int {
			return len(x.Title) - len(y.Title)
		}), true
	case inText != nil:
		return slices.MinFunc(inText, func(x, y section) int {
			return len(x.body) - len(y.body)
		}), true
	}
	return section{}, false
}

// titleOf is a document's first heading of the first level.
func titleOf(doc string) string {
	for l := range strings.Lines(doc) {
		if t, ok := strings.CutPrefix(l, "# "); ok {
			return strings.TrimSpace(t)
		}
	}
	return ""
}
