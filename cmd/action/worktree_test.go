package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLocalWorktree: what is not committed is reviewed as if it were, and the
// repository stays as it is, objects included.
func TestLocalWorktree(t *testing.T) {
	dir := worktreeClone(t, map[string]string{"ROADMAP.md": roadmap, "specs/done/old.md": "# Spec: Old\n", ".gitignore": "*.tmp.md\n"},
		map[string]string{"specs/proposed/login.md": goodSpec, "specs/proposed/login.tmp.md": "# ignored\n", "src/login.py": srcLogin})
	if err := os.Remove(filepath.Join(dir, "specs/done/old.md")); err != nil {
		t.Fatal(err)
	}
	before := gitIn(t, dir, "count-objects", "-v") + gitIn(t, dir, "status", "--porcelain")
	code, stdout, stderr := program(t, "local", "--repo", dir, "--base", "origin/main", "--engine", "rules", "--worktree", "--json")
	var rep struct {
		Reviews []review `json:"reviews"`
	}
	if err := json.Unmarshal([]byte(stdout), &rep); err != nil {
		t.Fatalf("exit status %d, %v\n%s\n%s", code, err, stdout, stderr)
	}
	var got []string
	for _, r := range rep.Reviews {
		got = append(got, r.Type+": "+r.Feature)
	}
	if strings.Join(got, ", ") != "spec: login, implementation: login" {
		t.Errorf("reviews %q\n%s", got, stderr)
	}
	if strings.Contains(stderr, "uncommitted changes are not reviewed") {
		t.Error("it says that they are not reviewed")
	}
	if after := gitIn(t, dir, "count-objects", "-v") + gitIn(t, dir, "status", "--porcelain"); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	for _, args := range [][]string{{"--worktree", "--apply"}, {"--worktree", "--head", "origin/main"}} {
		if code, _, stderr := program(t, append([]string{"local", "--repo", dir, "--engine", "rules"}, args...)...); code != 2 ||
			!strings.Contains(stderr, "give one of them") {
			t.Errorf("%q: status %d, %s", args, code, stderr)
		}
	}
}

// TestLocalPaths: artifacts that are named are reviewed, changed or not, also
// where nothing differs from the base.
func TestLocalPaths(t *testing.T) {
	dir := worktreeClone(t, map[string]string{"ROADMAP.md": roadmap, "specs/todo/login.md": goodSpec, "specs/done/other.md": goodSpec},
		map[string]string{"specs/proposed/new.md": goodSpec})
	for name, c := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"unchanged": {[]string{"--paths", "specs/todo/login.md"}, 0, []string{"spec: login"}},
		"several":   {[]string{"--paths", "specs/todo/login.md,specs/done/other.md"}, 0, []string{"spec: login", "spec: other"}},
		"repeated": {
			[]string{"--paths", "specs/todo/login.md", "--paths", "./specs/done/other.md"},
			0,
			[]string{"spec: login", "spec: other"},
		},
		"in the worktree": {[]string{"--worktree", "--paths", "specs/proposed/new.md"}, 0, []string{"spec: new"}},
		"not there":       {[]string{"--paths", "specs/todo/none.md"}, 2, []string{"Spec not found at specs/todo/none.md"}},
		"outside":         {[]string{"--paths", "../x.md"}, 2, []string{"../x.md"}},
	} {
		code, stdout, stderr := program(t, append([]string{"local", "--repo", dir, "--base", "origin/main", "--engine", "rules"},
			c.args...)...)
		if code != c.code {
			t.Errorf("%s: status %d\n%s\n%s", name, code, stdout, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s: %q is missing\n%s\n%s", name, want, stdout, stderr)
			}
		}
		if strings.Count(stdout, "spec: ") == 0 && c.code == 0 {
			t.Errorf("%s: nothing was reviewed\n%s", name, stdout)
		}
	}
}

// TestLocalChoosesItsEngine: without a key or without codex the built-in checks
// review, and the first line says so and what to do; nothing is repeated.
func TestLocalChoosesItsEngine(t *testing.T) {
	dir := localClone(t, goodSpec)
	code, stdout, _ := program(t, "local", "--repo", dir, "--base", "origin/main")
	if first, _, _ := strings.Cut(stdout, "\n"); code != 0 ||
		first != "Engine: rules (the built-in checks alone: OPENAI_API_KEY is not set)" {
		t.Errorf("status %d\n%s", code, stdout)
	}
	code, stdout, stderr := programIn(t, []string{"OPENAI_API_KEY=" + canaryKey}, "local", "--repo", dir, "--base", "origin/main")
	if first, _, _ := strings.Cut(stdout, "\n"); code != 0 || !strings.HasPrefix(first, "Engine: rules") ||
		!strings.Contains(first, `"codex" was not found in PATH; install codex`) {
		t.Errorf("status %d\n%s", code, stdout)
	}
	if n := strings.Count(stdout+stderr, "npm install -g @openai/codex"); n != 1 {
		t.Errorf("it says %d times how to install codex", n)
	}
	code, stdout, stderr = programIn(t, []string{"OPENAI_API_KEY=" + canaryKey}, "local", "--repo", dir, "--base",
		"origin/main", "--engine", "codex")
	if n := strings.Count(stdout+stderr, "npm install -g @openai/codex"); code != 2 || n != 1 {
		t.Errorf("engine codex without codex: status %d, told %d times\n%s\n%s", code, n, stdout, stderr)
	}
}
