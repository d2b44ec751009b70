package action

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/workflow"
)

// TestGathered: many files of tests that nobody approved are one notice.
func TestGathered(t *testing.T) {
	t.Parallel()
	other := workflow.Notice{Text: "something else"}
	changed := func(n int) []workflow.Notice {
		out := []workflow.Notice{other}
		for k := range n {
			out = append(out, workflow.Notice{Path: fmt.Sprintf("t%02d.py", k), Text: integrity.ChangedLead + "what changed"})
		}
		return out
	}
	if got := gathered(changed(3)); len(got) != 4 || got[1].Path == "" {
		t.Errorf("few are not left alone: %v", got)
	}
	got := gathered(changed(11))
	if len(got) != 2 || got[0] != other || !strings.HasPrefix(got[1].Text, integrity.ChangedLead+"t00.py, t01.py, ") ||
		!strings.HasSuffix(got[1].Text, "t07.py and 3 more") {
		t.Errorf("%v", got)
	}
}
