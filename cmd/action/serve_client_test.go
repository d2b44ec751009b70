package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestServeToAnotherClient: a client of another make and language, over stdio,
// makes ten calls, good, bad and hostile, and understands every answer.
func TestServeToAnotherClient(t *testing.T) {
	t.Parallel()
	install := exec.Command("sh", filepath.Join("..", "..", "scripts", "install-npm.sh"), "mcp-client")
	out, err := install.Output()
	if err != nil {
		t.Fatalf("the client is needed for this test and cannot be had: %v", err)
	}
	dir := worktreeClone(t, map[string]string{"ROADMAP.md": roadmap},
		map[string]string{"specs/proposed/login.md": goodSpec, "src/login.py": srcLogin})
	cmd := exec.Command("node", filepath.Join(strings.TrimSpace(string(out)), "session.mjs"), binary, "serve", "--repo", dir, "--base",
		"origin/main", "--engine", "rules")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	told, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, told, stderr.String())
	}
	type line struct {
		Tools      []string
		Protocol   string
		Name       string
		Error      bool
		Text       string
		Structured map[string]any
		Progress   int
	}
	var lines []line
	for text := range strings.Lines(string(told)) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		// This client handles an answer before a message that came ahead of it in the same chunk.
		if l.Protocol != "" && !strings.Contains(l.Protocol, "progress notification for an unknown token") {
			t.Errorf("the client heard what is no protocol: %s", l.Protocol)
		}
		if l.Protocol == "" {
			lines = append(lines, l)
		}
	}
	if len(lines) != 11 || len(lines[0].Tools) != 11 {
		t.Fatalf("told\n%s", told)
	}
	for i, want := range []string{
		`APPROVED`, `!Spec not found at specs/none.md`, `!outside of the repository`, `APPROVED`, `NEEDS-CHANGES|APPROVED`,
		`no-baseline`, `NEEDS_FIX`, `!verdict`, `!Test file not found`, `APPROVED`,
	} {
		l := lines[i+1]
		says, fault := strings.CutPrefix(want, "!")
		ok := l.Error == fault
		if fault {
			ok = ok && strings.Contains(l.Text, says)
		} else {
			verdict := ""
			for _, key := range []string{"decision", "verdict"} {
				if s, is := l.Structured[key].(string); is && verdict == "" {
					verdict = s
				}
			}
			ok = ok && verdict != "" && strings.Contains("|"+says+"|", "|"+verdict+"|")
		}
		if !ok {
			t.Errorf("call %d, %s: %+v; want %s", i+1, l.Name, l, want)
		}
	}
	if moved := lines[10].Structured["artifact_moved_to"]; moved != "specs/todo/login.md" {
		t.Errorf("the last call moved the spec to %v", moved)
	}
}
