package review

import (
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// plainDecision looks for a verdict in an answer that is not of the schema. It
// is the last resort and leans to the safe side:
//
//   - a line of its own must state the verdict and nothing else, such as
//     "**Decision:** APPROVED" or "Verdict: NEEDS_FIX";
//   - a NEEDS-CHANGES counts wherever such a line stands;
//   - an APPROVED counts only outside of quotations and code, where the text
//     may repeat the artifact; only if no such line says otherwise, is unclear
//     or is a part of a longer sentence; and only if nothing in the text makes
//     it depend on something, or speaks of a grave problem but to say that there
//     is none or was one.
//
// Anything else is not determined.
func plainDecision(text string) (workflow.Decision, bool) {
	approved, rejected, unclear := false, false, false
	heading, inFence := false, false
	lines := strings.Split(text, "\n")
	for i, raw := range lines {
		trimmed := strings.TrimSpace(raw)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			inFence = !inFence
			continue
		}
		quoted := inFence || strings.HasPrefix(trimmed, ">")
		if unticked.MatchString(trimmed) {
			continue
		}
		value, labelled := statement(trimmed)
		if value == "" {
			heading = heading && trimmed == "" || labelled
			continue
		}
		labelled = labelled || heading
		heading = false
		said, ok := workflow.ParseSpoken(value)
		switch ok = ok && (labelled || said.Plain); {
		case ok && said.Decision == workflow.NeedsChanges:
			rejected = true
		case ok && said.Decision == workflow.Approved && within(lines, i):
			unclear = true
		case ok && said.Decision == workflow.Approved:
			approved = approved || !quoted
		case labelled:
			unclear = true
		}
	}
	switch {
	case rejected && !approved:
		return workflow.NeedsChanges, true
	case approved && !rejected && !unclear && !isGrave(text) && !depends.MatchString(text):
		return workflow.Approved, true
	}
	return workflow.Error, false
}

var (
	// labels introduce a verdict, as a heading or before a colon.
	labels = lazyregexp.New(`^(?i:(my |the )?(final |overall |review |approval |gate )?(decision|verdict|outcome|conclusion|status|` +
		`recommendation))\b\s*(?:(?:[:=–—-]|is\b)\s*(.*))?$`)
	// grave is what an approval must not speak of.
	grave = lazyregexp.New(`(?i)\b(?:high|critical|blockers?|blocking|severe|major|must fix|vulnerab\w*|needs?[-_ ](?:changes?|fix)|` +
		`not approved?)\b|\b(?:should|must|has to|to) be rejected\b|\b(?:i|we) reject\b|\brejected\s*(?:[.!:]|$)|\bcriteri(?:on|` +
		`a)\b[^.\n]*\bfail|(?-i:\bFAIL(?:ED|S|URE)?\b)`)
	// harmless is what speaks of no problem that there is: what does not block,
	// what is denied, what was before.
	harmless = lazyregexp.New(`(?i)\bnon[-‑– ]?blocking\b|⚠️?\s*critical\b|\b(?:no|zero|without|0)\s+(?:(?:open|remaining|other|` +
		`further|known|more|new|such|or|and|any|security|issues?|high|critical|blocking|major)[\s,-]+){0,6}(?:high|critical|blocking|` +
		`blockers?|severe|major|vulnerabilit\w*)\b|\b(?:high|critical|blocking|blockers?|severe|major|` +
		`vulnerabilit\w*)\b[^.\n]{0,80}\b(?:(?:is|are|was|were|been|all) (?:now )?(?:resolved|addressed|fixed|closed|prevented)|` +
		`prevented)\b|\bhigh (?:confidence|quality|coverage)\b|\ball (?:blocking|critical|major|high) (?:items|issues|findings|points|` +
		`gaps) (?:are |were |have been )?(?:now )?(?:resolved|addressed|fixed|closed)\b`)
	// pending are the words of a problem that is not settled yet.
	pending = lazyregexp.New(`(?i)\b(?:until|once|unless|not|remains?|when|if|before|after|should|must|will|would|can|could|may|yet)\b`)
	// unticked is a box that could have been ticked.
	unticked = lazyregexp.New(`^(?:[-*+]\s+|\d+[.)]\s+)?\[ \]`)
	// depends is a sentence that makes an approval depend on something, or takes
	// it back.
	depends = lazyregexp.New(`(?im)^[\s*_>-]*(?:only (?:if|when|once|after)|provided|providing|assuming|unless|once|as long as|` +
		`subject to|on (?:the )?condition)\b|` +
		`\b(?:approv\w+|verdict|decision|merge[sd]?|accept\w*)\b[^.\n]*\b(?:only (?:if|when|once|after)|conditional(?:ly)? (?:up)?on|` +
		`provided|assuming|unless|contingent|subject to|on (?:the )?condition|void|withdrawn|revoked)\b|` +
		`\b(?:only (?:if|when|once|after)|provided|assuming|unless|until|once|if)\b[^.\n]*\b(?:(?:i(?:['’]d| would| will|['’]ll| can|` +
		` could)?|can be|would be|will be|could be) approved?)\b|` +
		`\b(?:i|we) (?:withdraw|retract|revoke|take (?:it|this|that) back)\b`)
	// hypothetical announces what would be said.
	hypothetical = lazyregexp.New(`(?i)\b(?:if|once|when|unless|until|would|could|should|might|had|were|then|write|says?|said|` +
		`reads?|like|example|template|instead of|not)\b`)
	// goesOn is the beginning of a sentence that the next line ends.
	goesOn = lazyregexp.New(`^(?:[^-*+|>#\s:][^:]*|[^-*+|>#][^:]{30,}:.*)\b[a-z]+$`)
	// passed begins a line that says what is well.
	passed = lazyregexp.New(`^[-*+\s]*(?:✓|✔|✅|\[x\])`)
	// emptySection is a heading of problems with none below it.
	emptySection = lazyregexp.New(`(?im)^(?:#+|\*\*)[^\n]*\b(?:critical|blocking|major|high)\b[^\n]*\n\s*(?:[-*]\s*)?(?:\(?none\b|` +
		`n/a\b|no\b|nothing\b)[^\n]*`)
)

