package workflow

import (
	"regexp"
	"strings"
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
	"APPROVED": {Decision: Approved, Plain: true}, "APPROVE": {Decision: Approved, Plain: true}, "LGTM": {Decision: Approved, Plain: true},
	"READY": {Decision: Approved}, "PASS": {Decision: Approved}, "PASSED": {Decision: Approved},
	"CONDITIONAL": {Decision: Approved, Conditional: true}, "REVIEW": {Decision: Approved, Conditional: true},
	"CONDITIONALLYAPPROVED": {Decision: Approved, Conditional: true}, "CONDITIONALAPPROVAL": {Decision: Approved, Conditional: true},

	"NEEDSCHANGES": rejecting, "NEEDSCHANGE": rejecting, "NEEDCHANGES": rejecting, "NEEDSFIX": rejecting, "NEEDSFIXES": rejecting,
	"NEEDSWORK": rejecting, "NEEDSREVISION": rejecting, "CHANGESREQUESTED": rejecting, "REQUESTCHANGES": rejecting,
	"MAJORISSUES": rejecting, "MAJORISSUE": rejecting, "REJECTED": rejecting, "REJECT": rejecting,
	"NOTAPPROVED": rejecting, "DISAPPROVED": rejecting,
	"BLOCKED": rejecting, "BLOCK": rejecting,
	"NOTREADY": {Decision: NeedsChanges}, "FAIL": {Decision: NeedsChanges}, "FAILED": {Decision: NeedsChanges},
	"ERROR": {Decision: Error},
}

var rejecting = Spoken{Decision: NeedsChanges, Plain: true}

// ParseSpoken understands a decision in any letter case: APPROVED, "needs fix",
// "[Approved]", and one with a reason behind a dash, unless that is a condition.
func ParseSpoken(s string) (Spoken, bool) {
	s = strings.Trim(strings.NewReplacer("*", "", "`", "", "✅", "", "❌", "", "⚠️", "", "\"", "").Replace(s), " \t#>_-.!:\r\n[]()")
	if m := reasoned.FindStringSubmatch(s); m != nil {
		if condition.MatchString(m[2]) {
			return Spoken{}, false
		}
		s = m[1]
	}
	word, ok := spokenWords[strings.NewReplacer("-", "", "_", "", " ", "", "]", "").Replace(strings.ToUpper(s))]
	return word, ok
}

var (
	reasoned = regexp.MustCompile(`^([A-Za-z _-]{2,24}?)\]?\s*(?:[–—:;,(]|\s-\s|\.\s)\s*(.+)$`)
	// condition is what a reason must not speak of: what is not yet so, what is
	// denied, and what is left to do.
	condition = regexp.MustCompile(`(?i)\b(?:if|once|when|after|before|until|till|unless|provided|providing|pending|subject to|` +
		`as (?:soon|long) as|assum\w*|contingent|given|in case|in principle|` +
		`will|would|could|can|should|must|shall|may|might|had|only|first|later|soon|tomorrow|then|still|yet|` +
		`or|but|except|however|although|though|instead|not|never|cannot|nor|needs?|requires?|awaits?|awaiting|depends?|depending|` +
		`conditions?|conditional(?:ly)?|lacks?|missing|reject\w*|withdraw\w*|kidding|unlike)\b|\w+n['’]t\b|\bno\s*(?:[.,;:)!?]|$)`)
)
