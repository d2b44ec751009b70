package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/workflow"
)

var purposeTitle = lazyregexp.New(`(?i)\b(?:overview|purpose|summary|goals?|introduction|background|motivation|context|problem` +
	`|description|objectives?|user stor(?:y|ies)|abstract|intent|feature|what|why|about|tl;?dr)\b`)

// saysPurpose reports whether a section or the opening paragraph says what the document is for.
func (d *document) saysPurpose() bool {
	for _, i := range d.titled(purposeTitle) {
		for range d.below(i) {
			return true
		}
	}
	for i, sec := range d.sections {
		if i > 1 && sec.level != labelLevel && sec.level > 1 {
			break
		}
		for _, b := range sec.blocks {
			if b.kind == paragraph && len(strings.Fields(b.plain)) >= 10 {
				return true
			}
		}
	}
	return false
}

// Sections and criteria that speak of what goes wrong, or of limits.
var (
	troubleTitle = lazyregexp.New(`(?i)\b(?:errors?|failures?|failing|exceptions?|edge cases?|validation|invalid|fallbacks?|recovery` +
		`|resilience|limits?|limitations?|constraints|negative|unhappy|risks?|rollback|security|compatibility|raises|throws)\b`)
	trouble = lazyregexp.New(`(?i)\b(?:errors?|fail(?:s|ed|ure|ures|ing)?|reject(?:s|ed|ion)?|exceptions?|\w+(?:Error|Exception)` +
		`|raises?|throws?|den(?:y|ied|ies)|refuse[sd]?|invalid|malformed|missing|empty|not found|unavailable|[45]\d\d|warn(?:s|ing|ings)?` +
		`|panics?|retr(?:y|ies)|cannot|can't|unable|abort\w*|non-?zero|unsupported|conflicts?|duplicates?|unknown|expired?` +
		`|time-?outs?|offline|without|no longer|not|never|only|unless|otherwise|fall(?:s)? back|at most|maximum|limits?|exceed\w*` +
		`|lost|stale|interrupt\w*|crash\w*|disconnect\w*|destroy\w*|dispos\w*|revoked?|overflow\w*|drop(?:s|ped)|corrupt\w*)\b`)
)

// fewCriteria is how many criteria a spec may have before one is expected to be about something that goes wrong.
const fewCriteria = 3

func (d *document) hasErrorCase() bool {
	criteria := d.criteriaOf()
	return len(criteria) <= fewCriteria || len(d.titled(troubleTitle)) > 0 ||
		slices.ContainsFunc(criteria, func(r requirements.Requirement) bool { return trouble.MatchString(r.Text) })
}

var interfaceTitle = lazyregexp.New(`(?i)\b(?:interfaces?|apis?|endpoints?|signatures?|contracts?|schemas?|data models?|inputs?` +
	`|outputs?|parameters?|commands?|cli|usage|types?|functions?|methods?|classes|events?|routes?|requests?|responses?|formats?` +
	`|protocols?|screens?|ui|pages?|forms?|arguments?|options|flags|configuration)\b`)

func (d *document) hasInterface() bool {
	return len(d.titled(interfaceTitle)) > 0 || slices.ContainsFunc(d.sections, func(sec section) bool {
		return slices.ContainsFunc(sec.blocks, func(b block) bool { return b.kind == codeBlock || codeSpan.MatchString(b.text) })
	})
}

var (
	questionTitle = lazyregexp.New(`(?i)\b(?:open|unresolved|outstanding) (?:questions?|issues?|points?)\b|^(?:open items` +
		`|questions)\b|\bto be decided\b`)
	settled = lazyregexp.New(`(?i)\b(?:resolved|decided|answered|closed|decision|answer)\b|^~~|^\[x\]`)
	none    = lazyregexp.New(`(?i)^\W*(?:none|n/?a|nothing|no open (?:questions?|issues?|points?))\b`)
)

func openQuestions(_ *subject, d *document) []workflow.Issue {
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
				out = append(out, workflow.Issue{File: d.path, Line: b.line, Title: "Open question: " +
					cutLine(strings.Trim(firstLine(b.plain), "* "), 80)})
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
