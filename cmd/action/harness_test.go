package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/programtest"
)

// binary is the program under test, standIn what runs in codex's place; both are
// built once, in a folder for all tests.
var shared, binary, standIn string

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // GitHub's description is large and stays
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "workflow-reviewer-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	shared = dir
	if binary, err = programtest.Build(dir, "action"); err == nil {
		standIn, err = codextest.StandIn(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// Canaries: neither may show up anywhere.
const (
	canaryKey   = "sk-canary-0123456789abcdefghijklmnopqrstuvwxyz"
	canaryToken = "ghs_canary0123456789abcdefghijklmnopqrs"
)

// world is a repository with a pull request, a GitHub and a model.
type world struct {
	t         testing.TB
	repo      *githubtest.Repo
	gh        *githubtest.Server
	model     *codextest.Server
	workspace string
	inputs    map[string]string // INPUT_* by the input's name
	vars      map[string]string // further variables
}

// newWorld makes a repository with a main branch, and a pull request 7 from the
// branch "feature/login" that brings the files.
func newWorld(t testing.TB, main, pr map[string]string, answer func(codextest.Request) codextest.Response) *world {
	t.Helper()
	w := &world{t: t, repo: githubtest.NewRepo(t), inputs: map[string]string{}, vars: map[string]string{}}
	if answer == nil {
		main = recordingByRules(main)
	}
	w.repo.Commit("main", "Begin", githubtest.Text(main))
	w.repo.Branch("feature/login", "main")
	w.repo.Commit("feature/login", "Work", githubtest.Text(pr))
	w.gh = githubtest.New(t, githubtest.Options{
		Git: w.repo, Token: canaryToken,
		Permissions: map[string]string{"octocat": "write", "hubot": "write", "mallory": "read", "agent[bot]": "write"},
	})
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login"})
	w.workspace = filepath.Join(t.TempDir(), "workspace")
	w.checkout()
	w.inputs["engine"] = "rules"
	if answer != nil {
		w.model = codextest.New(t, answer)
		w.inputs["engine"] = "codex"
		w.inputs["openai-api-key"] = canaryKey
		w.inputs["responses-api-endpoint"] = w.model.Endpoint()
		w.inputs["codex-path"] = standIn
	}
	return w
}

// recordingByRules is a project whose config has the built-in checks stand in for a reader of tests.
func recordingByRules(files map[string]string) map[string]string {
	const at, setting = ".workflow/config.json", `"approvals":{"by_rules":true}`
	out := maps.Clone(files)
	if out == nil {
		out = map[string]string{}
	}
	switch text := strings.TrimSpace(out[at]); {
	case text == "", text == "{}":
		out[at] = "{" + setting + "}"
	case json.Valid([]byte(text)) && text[0] == '{' && !strings.Contains(text, "by_rules"):
		out[at] = "{" + setting + "," + text[1:]
	}
	return out
}

// withCodex has codex itself ask the model: for tests of what codex does with an
// answer, a failure, a signal, its surroundings or the tools.
func (w *world) withCodex() *world {
	w.t.Helper()
	w.inputs["codex-path"] = codextest.Binary(w.t)
	return w
}

// clone makes the workspace by git itself.
func (w *world) clone(args ...string) {
	w.t.Helper()
	if err := cloneTo(w.workspace, w.origin(), args...); err != nil {
		w.t.Fatal(err)
	}
}

func cloneTo(dir, origin string, args ...string) error {
	args = append(append([]string{"clone", "-q"}, args...), origin, dir)
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w\n%s", err, out)
	}
	return nil
}

func (w *world) origin() string { return "file://" + w.repo.Dir }

// checkouts make a folder with a clone of a commit once, by the commit's id, and return its origin.
var checkouts = struct {
	sync.Mutex
	of map[string]func() (origin string, err error)
}{of: map[string]func() (string, error){}}

// checkout makes the workspace as actions/checkout would: by git for the first world with a commit,
// as a copy of that clone for those after it.
func (w *world) checkout() {
	w.t.Helper()
	head := w.head()
	from := filepath.Join(shared, head)
	checkouts.Lock()
	if checkouts.of[head] == nil {
		checkouts.of[head] = sync.OnceValues(func() (origin string, err error) {
			origin = w.origin()
			err = cloneTo(from, origin, "--depth=1", "--branch=feature/login")
			return origin, errors.Join(err, os.RemoveAll(filepath.Join(from, ".git", "hooks")))
		})
	}
	made := checkouts.of[head]
	checkouts.Unlock()
	origin, err := made()
	if err == nil {
		err = os.CopyFS(w.workspace, os.DirFS(from))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	config := filepath.Join(w.workspace, ".git", "config")
	ours := strings.Replace(read(w.t, config), origin, w.origin(), 1)
	if err := os.WriteFile(config, []byte(ours), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// outcome is what a run left behind.
type outcome struct {
	t       testing.TB
	code    int
	stdout  string
	stderr  string
	outputs map[string]string
	summary string
	temp    string // RUNNER_TEMP
}

// run has the program handle an event and waits for its end.
func (w *world) run(ev githubtest.Event) outcome {
	w.t.Helper()
	cmd, out := w.command(ev)
	return w.wait(cmd, out, cmd.Run())
}

func (w *world) pull(action string) githubtest.Event {
	return githubtest.Event{Name: "pull_request", Action: action, Number: 7}
}

// command prepares a run, so that a test can signal it.
func (w *world) command(ev githubtest.Event) (*exec.Cmd, *outcome) {
	w.t.Helper()
	env := w.gh.Env(ev)
	env["GITHUB_WORKSPACE"] = w.workspace
	env["HOME"] = w.t.TempDir()
	env["PATH"] = "/nonexistent" // the program needs none; codex would ask lsb_release, a script of ten processes
	for name, value := range w.inputs {
		env["INPUT_"+strings.ToUpper(name)] = value
	}
	maps.Copy(env, w.vars)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	w.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, binary)
	cmd.Dir = w.t.TempDir()
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	return cmd, &outcome{t: w.t, temp: env["RUNNER_TEMP"], outputs: map[string]string{
		"file": env["GITHUB_OUTPUT"], "summary": env["GITHUB_STEP_SUMMARY"],
	}}
}

func (w *world) wait(cmd *exec.Cmd, o *outcome, err error) outcome {
	w.t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatalf("run: %v", err)
	}
	o.code = cmd.ProcessState.ExitCode()
	o.stdout, o.stderr = fmt.Sprint(cmd.Stdout), fmt.Sprint(cmd.Stderr)
	o.summary = read(w.t, o.outputs["summary"])
	o.outputs = parseOutputs(w.t, read(w.t, o.outputs["file"]))
	o.fitsSchemas()
	return *o
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// parseOutputs reads GITHUB_OUTPUT as the runner does.
func parseOutputs(t testing.TB, file string) map[string]string {
	t.Helper()
	out := map[string]string{}
	lines := strings.Split(file, "\n")
	for i := 0; i < len(lines); i++ {
		name, delimiter, ok := strings.Cut(lines[i], "<<")
		if !ok {
			continue
		}
		var value []string
		for i++; i < len(lines) && lines[i] != delimiter; i++ {
			value = append(value, lines[i])
		}
		out[name] = strings.Join(value, "\n")
	}
	return out
}

// ends fails the test unless the run ended as wanted.
func (o outcome) ends(code int, decision string) {
	o.t.Helper()
	if o.code != code || o.outputs["decision"] != decision {
		o.t.Fatalf("ended %d %q, want %d %q\n%s\n%s", o.code, o.outputs["decision"], code, decision, o.stdout, o.stderr)
	}
}

// review is one entry of the output "reviews".
type review struct {
	Type     string           `json:"type"`
	Feature  string           `json:"feature"`
	Decision string           `json:"decision"`
	Path     string           `json:"path"`
	Artifact string           `json:"artifact"`
	MovedTo  string           `json:"moved_to"`
	Issues   []map[string]any `json:"issues"`
	Cached   bool             `json:"cached"`
}

func (o outcome) reviews() []review {
	o.t.Helper()
	var rs []review
	if err := json.Unmarshal([]byte(o.outputs["reviews"]), &rs); err != nil {
		o.t.Fatalf("output reviews %q: %v", o.outputs["reviews"], err)
	}
	return rs
}

// saved reads a file of report-dir.
func (o outcome) saved(name string) string {
	o.t.Helper()
	return read(o.t, filepath.Join(o.outputs["report-dir"], name))
}

// check is the newest check run of a name on a commit.
func (w *world) check(head, name string) githubtest.Check {
	w.t.Helper()
	var found *githubtest.Check
	for _, c := range w.gh.Checks() {
		if c.HeadSHA == head && c.Name == name {
			found = &c
		}
	}
	if found == nil {
		w.t.Fatalf("no check %q on %s among %v", name, head, w.gh.Checks())
	}
	return *found
}

// allClosed fails the test if a check run was left open or passes without a verdict.
func (w *world) allClosed() {
	w.t.Helper()
	for _, c := range w.gh.Checks() {
		if c.Status != "completed" {
			w.t.Errorf("check %q on %s is still %s", c.Name, c.HeadSHA, c.Status)
		}
		if c.Conclusion == "neutral" || c.Conclusion == "skipped" {
			w.t.Errorf("check %q ended %s, which passes a required check", c.Name, c.Conclusion)
		}
	}
}

func (w *world) head() string { return w.repo.Resolve("refs/heads/feature/login") }

// files lists the paths of the branch's head.
func (w *world) files() []string {
	return strings.Split(w.repo.Git("ls-tree", "-r", "--name-only", "refs/heads/feature/login"), "\n")
}

// answer is a model's answer by the schema.
func answer(decision string, issues ...map[string]any) codextest.Response {
	if issues == nil {
		issues = []map[string]any{}
	}
	return codextest.Review(map[string]any{
		"decision": decision, "summary": "The model's summary.",
		"criteria": []map[string]any{{
			"name": "Testability", "result": "PASS", "finding": "Testable.",
			"evidence": "Acceptance criteria", "impact": "None",
		}},
		"issues": issues, "previous_findings": []any{},
	})
}

func issue(severity, title, file string, line int) map[string]any {
	return map[string]any{
		"severity": severity, "category": "compliance", "title": title, "file": file, "line": line, "end_line": nil,
		"description": "It is described.", "recommendation": "Do it.", "suggestion": nil,
	}
}

// goodSpec passes the built-in checks.
const goodSpec = `# Spec: Login

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

const roadmap = "# Roadmap\n\n## Feature 1: Login\n\nUsers log in.\n\n**Outcome:** a session.\n"

// config is a config that moves specs and implementations, and retries at once.
const config = `{"auto_review":{"retry_delay_s":0.01,"auto_move_overrides":{"spec":true,"implementation":true}}}`

func specWorld(t testing.TB, answer func(codextest.Request) codextest.Response) *world {
	t.Helper()
	return newWorld(t,
		map[string]string{"ROADMAP.md": roadmap, "SCOPE.md": "# Scope\n\n## In scope\n\nLogin.\n", ".workflow/config.json": config},
		map[string]string{"specs/proposed/login.md": goodSpec}, answer)
}
