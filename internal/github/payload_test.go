package github_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

// TestFakeEvents reads the environments that the fake makes, as a step would.
func TestFakeEvents(t *testing.T) {
	w := start(t, githubtest.Options{})
	base, head := w.repo.Git("rev-parse", "main"), w.Head(7)
	w.AddPull(githubtest.PR{Number: 8, Head: "patch", Fork: "eve/hello", SHA: head, Draft: true})
	id := w.AddComment(7, "ann", "/review spec")
	own := "octo-org/hello"
	on := func(sha, branch string) change.Ref { return change.Ref{SHA: sha, Branch: branch, Repo: own} }
	tests := []struct {
		event githubtest.Event
		want  change.Event
	}{
		{
			githubtest.Event{Name: "pull_request", Action: "opened", Number: 7},
			change.Event{Number: 7, Base: on(base, "main"), Head: on(head, "feature/login"), Labels: []string{"bug", "re-review"}},
		},
		{
			githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "bug"},
			change.Event{
				Number: 7, Label: "bug", Base: on(base, "main"), Head: on(head, "feature/login"),
				Labels: []string{"bug", "re-review"},
			},
		},
		{
			githubtest.Event{Name: "pull_request_target", Action: "opened", Number: 8},
			change.Event{
				Number: 8, Fork: true, Draft: true, Base: on(base, "main"),
				Head: change.Ref{SHA: head, Branch: "patch", Repo: "eve/hello"},
			},
		},
		{
			githubtest.Event{Name: "issue_comment", Action: "created", Number: 7, Sender: "ann", Comment: id},
			change.Event{Number: 7, OnPull: true, CommentID: id, CommentBody: "/review spec", Labels: []string{"bug", "re-review"}},
		},
		{
			githubtest.Event{Name: "merge_group", Action: "checks_requested", Before: base, After: head},
			change.Event{Base: on(base, "main"), Head: on(head, "gh-readonly-queue/main/pr-1-"+base)},
		},
		{
			githubtest.Event{Name: "workflow_dispatch", Branch: "feature/login", Inputs: map[string]string{"types": "spec"}},
			change.Event{Base: on("", "main"), Head: on(head, "feature/login"), Types: []string{"spec"}},
		},
		{
			githubtest.Event{Name: "push", Branch: "feature/login", Before: base, After: head},
			change.Event{Base: on(base, "feature/login"), Head: on(head, "feature/login")},
		},
		{
			githubtest.Event{Name: "push", Branch: "gone", Before: base, After: strings.Repeat("0", 40)},
			change.Event{Action: github.PushDeleted},
		},
	}
	for _, tt := range tests {
		t.Run(tt.event.Name+" "+tt.event.Action, func(t *testing.T) {
			env := w.Env(tt.event)
			payload, err := os.ReadFile(env["GITHUB_EVENT_PATH"])
			if err != nil {
				t.Fatal(err)
			}
			got, err := github.ParseEvent(env["GITHUB_EVENT_NAME"], payload, github.EventEnv{
				Repository: env["GITHUB_REPOSITORY"], SHA: env["GITHUB_SHA"], Ref: env["GITHUB_REF"], RefName: env["GITHUB_REF_NAME"],
			})
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			want.Name, want.Owner, want.Repo, want.DefaultBranch, want.Sender = tt.event.Name, "octo-org", "hello", "main", "octocat"
			if strings.HasPrefix(tt.event.Name, "pull_request") {
				want.Author = "octocat"
				want.Title, want.Body = "A change", "This is a pretty simple change that we need to pull into master."
			}
			if tt.event.Sender != "" {
				want.Sender = tt.event.Sender
			}
			if want.Action == "" {
				want.Action = tt.event.Action
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("event (-want +got):\n%s", d)
			}
		})
	}
}
