package review

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// plainDecision looks for a verdict in an answer that is not of the schema: in a line of its own that states one and
// nothing else, such as "**Decision:** APPROVED" or "Verdict: NEEDS_FIX". An approval does not count where the text may
// repeat the artifact, in quotations and code, nor beside a line that says otherwise or is unclear.
func plainDecision(text string) (workflow.Decision, bool) {
	approved, rejected, unclear := false, false, false
	heading, inFence := false, false
	for raw := range strings.Lines(text) {
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
		case ok && said.Decision == workflow.Approved:
			approved = approved || !quoted
		case labelled:
			unclear = true
		}
	}
	switch {
	case rejected && !approved:
		return workflow.NeedsChanges, true
	case approved && !rejected && !unclear:
		return workflow.Approved, true
	}
	return workflow.Error, false
}

var (
	// labels introduce a verdict, as a heading or before a colon.
	labels = lazyregexp.New(`^(?i:(my |the )?(final |overall |review |approval |gate )?(decision|verdict|outcome|conclusion|status|` +
		`recommendation))\b\s*(?:(?:[:=–—-]|is\b)\s*(.*))?$`)
	// unticked is a box that could have been ticked.
	unticked = lazyregexp.New(`^(?:[-*+]\s+|\d+[.)]\s+)?\[ \]`)
)

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
