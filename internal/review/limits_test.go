//go:build !race

package review

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/workflow"
)

// Large input is read by one goroutine: the race detector sees nothing in these tests,
// and takes ten times as long.

func TestThousandsOfFilesStayWithinTheLimit(t *testing.T) {
	head := sample()
	a := workflow.Artifact{Type: workflow.Implementation, Feature: "x"}
	for i := range 4_000 {
		p := fmt.Sprintf("src/%s/%05d.py", strings.Repeat("d", 250), i)
		head[p] = "pass\n"
		a.Files = append(a.Files, workflow.File{Path: p, Blob: changetest.Blob("pass\n")})
	}
	in := inputOf(head, a)
	j := plan(t, codexOptions(), in)[0]
	if n := len([]rune(j.Request.Instructions)) + len([]rune(j.Request.Prompt)); n > MaxPrompt {
		t.Errorf("%d characters, limit %d", n, MaxPrompt)
	}
	if !strings.Contains(j.Request.Prompt, "more files of the artifact are neither shown nor listed") ||
		!strings.Contains(strings.Join(j.result.Omitted, "\n"), "neither shown nor listed") {
		t.Error("what is missing is not said")
	}
}
