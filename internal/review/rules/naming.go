package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

func notInRoadmap(s *subject) workflow.Check {
	d, roadmap := s.main(), s.related("ROADMAP.md")
	if roadmap == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "ROADMAP.md: not found"}
	}
	if d == nil {
		return workflow.Check{}
	}
	names := []string{s.Artifact.Feature}
	for _, sec := range d.sections {
		if sec.level == 1 {
			names = append(names, sec.title)
			break
		}
	}
	for _, name := range names {
		if roadmap.names(name) {
			return workflow.Check{}
		}
	}
	return workflow.Check{Issues: []workflow.Issue{{File: d.path, Line: 1, Title: fmt.Sprintf("%s does not name %q", roadmap.path,
		cutLine(s.Artifact.Feature, 60))}}}
}

var (
	wordAt = lazyregexp.New(`[\p{L}\p{N}]+`)
	common = lazyregexp.New(`^(?:the|an?|of|for|and|or|to|in|on|with|by|spec|specification|feature|support|add|new|\d+)$`)
)

// names reports whether one heading or block of the document has all words of a feature's name that mean something.
func (d *document) names(feature string) bool {
	var wanted []string
	for _, w := range wordAt.FindAllString(strings.ToLower(feature), 20) {
		if !common.MatchString(w) {
			wanted = append(wanted, stem(w))
		}
	}
	if len(wanted) == 0 {
		return false
	}
	for _, sec := range d.sections {
		if holds(sec.title, wanted) {
			return true
		}
		for _, b := range sec.blocks {
			if holds(b.text, wanted) {
				return true
			}
		}
	}
	return false
}

func holds(text string, wanted []string) bool {
	has := map[string]bool{}
	for _, w := range wordAt.FindAllString(strings.ToLower(text), 2000) {
		has[stem(w)] = true
	}
	return !slices.ContainsFunc(wanted, func(w string) bool { return !has[w] })
}

// stem takes the commonest endings off an English word, so that "reviews" and "reviewing" meet "review".
func stem(w string) string {
	for _, end := range []string{"ing", "ation", "ies", "es", "ed", "s"} {
		if t := strings.TrimSuffix(w, end); t != w && len(t) >= 4 {
			return strings.TrimRight(t, "ey")
		}
	}
	return strings.TrimRight(w, "ey")
}
