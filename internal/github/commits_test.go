package github_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

const branch = "feature/login"

func approvals(head string) []change.Commit {
	return []change.Commit{
		{
			Subject: "Approve spec: login", Body: "reviews/specs/x-login-APPROVED.md\n\nReviewed-Head: " + head,
			Writes: []change.Write{
				{Path: "reviews/specs/x-login-APPROVED.md", Content: []byte("---\nschema: 1\n---\nümläut\x00\xff\n")},
				{Path: "specs/todo/login.md", Content: []byte(spec)},
			},
			Deletes: []string{"specs/proposed/login.md"},
		},
		{
			Subject: "Review: 1 artifact needs changes", Body: "Reviewed-Head: " + head,
			Writes: []change.Write{{Path: "reviews/specs/y-NEEDS-CHANGES.md", Content: []byte{}}},
		},
	}
}

func TestWriteCommits(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	tip, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head))
	if err != nil {
		t.Fatal(err)
	}
	if tip != w.Head(7) || w.repo.Git("rev-parse", tip+"~2") != head {
		t.Errorf("tip %s is not two commits on top of %s", tip, head)
	}
	want := "A\treviews/specs/x-login-APPROVED.md\nR100\tspecs/proposed/login.md\tspecs/todo/login.md"
	if got := w.repo.Git("diff", "--name-status", "-M", head, tip+"~1"); got != want {
		t.Errorf("the first commit does\n%s", got)
	}
	made, err := w.api.Commit(t.Context(), tip)
	if err != nil || !made.ByGitHub || made.Author != "github-actions[bot]" ||
		made.Message != "Review: 1 artifact needs changes\n\nReviewed-Head: "+head {
		t.Errorf("commit %+v, %v", made, err)
	}
}

func TestWriteCommitsWhenTheHeadMoved(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	moved := w.repo.Commit(branch, "Someone pushes", githubtest.Text(map[string]string{"x": "y"}))
	tip, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head))
	if !errors.Is(err, change.ErrHeadMoved) || tip != head || w.Head(7) != moved {
		t.Errorf("tip %s, %v", tip, err)
	}
	w.repo.Git("update-ref", "-d", "refs/heads/"+branch)
	if _, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head)); !errors.Is(err, change.ErrHeadMoved) {
		t.Errorf("deleted branch: %v", err)
	}
}

func TestWriteCommitsSaysHowFarItGot(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	n := 0
	w.Fail(func(c githubtest.Call) *githubtest.Fault {
		if c.Path != "/graphql" {
			return nil
		}
		if n++; n == 2 {
			w.repo.Commit(branch, "Someone pushes", githubtest.Text(map[string]string{"x": "y"}))
		}
		return nil
	})
	tip, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head))
	if !errors.Is(err, change.ErrHeadMoved) || !strings.Contains(err.Error(), "commit 2 of 2") ||
		w.repo.Git("rev-parse", tip+"~1") != head {
		t.Errorf("tip %s, %v", tip, err)
	}
}

func TestWriteCommitsWithoutPermission(t *testing.T) {
	rules := githubtest.GraphFault("UNPROCESSABLE", "Repository rule violations found\n\nChanges must be made through a pull request.")
	for name, tt := range map[string]struct {
		readOnly bool
		fault    func(githubtest.Call) *githubtest.Fault
	}{
		"read-only token": {readOnly: true},
		"rules":           {fault: githubtest.Nth("POST", "/graphql", 0, rules)},
		"403":             {fault: githubtest.Nth("POST", "/graphql", 0, githubtest.Forbidden())},
		"401":             {fault: githubtest.Nth("POST", "/graphql", 0, githubtest.Unauthorized())},
	} {
		w := start(t, githubtest.Options{ReadOnly: tt.readOnly})
		w.Fail(tt.fault)
		head := w.Head(7)
		tip, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head))
		if !errors.Is(err, change.ErrReadOnly) || tip != head || w.count("POST", "/graphql") != 1 {
			t.Errorf("%s: tip %s, %v", name, tip, err)
		}
	}
}

func TestCommitIsNeverDoubled(t *testing.T) {
	faults := writeFaults()
	faults["rate limit inside GraphQL"] = githubtest.GraphFault("RATE_LIMITED", "API rate limit exceeded")
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			head := w.Head(7)
			w.Fail(githubtest.Nth("POST", "/graphql", 1, f))
			tip, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head))
			if err != nil {
				t.Fatal(err)
			}
			if n := w.repo.Git("rev-list", "--count", head+".."+branch); n != "2" || tip != w.Head(7) {
				t.Errorf("%s commits, tip %s", n, tip)
			}
		})
	}
}

func TestCommitLostAndTheHeadMoved(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	w.Fail(func(c githubtest.Call) *githubtest.Fault {
		if c.Path != "/graphql" {
			return nil
		}
		w.repo.Commit(branch, "Someone pushes", githubtest.Text(map[string]string{"x": "y"}))
		f := githubtest.BadGateway()
		return &f
	})
	if tip, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head)[:1]); !errors.Is(err, change.ErrHeadMoved) || tip != head {
		t.Errorf("tip %s, %v", tip, err)
	}
}

func TestCommitInALastingOutage(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	w.Fail(githubtest.Nth("POST", "/graphql", 0, githubtest.BadGateway()))
	tip, err := w.api.WriteCommits(t.Context(), branch, head, approvals(head))
	if err == nil || !strings.Contains(err.Error(), "GitHub answered 502") || tip != head || errors.Is(err, change.ErrHeadMoved) {
		t.Errorf("tip %s, %v", tip, err)
	}
	if n := w.count("POST", "/graphql"); n != 4 {
		t.Errorf("%d tries", n)
	}
}

func TestCommitIsCancelled(t *testing.T) {
	w := start(t, githubtest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.api.WriteCommits(ctx, branch, w.Head(7), approvals(w.Head(7))); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestCommitTooLargeForTheAPI(t *testing.T) {
	w := start(t, githubtest.Options{})
	big := change.Commit{Subject: "x", Writes: []change.Write{{Path: "a", Content: bytes.Repeat([]byte{1}, github.MaxCommit+1)}}}
	if _, err := w.api.WriteCommits(t.Context(), branch, w.Head(7), []change.Commit{big}); err == nil ||
		!strings.Contains(err.Error(), "push") {
		t.Errorf("error %v", err)
	}
	if !cmp.Equal(w.count("POST", "/graphql"), 0) {
		t.Error("it is sent all the same")
	}
}
