package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// reviewCall asks for the review of a path.
func reviewCall(id, path string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"request_spec_review","arguments":{"spec_path":"` + path +
		`"}}}` + "\n"
}

// TestServeSeams: whatever comes instead of a request, nothing outside is read,
// no review is saved for it, the server does not crash, and it answers the next
// request unless its input is at an end.
func TestServeSeams(t *testing.T) {
	t.Parallel()
	const ping = `{"jsonrpc":"2.0","id":"last","method":"ping"}` + "\n"
	const good = "specs/proposed/login.md"
	for name, c := range map[string]struct {
		in     string
		says   string // in what is answered
		serves bool   // the request after it
	}{
		"an unknown method":          {`{"jsonrpc":"2.0","id":2,"method":"tools/forget"}` + "\n" + ping, `"id":2,"error"`, true},
		"a request without a method": {`{"jsonrpc":"2.0","id":2}` + "\n" + ping, "", true},
		"the id null":                {`{"jsonrpc":"2.0","id":null,"method":"tools/list"}` + "\n" + ping, "", true},
		"the id an object":           {`{"jsonrpc":"2.0","id":{},"method":"tools/list"}` + "\n" + ping, "", false},
		"two requests with the same id": {
			`{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n" + ping, `"id":2`,
			true,
		},
		"an unknown id cancelled": {
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}` + "\n" + ping, "", true,
		},
		"a cancellation without an id": {
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}` + "\n" + ping, "", true,
		},
		"20,000 notifications": {
			strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`+"\n", 20_000) +
				ping, "", true,
		},
		"unknown notifications": {
			strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/nonsense"}`+"\n", 100) + ping, "", true,
		},
		"the end in mid-message":   {strings.TrimSuffix(reviewCall("2", good), "\"}}}\n"), "", false},
		"no JSON":                  {"GET / HTTP/1.1\r\n\r\n" + ping, "", false},
		"a string cut in two":      {`{"jsonrpc":"2.0","id":2,"method":"pi` + "\n" + `ng"}` + "\n" + ping, "", false},
		"nested 1,000,000 deep":    {strings.Repeat("[", 1_000_000) + "\n" + ping, "", false},
		"a request of 9 MiB":       {reviewCall("2", strings.Repeat("a", 9<<20)) + ping, "", false},
		"bytes that are no UTF-8":  {reviewCall("2", "specs/\xff\xfe.md") + ping, `"isError":true`, true},
		"a path out of the folder": {reviewCall("2", "../outside.md") + ping, `"isError":true`, true},
		"an absolute path":         {reviewCall("2", "/etc/passwd") + ping, `"isError":true`, true},
		"a path with a NUL":        {reviewCall("2", `specs/proposed/login.md\u0000.txt`) + ping, `"isError":true`, true},
		"a link out of the folder": {reviewCall("2", "specs/proposed/link.md") + ping, `"isError":true`, true},
		"a number as path":         {strings.Replace(reviewCall("2", "7"), `"7"`, "7", 1) + ping, `"isError":true`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := worktreeClone(t, map[string]string{"README.md": "x\n"}, map[string]string{good: goodSpec})
			outside := filepath.Join(filepath.Dir(dir), "outside.md")
			const secret = "what stands outside"
			if err := errors.Join(os.WriteFile(outside, []byte("# Spec: Outside\n\n"+secret+"\n"), 0o600),
				os.Symlink(outside, filepath.Join(dir, "specs/proposed/link.md"))); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(
				t.Context(),
				binary,
				"serve",
				"--repo",
				dir,
				"--base",
				"origin/main",
				"--engine",
				"rules",
			)
			temp := t.TempDir()
			cmd.Env = []string{"PATH=/nonexistent", "TMPDIR=" + temp}
			cmd.Stdin = strings.NewReader(handshake + c.in)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 2) ||
				strings.Contains(stderr.String(), "goroutine ") {
				t.Fatalf("ended %v\n%s", err, &stderr)
			}
			if got := strings.Contains(string(out), `"id":"last","result"`); got != c.serves ||
				!strings.Contains(string(out), c.says) {
				t.Errorf("served on: %v, want %v and %q\n%.2000s\n%s", got, c.serves, c.says, out, &stderr)
			}
			if strings.Contains(string(out)+stderr.String(), secret) {
				t.Errorf("it tells what stands outside: %s", out)
			}
			if status := gitIn(t, dir, "status", "--porcelain", "-uall"); strings.Contains(status, "reviews/") {
				t.Errorf("a review was saved:\n%s", status)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}
