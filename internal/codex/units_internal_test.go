package codex

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestRetryAfter(t *testing.T) {
	const now = "Sat, 31 Jan 2026 12:00:00 GMT"
	for _, c := range []struct {
		header map[string]string
		want   time.Duration
	}{
		{nil, 0},
		{map[string]string{"Retry-After": "20"}, 20 * time.Second},
		{map[string]string{"Retry-After": " 0.5 "}, 500 * time.Millisecond},
		{map[string]string{"Retry-After": "-20"}, 0},
		{map[string]string{"Retry-After": "NaN"}, 0},
		{map[string]string{"Retry-After": "1e300"}, maxReset},
		{map[string]string{"Retry-After": "soon"}, 0},
		{map[string]string{"Retry-After": "20", "Retry-After-Ms": "1500"}, 1500 * time.Millisecond},
		{map[string]string{"Retry-After": "Sat, 31 Jan 2026 12:01:00 GMT", "Date": now}, time.Minute},
		{map[string]string{"Retry-After": "Sat, 31 Jan 2026 11:00:00 GMT", "Date": now}, 0},
		{map[string]string{"Retry-After": "Sat, 31 Jan 2026 12:01:00 GMT"}, 0},
	} {
		h := http.Header{}
		for k, v := range c.header {
			h.Set(k, v)
		}
		if got := reset(h, apiError{}); got != c.want {
			t.Errorf("%v: %v, want %v", c.header, got, c.want)
		}
	}
}

func TestEvents(t *testing.T) {
	in := `not JSON
{"type":"thread.started"}
{"type":"item.completed","item":{"type":"error","message":"a warning"}}
{"type":"item.completed","item":{"type":"agent_message","text":"` + strings.Repeat("x", 2*maxEvent) + `"}}
{"type":"error","message":"Reconnecting"}
{"type":"turn.failed","error":{"message":"why"}}
{"type":"turn.completed","usage":{}}
{"type":"item.completed","item":"odd"}
` + strings.Repeat(`{"type":"item.completed","item":{"type":"error","message":"more"}}`+"\n", 50)
	for _, size := range []int{1, 100, len(in)} {
		e := newEvents()
		for b := []byte(in); len(b) > 0; {
			n := min(size, len(b))
			if m, err := e.Write(b[:n]); m != n || err != nil {
				t.Fatal(m, err)
			}
			b = b[n:]
		}
		if !e.completed || e.failure != "why" || len(e.notes) != maxNotes || e.notes[0] != "a warning" {
			t.Errorf("in pieces of %d: %v %q %q", size, e.completed, e.failure, e.notes)
		}
		if cap(e.line) > 2*maxEvent {
			t.Errorf("%d bytes were kept", cap(e.line))
		}
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte(`{"type":"turn.completed"}` + "\n"))
	f.Add([]byte(`{"type":"error","message":1}` + "\n{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		e := newEvents()
		_, _ = e.Write(b) // never fails
		if e.completed && !bytes.Contains(b, []byte("completed")) && !bytes.Contains(b, []byte(`\u`)) {
			t.Error("a turn was completed that nobody completed")
		}
	})
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\nb\x1b[31m\xff", "secret")
	f.Add(strings.Repeat("é", 500), "")
	f.Fuzz(func(t *testing.T, s, secret string) {
		got := oneLine(s, "key-"+secret)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\x00\x1b") || len(got) > maxMessage+len("…") {
			t.Errorf("%q", got)
		}
	})
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a":           `"a"`,
		"a\"\\\n\x7f": `"a\"\\\n\u007f"`,
		"\x00\u2028":  `"\u0000\u2028"`,
	} {
		if got := quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestEndpoints(t *testing.T) {
	for _, ok := range []string{
		"https://api.openai.com/v1/responses", "http://127.0.0.1:1/r", "http://localhost/r", "http://[::1]:8/r",
		"https://x.example/openai?api-version=1",
	} {
		if _, err := checkEndpoint(ok); err != nil {
			t.Errorf("%s: %v", ok, err)
		}
	}
	for _, bad := range []string{
		"", "api.openai.com", "http://api.openai.com/v1", "http://127.0.0.1.evil.example/", "http://127.1/",
		"ftp://127.0.0.1/x", "https://u:p@x.example/", "https:///x", "http://localhost.evil.example/",
	} {
		if u, err := checkEndpoint(bad); err == nil {
			t.Errorf("%s passed as %v", bad, u)
		}
	}
}

// npm's codex is a script for node; the native binary lies in a package for
// the platform, at one of several places.
func TestNativeBinaryIsFound(t *testing.T) {
	for _, place := range []string{
		"node_modules/@openai/codex-linux-x64/vendor/x/bin/codex",
		"node_modules/@openai/codex/node_modules/@openai/codex-linux-x64/vendor/x/bin/codex",
		"node_modules/@openai/codex/vendor/x/bin/codex",
		"",
	} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		script := program(t, filepath.Join(root, "node_modules", "@openai", "codex", "bin", "codex.js"))
		want := script
		if place != "" {
			want = program(t, filepath.Join(root, place))
		}
		bin := filepath.Join(root, "bin")
		if err := os.Mkdir(bin, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(script, filepath.Join(bin, "codex")); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"", "codex", filepath.Join(bin, "codex")} {
			got, err := Find(t.Context(), Options{Path: name, PathEnv: "relative:" + bin, TempDir: root})
			if err != nil || got != want {
				t.Errorf("%q: %q, %v; want %q", name, got, err, want)
			}
		}
	}
}

func program(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConfine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "models.json")
	var b binary
	err := b.confine([]byte(`{"models":[
		{"slug":"hidden","priority":0,"visibility":"hide","tool_mode":"code_mode_only"},
		{"slug":"second","priority":2,"visibility":"list","x":12345678901234567890},
		{"slug":"first","priority":1,"visibility":"list","apply_patch_tool_type":"freeform",
		"multi_agent_version":"v2","shell_type":"unified_exec","experimental_supported_tools":["clock"]}]}`), file)
	if err != nil {
		t.Fatal(err)
	}
	if b.defaultModel != "first" || !b.hosted["hidden"] || b.hosted["first"] || !b.models["second"] || b.models["third"] {
		t.Errorf("%+v", b)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"freeform", "unified_exec", "clock", `"v2"`} {
		if bytes.Contains(got, []byte(tool)) {
			t.Errorf("%s remains: %s", tool, got)
		}
	}
	if !bytes.Contains(got, []byte("12345678901234567890")) {
		t.Errorf("a number was changed: %s", got)
	}
	for _, bad := range []string{"", "{", `{"models":{}}`, `{"models":["x"]}`, `{"models":[]}`, `{}`} {
		if err := new(binary).confine([]byte(bad), file); err == nil {
			t.Errorf("%q is taken for a catalog", bad)
		}
	}
}

func TestStatsOfOddProcesses(t *testing.T) {
	if got := members(1 << 30); got != nil {
		t.Errorf("a session of nobody has members %v", got)
	}
	if d := cmp.Diff([]int(nil), members(-1)); d != "" {
		t.Error(d)
	}
}
