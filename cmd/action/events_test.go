package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

func TestNothingToReview(t *testing.T) {
	for name, c := range map[string]struct {
		event func(w *world) githubtest.Event
		draft bool
		why   string
	}{
		"draft":  {func(w *world) githubtest.Event { return w.pull("opened") }, true, "draft"},
		"closed": {func(w *world) githubtest.Event { return w.pull("closed") }, false, "closed"},
		"other event": {func(*world) githubtest.Event {
			return githubtest.Event{Name: "workflow_run", Action: "completed"}
		}, false, "workflow_run"},
		"plain comment": {func(w *world) githubtest.Event { return w.comment("octocat", "nice") }, false, "/review"},
		"stranger":      {func(w *world) githubtest.Event { return w.comment("mallory", "/review") }, false, "write permission"},
		"unknown user":  {func(w *world) githubtest.Event { return w.comment("nobody", "/review") }, false, "write permission"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			if c.draft {
				w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Draft: true})
			}
			o := w.run(c.event(w))
			o.ends(0, "NONE")
			if !strings.Contains(o.stdout, c.why) {
				t.Errorf("the log does not say why (%q):\n%s", c.why, o.stdout)
			}
			if cs := w.gh.Checks(); len(cs) != 0 {
				t.Errorf("check runs %+v", cs)
			}
		})
	}
}

// comment adds a comment to the pull request and is its event.
func (w *world) comment(author, body string) githubtest.Event {
	id := w.gh.AddComment(7, author, body)
	return githubtest.Event{Name: "issue_comment", Action: "created", Number: 7, Sender: author, Comment: id}
}

func TestNoArtifactIsGreen(t *testing.T) {
	w := newWorld(t, map[string]string{"README.md": "x\n"}, map[string]string{"README.md": "y\n"}, nil)
	head := w.head()
	o := w.run(w.pull("opened"))
	o.ends(0, "NONE")
	if c := w.check(head, "workflow-reviewer"); c.Conclusion != "success" || c.Title != "Nothing to review" {
		t.Errorf("gate %+v", c)
	}
}

func TestReviewCommand(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Draft: true})
	w.run(w.comment("octocat", "/review spec")).ends(0, "APPROVED")
	asked := w.model.Count()
	w.run(w.comment("octocat", "/review spec")).ends(0, "APPROVED")
	if w.model.Count() == asked {
		t.Error("the command re-used the record")
	}
	o := w.run(w.comment("octocat", "/review tests"))
	o.ends(0, "NONE")
}

func TestLabels(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
	labeled := func(label, sender string) githubtest.Event {
		return githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: label, Sender: sender}
	}
	// Without a recorded verdict any label reviews as a push would.
	w.run(labeled("bug", "mallory")).ends(1, "NEEDS-CHANGES")
	asked, checks := w.model.Count(), len(w.gh.Checks())
	// With one it stands, and nothing is posted.
	w.run(labeled("bug", "mallory")).ends(1, "NEEDS-CHANGES")
	if w.model.Count() != asked || len(w.gh.Checks()) != checks {
		t.Error("a foreign label did more than repeat the verdict")
	}
	// Ours forces a fresh review and is taken off.
	w.gh.SetLabels(7, "re-review", "bug")
	w.run(labeled("re-review", "octocat")).ends(1, "NEEDS-CHANGES")
	if w.model.Count() == asked {
		t.Error("re-review re-used the record")
	}
	if got := strings.Join(w.gh.Labels(7), ","); got != "bug" {
		t.Errorf("labels %q", got)
	}
	// A new baseline needs write permission.
	asked = w.model.Count()
	w.gh.SetLabels(7, "re-review:tests")
	w.run(labeled("re-review:tests", "mallory")).ends(1, "NEEDS-CHANGES")
	if w.model.Count() != asked {
		t.Error("a label set without write permission asked the model")
	}
}

// TestEditedPullRequest: another base is reviewed like a push; any other edit
// leaves the verdict as it is.
func TestEditedPullRequest(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
	w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
	asked, checks := w.model.Count(), len(w.gh.Checks())
	o := w.run(githubtest.Event{Name: "pull_request", Action: "edited", Number: 7, OldTitle: "Log in"})
	o.ends(1, "NEEDS-CHANGES") // the branch has the review's commit now, and the check of that
	if w.model.Count() != asked || len(w.gh.Checks()) != checks {
		t.Error("a new title did more than repeat the verdict")
	}
	// The new base has another roadmap, so the recorded review does not fit.
	w.repo.Branch("next", "main")
	w.repo.Commit("next", "Plan", githubtest.Text(map[string]string{".workflow/config.json": `{"context":["SCOPE.md"]}`}))
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Base: "next"})
	w.run(githubtest.Event{Name: "pull_request", Action: "edited", Number: 7, OldBase: "main"}).ends(1, "NEEDS-CHANGES")
	if w.model.Count() == asked {
		t.Error("the change was not reviewed against its new base")
	}
}

