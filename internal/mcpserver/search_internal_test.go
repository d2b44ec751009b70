package mcpserver

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
)

func TestSearchThatRunsOutOfTimeSaysSo(t *testing.T) {
	tl := newTools(Source{Head: changetest.Tree("c0ffee", map[string]string{"a.txt": "hit\n", "b.txt": "hit\n"})})
	tl.timeout = 0
	got, err := tl.search(t.Context(), searchArgs{Query: "hit"})
	if err != nil || !strings.Contains(got, "stopped early because the time limit was reached: 2 files were not searched") {
		t.Errorf("%q, %v", got, err)
	}
}
