package rules

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/workflow"
)

var purposeTitle = regexp.MustCompile(`(?i)\b(?:overview|purpose|summary|goals?|introduction|background|motivation|context|problem|description|objectives?|user stor(?:y|ies)|abstract|intent|feature|what|why|about|tl;?dr)\b`)

func noPurpose(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	for _, i := range d.titled(purposeTitle) {
		for range d.below(i) {
			return nil
		}
	}
	for i, sec := range d.sections {
		if i > 1 && sec.level != labelLevel && sec.level > 1 {
			break
		}
		for _, b := range sec.blocks {
			if b.kind == paragraph && len(strings.Fields(b.plain)) >= 10 {
				return nil
			}
		}
	}
	return []workflow.Issue{{File: d.path, Line: 1}}
}

var interfaceTitle = regexp.MustCompile(`(?i)\b(?:interfaces?|apis?|endpoints?|signatures?|contracts?|schemas?|data models?|inputs?|outputs?|parameters?|commands?|cli|usage|types?|functions?|methods?|classes|events?|routes?|requests?|responses?|formats?|protocols?|screens?|ui|pages?|forms?|arguments?|options|flags|configuration)\b`)

func noInterface(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil || len(d.titled(interfaceTitle)) > 0 {
		return nil
	}
	for _, sec := range d.sections {
		for _, b := range sec.blocks {
			if b.kind == code || codeSpan.MatchString(b.text) {
				return nil
			}
		}
	}
	return []workflow.Issue{{File: d.path, Line: 1}}
}

var (
	questionTitle = regexp.MustCompile(`(?i)\b(?:open|unresolved|outstanding) (?:questions?|issues?|points?|items?)\b|^questions\b|\bto be decided\b`)
	settled       = regexp.MustCompile(`(?i)\b(?:resolved|decided|answered|closed|decision|answer)\b|^~~|^\[x\]`)
	none          = regexp.MustCompile(`(?i)^\W*(?:none|n/?a|nothing|no open (?:questions?|issues?|points?))\b`)
)

func openQuestions(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	var out []workflow.Issue
	for _, i := range d.titled(questionTitle) {
		if settled.MatchString(d.sections[i].title) {
			continue
		}
		points := d.questions(i)
		if len(points) > 0 && none.MatchString(points[0].text) {
			continue
		}
		for _, b := range points {
			if !settled.MatchString(b.text) {
				out = append(out, workflow.Issue{File: d.path, Line: b.line, Title: "Open question: " + cutLine(strings.Trim(firstLine(b.plain), "* "), 80)})
			}
		}
	}
	return out
}

// questions lists the points of a section, those that end in a question mark
// where any does: the others argue about them.
func (d *document) questions(i int) []block {
	points := d.entries([]int{i})
	var asked []block
	for _, b := range points {
		if strings.HasSuffix(strings.Trim(firstLine(b.plain), "* "), "?") {
			asked = append(asked, b)
		}
	}
	if len(asked) > 0 {
		return asked
	}
	return points
}
