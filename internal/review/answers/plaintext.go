package answers

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// verdictLabels introduce a verdict, before a colon or as a heading.
var verdictLabels = []string{"decision", "verdict", "outcome", "conclusion", "status", "recommendation"}

// PlainDecision looks for a verdict in an answer that is not of the schema: in a line that states
// one and nothing else, such as "**Decision:** APPROVED" or, below a heading, "NEEDS_FIX".
// NEEDS-CHANGES wins; an approval is only spoken of, since such an answer grades nothing.
func PlainDecision(text string) (workflow.Decision, bool) {
	said := map[workflow.Decision]bool{}
	below := false // a label
	for l := range strings.Lines(text) {
		if l = undecorated(l); l == "" {
			continue
		}
		label, value, _ := strings.Cut(l, ":")
		labelled := isVerdictLabel(label)
		if labelled && undecorated(value) == "" {
			below = true
			continue
		}
		if !labelled {
			value = l
		}
		if spoken, ok := workflow.ParseSpoken(undecorated(value)); ok && (spoken.Plain || labelled || below) {
			said[spoken.Decision] = true
		}
		below = false
	}
	for _, d := range []workflow.Decision{workflow.NeedsChanges, workflow.Approved} {
		if said[d] {
			return d, true
		}
	}
	return workflow.Error, false
}

// isVerdictLabel reports whether a text of a few words ends in a label.
func isVerdictLabel(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	return len(words) > 0 && len(words) <= 3 && slices.Contains(verdictLabels, undecorated(words[len(words)-1]))
}

// undecorated is a line without marks, quotes and emphasis around its words.
func undecorated(l string) string {
	l = strings.NewReplacer("*", "", "`", "", "✅", "", "❌", "", "\"", "").Replace(l)
	return strings.Trim(l, " \t#>_-.!:\r\n")
}

// refusal is how an answer begins that declines to review.
var refusal = lazyregexp.New(
	`^(?i:(i['’]?m |i am )?(very |so |really )?sorry\b|i (can['’]?t|cannot|can not|won['’]?t|will not|` +
		`am unable|am not able)\b|i['’]?m (unable|not able)\b|unfortunately,? i\b|my apologies\b|i apologi[sz]e\b|i must decline\b)`,
)

// IsRefusal reports whether a whole answer is a refusal: it begins as one and states no verdict.
func IsRefusal(text string) bool {
	text = strings.TrimSpace(text)
	if !refusal.MatchString(text) {
		return false
	}
	_, decided := PlainDecision(text)
	return !decided
}
