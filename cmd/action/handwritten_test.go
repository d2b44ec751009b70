package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// byHand replaces the event of a run by one as a person writes it for act: it
// names branches, and no commit.
func byHand(w *world) {
	w.t.Helper()
	event := filepath.Join(w.t.TempDir(), "event.json")
	write(w.t, filepath.Dir(event), "event.json", `{"action":"opened","number":1,
		"pull_request":{"number":1,"head":{"ref":"feature/login"},"base":{"ref":"main"}},"repository":{"full_name":"octo-org/hello"}}`)
	w.vars["GITHUB_EVENT_PATH"], w.vars["GITHUB_SHA"] = event, w.head()
	w.vars["ACT"], w.inputs["github-token"] = "true", ""
	w.removeWorkspace()
	w.clone("--branch=feature/login")
	gitIn(w.t, w.workspace, "remote", "set-url", "origin", w.repo.Dir)
}

// TestHandwrittenEvent: under act, an event without commits means the checkout,
// and reviews are pushed to its origin.
func TestHandwrittenEvent(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	byHand(w)
	o := w.run(githubtest.Event{Name: "pull_request", Action: "opened", Number: 7})
	o.ends(0, "APPROVED")
	if rs := o.reviews(); len(rs) != 1 || !slices.Contains(w.files(), rs[0].Path) || !slices.Contains(w.files(), "specs/todo/login.md") {
		t.Errorf("reviews %+v, files %v", rs, w.files())
	}
	if len(w.gh.Requests()) != 0 {
		t.Errorf("without a token GitHub was asked: %+v", w.gh.Requests())
	}
}

// TestHandwrittenEventWithoutOrigin: act's container does not see an origin that
// is a path of the host. The review needs none; committing does, and says so.
func TestHandwrittenEventWithoutOrigin(t *testing.T) {
	for commit, status := range map[string]int{"off": 0, "auto": 2} {
		t.Run(commit, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, nil)
			byHand(w)
			w.inputs["commit"] = commit
			if err := os.RemoveAll(w.repo.Dir); err != nil {
				t.Fatal(err)
			}
			o := w.run(githubtest.Event{Name: "pull_request", Action: "opened", Number: 7})
			if o.code != status || len(o.reviews()) != 1 || o.reviews()[0].Decision != "APPROVED" {
				t.Errorf("ended %d with %s\n%s%s", o.code, o.outputs["reviews"], o.stdout, o.stderr)
			}
		})
	}
}

// TestHandwrittenEventElsewhere: on GitHub an event names its commits.
func TestHandwrittenEventElsewhere(t *testing.T) {
	t.Parallel()
	w := specWorld(t, nil)
	byHand(w)
	delete(w.vars, "ACT")
	w.run(githubtest.Event{Name: "pull_request", Action: "opened", Number: 7}).ends(2, "ERROR")
}
