package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// features of the pull request that manyWorld makes.
var manyFeatures = []string{"login", "logout", "signup", "reset", "invite", "audit", "export"}

// manyWorld has a pull request with a spec for each of several features, and
// tests and code for the first. The scripted model refuses the spec of reset.
func manyWorld(t testing.TB) *world {
	t.Helper()
	pr := map[string]string{
		"login/login.py": "def login(email, password):\n    if not email:\n        raise ValueError(email)\n    return email\n",
		"login/test_login.py": "import pytest\nfrom login import login\n\n\ndef test_returns():\n    assert login('a', 'b') == 'a'\n\n\n" +
			"def test_empty():\n    with pytest.raises(ValueError):\n        login('', 'b')\n",
	}
	for i, f := range manyFeatures {
		pr["specs/proposed/"+f+".md"] = strings.ReplaceAll(goodSpec, "Login", strings.ToUpper(f[:1])+f[1:]) +
			strings.Repeat("\nMore is said of it.\n", 50*i)
	}
	return newWorld(t, map[string]string{
		"ROADMAP.md": roadmap, "SCOPE.md": "# Scope\n\n## In scope\n\nLogin.\n",
		".workflow/config.json": config,
	}, pr, manyAnswer)
}

func manyAnswer(r codextest.Request) codextest.Response {
	_, artifact, _ := strings.Cut(r.Prompt, "\n## Artifact under review\n")
	if strings.HasPrefix(artifact[strings.Index(artifact, "\n### ")+1:], "### specs/proposed/reset.md") {
		return answer("NEEDS-CHANGES", issue("Medium", "No expiry", "specs/proposed/reset.md", 17)).Using(900, 90)
	}
	return answer("APPROVED").Using(700, 70)
}

// matrix is the output of mode plan.
type matrix struct {
	Include []struct {
		Shard, Name string
		Reviews     int
	}
}

// mode runs one mode with the inputs that it needs and no others.
func (w *world) mode(mode string, ev githubtest.Event, inputs map[string]string) outcome {
	w.t.Helper()
	cmd, o := w.modeCommand(mode, ev, inputs)
	return w.wait(cmd, o, cmd.Run())
}

func (w *world) modeCommand(mode string, ev githubtest.Event, inputs map[string]string) (*exec.Cmd, *outcome) {
	w.t.Helper()
	all := w.inputs
	defer func() { w.inputs = all }()
	w.inputs = maps.Clone(all)
	w.inputs["mode"] = mode
	if mode != "review" {
		delete(w.inputs, "openai-api-key")
		delete(w.inputs, "responses-api-endpoint")
	}
	maps.Copy(w.inputs, inputs)
	return w.command(ev)
}

// plan runs mode plan and returns its shards.
func (w *world) plan(ev githubtest.Event, most int) (matrix, outcome) {
	w.t.Helper()
	w.inputs["max-shards"] = fmt.Sprint(most)
	o := w.mode("plan", ev, nil)
	if o.code != 0 {
		w.t.Fatalf("plan ended %d\n%s\n%s", o.code, o.stdout, o.stderr)
	}
	var m matrix
	if o.outputs["matrix"] != "" {
		if err := json.Unmarshal([]byte(o.outputs["matrix"]), &m); err != nil {
			w.t.Fatalf("matrix %q: %v", o.outputs["matrix"], err)
		}
	}
	return m, o
}

// shards runs all shards at once and puts their results where mode report finds
// them: one folder an artifact. Shards that are not to run are left out.
func (w *world) shards(ev githubtest.Event, m matrix, not ...string) {
	w.t.Helper()
	type running struct {
		shard string
		cmd   *exec.Cmd
		o     *outcome
	}
	var all []running
	for _, s := range m.Include {
		if strings.Contains(" "+strings.Join(not, " ")+" ", " "+s.Shard+" ") {
			continue
		}
		cmd, o := w.modeCommand("review", ev, map[string]string{"shard": s.Shard})
		if err := cmd.Start(); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, running{s.Shard, cmd, o})
	}
	for _, r := range all {
		o := w.wait(r.cmd, r.o, r.cmd.Wait())
		if o.code != 0 {
			w.t.Fatalf("shard %s ended %d\n%s\n%s", r.shard, o.code, o.stdout, o.stderr)
		}
		w.deliver(r.shard, o.saved("results-"+r.shard+".json"))
	}
}

func (w *world) results() string { return filepath.Join(w.workspace, "results") }

// deliver puts a shard's file where an artifact is downloaded to.
func (w *world) deliver(shard, content string) {
	w.t.Helper()
	dir := filepath.Join(w.results(), "results-"+shard)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "results-"+shard+".json"), []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) delivered(shard string) string {
	w.t.Helper()
	return read(w.t, filepath.Join(w.results(), "results-"+shard, "results-"+shard+".json"))
}

func (w *world) report(ev githubtest.Event) outcome {
	w.t.Helper()
	return w.mode("report", ev, map[string]string{"results": "results"})
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}
