//go:build e2e

package e2e

import (
	"encoding/base64"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// Canaries: neither may show up anywhere.
const (
	canaryKey   = "sk-canary-0123456789abcdefghijklmnopqrstuvwxyz"
	canaryToken = "ghs_canary0123456789abcdefghijklmnopqrs"
)

// world is a repository with the pull request 7, a GitHub, and a model.
type world struct {
	t      testing.TB
	repo   *githubtest.Repo
	gh     *githubtest.Server
	model  *codextest.Server // nil for engine rules
	inputs map[string]string // of the action
}

const branch = "feature/login"

// newWorld has a pull request that proposes a spec. Without an answer the built-in
// checks review, and approve.
func newWorld(t testing.TB, answer func(codextest.Request) codextest.Response) *world {
	t.Helper()
	return customWorld(t, map[string]string{"specs/proposed/login.md": goodSpec}, answer)
}

func customWorld(t testing.TB, pr map[string]string, answer func(codextest.Request) codextest.Response) *world {
	t.Helper()
	w := &world{t: t, repo: githubtest.NewRepo(t), inputs: map[string]string{"engine": "rules"}}
	w.repo.Commit("main", "Begin", githubtest.Text(map[string]string{
		"ROADMAP.md": roadmap, ".workflow/config.json": config, "src/app.py": "print('hello')\n",
	}))
	w.repo.Branch(branch, "main")
	w.repo.Commit(branch, "Work", githubtest.Text(pr))
	w.gh = githubtest.New(t, githubtest.Options{
		Git: w.repo, Token: canaryToken, Permissions: map[string]string{"octocat": "write", "mallory": "read"},
	})
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: branch})
	if answer != nil {
		w.model = codextest.New(t, answer)
		w.inputs = map[string]string{
			"engine": "codex", "openai-api-key": canaryKey, "responses-api-endpoint": w.model.Endpoint(),
		}
	}
	return w
}

func pull(action string) githubtest.Event {
	return githubtest.Event{Name: "pull_request", Action: action, Number: 7}
}

func (w *world) head() string { return w.repo.Git("rev-parse", "refs/heads/"+branch) }

// files lists the paths of the branch's head.
func (w *world) files() []string {
	return strings.Split(w.repo.Git("ls-tree", "-r", "--name-only", "refs/heads/"+branch), "\n")
}

// committed fails the test unless the branch holds the files.
func (w *world) committed(paths ...string) {
	w.t.Helper()
	all := w.files()
	for _, p := range paths {
		if !slices.Contains(all, p) {
			w.t.Errorf("%s is not on the branch: %v", p, all)
		}
	}
}

// gate is the newest check run to be required on a commit.
func (w *world) gate(head string) githubtest.Check {
	w.t.Helper()
	checks := w.gh.Checks()
	for _, c := range slices.Backward(checks) {
		if c.HeadSHA == head && c.Name == "workflow-reviewer" {
			return c
		}
	}
	w.t.Fatalf("no check run on %s among %+v", head, checks)
	return githubtest.Check{}
}

// closed fails the test if a check run was left open.
func (w *world) closed() {
	w.t.Helper()
	for _, c := range w.gh.Checks() {
		if c.Status != "completed" {
			w.t.Errorf("check %q on %s is still %s", c.Name, c.HeadSHA, c.Status)
		}
	}
}

// checkout fills a folder as actions/checkout does: the commit detached, with
// the token in the repository's config. sparse names the folders to check out.
func (w *world) checkout(dir, depth string, sparse ...string) {
	w.t.Helper()
	git := func(args ...string) { git(w.t, mkdir(w.t, dir), args...) }
	git("init", "-q", "--initial-branch=main")
	git("remote", "add", "origin", strings.TrimSuffix(w.gh.CloneURL(), ".git"))
	secret := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + canaryToken))
	git("config", "http."+w.gh.URL+"/.extraheader", "AUTHORIZATION: basic "+secret)
	fetch := []string{"fetch", "-q", "--no-tags", "origin", "+" + w.head() + ":refs/remotes/pull/7/merge"}
	if depth != "" {
		fetch = append(fetch, "--depth="+depth)
	}
	if len(sparse) > 0 {
		fetch = append(fetch, "--filter=blob:none")
		git(append([]string{"sparse-checkout", "set"}, sparse...)...)
	}
	git(fetch...)
	git("checkout", "-q", "--force", "refs/remotes/pull/7/merge")
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{
		"-C", dir, "-c", "user.name=octocat", "-c", "user.email=octocat@github.example", "-c", "safe.directory=*",
	}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s in %s: %v\n%s", strings.Join(args, " "), filepath.Base(dir), err, out)
	}
	return strings.TrimSpace(string(out))
}

// answer is a model's answer by the schema.
func answer(decision, summary string, issues ...map[string]any) codextest.Response {
	if issues == nil {
		issues = []map[string]any{}
	}
	return codextest.Review(map[string]any{
		"decision": decision, "summary": summary,
		"criteria": []map[string]any{{
			"name": "Testability", "result": "PASS", "finding": "Testable.",
			"evidence": "Acceptance criteria", "impact": "None",
		}},
		"issues": issues, "previous_findings": []any{},
	})
}

var (
	approved     = answer("APPROVED", "Good.")
	needsChanges = answer("NEEDS-CHANGES", "Not yet.", map[string]any{
		"severity": "High", "category": "compliance", "title": "No lockout", "file": "specs/proposed/login.md", "line": 17, "end_line": nil,
		"description": "Guessing is not limited.", "recommendation": "Lock the account.", "suggestion": nil,
	})
)

const (
	roadmap = "# Roadmap\n\n## Feature 1: Login\n\nUsers log in.\n\n**Outcome:** a session.\n"
	config  = `{"auto_review":{"retry_delay_s":0.01,"auto_move_overrides":{"spec":true}}}`
	// goodSpec passes the built-in checks.
	goodSpec = `# Spec: Login

Implements Feature 1 (Login) of ROADMAP.md.

## Purpose

A registered user proves who they are with e-mail address and password.

## Interface

` + "```python\ndef login(email: str, password: str) -> Session\n```" + `

## Acceptance criteria

1. Given a registered user, when login is called with the right password, then it returns a Session.
2. Given a wrong password, when login is called, then it raises InvalidCredentials.

## Edge cases

- An empty e-mail address raises ValueError.

## Error handling

InvalidCredentials does not say which of the two was wrong.

## Out of scope

Password reset.
`
	poorSpec = "# Spec: Login\n\nTBD\n"
)
