package requirements

import (
	"strconv"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
)

var (
	// criteriaTitle names a section that lists acceptance criteria.
	criteriaTitle = lazyregexp.New(`(?i)\b(?:acceptance|success|completion|exit|done|pass)[ ` +
		`-](?:criteri(?:a|on)|tests?|conditions?|checks?|scenarios?|evidence|metrics)\b|\bcriteria\b|\bdefinition of done\b|\bdone when\b` +
		`|^(?:test |usage |core |main |key )?scenarios?$|\bexpected (?:behaviou?rs?|results?|outcomes?)\b|\btest ` +
		`(?:cases|plan|scenarios)\b|\b(?:verification|validation) (?:criteria|plan|steps)\b|^verification$|\bhow to verify\b|\btestable\b` +
		`|^(?:acceptatiecriteria|kabul kriterleri|(?:akzeptanz|abnahme)kriterien|crit[eè]res d.acceptation|criterios de aceptaci[oó]n` +
		`|acceptanskriterier|crit[eé]rios de aceita[cç][aã]o|criteri di accettazione|критерии при[её]мки|验收标准|驗收標準|受け?入れ?基準)`)
	// asideTitle names a section that lists something else, wherever it stands.
	asideTitle = lazyregexp.New(
		`(?i)\bedge cases?\b|\bassumptions?\b|\bkey entities\b|^(?:notes?|rationale|why this ` +
			`priority|examples?)$`,
	)
	// skippedTitle names a section whose ids are of other documents or of what is not demanded.
	skippedTitle = lazyregexp.New(
		`(?i)\b(?:out[ -]of[ -]scope|non[ -]?goals?|traceability|change ?log|revision ` +
			`history|checklist|future work)\b|\b(?:matrix|mapping)$|^(?:(?:external|internal|open|related|feature) ` +
			`)?(?:glossary|questions?|dependencies|references|clarifications|deferred)\b|^(?:removed|renamed|deleted) requirements$`,
	)

	scenarioTitle = lazyregexp.New(
		`^(?i:scenario(?: outline| template)?\s*(\d{0,3}))\s*(?:[:.)–—-]\s*|$)`,
	)
	storyTitle = lazyregexp.New(
		`^(?i:(?:\d+(?:\.\d+)*[.)]?\s+)?(?:user )?story)\s*#?(\d{1,3})\b`,
	)
	requirementTitle = lazyregexp.New(
		`^(?i:requirement)(?:\s*#?(\d{1,3}(?:\.\d{1,3})?)\b|\s*:)\s*[:.–—-]?\s*`,
	)

	// knownID is an id as specs write them anywhere: FR-003, AC12, REQ-AUTH-001,
	// RT-R1. looseID is what counts in a list of criteria besides.
	knownID = lazyregexp.New(
		`^((?:[A-Z][A-Z0-9]{1,9}-)?(?:FR|NFR|SC|AC|US|REQ|UC|BR|TR)(?:-[A-Z]{2,10})?[-_]?\d{1,4}(?:\.\d{1,` +
			`3})*[a-z]?|[A-Z][A-Z0-9]{1,9}-R\d{1,4})(?:[^\w.-]|[.-](?:\s|$)|$)`,
	)
	looseID = lazyregexp.New(
		`^([A-Z]{1,8}[-_]?\d{1,4}(?:\.\d{1,3})*|\d{1,3}(?:\.\d{1,3})+)(?:\s*[:.)]\s|\*\*|\s+[–—-]\s|$)`,
	)
	dottedID = lazyregexp.New(`^(\d{1,3}(?:\.\d{1,3})+)[.):]?\s`)
	// numbered matches a sentence in the easy approach to requirements syntax that has a number.
	numbered = lazyregexp.New(`^\d{1,3}(?:\.\d{1,3})+\W(?is:.*\bshall\b)`)

	box      = lazyregexp.New(`^\s*\[[ xX]\]\s+`)
	leading  = lazyregexp.New("^[\\s*_`~\\[(]+")
	trailing = lazyregexp.New(
		"^[\\s*_`\\])]*(?:\\([^()]{0,40}\\))?[\\s*_`\\])]*(?:[:.)]|[–—-]\\s)?[\\s*_`]*",
	)
	tableRuler = lazyregexp.New(`^[\s|:-]+$`)
	onlyNumber = lazyregexp.New(`^#?(\d{1,3})[.)]?$`)
	step       = lazyregexp.New(`^(?i:(given|when|then|and|but))\b`)
	gherkin    = lazyregexp.New(`(?im)^\W*(?:given|when|then)\b.+`)
	thenLine   = lazyregexp.New(`(?im)^\W*then\b.+`)
	// inline matches a scenario that stands on one line.
	inline = lazyregexp.New(`(?is)^\W*(?:given|when)\b.+\bthen\b.+`)
)

// ownID splits a text into the id that it begins with and the rest, "" if it
// begins with none. In a list of criteria, and before a demand, more counts as an id.
func ownID(text string, criteria bool) (id, rest string) {
	text = box.ReplaceAllString(text, "")
	text = text[len(leading.FindString(text)):]
	m := knownID.FindStringSubmatch(text)
	if m == nil && (criteria || numbered.MatchString(text)) {
		if m = looseID.FindStringSubmatch(text); m == nil {
			m = dottedID.FindStringSubmatch(text)
		}
	}
	if m == nil {
		return "", text
	}
	rest = text[len(m[1]):]
	mark := trailing.FindString(rest)
	rest = rest[len(mark):]
	if !criteria && strings.TrimSpace(mark) == "" && rest != "" &&
		!unicode.IsUpper(rune(rest[0])) &&
		rest[0] != '`' {
		return "", text // a sentence about it
	}
	return m[1], rest
}

// stepWord is the word of a scenario's step in lower case, "" for another text.
func stepWord(text string) string {
	text = box.ReplaceAllString(text, "")
	return strings.ToLower(step.FindString(text[len(leading.FindString(text)):]))
}

// isScenario reports whether a text is a scenario by itself.
func isScenario(text string) bool {
	return thenLine.MatchString(text) && len(gherkin.FindAllString(text, 3)) > 1 ||
		inline.MatchString(text) && !strings.Contains(text, "\n")
}

// atoi reads digits that an expression found. Too many of them are the largest int.
func atoi(s string) int {
	n, _ := strconv.Atoi(s) // digits
	return n
}
