package codex_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/review"
)

const canary = "sk-canary-0123456789abcdef"

// TestMain lets codex start the test binary as the program's own MCP server,
// in the way that the store's file "mode" says.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "mcp" {
		os.Exit(serveTools(os.Args[2:]))
	}
	os.Exit(m.Run())
}

func serveTools(args []string) int {
	mode, err := os.ReadFile(filepath.Join(args[1], "mode"))
	if err != nil {
		return 3
	}
	switch string(mode) {
	case "broken":
		fmt.Fprintln(os.Stderr, "no object store")
		return 3
	case "hang": // deaf to the end of its input, so that only a kill ends it
		time.Sleep(time.Hour)
	}
	set := changetest.Set(nil,
		map[string]string{"README.md": "old\n"},
		map[string]string{"README.md": "new\n", "secret/plan.md": "the word is mellon\n"})
	src := mcpserver.Source{
		Head: set.HeadTree, Base: set.MergeBaseTree,
		Changes: func(context.Context) ([]change.File, error) { return set.Files, nil },
	}
	if err := mcpserver.Serve(context.Background(), src, os.Stdin, os.Stdout); err != nil {
		return 3
	}
	return 0
}

// store is a folder that makes the tools' server behave in a mode.
func store(t testing.TB, mode string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mode"), []byte(mode), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// options are those of an engine whose model is the server.
func options(t testing.TB, s *codextest.Server) codex.Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return codex.Options{
		Path: codextest.Binary(t), Self: self, StoreDir: store(t, "serve"), Tools: mcpserver.ToolNames(),
		APIKey: canary, Endpoint: s.Endpoint(), TempDir: t.TempDir(), PathEnv: "/nonexistent",
		Log: func(format string, args ...any) {
			line := fmt.Sprintf(format, args...)
			if strings.Contains(line, canary) {
				t.Errorf("the key is in the log: %s", line)
			}
			t.Log(line)
		},
	}
}

// engine opens an engine and closes it when the test ends. It also checks that
// nothing of it remains.
func engine(t testing.TB, o codex.Options) *codex.Engine {
	t.Helper()
	e, err := codex.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if left, err := os.ReadDir(o.TempDir); err != nil || len(left) > 0 {
			t.Errorf("left in the temporary folder: %v, %v", left, err)
		}
		for _, p := range processes(o.TempDir) {
			t.Errorf("still running: %s", p)
		}
	})
	return e
}

// processes lists the command lines of processes that speak of a folder.
func processes(dir string) []string {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil
	}
	var found []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err == nil && bytes.Contains(b, []byte(dir)) {
			found = append(found, strings.ReplaceAll(string(b), "\x00", " "))
		}
	}
	return found
}

var schema = json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string"}},"required":["decision"],` +
	`"additionalProperties":false}`)

func request() review.Request {
	return review.Request{
		Name: "spec: login", Instructions: "You review specs.\n", Prompt: "# Login\nReview this.\n",
		Schema: schema, Model: "gpt-5.5", Effort: "high",
		MergeBase: changetest.MergeBaseCommit, Head: changetest.HeadCommit,
	}
}

var approved = codextest.JSON(map[string]string{"decision": "APPROVED"})

// failed asserts that a review ended in a class of failure.
func failed(t testing.TB, err error, class review.Class) *review.EngineError {
	t.Helper()
	var e *review.EngineError
	if !errors.As(err, &e) {
		t.Fatalf("error %v is not an EngineError", err)
	}
	if e.Class != class {
		t.Fatalf("class %q, want %q (%s)", e.Class, class, e.Message)
	}
	if e.Message == "" || e.Action == "" || strings.Contains(e.Message, "\n") {
		t.Errorf("a failure says in one line what happened and what to do: %q, %q", e.Message, e.Action)
	}
	if strings.Contains(e.Message+e.Action, canary) {
		t.Errorf("the key is in the message: %q", e.Message)
	}
	return e
}
