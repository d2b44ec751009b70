//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// root is the repository's, seen from this package.
const root = "../.."

// act runs act in a folder, with a home of its own, and returns its exit status
// and log. Runs of act do not go on at the same time: it names containers after
// workflow and job alone.
func act(t testing.TB, dir, actrc string, args ...string) (code int, log string) {
	t.Helper()
	return actScript(t, dir, actrc, exec.Command(setup.act, args...))
}

func actScript(t testing.TB, dir, actrc string, cmd *exec.Cmd) (code int, log string) {
	t.Helper()
	home := t.TempDir()
	write(t, filepath.Join(home, ".actrc"), actrc)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = append(append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+t.TempDir(),
		"PATH="+filepath.Dir(setup.act)+":"+os.Getenv("PATH"),
		"GIT_AUTHOR_NAME=octocat", "GIT_AUTHOR_EMAIL=octocat@github.example",
		"GIT_COMMITTER_NAME=octocat", "GIT_COMMITTER_EMAIL=octocat@github.example",
	), cmd.Env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for _, secret := range []string{canaryKey, canaryToken} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("the log holds the secret %s…", secret[:9])
		}
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// consumer runs a workflow of a repository that names the action by its tag, on
// the world's GitHub, as if the event had happened there.
func (w *world) consumer(workflow string, ev githubtest.Event, args ...string) (code int, log string) {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "hello")
	git(w.t, ".", "clone", "-q", "--branch", branch, w.repo.Dir, dir)
	event := filepath.Join(w.t.TempDir(), "event.json")
	write(w.t, event, string(w.gh.EventPayload(ev)))
	const key = "openai-api-key: ${{ secrets.OPENAI_API_KEY }}"
	text := read(w.t, workflow)
	if w.model != nil {
		args = append(args, "-s", "OPENAI_API_KEY="+canaryKey)
		text = strings.Replace(text, key, key+"\n          responses-api-endpoint: "+w.model.Endpoint(), 1)
	}
	workflow = filepath.Join(w.t.TempDir(), "workflow.yml")
	write(w.t, workflow, text)
	args = append([]string{
		ev.Name, "-W", workflow, "-e", event, "-P", "ubuntu-latest=" + setup.base, "--pull=false", "--rebuild=false", "--rm",
		"--container-options", "--label " + setup.label, "--local-repository", "OWNER/workflow-reviewer@v1=" + absolute(w.t, root),
		"--env", "GITHUB_SERVER_URL=" + w.gh.URL, "--env", "GITHUB_API_URL=" + w.gh.APIURL(), "--env", "GITHUB_GRAPHQL_URL=" + w.gh.GraphQLURL(),
		"--env", "GITHUB_REPOSITORY=octo-org/hello", "-s", "GITHUB_TOKEN=" + canaryToken,
	}, args...)
	return act(w.t, dir, "", args...)
}

func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// asked reports whether GitHub granted a request whose path ends so and whose
// body speaks of something.
func (w *world) asked(method, suffix, of string) bool {
	for _, r := range w.gh.Requests() {
		if r.Method == method && strings.HasSuffix(r.Path, suffix) && strings.Contains(string(r.Body), of) && r.Status < 300 {
			return true
		}
	}
	return false
}

// notebook takes lines from the later steps of a workflow.
type notebook struct {
	addr  string // host/port, as bash's /dev/tcp has it
	mu    sync.Mutex
	lines []string
}

func newNotebook(t testing.TB) *notebook {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{addr: strings.Replace(l.Addr().String(), ":", "/", 1)}
	done := make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			text, _ := io.ReadAll(io.LimitReader(c, 1<<16))
			_ = c.Close()
			n.mu.Lock()
			n.lines = append(n.lines, strings.TrimSpace(string(text)))
			n.mu.Unlock()
		}
	}()
	return n
}

func (n *notebook) text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.lines, "\n")
}

