package docstest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/programtest"
)

// TestPrePushHook installs the documented hook and pushes: an honest commit
// goes through, a weakened test does not, and neither does what cannot be
// verified.
func TestPrePushHook(t *testing.T) {
	const tests = "def test_one():\n    assert one() == 1\n"
	record := oneRecord(tests)
	bin := t.TempDir()
	if _, err := programtest.Build(bin, "workflow-reviewer"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		record, change, content string
		refused                 string // what the hook says
	}{
		"honest":          {record, "one.py", "def one():\n    return 1\n", ""},
		"weakened":        {record, "tests/test_one.py", "def test_one():\n    assert one()\n", "Test integrity: breach"},
		"not verifiable":  {"{}", "tests/test_one.py", tests + "\n# more\n", "Test integrity: unverifiable"},
		"a deletion only": {record, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			g := newClone(t, bin, map[string]string{"tests/test_one.py": tests, ".workflow/approvals/one.json": c.record})
			if c.change == "" {
				g.must("push", "-q", "--no-verify", "origin", "HEAD:refs/heads/old")
				g.must("push", "-q", "origin", ":old")
				return
			}
			g.must("switch", "-q", "-c", "work")
			g.commit(map[string]string{c.change: c.content})
			out, err := g.git("push", "-q", "origin", "work")
			if refused := err != nil; refused != (c.refused != "") || !strings.Contains(out, c.refused) {
				t.Errorf("push: %v\n%s", err, out)
			}
		})
	}
}

// oneRecord is the approval record of tests/test_one.py.
func oneRecord(tests string) string {
	sum := sha256.Sum256([]byte(tests))
	return string(approval.Record{
		Feature: "one", Revision: 1, Review: "reviews/tests/x-APPROVED.md", Head: strings.Repeat("1", 40),
		Files: []approval.File{{
			Path: "tests/test_one.py", Mode: change.ModeRegular, Blob: changetest.Blob(tests),
			SHA256: hex.EncodeToString(sum[:]), Role: approval.Test,
		}},
	}.Render())
}

// TestPrePushHookWithoutTheProgram: what is missing is said with how to get it,
// once, and refuses the push only if it was told to.
func TestPrePushHookWithoutTheProgram(t *testing.T) {
	home := t.TempDir()
	g := newClone(t, t.TempDir(), map[string]string{"a.txt": "a\n"})
	g.env = append(g.env, "HOME="+home, "GOPATH="+home, "GOBIN=", "WORKFLOW_REVIEWER=")
	g.must("switch", "-q", "-c", "work")
	g.commit(map[string]string{"b.txt": "b\n"})
	out, err := g.git("push", "-q", "origin", "work")
	if err != nil || strings.Count(out, "make install") != 1 || !strings.Contains(out, "not checked") {
		t.Errorf("push: %v\n%s", err, out)
	}
	g.must("config", "workflow-reviewer.required", "true")
	g.commit(map[string]string{"c.txt": "c\n"})
	if out, err := g.git("push", "-q", "origin", "work"); err == nil || !strings.Contains(out, "the push is refused") {
		t.Errorf("required: %v\n%s", err, out)
	}
	for _, place := range []string{home + "/.local/bin", home + "/bin"} { // of make install and of go install
		if err := errors.Join(os.MkdirAll(place, 0o700),
			os.WriteFile(place+"/workflow-reviewer", []byte("#!/bin/sh\necho \"found: $0 $1\"\n"), 0o700)); err != nil {
			t.Fatal(err)
		}
		g.commit(map[string]string{"d.txt": place})
		if out, err := g.git("push", "origin", "work"); err != nil ||
			!strings.Contains(out, "found: "+place+"/workflow-reviewer integrity") {
			t.Errorf("%s: %v\n%s", place, err, out)
		}
		if err := os.RemoveAll(place); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMakeInstall: the program is where the hook looks for it, and runs.
func TestMakeInstall(t *testing.T) {
	home := t.TempDir()
	cmd := exec.Command("make", "-s", "install")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "PREFIX="+home+"/.local", "MAKEFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "installed "+home+"/.local/bin/workflow-reviewer") ||
		!strings.Contains(string(out), "is not on your PATH") {
		t.Fatalf("make install: %v\n%s", err, out)
	}
	if out, err := exec.Command(home+"/.local/bin/workflow-reviewer", "version").Output(); err != nil ||
		!strings.HasPrefix(string(out), "workflow-reviewer ") {
		t.Errorf("%s, %v", out, err)
	}
}

// clone is a clone with the hook installed.
type clone struct {
	t   *testing.T
	dir string
	env []string
}

func newClone(t *testing.T, bin string, files map[string]string) clone {
	t.Helper()
	g := clone{t, t.TempDir(), append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")}
	origin := filepath.Join(t.TempDir(), "origin.git")
	g.must("init", "-q", "-b", "main")
	g.must("init", "-q", "--bare", "-b", "main", origin)
	g.must("remote", "add", "origin", origin)
	g.commit(files)
	g.must("push", "-q", "origin", "main")
	hook, err := os.ReadFile(filepath.Join(root, "examples", "hooks", "pre-push"))
	if err == nil {
		err = os.WriteFile(filepath.Join(g.dir, ".git", "hooks", "pre-push"), hook, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (g clone) git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = g.dir, g.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (g clone) must(args ...string) {
	g.t.Helper()
	if out, err := g.git(args...); err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (g clone) commit(files map[string]string) {
	g.t.Helper()
	for name, content := range files {
		p := filepath.Join(g.dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o750), os.WriteFile(p, []byte(content), 0o600)); err != nil {
			g.t.Fatal(err)
		}
	}
	g.must("add", "-A")
	g.must("commit", "-q", "-m", "work")
}
