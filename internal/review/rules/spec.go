package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/workflow"
)

func specRules() []rule {
	types := only(workflow.Spec)
	return []rule{
		{
			Rule: Rule{
				ID: "spec/no-acceptance-criteria", Types: types, Severity: workflow.High, Criterion: "Testability",
				Title:       "The spec has no acceptance criteria",
				Explanation: "Tests are derived from acceptance criteria: a section of that name or one like it (success criteria, definition of done, scenarios, expected behaviour), or Given/When/Then. A spec that states at least three requirements with MUST or SHALL but no criteria gets a Medium.",
			},
			pass: "it has acceptance criteria",
			fix:  "Add a section \"Acceptance criteria\" that lists, for each promised behaviour, what can be observed when it works.",
			run:  issues(noCriteria),
		},
		{
			Rule: Rule{
				ID: "spec/criterion-not-testable", Types: types, Severity: workflow.Medium, Criterion: "Testability",
				Title:       "A criterion cannot be tested",
				Explanation: "A criterion that rests on a word such as \"fast\", \"properly\" or \"user-friendly\", without a number, name or quoted value beside it, has no outcome that a test could assert.",
			},
			pass: "every criterion can be tested",
			fix:  "Replace the word by what can be observed: a value, a status, a message, a limit in numbers.",
			run:  issues(untestable),
		},
		{
			Rule: Rule{
				ID: "spec/vague-term", Types: types, Severity: workflow.Low, Criterion: "Clarity",
				Title:       "A requirement is vague",
				Explanation: "A sentence that demands something (must, shall, should, will, needs to) rests on a word such as \"fast\" or \"user-friendly\". Sentences that give a number, a name or a value are left alone.",
			},
			pass: "requirements are definite",
			fix:  "Say how much, how long, or under which conditions.",
			run:  issues(vagueTerms),
		},
		{
			Rule: Rule{
				ID: "spec/no-purpose", Types: types, Severity: workflow.Medium, Criterion: "Completeness",
				Title:       "The spec does not say what it is for",
				Explanation: "A purpose, overview, summary or user story, or an opening paragraph of ten words or more, tells a reader what the feature does.",
			},
			pass: "it says what it is for",
			fix:  "Open with a paragraph that says what the feature does, and for whom.",
			run:  issues(noPurpose),
		},
		{
			Rule: Rule{
				ID: "spec/no-interface", Types: types, Severity: workflow.Medium, Criterion: "Interfaces",
				Title:       "The spec describes no interface",
				Explanation: "Tests call something: a function, an endpoint, a command, a page. A section on it, a code block, or names in code style are enough.",
			},
			pass: "it describes an interface",
			fix:  "Name what is called, with its inputs, outputs and their types.",
			run:  issues(noInterface),
		},
		{
			Rule: Rule{
				ID: "spec/no-edge-cases", Types: types, Severity: workflow.Medium, Criterion: "Completeness",
				Title:       "The spec speaks of no edge case",
				Explanation: "Empty, missing, duplicate, too large, concurrent: what happens at the limits is what implementations differ in.",
			},
			pass: "edge cases are mentioned",
			fix:  "Add a section \"Edge cases\" and say what happens in each.",
			run:  lacks(regexp.MustCompile(`(?i)\b(?:edge|corner|special|boundary) (?:cases?|conditions?|values?)\b|\bboundar(?:y|ies)\b|\blimits?\b|\bempty\b|\bmissing\b|\bduplicates?\b|\bmaximum\b|\bminimum\b|\bat most\b|\bat least\b|\bconcurren\w+|\binvalid\b|\balready\b|\bnone\b|\bnull\b|\bzero\b|\bunknown\b|\bexpired?\b|\btime-?outs?\b|\btoo (?:long|large|many|short|few)\b|\botherwise\b|\bdo(?:es)? not exist|\bno \w+ (?:is|are|exists?)\b|\bwhen no\b|\babsent\b|\bunset\b|\bfalls? back\b|\bif (?:no|not|the .{1,40} (?:is not|does not|fails))\b`)),
		},
		{
			Rule: Rule{
				ID: "spec/no-error-handling", Types: types, Severity: workflow.Medium, Criterion: "Completeness",
				Title:       "The spec does not say what happens on errors",
				Explanation: "Somewhere a spec must say what a caller or user sees when the feature cannot do what was asked.",
			},
			pass: "errors are mentioned",
			fix:  "Add a section \"Error handling\": for each way to fail, what is returned, shown or logged, and what is left unchanged.",
			run:  lacks(regexp.MustCompile(`(?i)\berrors?\b|\bfail(?:s|ed|ure|ures|ing)?\b|\breject(?:s|ed|ion)?\b|\bexceptions?\b|\b\w+(?:Error|Exception)\b|\braises?\b|\bthrows?\b|\bden(?:y|ied|ies)\b|\brefuse[sd]?\b|\binvalid\b|\bnot found\b|\bunavailable\b|\b[45]\d\d\b|\bwarn(?:s|ing|ings)?\b|\bpanics?\b|\bretr(?:y|ies)\b|\bcannot\b|\bunable\b|\babort\w*|\bexit (?:code|status)|\bnon-?zero\b|\bunsupported\b|\bconflicts?\b`)),
		},
		{
			Rule: Rule{
				ID: "spec/out-of-scope-missing", Types: types, Severity: workflow.Low, Criterion: "Completeness",
				Title:       "The spec does not say what is out of scope",
				Explanation: "Naming what the feature will not do keeps tests and code from growing beyond it.",
			},
			pass: "it says what is out of scope",
			fix:  "Add a section \"Out of scope\", or a sentence that nothing is excluded.",
			run:  lacks(regexp.MustCompile(excludes.String() + `|(?i)\bfuture (?:work|enhancements?|versions?|considerations?)\b|\blimitations?\b|\bdo(?:es)? not (?:cover|support|change)\b`)),
		},
		{
			Rule: Rule{
				ID: "spec/open-question", Types: types, Severity: workflow.Medium, Criterion: "Clarity",
				Title:       "A question is still open",
				Explanation: "What stands under \"Open questions\" is not decided; whoever writes the tests will have to decide it. Points marked as resolved, decided or answered are left alone.",
			},
			pass: "no question is left open",
			fix:  "Decide it and move the answer to where it belongs, or say that it does not matter for this version.",
			run:  issues(openQuestions),
		},
		{
			Rule: Rule{
				ID: "spec/not-in-roadmap", Types: types, Severity: workflow.Medium, Criterion: "Alignment",
				Title:       "The roadmap does not name this feature",
				Explanation: "The words of the spec's file name or title must occur together in one heading, list item, row or paragraph of ROADMAP.md. Without ROADMAP.md there is nothing to compare with.",
			},
			pass: "the roadmap names the feature",
			fix:  "Add the feature to ROADMAP.md, or name the spec as the roadmap does.",
			run:  notInRoadmap,
		},
		{
			Rule: Rule{
				ID: "spec/quality-score", Types: types, Severity: workflow.Low, Criterion: "Quality score",
				Title:       "The spec's quality score is low",
				Explanation: "A score from 0 to 100 of completeness (40 %), testability (30 %), clarity (20 %) and consistency (10 %), taken from the other rules: PASS from 80, REVIEW from 50, else FAIL. It informs; it decides nothing.",
			},
			pass: "the quality score is high",
			fix:  "Work on the findings above.",
			run:  qualityScore,
		},
	}
}

