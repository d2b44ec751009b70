package githubtest_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// start is a repository with main and feature/login one commit ahead, and pull
// request 7 between them.
func start(t *testing.T, o githubtest.Options) (*githubtest.Server, *githubtest.Repo) {
	t.Helper()
	repo := githubtest.NewRepo(t)
	repo.Commit("main", "Start", githubtest.Text(map[string]string{"README.md": "hello\n"}))
	repo.Branch("feature/login", "main")
	repo.Commit("feature/login", "Propose", githubtest.Text(map[string]string{"specs/proposed/login.md": "# Login\n"}))
	o.Git = repo
	s := githubtest.New(t, o)
	s.AddPull(githubtest.PR{Number: 7, Head: "feature/login"})
	return s, repo
}

func git(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = append(cmd.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestRepositoryOverHTTP(t *testing.T) {
	s, _ := start(t, githubtest.Options{})
	dir := filepath.Join(t.TempDir(), "clone")
	with := strings.Replace(s.CloneURL(), "http://", "http://x-access-token:test-token@", 1)
	if out, err := git(t, "clone", "-q", "--depth=1", with, dir); err != nil {
		t.Fatalf("clone: %v\n%s", err, out)
	}
	if out, err := git(t, "-C", dir, "fetch", "-q", "--depth=1", "origin", "refs/pull/7/head", s.Head(7)); err != nil {
		t.Errorf("fetch of refs/pull/7/head: %v\n%s", err, out)
	}
	if out, err := git(t, "-C", dir, "push", "-q", "origin", "HEAD:refs/heads/other"); err != nil {
		t.Errorf("push: %v\n%s", err, out)
	}
	if out, err := git(t, "ls-remote", s.CloneURL()); err == nil {
		t.Errorf("ls-remote without a token succeeds:\n%s", out)
	}
}

func TestReadOnlyRefusesPush(t *testing.T) {
	s, _ := start(t, githubtest.Options{ReadOnly: true})
	dir := filepath.Join(t.TempDir(), "clone")
	with := strings.Replace(s.CloneURL(), "http://", "http://x-access-token:test-token@", 1)
	if out, err := git(t, "clone", "-q", with, dir); err != nil {
		t.Fatalf("clone: %v\n%s", err, out)
	}
	if out, err := git(t, "-C", dir, "push", "-q", "origin", "HEAD:refs/heads/other"); err == nil {
		t.Errorf("push succeeds:\n%s", out)
	}
}

// TestCommitsMadeAgain: a commit that another repository had before is whole, also where that one
// had some of its files from elsewhere.
func TestCommitsMadeAgain(t *testing.T) {
	files := githubtest.Text(map[string]string{"again.md": "made again\n", "dir/b.md": "b\n"})
	var heads []string
	for _, other := range []bool{true, false, true} {
		repo := githubtest.NewRepo(t)
		repo.Commit("main", "Start again", githubtest.Text(map[string]string{"README.md": "x\n"}))
		if other {
			repo.Commit("other", "Elsewhere", files)
		}
		repo.Branch("feature", "main")
		heads = append(heads, repo.Commit("feature", "Work", files))
		if out, err := git(t, "-C", repo.Dir, "fsck", "--strict", "--full"); err != nil {
			t.Errorf("git fsck: %v\n%s", err, out)
		}
		if got := repo.Git("show", "feature:again.md"); got != "made again" {
			t.Errorf("the file is %q", got)
		}
	}
	if heads[0] != heads[1] || heads[0] != heads[2] {
		t.Errorf("one commit has the ids %q", heads)
	}
}

// TestACommitTwice: the same commit in the same repository is a second one.
func TestACommitTwice(t *testing.T) {
	repo := githubtest.NewRepo(t)
	files := githubtest.Text(map[string]string{"twice.md": "x\n"})
	first := repo.Commit("main", "Twice", files)
	if second := repo.Commit("main", "Twice", files); second == first {
		t.Error("there is one commit")
	}
	if n := repo.Git("rev-list", "--count", "main"); n != "2" {
		t.Errorf("%s commits", n)
	}
}