// TestRequestedCheck: a check run that somebody wants again is a /review of what
// it is about, if it is ours and they may write.
func TestRequestedCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{".workflow/config.json": `{"auto_review":{"retry_delay_s":0.01}}`},
		map[string]string{"specs/proposed/login.md": goodSpec, "ROADMAP.md": roadmap}, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	again := func(name, app, sender string, number int) (outcome, int) {
		t.Helper()
		id := w.check(w.head(), name).ID
		if app != "" {
			id = w.gh.AddCheck(githubtest.Check{Name: name, HeadSHA: w.head(), App: app, Status: "completed", Conclusion: "success"})
		}
		asked := w.model.Count()
		o := w.run(githubtest.Event{Name: "check_run", Action: "rerequested", Check: id, Sender: sender, Number: number})
		return o, w.model.Count() - asked
	}
	for _, c := range []struct {
		name, app, sender string
		number            int
		asked             int
		decision, why     string
	}{
		{"workflow-reviewer / spec: login", "", "octocat", 7, 1, "APPROVED", "spec: login"},
		{"workflow-reviewer", "", "octocat", 7, 2, "APPROVED", "spec: login"},
		{"workflow-reviewer", "", "mallory", 7, 0, "NONE", "write permission"},
		{"workflow-reviewer", "", "octocat", 0, 0, "NONE", "belongs to no pull request"},
		{"workflow-reviewer", "other-app", "octocat", 7, 0, "NONE", "another App"},
	} {
		o, asked := again(c.name, c.app, c.sender, c.number)
		o.ends(0, c.decision)
		if asked != c.asked || !strings.Contains(o.stdout, c.why) {
			t.Errorf("%+v: %d model requests\n%s", c, asked, o.stdout)
		}
	}
	w.allClosed()
}

func TestMergeGroup(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	asked, base := w.model.Count(), w.repo.Git("rev-parse", "main")
	tree := w.repo.Git("rev-parse", "feature/login^{tree}")
	group := w.repo.Git("commit-tree", tree, "-p", base, "-m", "Squashed (#7)")
	w.repo.Branch("gh-readonly-queue/main/pr-7-"+base, group)

	o := w.run(githubtest.Event{Name: "merge_group", Action: "checks_requested", Before: base, After: group})
	o.ends(0, "APPROVED")
	if w.model.Count() != asked {
		t.Error("the recorded verdict was not used again")
	}
	if c := w.check(group, "workflow-reviewer"); c.Conclusion != "success" {
		t.Errorf("gate %+v", c)
	}
	if tip := w.repo.Git("rev-parse", "gh-readonly-queue/main/pr-7-"+base); tip != group {
		t.Error("the merge group was committed to")
	}
}

func TestPushAndDispatch(t *testing.T) {
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	before, after := w.repo.Git("rev-parse", "main"), w.head()
	o := w.run(githubtest.Event{Name: "push", Branch: "feature/login", Before: before, After: after})
	o.ends(0, "APPROVED")
	if cs := w.gh.Comments(); len(cs) != 0 {
		t.Errorf("a push was commented on: %+v", cs)
	}
	o = w.run(githubtest.Event{Name: "workflow_dispatch", Branch: "feature/login", Inputs: map[string]string{"types": "tests"}})
	o.ends(0, "NONE")
	o = w.run(githubtest.Event{
		Name: "workflow_dispatch", Branch: "feature/login",
		Inputs: map[string]string{"paths": "specs/proposed/nowhere.md"},
	})
	o.ends(2, "ERROR")
	if !strings.Contains(o.outputs["reviews"]+o.summary, "Spec not found at specs/proposed/nowhere.md") {
		t.Errorf("summary %s", o.summary)
	}
}

