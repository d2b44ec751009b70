package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const poorSpec = "# Spec: Login\n\nTODO\n"

// local runs "local" with the rules engine on a clone.
func local(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return programIn(t, withGit(), append([]string{"local", "--repo", dir, "--base", "origin/main", "--engine", "rules"}, args...)...)
}

// TestLocalFitsATerminal: 80 columns, no colours into a pipe, and nothing but
// the progress and the report.
func TestLocalFitsATerminal(t *testing.T) {
	code, stdout, stderr := local(t, localClone(t, poorSpec))
	if code != 1 || stderr != "" {
		t.Errorf("exit status %d\n%s", code, stderr)
	}
	for line := range strings.SplitSeq(stdout, "\n") {
		if n := len([]rune(line)); n > 80 && !strings.HasPrefix(line, "Report: ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if strings.Contains(stdout, "\x1b") {
		t.Error("colours without a terminal")
	}
}

// TestLocalJSONIsPure: standard output is one JSON document, also when the run
// fails.
func TestLocalJSONIsPure(t *testing.T) {
	dir := localClone(t, poorSpec)
	for name, c := range map[string]struct {
		args     []string
		code     int
		decision string
	}{
		"needs changes": {nil, 1, "NEEDS-CHANGES"},
		"nothing":       {[]string{"--type", "vision"}, 0, "NONE"},
		"bad base":      {[]string{"--base", "nowhere"}, 2, "ERROR"},
		"bad input":     {[]string{"--timeout", "soon", "--type", "speck"}, 2, "ERROR"},
		"no codex":      {[]string{"--engine", "codex", "--codex-path", "/nonexistent/codex"}, 2, "ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, _ := local(t, dir, append([]string{"--json"}, c.args...)...)
			var rep struct {
				Decision string `json:"decision"`
			}
			if err := json.Unmarshal([]byte(stdout), &rep); err != nil || code != c.code || rep.Decision != c.decision {
				t.Errorf("exit status %d, %+v, %v\n%s", code, rep, err, stdout)
			}
		})
	}
}

// TestLocalApplyNeedsItsBranch: what cannot be committed to is refused before
// the review, and the repository stays as it was.
func TestLocalApplyNeedsItsBranch(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(dir string)
		args    []string
		says    string
	}{
		"detached": {func(dir string) { gitIn(t, dir, "checkout", "-q", "--detach") }, nil, "HEAD is detached"},
		"other branch": {
			func(dir string) { gitIn(t, dir, "checkout", "-q", "-b", "elsewhere", "origin/main") },
			[]string{"--head", "feature/login"},
			"elsewhere is not what --head names",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := localClone(t, poorSpec)
			c.prepare(dir)
			refs := gitIn(t, dir, "for-each-ref")
			if code, _, _ := local(t, dir, c.args...); code != 1 {
				t.Errorf("without --apply: exit status %d", code)
			}
			code, stdout, stderr := local(t, dir, append([]string{"--apply"}, c.args...)...)
			if code != 2 || !strings.Contains(stderr, c.says) || strings.Contains(stdout, "reviewing") {
				t.Errorf("exit status %d\n%s\n%s", code, stdout, stderr)
			}
			if gitIn(t, dir, "for-each-ref") != refs || gitIn(t, dir, "status", "--porcelain") != "" {
				t.Error("the repository changed")
			}
		})
	}
}

// TestLocalApplyNeedsGit: as in the image, and where nothing was ever checked out. Nothing is
// reviewed first.
func TestLocalApplyNeedsGit(t *testing.T) {
	const noGit = "workflow-reviewer: --apply: there is no git on the PATH; install it, or run outside of the image\n"
	args := []string{"local", "--repo", localClone(t, goodSpec), "--base", "origin/main", "--engine", "rules", "--apply"}
	code, stdout, stderr := programIn(t, nil, args...)
	if code != 2 || stdout != "" || stderr != noGit {
		t.Errorf("exit status %d\n%s\n%s", code, stdout, stderr)
	}
	if err := os.Remove(filepath.Join(args[2], ".git/index")); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr = programIn(t, withGit(), args...)
	if code != 2 || stdout != "" || !strings.Contains(stderr, "nothing is checked out") {
		t.Errorf("exit status %d\n%s\n%s", code, stdout, stderr)
	}
}

