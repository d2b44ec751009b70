package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// program runs a command of the binary in a clean environment.
func program(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return programIn(t, nil, args...)
}

// programIn is program with more variables.
func programIn(t *testing.T, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"PATH=/nonexistent", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// TestDemo: without key, network, git or Docker, a newcomer sees a gate close
// and open, and can look at what it left behind. With Python, approved tests run.
func TestDemo(t *testing.T) {
	t.Parallel()
	story := []string{
		"NEEDS-CHANGES", "APPROVED", "document/placeholder", "specs/todo/link-expiry.md", "specs/done/slugify.md", "report.html",
		"Approve spec: link-expiry", "not read by a model", "Test integrity breach",
		`+ self.assertIn(slugify(" (spaced) "), ("spaced", "-spaced"))`, "Stopped (exit status 1): the test demands less",
		"The gate is open (exit status 0): the code keeps",
	}
	for name, c := range map[string]struct {
		env  []string
		want []string
		not  string
	}{
		"without Python": {nil, []string{"there is no python3 here"}, "workflow-reviewer prove"},
		"with Python": {
			[]string{"PATH=" + os.Getenv("PATH")},
			[]string{
				"$ workflow-reviewer prove -- python3 -m unittest", "2, of which 0 differ and are restored; set aside: 1.",
				"FAIL: test_leading_and_trailing_hyphens_are_removed", "AssertionError: '-spaced' != 'spaced'",
				"Approved tests fail: ", "Not recorded as the approved tests", "The approved tests pass",
			},
			"no python3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, temp := filepath.Join(t.TempDir(), "sample"), t.TempDir()
			code, stdout, stderr := programIn(t, append(c.env, "TMPDIR="+temp), "demo", "--dir", dir)
			if code != 0 {
				t.Fatalf("exit status %d\n%s\n%s", code, stdout, stderr)
			}
			for _, want := range append(slices.Clone(story), c.want...) {
				if !strings.Contains(stdout, want) {
					t.Errorf("the story lacks %q:\n%s", want, stdout)
				}
			}
			if n := strings.Count(stdout, "\n"); n > 130 || strings.Contains(stdout, c.not) || strings.Count(stdout, "  Breach ") != 1 {
				t.Errorf("%d lines, with %q, or not one breach:\n%s", n, c.not, stdout)
			}
			checkDemo(t, dir, stdout)
			if left, err := filepath.Glob(filepath.Join(temp, "*")); err != nil || len(left) != 1 || !strings.Contains(stdout, left[0]) {
				t.Errorf("left under the temp folder: %v", left)
			}
		})
	}
}

// checkDemo holds what the demo printed to a terminal's width, and looks at what it left.
func checkDemo(t *testing.T, dir, stdout string) {
	t.Helper()
	for line := range strings.SplitSeq(stdout, "\n") {
		ofProve := strings.HasPrefix(line, "prove: ") || strings.HasPrefix(line, "FAIL: ")
		if n := len([]rune(line)); n > 80 && !strings.Contains(line, "/") && !ofProve {
			t.Errorf("%d columns: %s", n, line)
		}
		if strings.Contains(line, "\x1b") {
			t.Errorf("colours without a terminal: %q", line)
		}
	}
	html := regexp.MustCompile(`\S+report\.html`).FindAllString(stdout, -1)
	if len(html) == 0 {
		t.Fatal("no report is named")
	}
	if page := read(t, html[len(html)-1]); !strings.Contains(page, "slugify") || strings.Contains(page, "http://") {
		t.Error("the HTML report is empty or loads something")
	}
	for _, path := range []string{"specs/todo/link-expiry.md", "specs/done/slugify.md"} {
		if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
			t.Error(err)
		}
	}
	if status := gitIn(t, dir, "status", "--porcelain"); status != "" {
		t.Errorf("the work tree is not clean:\n%s", status)
	}
	if code, _, stderr := program(t, "demo", "--dir", dir); code != 2 || !strings.Contains(stderr, "not empty") {
		t.Errorf("a second demo in the same folder: exit status %d, %s", code, stderr)
	}
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// localClone is a full clone of a repository with a spec on a branch.
func localClone(t *testing.T, spec string) string {
	t.Helper()
	repo := githubtest.NewRepo(t)
	repo.Commit("main", "Begin", githubtest.Text(map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config}))
	repo.Branch("feature/login", "main")
	repo.Commit("feature/login", "Work", githubtest.Text(map[string]string{"specs/proposed/login.md": spec}))
	dir := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", "--branch=feature/login", repo.Dir, dir).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	return dir
}

