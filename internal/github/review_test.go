package github_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

const login = "specs/proposed/login.md"

func findings() []github.Inline {
	return []github.Inline{
		{Path: login, Line: 1, Body: "Say more", Key: "a"},
		{Path: login, Line: 5, StartLine: 3, Side: github.Right, Body: "```suggestion\nbetter\n```", Key: "b"},
		{Path: login, Line: 1, Body: "Say more", Key: "a"},
		{Path: login, Line: 3, Body: "Odd key", Key: "x --> <script>"},
	}
}

func TestPostReview(t *testing.T) {
	w := start(t, githubtest.Options{})
	for i, want := range []int{3, 0} {
		if n, err := w.api.PostReview(t.Context(), 7, w.Head(7), findings()); err != nil || n != want {
			t.Fatalf("run %d posts %d, %v", i, n, err)
		}
	}
	got := w.ReviewComments()
	want := []githubtest.ReviewComment{
		{
			Number: 7, Author: "github-actions[bot]", CommitID: w.Head(7), Path: login, Line: 1, Side: "RIGHT",
			Body: "<!-- workflow-reviewer:a -->\nSay more",
		},
		{
			Number: 7, Author: "github-actions[bot]", CommitID: w.Head(7), Path: login, Line: 5, StartLine: 3, Side: "RIGHT",
			Body: "<!-- workflow-reviewer:b -->\n```suggestion\nbetter\n```",
		},
	}
	if d := cmp.Diff(want, got[:2], cmpopts.IgnoreFields(githubtest.ReviewComment{}, "ID", "Review")); d != "" {
		t.Errorf("comments (-want +got):\n%s", d)
	}
	if got[0].Review != got[2].Review || w.count("POST", "/reviews") != 1 {
		t.Error("the comments are not one review")
	}
	if strings.Contains(got[2].Body, "script") {
		t.Errorf("a key breaks out of its marker: %q", got[2].Body)
	}
}

func TestPostReviewDropsWhatIsNotInTheDiff(t *testing.T) {
	w := start(t, githubtest.Options{})
	bad := github.Inline{Path: "README.md", Line: 1, Body: "unchanged", Key: "z"}
	n, err := w.api.PostReview(t.Context(), 7, w.Head(7), append([]github.Inline{bad}, findings()...))
	if err != nil || n != 3 || len(w.ReviewComments()) != 3 {
		t.Errorf("posted %d of %d, %v", n, len(w.ReviewComments()), err)
	}
}

func TestReviewIsNeverDoubled(t *testing.T) {
	for name, f := range writeFaults() {
		for _, suffix := range []string{"/reviews", "/pulls/7/comments"} {
			t.Run(name+" on "+suffix, func(t *testing.T) {
				w := start(t, githubtest.Options{})
				comments := findings()
				if suffix != "/reviews" { // force the way one by one
					comments = append(comments, github.Inline{Path: "README.md", Line: 1, Key: "z"})
				}
				w.Fail(githubtest.Nth("POST", suffix, 1, f))
				n, err := w.api.PostReview(t.Context(), 7, w.Head(7), comments)
				if err != nil || n != 3 || len(w.ReviewComments()) != 3 {
					t.Errorf("posted %d, there are %d, %v", n, len(w.ReviewComments()), err)
				}
			})
		}
	}
}

func TestOnlyOurMarkersSilenceAFinding(t *testing.T) {
	w := start(t, githubtest.Options{})
	mark := "<!-- workflow-reviewer:a -->"
	w.AddReviewComment(githubtest.ReviewComment{Number: 7, Author: "eve", Path: login, Line: 1, Body: mark + "\nfine"})
	w.AddReviewComment(githubtest.ReviewComment{Number: 7, Author: "github-actions[bot]", Path: login, Line: 1, Body: "quoting\n" + mark})
	w.AddReviewComment(githubtest.ReviewComment{
		Number: 7, Author: "github-actions[bot]", Path: login, Line: 1,
		Body: "<!-- workflow-reviewer:b -->\nearlier",
	})
	if n, err := w.api.PostReview(t.Context(), 7, w.Head(7), findings()[:2]); err != nil || n != 1 {
		t.Errorf("posted %d, %v", n, err)
	}
}

func TestReviewInALastingOutage(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("POST", "/reviews", 0, githubtest.BadGateway()))
	if n, err := w.api.PostReview(t.Context(), 7, w.Head(7), findings()); err == nil || n != 0 || !strings.Contains(err.Error(), "502") {
		t.Errorf("posted %d, %v", n, err)
	}
}