var (
	criteriaTitle = regexp.MustCompile(`(?i)\b(?:acceptance|success|completion|exit|done|pass)[ -](?:criteri(?:a|on)|tests?|conditions?|checks?)\b|\bcriteria\b|\bdefinition of done\b|\bdone when\b|\bscenarios?\b|\bexpected (?:behaviou?rs?|results?|outcomes?|output)\b|\btest (?:cases|plan|scenarios)\b|\b(?:verification|validation) (?:criteria|plan|steps)\b|^verification$|\bhow to verify\b|\btestable\b`)
	gherkin       = regexp.MustCompile(`(?im)^\W*(?:given|when|then)\b.+`)
	gherkinThen   = regexp.MustCompile(`(?im)^\W*then\b.+`)
	demand        = regexp.MustCompile(`\b(?:MUST|SHALL|REQUIRED)\b`)
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
	settled       = regexp.MustCompile(`(?i)\b(?:resolved|decided|answered|closed|decision|answer)\b|^\W*(?:none|n/?a|nothing|no open questions?)\b|^~~|^\[x\]`)
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
		for _, b := range d.questions(i) {
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
	return workflow.Check{Issues: []workflow.Issue{{File: d.path, Line: 1, Title: fmt.Sprintf("%s does not name %q", roadmap.path, cutLine(s.Artifact.Feature, 60))}}}
}

var (
	wordAt = regexp.MustCompile(`[\p{L}\p{N}]+`)
	common = regexp.MustCompile(`^(?:the|an?|of|for|and|or|to|in|on|with|by|spec|specification|feature|support|add|new|\d+)$`)
)

// names reports whether one heading or block of the document has all words of
// a feature's name that mean something.
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
	for _, w := range wanted {
		if !has[w] {
			return false
		}
	}
	return true
}

// stem takes the commonest endings off an English word, so that "reviews" and
// "reviewing" meet "review".
func stem(w string) string {
	for _, end := range []string{"ing", "ation", "ies", "es", "ed", "s"} {
		if t := strings.TrimSuffix(w, end); t != w && len(t) >= 4 {
			return strings.TrimRight(t, "ey")
		}
	}
	return strings.TrimRight(w, "ey")
}
