package codex

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A process and what it started, in groups of their own or deaf to signals,
// are gone when run returns.
func TestNothingOutlivesRun(t *testing.T) {
	for _, c := range []struct {
		name, script string
		cancel       bool
	}{
		{"ends and leaves a child", `sleep 1000 & echo $!; exit 0`, false},
		{"ends and leaves a child in a group of its own", `set -m; sleep 1000 >/dev/null & echo $!; exit 0`, false},
		{"is cancelled", `echo $$; sleep 1000`, true},
		{"is cancelled and deaf", `trap '' TERM; echo $$; while :; do sleep 1000; done`, true},
		{"is cancelled, its child deaf in a group of its own", `set -m; (trap '' TERM; sleep 1000) & echo $!; wait`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			said, out := io.Pipe()
			pid := make(chan string, 1)
			go func() {
				b := make([]byte, 64)
				n, _ := said.Read(b) // the pid
				pid <- strings.TrimSpace(string(b[:n]))
				if c.cancel {
					cancel()
				}
				_, _ = io.Copy(io.Discard, said)
			}()
			start := time.Now()
			cmd := exec.CommandContext(ctx, "/bin/bash", "-c", c.script)
			cmd.Env, cmd.Dir, cmd.Stdout = []string{"PATH=/usr/bin:/bin"}, t.TempDir(), out
			how := run(cmd)
			_ = out.Close()
			if c.cancel && time.Since(start) > 5*time.Second {
				t.Errorf("ended after %v", time.Since(start))
			}
			if c.cancel == (how.err == nil) {
				t.Errorf("err = %v", how.err)
			}
			id, err := strconv.Atoi(<-pid)
			if err != nil {
				t.Fatal(err)
			}
			if alive(id) {
				t.Errorf("%d is still running", id)
			}
		})
	}
}

func TestRunReportsHowItEnded(t *testing.T) {
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", "cat; echo oops >&2; exit 3")
	cmd.Env, cmd.Dir = []string{"A=b"}, t.TempDir()
	cmd.Stdin, cmd.Stdout = strings.NewReader("in"), &capped{w: &out, left: 1}
	how := run(cmd)
	if status(how) != "exit status 3" || how.stderr != "oops\n" || out.String() != "i" {
		t.Errorf("%s, %q, %q", status(how), how.stderr, out.String())
	}
	if how := run(exec.CommandContext(t.Context(), "/nonexistent")); how.err == nil {
		t.Error("a program that is not there ended well")
	}
}

// alive reports whether a process runs; one that is dead and not yet reaped
// does not.
func alive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	return f[0] != "Z" && f[0] != "X"
}
