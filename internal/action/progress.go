package action

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// progressLine says in one line what happened to a review, "" if it is not
// worth one.
func progressLine(e review.ProgressEvent) string {
	switch e.Phase {
	case review.Started:
		return fmt.Sprintf("%s: reviewing …", e.Job)
	case review.Retrying:
		return fmt.Sprintf("%s: trying again: %s", e.Job, e.Message)
	case review.Cached:
		return fmt.Sprintf("%s: %s (recorded earlier, nothing changed since)", e.Job, e.Decision)
	case review.Done:
		return fmt.Sprintf("%s: %s in %s%s", e.Job, e.Decision, seconds(e.Duration), tokens(e.Tokens))
	default:
		return ""
	}
}

func seconds(d time.Duration) string {
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func tokens(t workflow.Tokens) string {
	if t.Total() == 0 {
		return ""
	}
	return fmt.Sprintf(", %d tokens in (%d cached), %d out", t.Input, t.Cached, t.Output)
}

// printProgress prints progress lines to a terminal or file, one at a time.
func printProgress(w io.Writer) func(review.ProgressEvent) {
	var mu sync.Mutex
	return func(e review.ProgressEvent) {
		if line := progressLine(e); line != "" {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(w, visible(line))
		}
	}
}

// visible keeps control characters from reaching a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '�'
		}
		return r
	}, s)
}
