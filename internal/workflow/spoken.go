package workflow

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// Spoken is a decision as people and models word it.
type Spoken struct {
	Decision Decision
	// Conditional marks a word that approves beside findings.
	Conditional bool
	// Plain marks a word that says nothing else; the others are verdicts only where they stand as
	// one.
	Plain bool
}

// spokenWords are the words of the seeds and of the reviews of 16 public
// repositories, in upper case without "-", "_" and spaces.
var spokenWords = map[string]Spoken{
	"APPROVED": {Decision: Approved, Plain: true}, "APPROVE": {Decision: Approved, Plain: true},
	"LGTM":  {Decision: Approved, Plain: true},
	"READY": {Decision: Approved}, "PASS": {Decision: Approved}, "PASSED": {Decision: Approved},
	"CONDITIONAL":           {Decision: Approved, Conditional: true},
	"REVIEW":                {Decision: Approved, Conditional: true},
	"CONDITIONALLYAPPROVED": {Decision: Approved, Conditional: true},
	"CONDITIONALAPPROVAL":   {Decision: Approved, Conditional: true},

	"NEEDSCHANGES": rejecting, "NEEDSCHANGE": rejecting, "NEEDCHANGES": rejecting,
	"NEEDSFIX": rejecting, "NEEDSFIXES": rejecting,
	"NEEDSWORK": rejecting, "NEEDSREVISION": rejecting, "CHANGESREQUESTED": rejecting,
	"REQUESTCHANGES": rejecting,
	"MAJORISSUES":    rejecting, "MAJORISSUE": rejecting, "REJECTED": rejecting, "REJECT": rejecting,
	"NOTAPPROVED": rejecting, "DISAPPROVED": rejecting,
	"BLOCKED": rejecting, "BLOCK": rejecting,
	"NOTREADY": {Decision: NeedsChanges}, "FAIL": {Decision: NeedsChanges},
	"FAILED": {Decision: NeedsChanges},
	"ERROR":  {Decision: Error},
}

var rejecting = Spoken{Decision: NeedsChanges, Plain: true}

// SpokenIn finds the decision that a text states: in a line that says nothing else, behind a label
// such as "Final decision:", or below one. Of several the worst counts.
func SpokenIn(text string) (said Spoken, ok bool) {
	isBelow := false // a label
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		box := checkbox.FindStringSubmatch(l)
		if l == "" || box != nil && box[1] == " " { // a choice that was not made
			continue
		}
		if box != nil {
			l = box[2]
		}
		value, isLabelled := l, false
		if m := label.FindStringSubmatch(l); m != nil {
			value, isLabelled = m[1], true
		}
		word, known := ParseSpoken(value)
		counts := known && (word.Plain || isLabelled || isBelow)
		if counts && (!ok || word.Decision < said.Decision) {
			said, ok = word, true
		}
		isBelow = isLabelled && strings.Trim(value, decoration) == ""
	}
	return said, ok
}

// checkbox is one choice of a list, made or not.
var checkbox = lazyregexp.New(`^[-*+] \[([ xX])\]\s*(.*)$`)

// label stands before a decision.
var label = lazyregexp.New(`(?i)^\W*(?:[a-z]+[ -]){0,2}` +
	`(?:decision|verdict|outcome|conclusion|status|recommendation)\b(|\W.*)$`)

// decoration is what a decision may stand between.
const decoration = " \t#>_-.!:|*`\"✅❌⚠️\r\n[]()"

// ParseSpoken understands a decision in any letter case: APPROVED, "needs fix", "[Approved]", and a
// refusal with a reason behind a dash. An approval says nothing else: what stands behind it may be
// a condition.
func ParseSpoken(s string) (Spoken, bool) {
	s = strings.Trim(s, decoration)
	m := reasoned.FindStringSubmatch(s)
	if m != nil {
		s = m[1]
	}
	plain := strings.NewReplacer("-", "", "_", "", " ", "", "]", "", "*",
		"").Replace(strings.ToUpper(s))
	word, ok := spokenWords[plain]
	if m != nil && word.Decision == Approved {
		return Spoken{}, false
	}
	return word, ok
}

var reasoned = lazyregexp.New(
	`^([A-Za-z _-]{2,24}?)[]*` + "`" + `]*\s*(?:[–—:;,(|]|\s-\s|\.\s)\s*(.+)$`)