func TestLocalWritesNothingUnlessAsked(t *testing.T) {
	dir := localClone(t, goodSpec)
	head := gitIn(t, dir, "rev-parse", "HEAD")
	code, stdout, stderr := program(t, "local", "--repo", dir, "--base", "origin/main", "--engine", "rules")
	if code != 0 || !strings.Contains(stdout, "APPROVED") {
		t.Fatalf("exit status %d\n%s\n%s", code, stdout, stderr)
	}
	if gitIn(t, dir, "rev-parse", "HEAD") != head || gitIn(t, dir, "status", "--porcelain") != "" {
		t.Error("local wrote into the repository")
	}
	code, stdout, stderr = programIn(t, withGit(), "local", "--repo", dir, "--base", "origin/main", "--engine", "rules", "--apply")
	if code != 0 {
		t.Fatalf("exit status %d\n%s\n%s", code, stdout, stderr)
	}
	if log := gitIn(t, dir, "log", "-1", "--format=%s"); log != "Approve spec: login" {
		t.Errorf("commit %q", log)
	}
	if status := gitIn(t, dir, "status", "--porcelain"); status != "" {
		t.Errorf("the work tree is not clean:\n%s", status)
	}
}

func TestLocalJSON(t *testing.T) {
	dir := localClone(t, "# Spec: Login\n\nTODO\n")
	code, stdout, stderr := program(t, "local", "--repo", dir, "--base", "origin/main", "--engine", "rules", "--json")
	var rep struct {
		Decision string `json:"decision"`
	}
	if err := json.Unmarshal([]byte(stdout), &rep); err != nil || code != 1 || rep.Decision != "NEEDS-CHANGES" {
		t.Fatalf("exit status %d, %v\n%s\n%s", code, err, stdout, stderr)
	}
}

func TestLocalFindings(t *testing.T) {
	dir := localClone(t, "# Spec: Login\n\nTODO\n")
	code, stdout, _ := program(t, "local", "--repo", dir, "--base", "origin/main", "--engine", "rules")
	if code != 1 || !regexp.MustCompile(`specs/proposed/login\.md:\d+`).MatchString(stdout) {
		t.Fatalf("exit status %d, no finding with file:line\n%s", code, stdout)
	}
}

func TestLocalErrors(t *testing.T) {
	dir := localClone(t, goodSpec)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no repository": {[]string{"--repo", t.TempDir(), "--engine", "rules"}, "repository"},
		"no such base":  {[]string{"--repo", dir, "--base", "nowhere", "--engine", "rules"}, "nowhere"},
		"no key":        {[]string{"--repo", dir, "--engine", "codex"}, "OPENAI_API_KEY is not set"},
		"bad engine":    {[]string{"--repo", dir, "--engine", "magic"}, "magic"},
		"bad type":      {[]string{"--repo", dir, "--engine", "rules", "--type", "speck"}, "speck"},
		"bad flag":      {[]string{"--frobnicate"}, "frobnicate"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := program(t, append([]string{"local"}, c.args...)...)
			if code != 2 || !strings.Contains(stdout+stderr, c.says) {
				t.Errorf("exit status %d\n%s\n%s", code, stdout, stderr)
			}
		})
	}
}

func TestCommandLine(t *testing.T) {
	code, stdout, _ := program(t, "version")
	if code != 0 || !strings.Contains(stdout, "codex 0.169.0") {
		t.Errorf("version: exit status %d, %s", code, stdout)
	}
	for _, args := range [][]string{nil, {"frobnicate"}, {"plan"}} {
		if code, _, stderr := program(t, args...); code != 2 || !strings.Contains(stderr, "demo") {
			t.Errorf("%v: exit status %d, %s", args, code, stderr)
		}
	}
}