// within reports whether a line is a part of what the lines around it say: of a
// sentence that goes on, or of what a line before announces on a condition.
func within(lines []string, i int) bool {
	if i+1 < len(lines) {
		if next := strings.TrimSpace(lines[i+1]); next != "" && unicode.IsLower([]rune(next)[0]) &&
			!strings.HasSuffix(strings.TrimSpace(lines[i]), ".") {
			return true
		}
	}
	for k := i - 1; k >= 0; k-- {
		before := strings.Trim(strings.TrimSpace(lines[k]), "*_")
		if before == "" {
			continue
		}
		_, label := statement(before)
		last := before[len(before)-1]
		switch {
		case label, strings.HasPrefix(before, "#"):
			return false
		case last == ':' || last == ',':
			return hypothetical.MatchString(before)
		default:
			return k == i-1 && goesOn.MatchString(before)
		}
	}
	return false
}

// isGrave reports whether a text speaks of a problem that forbids an approval.
func isGrave(text string) bool {
	text = emptySection.ReplaceAllString(text, "")
	for l := range strings.Lines(text) {
		if !passed.MatchString(l) && grave.MatchString(harmless.ReplaceAllStringFunc(l, settledOnly)) {
			return true
		}
	}
	return false
}

// settledOnly is "" for a harmless phrase, and the phrase if it only may become so.
func settledOnly(phrase string) string {
	if pending.MatchString(phrase) {
		return phrase
	}
	return ""
}

// statement splits a line into what it states and whether a label such as
// "Decision:" introduces it; Markdown's decoration does not count.
func statement(l string) (value string, labelled bool) {
	l = undecorated(l)
	m := labels.FindStringSubmatch(l)
	if m == nil {
		return l, false
	}
	return undecorated(m[len(m)-1]), true
}

func undecorated(l string) string {
	l = strings.NewReplacer("*", "", "`", "", "✅", "", "❌", "", "\"", "").Replace(l)
	return strings.Trim(l, " \t#>_-.!:\r\n")
}

// refusal is how an answer begins that declines to review.
var refusal = lazyregexp.New(`^(?i:(i['’]?m |i am )?(very |so |really )?sorry\b|i (can['’]?t|cannot|can not|won['’]?t|will not|` +
	`am unable|am not able)\b|i['’]?m (unable|not able)\b|unfortunately,? i\b|my apologies\b|i apologi[sz]e\b|i must decline\b)`)

// refused reports whether a whole answer is a refusal: it begins as one and states no verdict.
func refused(text string) bool {
	text = strings.TrimSpace(text)
	if !refusal.MatchString(text) {
		return false
	}
	_, decided := plainDecision(text)
	return !decided
}
