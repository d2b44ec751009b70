package answers

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// refusal is how an answer begins that declines to review.
var refusal = lazyregexp.New(
	`^(?i:(i['’]?m |i am )?(very |so |really )?sorry\b|i (can['’]?t|cannot|can not|won['’]?t|will not|` +
		`am unable|am not able)\b|i['’]?m (unable|not able)\b|unfortunately,? i\b|my apologies\b|` +
		`i apologi[sz]e\b|i must decline\b)`,
)

// IsRefusal reports whether a whole answer is a refusal: it begins as one and states no verdict.
func IsRefusal(text string) bool {
	text = strings.TrimSpace(text)
	if !refusal.MatchString(text) {
		return false
	}
	_, decided := workflow.SpokenIn(text)
	return !decided
}
