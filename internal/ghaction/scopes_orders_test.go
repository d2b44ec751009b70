//go:build !race

// Turns are taken one at a time: the race detector has nothing to see, and makes 600 orders take a
// minute.

package ghaction

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// TestScopesFromTheirBeginningsInEveryOrder is the same for runs that begin while another ends.
func TestScopesFromTheirBeginningsInEveryOrder(t *testing.T) {
	t.Parallel()
	a, b := ending{first, "1", "review", workflow.NeedsChanges, ""}, ending{second, "2", "review", workflow.None, ""}
	n := everyOrder(t, a, b, false, func(order []int, gate githubtest.Check, _, _ report.Report) {
		if gate.Conclusion != "failure" || strings.HasPrefix(gate.Title, report.TitleWaiting) {
			t.Errorf("order %v: the gate ended %s, %q", order, gate.Conclusion, gate.Title)
		}
	})
	t.Log(n, "orders")
	if n < 200 {
		t.Error(fmt.Sprint(n), "orders")
	}
}
