package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// without makes a rule of what a document must have; documents in other languages
// than the words that are looked for are left alone.
func without(has func(*document) bool) func(*subject) workflow.Check {
	return func(s *subject) workflow.Check {
		d := s.main()
		switch {
		case d == nil || has(d):
			return workflow.Check{}
		case !d.english():
			return foreign()
		default:
			issue := workflow.Issue{File: d.path, Line: 1}
			if was := parseDocument(d.path, []byte(s.before(d.path))); was.words() >= fewWords && !has(was) {
				issue.Severity = counted // it lacked that before
			}
			return workflow.Check{Issues: []workflow.Issue{issue}}
		}
	}
}

// foreign is the check of a document in which its words cannot be expected.
func foreign() workflow.Check {
	return workflow.Check{Outcome: workflow.Absent, Summary: "not looked for: the document is not in English"}
}

// lacks makes a rule of a document that must speak of something, in a heading or in its text.
func lacks(re *lazyregexp.Regexp) func(*subject) workflow.Check {
	return without(func(d *document) bool { return d.has(re) })
}

// A document of so many words is held to English ones where that share of them are of
// the commonest, and so few of its letters are beyond ASCII.
const (
	tellingWords = 40
	minCommon    = 0.01
	maxForeign   = 0.1
)

var commonest = lazyregexp.New(`(?i)\b(?:the|and|to|must|shall|should|be|for|with|that|are|when|will|then|given|of|is|it|not|if|from|by)\b`)

// abroad are words as common in other languages.
var abroad = lazyregexp.New(`(?i)\b(?:van|het|een|voor|niet|und|der|das|ist|mit|nicht|les|une|pour|avec|est|dans|los|las|para|con|una|que` +
	`|uma|com|nao|och|att|ett|som|della|che|gli|jest|nie|ve|bir)\b`)

// english reports whether the words of the checks can be expected in a document.
func (d *document) english() bool {
	all, foreign, words, others := 0, 0, 0, 0
	for _, b := range d.prose() {
		words += len(commonest.FindAllString(b.text, -1))
		others += len(abroad.FindAllString(b.text, -1))
		for _, r := range b.text {
			if unicode.IsLetter(r) {
				all++
				if r > unicode.MaxASCII {
					foreign++
				}
			}
		}
	}
	n := d.words()
	return float64(foreign) <= maxForeign*float64(all) && others <= words && (n < tellingWords || float64(words) >= minCommon*float64(n))
}

func noVision(s *subject) []workflow.Issue {
	if d := s.main(); d == nil || s.related("VISION.md") != nil {
		return nil
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}

// frame matches headings that a roadmap has besides its features.
var frame = lazyregexp.New(`(?i)^(?:overview|introduction|about|legend|status|summary|contents|table of contents|notes?|changelog` +
	`|references|contributing|links|feedback|goals?|principles|vision|risks?|out of scope|non-goals)$`)

// features lists what a roadmap enumerates: headings below its title, list items and table rows.
func (d *document) features() []block {
	var out []block
	titles := 0
	for _, sec := range d.sections {
		if sec.level == 1 {
			titles++
		}
		if sec.level > 1 && sec.level < labelLevel || sec.level == 1 && titles > 1 {
			if !frame.MatchString(sec.title) {
				out = append(out, block{kind: paragraph, text: sec.title, plain: sec.title, line: sec.line})
			}
		}
		for _, b := range sec.blocks {
			if b.kind == item || b.kind == row && !ruler.MatchString(b.text) {
				out = append(out, b)
			}
		}
	}
	return out
}

var (
	ordering = lazyregexp.New(`(?i)\bphases?\b|\bmilestones?\b|\bq[1-4]\b|\bh[12]\b|\bv?\d+\.\d+|\b20\d\d\b|\bsprints?\b|\bpriorit\w+` +
		`|\bp[0-3]\b|\bnow\b|\bnext\b|\blater\b|\b(?:short|mid|medium|long)[ -]term\b|\bdepend\w*|\bfirst\b|\bthen\b|\bafter\b|\bbefore\b` +
		`|\bweeks?\b|\bmonths?\b|\bstages?\b|\bsteps?\b|\brelease\b|\bmvp\b|\bnear\b|\bfuture\b|\bbacklog\b|\bcurrent\b` +
		`|\bin progress\b|\bdone\b|\bcompleted\b`)
	numbered = lazyregexp.New(`^(?:\d{1,2}[.):]|(?:feature|item|epic|f|r)[ -]?#?\d)`)
)

func (d *document) ordered() bool {
	return d.has(ordering) || slices.ContainsFunc(d.sections,
		func(sec section) bool { return numbered.MatchString(strings.ToLower(sec.raw)) })
}

func plannedOutOfScope(s *subject) workflow.Check {
	d, scope := s.main(), s.related("SCOPE.md")
	if d == nil || scope == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "SCOPE.md: not found"}
	}
	_, excluded := scope.scopeLists()
	var out []workflow.Issue
	for _, f := range d.features() {
		for _, b := range excluded {
			if p := phrase(b.text); len(p) > 3 && p == phrase(f.text) {
				out = append(out, workflow.Issue{File: d.path, Line: f.line, Title: fmt.Sprintf("%q is out of scope (%s:%d)",
					cutLine(p, 60), scope.path, b.line)})
			}
		}
	}
	return workflow.Check{Issues: out}
}
