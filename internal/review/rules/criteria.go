package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/workflow"
)

var demand = lazyregexp.New(`\b(?:MUST|SHALL|REQUIRED)\b`)

// criteriaOf lists a spec's acceptance criteria that are more than placeholders.
func (d *document) criteriaOf() []requirements.Requirement {
	var out []requirements.Requirement
	for _, r := range d.criteria {
		if title, _ := unwritten(markdown.Plain(r.Text)); title == "" {
			out = append(out, r)
		}
	}
	return out
}

// demands counts the sentences that say MUST or SHALL.
func (d *document) demands() int {
	n := 0
	for _, b := range d.prose() {
		n += len(demand.FindAllString(b.plain, -1))
	}
	return n
}

// onlyRefers reports whether a document demands nothing itself: an index of others, or
// a note below a title that another one has taken its place.
func (d *document) onlyRefers() bool {
	if d.demands() > 0 {
		return false
	}
	headings := 0
	for _, s := range d.sections {
		if s.level > 0 {
			headings++
		}
	}
	for _, b := range d.prose() {
		if headings == 1 && replaced.MatchString(b.plain) {
			return true
		}
	}
	return path.Base(d.path) == "index.md"
}

// replaced is said of a document that is in force no more.
var replaced = lazyregexp.New(`(?i)\b(?:archived|superseded|deprecated|obsolete)\b`)

// fewDemands is how many sentences with MUST or SHALL stand for criteria.
const fewDemands = 3

func noCriteria(s *subject) workflow.Check {
	d := s.main()
	if d == nil || len(d.criteriaOf()) > 0 || s.onlyWithdraws(d) || d.onlyRefers() {
		return workflow.Check{}
	}
	if !d.english() {
		return foreign()
	}
	issue := workflow.Issue{File: d.path, Line: 1, Title: "The spec has no acceptance criteria"}
	if i := slices.IndexFunc(d.sections, func(s section) bool { return requirements.IsTitle(s.title) }); i >= 0 {
		issue.Line = d.sections[i].line
		issue.Title = fmt.Sprintf("%q lists no criterion", cutLine(d.sections[i].title, 60))
	}
	was := parseDocument(d.path, []byte(s.before(d.path)))
	switch n := d.demands(); {
	case s.exists(d), d.words() < fewWords && s.saysWhy(d), strings.Contains(d.path, archived),
		s.Artifact.Layout == "openspec" && strings.Contains(d.path, "/changes/") && changesNothing.MatchString(s.textOf([]string{d.path})),
		was.words() >= fewWords && len(was.criteriaOf()) == 0:
		issue.Severity = counted // it lacked them before, is done, or changes nothing
	case s.Artifact.Layout != "" && (len(d.entries(d.titled(stated))) >= fewDemands || s.writesSo(d)):
		issue.Severity = counted // it states what is to be, or the project's specs have none
	case n >= fewDemands:
		issue.Severity = milder
		issue.Title = "The spec states requirements, but no acceptance criteria"
		issue.Description = fmt.Sprintf("%d sentences say MUST or SHALL; tests can be derived from them, but when the feature is done is "+
			"not said.", n)
	}
	return workflow.Check{Issues: []workflow.Issue{issue}}
}

// changesNothing matches what a delta of OpenSpec says that only has a change wired: no requirement is another one.
var changesNothing = lazyregexp.New(`(?i)\bno (?:new |existing |spec-level )*(?:capabilit\w+|requirements?|behaviou?rs?) (?:are|is) ` +
	`(?:introduced|added|changed|modified)\b`)

// stated is the title of what lists the demands of a spec.
var stated = lazyregexp.New(`(?i)\b(?:requirements?|behaviou?rs?)\b`)

// maxSpecs is how many other specs are read to see how a project writes them.
const maxSpecs = 40

