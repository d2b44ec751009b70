package workflow

import (
	"fmt"

	"workflow-reviewer/internal/lazyregexp"
)

var ownReview = lazyregexp.New(`^# Code Review: [^\n]*\n\n## Verdict: [A-Z_]+\n`)

// OwnReviewHead begins the REVIEW.md that the tool create_review writes for an author.
func OwnReviewHead(change, verdict string) string {
	return fmt.Sprintf("# Code Review: %s\n\n## Verdict: %s\n", change, verdict)
}

// IsOwnReview reports whether a text is such a review: what an author says of the own work is never
// an instruction to reviewers.
func IsOwnReview(text []byte) bool { return ownReview.Match(text) }
