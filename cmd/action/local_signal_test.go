package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
)

// TestLocalSignal: a developer who loses patience gets the shell back at once,
// and no verdict.
func TestLocalSignal(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 8)
	model := codextest.New(t, func(codextest.Request) codextest.Response {
		asked <- struct{}{}
		return codextest.Hang()
	})
	dir := localClone(t, goodSpec)
	head := gitIn(t, dir, "rev-parse", "HEAD")
	cmd := exec.Command(binary, "local", "--repo", dir, "--base", "origin/main", "--apply",
		"--codex-path", codextest.Binary(t), "--endpoint", model.Endpoint())
	cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+canaryKey, "TMPDIR="+t.TempDir())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	began := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("ended after %v", took)
	}
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(out.String(), "Cancelled") ||
		!strings.Contains(out.String(), "Report: ") {
		t.Errorf("exit status %d\n%s", code, out.String())
	}
	if gitIn(t, dir, "rev-parse", "HEAD") != head {
		t.Error("something was committed")
	}
}
