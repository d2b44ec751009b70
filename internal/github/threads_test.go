package github_test

import (
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

const ownThread = "<!-- workflow-reviewer:0123 -->\n"

// TestCloseThreads: our own threads that are settled are closed in the best way
// that the token allows, once; all others stay as they are.
func TestCloseThreads(t *testing.T) {
	tests := []struct {
		name   string
		denied []string
		want   githubtest.ReviewComment // of ours that is settled
	}{
		{"resolved", nil, githubtest.ReviewComment{Resolved: true}},
		{"edited", []string{"resolveReviewThread"}, githubtest.ReviewComment{Edits: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, githubtest.Options{Denied: tt.denied})
			for i := range 130 { // the one of ours is on the second page
				w.AddReviewComment(githubtest.ReviewComment{
					Number: 7, Author: "ann", Path: "README.md", Line: 1,
					Body: fmt.Sprint(ownThread, "settled, quotes ", i),
				})
			}
			add := func(author, body string) {
				w.AddReviewComment(githubtest.ReviewComment{Number: 7, Author: author, Path: "README.md", Line: 1, Body: body})
			}
			add("github-actions[bot]", ownThread+"settled")
			add("github-actions[bot]", ownThread+"open")
			add("github-actions[bot]", "settled, of another workflow")
			add("github-actions", ownThread+"settled, of a user with the bot's name")
			settled := func(body string) bool { return strings.Contains(body, "settled") }
			for run, want := range []int{1, 0} {
				if n, err := w.api.CloseThreads(t.Context(), 7, settled); n != want || err != nil {
					t.Fatalf("run %d: closed %d, %v", run+1, n, err)
				}
			}
			for i, c := range w.ReviewComments() {
				want := githubtest.ReviewComment{}
				if i == 130 {
					want = tt.want
				}
				if c.Resolved != want.Resolved || c.Edits != want.Edits {
					t.Errorf("comment %d of %s: %+v", i, c.Author, c)
				}
			}
			if tt.want.Edits > 0 && !strings.HasPrefix(w.ReviewComments()[130].Body, ownThread+"**Resolved.** ") {
				t.Errorf("edited to %q", w.ReviewComments()[130].Body)
			}
		})
	}
}

func TestCloseThreadsThatCannotBeListed(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("POST", "/graphql", 0, githubtest.GraphFault("FORBIDDEN", "Resource not accessible by integration")))
	if n, err := w.api.CloseThreads(t.Context(), 7, func(string) bool { return true }); n != 0 || err == nil {
		t.Errorf("closed %d, %v", n, err)
	}
}