// TestFork: a pull request from a fork is reviewed, but nothing is committed.
func TestFork(t *testing.T) {
	for _, event := range []string{"pull_request_target", "pull_request"} {
		t.Run(event, func(t *testing.T) {
			w := specWorld(t, nil)
			sha := w.head()
			w.repo.Git("update-ref", "refs/pull/8/head", sha)
			w.gh.AddPull(githubtest.PR{Number: 8, Head: "patch-1", Fork: "mallory/hello", SHA: sha})
			w.repo.Git("update-ref", "-d", "refs/heads/feature/login")
			if event == "pull_request" {
				w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
					if c.Method == http.MethodGet || strings.HasSuffix(c.Path, ".git") || strings.Contains(c.Path, "git-upload-pack") {
						return nil
					}
					f := githubtest.Forbidden()
					return &f
				})
			}
			o := w.run(githubtest.Event{Name: event, Action: "opened", Number: 8})
			o.ends(0, "APPROVED")
			if event == "pull_request_target" {
				if c := w.check(sha, "workflow-reviewer"); c.Conclusion != "success" || len(w.gh.Comments()) != 1 {
					t.Errorf("gate %+v, comments %+v", c, w.gh.Comments())
				}
				return
			}
			if len(w.gh.Checks())+len(w.gh.Comments()) != 0 || !strings.Contains(o.summary, "login") {
				t.Errorf("checks %+v\nsummary %s", w.gh.Checks(), o.summary)
			}
		})
	}
}

// TestCheckouts: the review does not hang on what the workspace holds.
func TestCheckouts(t *testing.T) {
	for name, prepare := range map[string]func(w *world){
		"none":   func(w *world) { w.removeWorkspace() },
		"empty":  func(w *world) { w.removeWorkspace(); w.mkdirWorkspace() },
		"sparse": func(w *world) { w.removeWorkspace(); w.clone("--depth=1", "--sparse", "--branch=main") },
		"full":   func(w *world) { w.removeWorkspace(); w.clone() },
		"main":   func(w *world) { w.removeWorkspace(); w.clone("--depth=1", "--branch=main") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			prepare(w)
			before := w.listing()
			w.run(w.pull("opened")).ends(0, "APPROVED")
			if after := w.listing(); after != before {
				t.Errorf("the workspace changed:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

// TestCopiedCheckout: a workspace that is a copy of another's is as git leaves it.
func TestCopiedCheckout(t *testing.T) {
	t.Parallel()
	specWorld(t, nil)
	w := specWorld(t, nil)
	gitIn(t, w.workspace, "fsck", "--strict")
	for want, command := range map[string]string{
		"":              "status --porcelain",
		"true":          "rev-parse --is-shallow-repository",
		w.head():        "rev-parse HEAD",
		"feature/login": "branch --show-current",
		w.origin():      "remote get-url origin",
	} {
		if got := gitIn(t, w.workspace, strings.Fields(command)...); got != want {
			t.Errorf("git %s says %q, want %q", command, got, want)
		}
	}
}

func (w *world) removeWorkspace() {
	if err := os.RemoveAll(w.workspace); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) mkdirWorkspace() {
	if err := os.MkdirAll(w.workspace, 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// listing names every file of the workspace with its size and time.
func (w *world) listing() string {
	var b strings.Builder
	_ = filepath.Walk(w.workspace, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			b.WriteString(path + info.Mode().String() + info.ModTime().String() + "\n")
		}
		return nil
	})
	return b.String()
}

func TestConfigurationErrorsComeTogether(t *testing.T) {
	w := newWorld(t,
		map[string]string{".workflow/config.json": `{"auto_review":{"review_modle":"x"},"thresholds":{"line_coverage":800}}`},
		map[string]string{"specs/proposed/login.md": goodSpec}, nil)
	head := w.head()
	w.inputs["engine"], w.inputs["commit"], w.inputs["test-results"] = "magic", "sometimes", "a[b"
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	text := o.stdout + o.summary
	for _, want := range []string{`"magic" is not one of`, `"sometimes" is not one of`, `review_modle`, `line_coverage`, `test-results`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not reported:\n%s", want, text)
		}
	}
	if c := w.check(head, "workflow-reviewer"); c.Title != "Review did not run" || c.Conclusion != "failure" {
		t.Errorf("gate %+v", c)
	}
	if w.head() != head {
		t.Error("something was committed")
	}
}

func TestMissingKey(t *testing.T) {
	w := specWorld(t, nil)
	w.inputs["engine"] = "codex"
	head := w.head()
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if c := w.check(head, "workflow-reviewer"); c.Title != "Review did not run" || !strings.Contains(c.Summary+c.Text, "openai-api-key") {
		t.Errorf("gate %+v", c)
	}
}

func TestMalformedEvent(t *testing.T) {
	w := specWorld(t, nil)
	path := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(path, []byte(`{"action":"opened","pull_request":{`), 0o600); err != nil {
		t.Fatal(err)
	}
	w.vars["GITHUB_EVENT_PATH"] = path
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if !strings.Contains(o.stdout, "pull_request") {
		t.Errorf("log %s", o.stdout)
	}
}
