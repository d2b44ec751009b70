package prompt

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// smallRoadmap is the size up to which a roadmap is shown whole if the feature's section is not
// found, in characters.
const smallRoadmap = 12_000

// MaxRoadmap is how much of a roadmap is searched for a section, in bytes.
const MaxRoadmap = 256 << 10

// section is a heading of a Markdown document with all that stands below it,
// up to the next heading of its level or above.
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
		list = append(list, section{Title: s.Raw, level: s.Level, body: strings.TrimRight(body, " \t\n") + "\n"})
	}
	return list
}

// FeatureSection finds the part of a roadmap that a spec belongs to. In this order: a heading that
// names the feature as the spec's file or title does; a heading "Feature 3" that the spec refers to
// by that number; the smallest section whose text names the feature.
func FeatureSection(roadmap, feature, specPath, spec string) (section, bool) {
	list := sections(roadmap)
	names := []string{
		workflow.PlainWords(feature), workflow.PlainWords(strings.TrimSuffix(path.Base(specPath), ".md")),
		workflow.PlainWords(titleOf(spec)),
	}
	for _, match := range []func(section) bool{
		func(s section) bool { return namedExactly(s.Title, names) },
		func(s section) bool { return namedWithin(workflow.PlainWords(s.Title), names) },
		func(s section) bool { return numbered(s.Title, spec) },
		func(s section) bool { return namedWithin(workflow.PlainWords(s.body), names) },
	} {
		if s, ok := smallest(list, match); ok {
			return s, true
		}
	}
	return section{}, false
}

// smallest is the shortest section that matches, false if none does.
func smallest(list []section, match func(section) bool) (best section, ok bool) {
	for _, s := range list {
		if match(s) && (!ok || len(s.body) < len(best.body)) {
			best, ok = s, true
		}
	}
	return best, ok
}

// prefix is what stands before a feature's name in a heading.
var prefix = lazyregexp.New(
	`^(?i)(feature|epic|milestone|phase|item|spec|specification|rfc)?[\s:#.–—-]*[0-9]*(\.[0-9]+)*[\s:.)–—-]*`,
)

// namedExactly reports whether a title is one of the names, with or without a number before it.
func namedExactly(title string, names []string) bool {
	bare := workflow.PlainWords(prefix.ReplaceAllString(strings.TrimSpace(title), ""))
	return slices.ContainsFunc(
		names,
		func(n string) bool { return n != "" && (n == bare || n == workflow.PlainWords(title)) },
	)
}

// namedWithin reports whether one of the names stands in a text as whole words.
func namedWithin(text string, names []string) bool {
	return slices.ContainsFunc(
		names,
		func(n string) bool { return n != "" && strings.Contains(" "+text+" ", " "+n+" ") },
	)
}

var featureNumber = lazyregexp.New(`(?i)\b(?:feature|epic|milestone)[\s#:-]*([0-9]+(?:\.[0-9]+)*)\b`)

// numbered reports whether a heading's number is the first one that the spec refers to.
func numbered(title, spec string) bool {
	want := featureNumber.FindStringSubmatch(spec)
	got := featureNumber.FindStringSubmatch(title)
	return want != nil && got != nil && want[1] == got[1]
}

// titleOf is a spec's first heading without "Spec:" before it.
func titleOf(spec string) string {
	for l := range strings.Lines(spec) {
		if t, ok := strings.CutPrefix(l, "# "); ok {
			return prefix.ReplaceAllString(strings.TrimSpace(t), "")
		}
	}
	return ""
}

// outline is the list of a document's headings.
func outline(doc string) string {
	var b strings.Builder
	for _, s := range sections(doc) {
		b.WriteString(strings.Repeat("#", s.level) + " " + markdown.Line(s.Title, 200) + "\n")
	}
	return b.String()
}

func small(doc string) bool { return utf8.RuneCountInString(doc) <= smallRoadmap }