// has waits for a note: a connection may be taken up after its step has ended.
func (n *notebook) has(ctx context.Context, part string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for !strings.Contains(n.text(), part) {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	return true
}

// TestActApproved: the README's workflow, as a consumer has it. Under act
// reviews are pushed by git, not by GitHub's API.
func TestActApproved(t *testing.T) {
	w := newWorld(t, codextest.Always(approved))
	reviewed := w.head()
	code, log := w.consumer(filepath.Join(root, "examples/workflows/pull-request.yml"), pull("opened"))
	if code != 0 {
		t.Fatalf("act ended %d\n%s", code, log)
	}
	w.committed("specs/todo/login.md")
	w.closed()
	for _, head := range []string{reviewed, w.head()} {
		if c := w.gate(head); c.Conclusion != "success" {
			t.Errorf("gate on %s: %+v", head, c)
		}
	}
	if !w.asked(http.MethodPost, "/git-receive-pack", "") || w.asked(http.MethodPost, "/graphql", "createCommitOnBranch") {
		t.Error("the reviews were not pushed by git")
	}
	if n := w.model.Count(); n != 1 {
		t.Errorf("%d model requests", n)
	}
}

// TestActOutputs: later steps go on with outputs and status.
func TestActOutputs(t *testing.T) {
	for name, c := range map[string]struct {
		spec   string
		answer func(codextest.Request) codextest.Response
		code   int
		notes  []string
		not    string
	}{
		"approved":             {goodSpec, codextest.Always(approved.Using(1200, 80)), 0, []string{"passed", "decision=APPROVED type=spec tokens=80 paths=reviews/specs/", "summary=Approved"}, "needs changes"},
		"needs changes, codex": {goodSpec, codextest.Always(needsChanges), 1, []string{"needs changes", "decision=NEEDS-CHANGES type=spec"}, "passed"},
		"needs changes, rules": {poorSpec, nil, 1, []string{"needs changes", "decision=NEEDS-CHANGES type=spec tokens=0"}, "passed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := customWorld(t, map[string]string{"specs/proposed/login.md": c.spec}, c.answer)
			head, notes := w.head(), newNotebook(t)
			code, log := w.consumer("testdata/outputs.yml", pull("opened"), "--var", "NOTES="+notes.addr, "--var", "ENGINE="+w.inputs["engine"])
			if code != c.code {
				t.Errorf("act ended %d\n%s", code, log)
			}
			for _, want := range c.notes {
				if !notes.has(t.Context(), want) {
					t.Errorf("the notes of later steps lack %q: %s\n%s", want, notes.text(), log)
				}
			}
			if strings.Contains(notes.text(), c.not+"\n") {
				t.Errorf("a step ran that should not have: %s", notes.text())
			}
			w.closed()
			if g := w.gate(head); (g.Conclusion == "success") != (c.code == 0) {
				t.Errorf("gate %+v", g)
			}
		})
	}
}

// TestActFork: the workflow for forks reviews the fork's head, and commits nothing.
func TestActFork(t *testing.T) {
	w := newWorld(t, codextest.Always(needsChanges))
	head := w.head()
	w.repo.Git("update-ref", "refs/pull/8/head", head)
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Login", Author: "eve", Head: branch, Fork: "eve/hello", SHA: head})
	before := w.repo.Git("for-each-ref")
	code, log := w.consumer(filepath.Join(root, "examples/workflows/forks.yml"),
		githubtest.Event{Name: "pull_request_target", Action: "opened", Number: 8})
	if code != 1 {
		t.Fatalf("act ended %d\n%s", code, log)
	}
	w.closed()
	if c := w.gate(head); c.Conclusion != "failure" || c.Title != "Needs changes" {
		t.Errorf("gate %+v", c)
	}
	if cs := w.gh.Comments(); len(cs) != 1 || cs[0].Number != 8 {
		t.Errorf("comments %+v", cs)
	}
	if after := w.repo.Git("for-each-ref"); after != before {
		t.Errorf("refs moved:\n%s\nbefore:\n%s", after, before)
	}
}

// TestActOnRequest: label and comment, and what must start nothing.
func TestActOnRequest(t *testing.T) {
	for name, c := range map[string]struct {
		event  func(*world) githubtest.Event
		gates  int
		labels int
	}{
		"label": {func(w *world) githubtest.Event {
			w.gh.SetLabels(7, "re-review")
			return githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review"}
		}, 1, 0},
		"other label": {func(w *world) githubtest.Event {
			w.gh.SetLabels(7, "bug")
			return githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "bug"}
		}, 0, 1},
		"comment":             {func(w *world) githubtest.Event { return w.comment("octocat", "/review") }, 1, 0},
		"comment of a reader": {func(w *world) githubtest.Event { return w.comment("mallory", "/review") }, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, codextest.Always(approved))
			ev, head := c.event(w), w.head()
			code, log := w.consumer(filepath.Join(root, "examples/workflows/on-request.yml"), ev)
			if code != 0 {
				t.Fatalf("act ended %d\n%s", code, log)
			}
			gates := 0
			for _, check := range w.gh.Checks() {
				if check.HeadSHA == head && check.Name == "workflow-reviewer" && check.Conclusion == "success" {
					gates++
				}
			}
			if gates != c.gates || w.model.Count() != c.gates || len(w.gh.Labels(7)) != c.labels {
				t.Errorf("%d gates, %d model requests, labels %v\n%s", gates, w.model.Count(), w.gh.Labels(7), log)
			}
		})
	}
}

// comment is the event of a new comment on the pull request.
func (w *world) comment(author, body string) githubtest.Event {
	id := w.gh.AddComment(7, author, body)
	return githubtest.Event{Name: "issue_comment", Action: "created", Number: 7, Sender: author, Comment: id}
}