// writesSo reports whether most specs of the base have no criteria either.
func (s *subject) writesSo(d *document) bool {
	all, without := 0, 0
	for _, e := range s.atBase() {
		if path.Base(e) != path.Base(d.path) || e == d.path || all == maxSpecs {
			continue
		}
		data, _ := s.Set.MergeBaseTree.ReadFile(e) // what cannot be read has no words
		if other := parseDocument(e, data); other.words() >= fewWords {
			if all++; len(other.criteriaOf()) == 0 {
				without++
			}
		}
	}
	return without > 1 && without*2 >= all
}

var (
	vague = lazyregexp.New(`(?i)\b(fast(?:er)?|quickly|slow|efficient(?:ly)?|user[- ]friendly|eas(?:y|ily)|intuitive(?:ly)?` +
		`|robust(?:ly)?|flexibl[ey]|scalabl[ey]|seamless(?:ly)?|appropriate(?:ly)?|adequate(?:ly)?|reasonabl[ey]|sufficient(?:ly)?` +
		`|acceptable|state[- ]of[- ]the[- ]art|as soon as possible|(?:works?|behaves?|functions?) (?:correctly|properly|well` +
		`|as expected|fine)|as (?:appropriate|necessary)|high[- ]quality|performant|responsive|reliabl[ey]|gracefully|properly` +
		`|nice(?:ly)?|sensibl[ey]|suitabl[ey]|for a while|for some time|a while|soon|usually|normally|handled? (?:correctly` +
		`|properly|well)|smooth(?:ly)?|good performance|and so on|etc)(?:[^\w-]|$)`)
	// definite matches what pins a sentence down: figures, code, quotes.
	definite = lazyregexp.New("\\d|`|\"[^\"\n]+\"|'[^'\n" +
		"]{2,}'|“|(?i)\\b(?:unchanged|exactly|equals?|identical|returns?|raises?|throws?|true|false)\\b")
)

func untestable(_ *subject, d *document) []workflow.Issue {
	var out []workflow.Issue
	for _, c := range d.criteriaOf() {
		if word := vagueWord(c); word != "" {
			out = append(out, workflow.Issue{File: d.path, Line: c.Line, Title: fmt.Sprintf("%q cannot be tested: %s", word,
				cutLine(phrase(c.Text), 70))})
		}
	}
	return out
}

// namesOutcome matches a vague word beside the outcome that it decorates.
var namesOutcome = lazyregexp.New(`(?i)\bfor\s+(?:easy|easier|fast|faster|quick|quicker|smooth)\b|\b(?:reject|refuse|deny|denie)(?:s` +
	`|d|ed)?\b|\b(?:indicat|explain|stat|suggest|tell)ing\b|\b(?:based|depending)\s+on\b|\bdetermines?\s+(?:if|whether)\b|\b(?:gracefully` +
	`|seamlessly|smoothly|properly)\s+\w+\s+(?:back\s+)?(?:to|by|with)\b`)

var failsFast = lazyregexp.New(`(?i)\b(?:non|un)[ -]?responsive\b|\bfail(?:s|ing)?[ -]fast\b`)

// condition matches what a criterion supposes, up to what it demands.
var condition = lazyregexp.New(`(?is)\b(?:given|when)\b.*?\b(?:then|shall|should|must)\b`)

// vagueWord is the word that the outcome of a criterion rests on, in lower case; "" if it
// has none, says something definite, explains it in parentheses, or only asks.
func vagueWord(c requirements.Requirement) string {
	text, outcome := c.Text, c.Text
	if at := condition.FindStringIndex(text); at != nil {
		outcome = text[:at[0]] + text[at[1]:]
		if c.Kind == requirements.Scenario { // not its title
			text, outcome = text[at[0]:], text[at[1]:]
		}
	}
	m := vague.FindStringSubmatch(markdown.Plain(outcome))
	plain := markdown.Plain(text)
	if m == nil || failsFast.MatchString(plain) || namesOutcome.MatchString(plain) || definite.MatchString(text) ||
		strings.Contains(text, "(") || strings.Contains(text+" ", "? ") {
		return ""
	}
	return strings.ToLower(m[1])
}
