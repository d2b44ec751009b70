package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/workflow"
)

var (
	criteriaTitle = regexp.MustCompile(`(?i)\b(?:acceptance|success|completion|exit|done|pass)[ -](?:criteri(?:a|on)|tests?|conditions?|checks?)\b|\bcriteria\b|\bdefinition of done\b|\bdone when\b|\bscenarios?\b|\bexpected (?:behaviou?rs?|results?|outcomes?|output)\b|\btest (?:cases|plan|scenarios)\b|\b(?:verification|validation) (?:criteria|plan|steps)\b|^verification$|\bhow to verify\b|\btestable\b`)
	gherkin       = regexp.MustCompile(`(?im)^\W*(?:given|when|then)\b.+`)
	gherkinThen   = regexp.MustCompile(`(?im)^\W*then\b.+`)
	// criterionID is what a criterion may be called by: FR-003, AC12, US1.
	criterionID = regexp.MustCompile(`^\W*(?:FR|NFR|SC|AC|US|REQ|UC)-?\d{1,4}(?:\.\d{1,3})*\b\W`)
	demand      = regexp.MustCompile(`\b(?:MUST|SHALL|REQUIRED)\b`)
)

// criteriaOf lists a spec's acceptance criteria.
func (d *document) criteriaOf() []block {
	var out []block
	seen := map[int]bool{}
	keep := func(b block) {
		if !seen[b.line] && phrase(b.text) != "" && written(b) {
			seen[b.line] = true
			out = append(out, b)
		}
	}
	sections := d.titled(criteriaTitle)
	for _, b := range d.entries(sections) {
		keep(b)
	}
	for _, i := range sections {
		for b := range d.below(i) {
			if b.kind == code && len(out) == 0 {
				keep(b) // scenarios and examples in a fence
			}
		}
	}
	for _, sec := range d.sections {
		for _, b := range sec.blocks {
			if (b.kind == item || b.kind == row) && criterionID.MatchString(b.text) {
				keep(b)
			}
			if gherkinThen.MatchString(b.text) && len(gherkin.FindAllString(b.text, 3)) > 1 {
				keep(b)
			}
		}
	}
	return out
}

// written reports whether a point is more than a placeholder.
func written(b block) bool {
	title, _ := unwritten(firstLine(b.plain))
	return title == ""
}

// demands counts the sentences that say MUST or SHALL.
func (d *document) demands() int {
	n := 0
	for _, b := range d.prose() {
		n += len(demand.FindAllString(b.plain, -1))
	}
	return n
}

func noCriteria(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil || len(d.criteriaOf()) > 0 {
		return nil
	}
	at := 1
	title := "The spec has no acceptance criteria"
	if sections := d.titled(criteriaTitle); len(sections) > 0 {
		at = d.sections[sections[0]].line
		title = fmt.Sprintf("%q lists no criterion", cutLine(d.sections[sections[0]].title, 60))
	}
	issue := workflow.Issue{File: d.path, Line: at, Title: title}
	if n := d.demands(); n >= 3 {
		issue.Severity = workflow.Medium
		issue.Title = "The spec states requirements, but no acceptance criteria"
		issue.Description = fmt.Sprintf("%d sentences say MUST or SHALL; tests can be derived from them, but when the feature is done is not said.", n)
	}
	return []workflow.Issue{issue}
}

var (
	vague = regexp.MustCompile(`(?i)\b(?:fast(?:er)?|quick(?:ly)?|slow|efficient(?:ly)?|user[- ]friendly|eas(?:y|ily)|intuitive(?:ly)?|robust(?:ly)?|flexibl[ey]|scalabl[ey]|seamless(?:ly)?|appropriate(?:ly)?|adequate(?:ly)?|reasonabl[ey]|sufficient(?:ly)?|acceptable|state[- ]of[- ]the[- ]art|as soon as possible|(?:works?|behaves?|functions?) (?:correctly|properly|well|as expected|fine)|if (?:needed|necessary|possible|appropriate)|as (?:needed|appropriate|necessary)|high[- ]quality|performant|responsive|reliabl[ey]|gracefully|properly|minimal|nice(?:ly)?|smooth(?:ly)?|good performance|and so on|etc)\b`)
	// definite matches what pins a sentence down: figures, code, quotes.
	definite   = regexp.MustCompile("\\d|`|\"[^\"\n]+\"|'[^'\n]{2,}'|“|(?i)\\b(?:unchanged|exactly|equals?|identical|returns?|raises?|throws?|true|false)\\b")
	demanding  = regexp.MustCompile(`(?i)\b(?:must|shall|should|will|needs? to|ha(?:s|ve) to|required?)\b`)
	sentenceAt = regexp.MustCompile(`[^.!?\n]*(?:[.!?]\s|\n|$)`)
)

func untestable(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	var out []workflow.Issue
	for _, c := range d.criteriaOf() {
		if c.kind == code {
			continue
		}
		if word := vague.FindString(c.plain); word != "" && !definite.MatchString(c.text) {
			out = append(out, workflow.Issue{File: d.path, Line: c.line, Title: fmt.Sprintf("%q cannot be tested: %s", strings.ToLower(word), cutLine(phrase(c.text), 70))})
		}
	}
	return out
}

func vagueTerms(s *subject) []workflow.Issue {
	d := s.main()
	if d == nil {
		return nil
	}
	criteria := map[int]bool{}
	for _, c := range d.criteriaOf() {
		criteria[c.line] = true
	}
	skip := d.asides()
	var out []workflow.Issue
	for sec, b := range d.prose() {
		if criteria[b.line] || skip[sec.line] || outOfScope.MatchString(sec.title) {
			continue
		}
		for i, line := range strings.Split(b.plain, "\n") {
			if word := vagueDemand(line); word != "" {
				out = append(out, workflow.Issue{File: d.path, Line: b.line + i, Title: fmt.Sprintf("%q is not a measure", strings.ToLower(word))})
			}
		}
	}
	return out
}

// vagueDemand returns the vague word of a sentence that demands something and
// gives nothing to measure it by.
func vagueDemand(line string) string {
	for _, sentence := range sentenceAt.FindAllString(line, 200) {
		if demanding.MatchString(sentence) && !definite.MatchString(sentence) {
			if word := vague.FindString(sentence); word != "" {
				return word
			}
		}
	}
	return ""
}
