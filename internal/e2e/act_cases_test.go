//go:build e2e

package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

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
		"approved": {
			goodSpec, codextest.Always(approved.Using(1200, 80)), 0,
			[]string{"passed", "decision=APPROVED type=spec tokens=80 paths=reviews/specs/", "summary=Approved"},
			"needs changes",
		},
		"needs changes, codex": {
			goodSpec, codextest.Always(needsChanges), 1,
			[]string{"needs changes", "decision=NEEDS-CHANGES type=spec"},
			"passed",
		},
		"needs changes, rules": {poorSpec, nil, 1, []string{"needs changes", "decision=NEEDS-CHANGES type=spec tokens=0"}, "passed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := customWorld(t, map[string]string{"specs/proposed/login.md": c.spec}, c.answer)
			head, notes := w.head(), newNotebook(t)
			code, log := w.consumer("testdata/outputs.yml", pull("opened"), "--var", "NOTES="+notes.addr, "--var",
				"ENGINE="+w.inputs["engine"])
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

// TestActSlim: the action without codex is found below the action's repository, and gates by rules.
func TestActSlim(t *testing.T) {
	w := customWorld(t, map[string]string{"specs/proposed/login.md": poorSpec}, nil)
	head, flow := w.head(), filepath.Join(t.TempDir(), "slim.yml")
	whole := read(t, "testdata/outputs.yml")
	slim := strings.ReplaceAll(whole, "OWNER/workflow-reviewer@v1", "OWNER/workflow-reviewer/slim@v1")
	if slim == whole {
		t.Fatal("the workflow does not use the action")
	}
	write(t, flow, slim)
	code, log := w.consumer(flow, pull("opened"), "--var", "NOTES="+newNotebook(t).addr, "--var", "ENGINE=rules")
	t.Logf("act ended %d\n%s", code, log)
	if g := w.gate(head); code != 1 || g.Conclusion != "failure" || g.Title != "Needs changes" {
		t.Errorf("gate %+v", g)
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
