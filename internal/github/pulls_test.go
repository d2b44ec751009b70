package github_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

func TestPullRequest(t *testing.T) {
	w := start(t, githubtest.Options{})
	fork := w.repo.Commit("scratch", "Fork's work", githubtest.Text(map[string]string{"x": "y"}))
	w.AddPull(githubtest.PR{Number: 8, Head: "patch-1", Fork: "eve/hello", SHA: fork, Draft: true})
	base := change.Ref{SHA: w.repo.Git("rev-parse", "main"), Branch: "main", Repo: "octo-org/hello"}
	tests := map[int]change.Event{
		7: {Labels: []string{"bug", "re-review"}, Head: change.Ref{SHA: w.Head(7), Branch: "feature/login", Repo: "octo-org/hello"}},
		8: {Fork: true, Draft: true, Head: change.Ref{SHA: fork, Branch: "patch-1", Repo: "eve/hello"}},
	}
	for n, want := range tests {
		want.Owner, want.Repo, want.DefaultBranch, want.Number, want.OnPull, want.Base, want.Title = "octo-org", "hello", "main",
			n, true, base, "A change"
		want.Author = "octocat"
		got, err := w.api.PullRequest(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("pull request %d (-want +got):\n%s", n, d)
		}
	}
	if _, err := w.api.PullRequest(t.Context(), 99); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("pull request 99: %v", err)
	}
}

func TestPermission(t *testing.T) {
	w := start(t, githubtest.Options{Permissions: map[string]string{
		"ann": "admin", "bob": "write", "cid": "read",
		"dee": "none", "bot[bot]": "write",
	}})
	for user, want := range map[string]bool{
		"ann": true, "bob": true, "cid": false, "dee": false, "eve": false, "bot[bot]": true, "": false, "../ann": false, "a/b": false,
	} {
		got, err := w.api.Permission(t.Context(), user)
		if err != nil || got != want {
			t.Errorf("Permission(%q) = %v, %v", user, got, err)
		}
	}
	w.Fail(githubtest.Nth("GET", "/permission", 0, githubtest.BadGateway()))
	if ok, err := w.api.Permission(t.Context(), "ann"); ok || err == nil {
		t.Errorf("an outage grants permission: %v, %v", ok, err)
	}
}

func TestMergeBase(t *testing.T) {
	w := start(t, githubtest.Options{})
	fork := w.repo.Git("rev-parse", "main")
	w.repo.Commit("main", "Go on", githubtest.Text(map[string]string{"a": "b"}))
	w.repo.Commit("stray", "Unrelated", githubtest.Text(map[string]string{"c": "d"}))
	for head, want := range map[string]string{"feature/login": fork, w.Head(7): fork, "stray": ""} {
		if got, err := w.api.MergeBase(t.Context(), "main", head); err != nil || got != want {
			t.Errorf("MergeBase(main, %s) = %q, %v", head, got, err)
		}
	}
	if _, err := w.api.MergeBase(t.Context(), "main", "gone"); !errors.Is(err, github.ErrNotFound) {
		t.Errorf("merge base with a branch that is gone: %v", err)
	}
	if _, err := w.api.MergeBase(t.Context(), "main", "a..b"); err == nil {
		t.Error("a malformed branch is sent")
	}
}

func TestCommit(t *testing.T) {
	w := start(t, githubtest.Options{Logins: map[string]string{"octocat@github.example": "octocat"}})
	got, err := w.api.Commit(t.Context(), w.Head(7))
	want := github.Commit{Message: "Propose login", Parents: []string{w.repo.Git("rev-parse", "main")}, Author: "octocat"}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("commit %+v, %v", got, err)
	}
	if _, err := w.api.Commit(t.Context(), "main"); err == nil {
		t.Error("a branch is taken for a commit id")
	}
}

func TestLabels(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.SetLabels(7, "re-review:tests", "a/b c", "bug")
	for _, l := range []string{"re-review:tests", "a/b c", "not there"} {
		if err := w.api.RemoveLabel(t.Context(), 7, l); err != nil {
			t.Errorf("remove %q: %v", l, err)
		}
	}
	if got := w.Labels(7); !cmp.Equal(got, []string{"bug"}) {
		t.Errorf("labels %q", got)
	}
}

func TestRemoveLabelWhenTheAnswerIsLost(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("DELETE", "/labels/bug", 1, githubtest.Lost(githubtest.BadGateway())))
	if err := w.api.RemoveLabel(t.Context(), 7, "bug"); err != nil {
		t.Error(err)
	}
}

func TestReact(t *testing.T) {
	w := start(t, githubtest.Options{})
	id := w.AddComment(7, "ann", "/review")
	for range 2 {
		if err := w.api.React(t.Context(), id, "eyes"); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := w.Reactions(), []githubtest.Reaction{{Comment: id, Content: "eyes"}}; !cmp.Equal(got, want) {
		t.Errorf("reactions %v", got)
	}
}

func TestReadOnlyTokenIsForbidden(t *testing.T) {
	w := start(t, githubtest.Options{ReadOnly: true})
	id := w.AddComment(7, "ann", "/review")
	calls := map[string]func(context.Context) error{
		"check":   func(ctx context.Context) error { _, err := w.api.CreateCheck(ctx, w.Head(7), "x", "id"); return err },
		"comment": func(ctx context.Context) error { return w.api.UpsertComment(ctx, 7, "<!-- m -->", says("x")) },
		"label":   func(ctx context.Context) error { return w.api.RemoveLabel(ctx, 7, "bug") },
		"react":   func(ctx context.Context) error { return w.api.React(ctx, id, "eyes") },
		"review": func(ctx context.Context) error {
			_, left := w.api.PostReview(ctx, 7, w.Head(7), []change.LineComment{{Path: "specs/proposed/login.md", Line: 1, Body: "x", Key: "k"}})
			return left[0].Why
		},
	}
	for name, call := range calls {
		if err := call(t.Context()); !errors.Is(err, github.ErrForbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(w.clock.slept); n != 0 {
		t.Errorf("waited %d times for a permission that will not come", n)
	}
}
