package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// desk is a repository with a work tree, and the program serving it.
type desk struct {
	t       *testing.T
	dir     string
	model   *codextest.Server // nil for the rules engine
	session *mcp.ClientSession
	cmd     *exec.Cmd
	stderr  *bytes.Buffer

	mu       sync.Mutex
	progress []string
}

// newDesk makes a clone with files committed on main and others in the work
// tree, and connects the official client to a server of it.
func newDesk(t *testing.T, main, work map[string]string, answer func(codextest.Request) codextest.Response) *desk {
	t.Helper()
	d := &desk{t: t, dir: worktreeClone(t, main, work), stderr: &bytes.Buffer{}}
	args := []string{"serve", "--repo", d.dir, "--base", "origin/main", "--engine", "rules"}
	env := []string{"PATH=/nonexistent", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	if answer != nil {
		d.model = codextest.New(t, answer)
		args = append(args[:len(args)-1], "codex", "--codex-path", standIn, "--endpoint", d.model.Endpoint())
		env = append(env, "OPENAI_API_KEY="+canaryKey)
	}
	d.cmd = exec.Command(binary, args...)
	d.cmd.Env, d.cmd.Stderr = env, d.stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.progress = append(d.progress, r.Params.Message)
		},
	})
	var err error
	if d.session, err = client.Connect(t.Context(),
		&mcp.CommandTransport{Command: d.cmd, TerminateDuration: 10 * time.Second}, nil); err != nil {
		t.Fatalf("connect: %v\n%s", err, d.stderr)
	}
	t.Cleanup(func() {
		if err := d.session.Close(); err != nil {
			t.Errorf("close: %v\n%s", err, d.stderr)
		}
	})
	return d
}

// worktreeClone is a clone of main, on a branch of its own, with more files in
// its work tree.
func worktreeClone(t testing.TB, main, work map[string]string) string {
	t.Helper()
	repo := githubtest.NewRepo(t)
	repo.Commit("main", "Begin", githubtest.Text(main))
	dir := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", "--branch=main", repo.Dir, dir).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	gitIn(t, dir, "switch", "-q", "-c", "work")
	put(t, dir, work)
	return dir
}

func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// call calls a tool. What it answers is its structured content, which the text
// must repeat, or the text of its error.
func (d *desk) call(tool string, args map[string]any) (out map[string]any, fault string) {
	d.t.Helper()
	p := &mcp.CallToolParams{Name: tool, Arguments: args}
	p.SetProgressToken(tool)
	res, err := d.session.CallTool(d.t.Context(), p)
	if err != nil {
		d.t.Fatalf("%s: %v\n%s", tool, err, d.stderr)
	}
	if len(res.Content) != 1 {
		d.t.Fatalf("%s: %d contents", tool, len(res.Content))
	}
	content, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		d.t.Fatalf("%s: content %T", tool, res.Content[0])
	}
	text := content.Text
	if res.IsError {
		return nil, text
	}
	out, ok = res.StructuredContent.(map[string]any)
	if !ok {
		d.t.Fatalf("%s: structured content %T", tool, res.StructuredContent)
	}
	var same map[string]any
	if json.Unmarshal([]byte(text), &same) != nil || len(same) != len(out) {
		d.t.Errorf("%s: the text is not the structured content: %s", tool, text)
	}
	return out, ""
}

// good calls a tool that must answer.
func (d *desk) good(tool string, args map[string]any) map[string]any {
	d.t.Helper()
	out, fault := d.call(tool, args)
	if fault != "" {
		d.t.Fatalf("%s: %s\n%s", tool, fault, d.stderr)
	}
	return out
}

// bad calls a tool that must refuse with certain words.
func (d *desk) bad(tool string, args map[string]any, says string) {
	d.t.Helper()
	out, fault := d.call(tool, args)
	if fault == "" || !strings.Contains(fault, says) {
		d.t.Errorf("%s %v: %v, %q; want %q", tool, args, out, fault, says)
	}
}

func (d *desk) read(path string) string {
	d.t.Helper()
	return read(d.t, filepath.Join(d.dir, filepath.FromSlash(path)))
}