// TestLocalApplyWithUncommittedWork: what the developer has not committed stays
// as it is; a move of a changed file is not made, and its review not lost.
func TestLocalApplyWithUncommittedWork(t *testing.T) {
	dir := localClone(t, goodSpec)
	dirty := goodSpec + "\nMore, not committed.\n"
	write(t, dir, "specs/proposed/login.md", dirty)
	write(t, dir, "notes.txt", "mine\n")
	code, stdout, stderr := local(t, dir, "--apply")
	if code == 1 || !strings.Contains(stdout, "uncommitted changes are not reviewed (1 file)") {
		t.Errorf("exit status %d\n%s\n%s", code, stdout, stderr)
	}
	if got := read(t, filepath.Join(dir, "specs/proposed/login.md")); got != dirty {
		t.Errorf("the work tree lost changes:\n%s", got)
	}
	if got := read(t, filepath.Join(dir, "notes.txt")); got != "mine\n" {
		t.Error("an untracked file changed")
	}
	if files := gitIn(t, dir, "ls-tree", "-r", "--name-only", "HEAD"); !strings.Contains(files, "-login-APPROVED.md") ||
		strings.Contains(files, "notes.txt") {
		t.Errorf("HEAD holds\n%s\n%s", files, stdout)
	}
}

func write(t testing.TB, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLocalNamesFeaturesByBranch: however the branch is written, source that
// names no feature belongs to it.
func TestLocalNamesFeaturesByBranch(t *testing.T) {
	dir := localClone(t, poorSpec)
	write(t, dir, "sums.py", plainCode)
	gitIn(t, dir, "add", "sums.py")
	gitIn(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "Sum")
	gitIn(t, dir, "update-ref", "refs/remotes/origin/feature/login", "HEAD")
	for _, head := range []string{"HEAD", "@", "feature/login", "refs/heads/feature/login", "origin/feature/login"} {
		_, stdout, stderr := local(t, dir, "--json", "--head", head, "--type", "implementation")
		if !strings.Contains(stdout, `"feature": "login"`) {
			t.Errorf("--head %s:\n%s\n%s", head, stdout, stderr)
		}
	}
}

// TestLocalPlaces: a linked work tree, a folder below the root, a bare
// repository and a shallow clone are as good as a clone.
func TestLocalPlaces(t *testing.T) {
	dir := localClone(t, poorSpec)
	linked, bare := filepath.Join(t.TempDir(), "linked"), filepath.Join(t.TempDir(), "bare.git")
	gitIn(t, dir, "worktree", "add", "-q", "--detach", linked, "HEAD")
	gitIn(t, dir, "branch", "-q", "main", "origin/main")
	if out, err := exec.Command("git", "clone", "-q", "--bare", dir, bare).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, args := range map[string][]string{
		"linked work tree": {"--repo", linked, "--base", "main"},
		"folder":           {"--repo", filepath.Join(dir, "specs"), "--base", "main"},
		"bare":             {"--repo", bare, "--base", "main", "--head", "feature/login"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := program(t, append([]string{"local", "--engine", "rules"}, args...)...)
			if code != 1 || !regexp.MustCompile(`specs/proposed/login\.md:\d+`).MatchString(stdout) {
				t.Errorf("exit status %d\n%s\n%s", code, stdout, stderr)
			}
		})
	}
}

// TestLocalSwitchedOff: what the config switches off is off here too.
func TestLocalSwitchedOff(t *testing.T) {
	dir := localClone(t, poorSpec)
	gitIn(t, dir, "checkout", "-q", "-b", "off", "origin/main")
	write(t, dir, ".workflow/config.json", `{"auto_review":{"enabled":false}}`)
	gitIn(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-a", "-m", "Off")
	code, stdout, stderr := local(t, dir, "--base", "off", "--head", "feature/login")
	if code != 0 || !strings.Contains(stdout, "auto_review.enabled") {
		t.Errorf("exit status %d\n%s\n%s", code, stdout, stderr)
	}
}
