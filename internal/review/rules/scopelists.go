package rules

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

var (
	outOfScope = lazyregexp.New(`(?i)\bout[ -]of[ -]scope\b|\bnon-?goals?\b|\bnot in scope\b|\bnot included\b|\bexclu(?:ded|sions?` +
		`|des)\b|\bwon'?t (?:do|have|be)\b|\bwill not\b|\bnot goals\b|\bdeferred\b|\b(?:we|it|this) (?:do|does) not\b|\bdon'?t\b` +
		`|\bnot (?:build|doing|planned)\b|\b(?:is|are) not\b|\bisn'?t\b|\banti-goals?\b`)
	// excludes is what a text says that excludes something.
	excludes = lazyregexp.New(`(?i)\bout[ -]of[ -]scope\b|\bnon-?goals?\b|\bnot in scope\b|\bnot included\b|\bexclu(?:ded|sions?` +
		`|des)\b|\bdeferred\b|\b(?:we|it|this) (?:do|does|will) not\b|\bwon'?t\b|\bwe don'?t\b|\banti-goals?\b|\bnot (?:planned|covered` +
		`|supported|part of)\b`)
	inScope = lazyregexp.New(`(?i)\bin[ -]scope\b|^(?:project )?scope(?: of .*)?$|\binclu(?:ded|des|sions?)\b|^(?:project )?goals?\b` +
		`|^must[ -]haves?\b|\bfeatures\b|\bdeliverables\b|\bcapabilities\b|\bobjectives\b|\b(?:we|will|to) (?:do|build|deliver)\b` +
		`|\bwhat (?:we|this|it) \w+\b|^(?:mvp|minimum viable product)\b`)
)

// specified matches sections whose lists are steps of what is asked for, and no points
// of a scope: "Scenario: the answer excludes drafts".
var specified = lazyregexp.New(`(?i)^(?:requirement|scenario)s?\b`)

// scopesTitled lists the sections with such a title that say what a scope is.
func (d *document) scopesTitled(re *lazyregexp.Regexp) []int {
	return slices.DeleteFunc(d.titled(re), func(i int) bool { return specified.MatchString(d.sections[i].raw) })
}

// scopeLists are the points that a document puts in and out of scope.
func (d *document) scopeLists() (in, out []block) {
	excluded := d.scopesTitled(outOfScope)
	lines := map[int]bool{}
	for _, b := range d.entries(excluded) {
		lines[b.line] = true
	}
	for _, b := range d.entries(d.scopesTitled(inScope)) {
		if !lines[b.line] {
			in = append(in, b)
		}
	}
	return in, d.entries(excluded)
}

func contradictions(_ *subject, d *document) []workflow.Issue {
	in, out := d.scopeLists()
	excluded := map[string]int{}
	for _, b := range out {
		excluded[phrase(b.text)] = b.line
	}
	var found []workflow.Issue
	for _, b := range in {
		if line, ok := excluded[phrase(b.text)]; ok && len(phrase(b.text)) > 3 {
			found = append(found, workflow.Issue{
				File: d.path, Line: b.line,
				Title: fmt.Sprintf("%q is in scope here and out of scope in line %d", cutLine(phrase(b.text), 60), line),
			})
		}
	}
	return found
}
