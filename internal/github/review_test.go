package github_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/github/githubtest"
)

const login = "specs/proposed/login.md"

func findings() []change.LineComment {
	return []change.LineComment{
		{Path: login, Line: 1, Body: "Say more", Key: "a"},
		{Path: login, Line: 5, StartLine: 3, Body: "```suggestion\nbetter\n```", Key: "b"},
		{Path: login, Line: 1, Body: "Say more", Key: "a"},
		{Path: login, Line: 3, Body: "Odd key", Key: "x --> <script>"},
	}
}

func TestPostReview(t *testing.T) {
	w := start(t, githubtest.Options{})
	for i, want := range []int{3, 0} {
		if n, left := w.api.PostReview(t.Context(), 7, w.Head(7), findings()); len(left) > 0 || n != want {
			t.Fatalf("run %d posts %d, not %v", i, n, left)
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
	bad := change.LineComment{Path: "README.md", Line: 1, Body: "unchanged", Key: "z"}
	n, left := w.api.PostReview(t.Context(), 7, w.Head(7), append([]change.LineComment{bad}, findings()...))
	if n != 3 || len(w.ReviewComments()) != 3 {
		t.Errorf("posted %d of %d", n, len(w.ReviewComments()))
	}
	if len(left) != 1 || left[0].Key != "z" || !strings.Contains(left[0].Why.Error(), "does not show that line") {
		t.Errorf("refused %v", left)
	}
}

func TestReviewIsNeverDoubled(t *testing.T) {
	for name, f := range writeFaults() {
		for _, suffix := range []string{"/reviews", "/pulls/7/comments"} {
			t.Run(name+" on "+suffix, func(t *testing.T) {
				w := start(t, githubtest.Options{})
				comments := findings()
				if suffix != "/reviews" { // force the way one by one
					comments = append(comments, change.LineComment{Path: "README.md", Line: 1, Key: "z"})
				}
				w.Fail(githubtest.Nth("POST", suffix, 1, f))
				n, left := w.api.PostReview(t.Context(), 7, w.Head(7), comments)
				if len(left) > len(comments)-len(findings()) || n != 3 || len(w.ReviewComments()) != 3 {
					t.Errorf("posted %d, there are %d, not %v", n, len(w.ReviewComments()), left)
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
	if n, left := w.api.PostReview(t.Context(), 7, w.Head(7), findings()[:2]); len(left) > 0 || n != 1 {
		t.Errorf("posted %d, not %v", n, left)
	}
}

// Each kind of refusal of inline comments: what passes is tried again, what is about one comment leaves the others,
// and whatever does not stand in the end is told with its reason.
func TestRefusedReviews(t *testing.T) {
	unprocessable := func(said string) githubtest.Fault {
		return githubtest.Fault{Status: 422, Body: `{"message":"Unprocessable Entity","errors":["` + said + `"]}`}
	}
	for _, tt := range []struct {
		name   string
		fault  githubtest.Fault
		path   string
		times  int // of the fault, 0 = always
		posted int
		says   string
		posts  int // requests to path
	}{
		{"too quickly, once", unprocessable("was submitted too quickly"), "/reviews", 1, 3, "", 2},
		{"too quickly", unprocessable("was submitted too quickly"), "/reviews", 0, 0, "written to too fast", 4},
		{
			"pending review, once", unprocessable("User can only have one pending review per pull request"), "/reviews", 1, 3,
			"", 2,
		},
		{
			"pending review", unprocessable("User can only have one pending review per pull request"), "/reviews", 0, 0,
			"submit or delete that review", 4,
		},
		{
			"diff too large", unprocessable("Pull request review thread path diff too large and Pull request review thread " +
				"diff hunk can't be blank"), "s", 0, 0, "diff is too large for comments", 4, // the review, and three comments
		},
		{"another head", unprocessable("The commit_id is not part of the pull request"), "s", 0, 0, "force push", 4},
		{"what nobody heard of", unprocessable("Body is odd"), "s", 0, 0, "GitHub takes no comment there", 4},
		{"only the review", unprocessable("Review comments is invalid"), "/reviews", 1, 3, "", 4},
		{"no permission", githubtest.Forbidden(), "/reviews", 0, 0, "pull-requests: write", 1},
		{"outage", githubtest.BadGateway(), "/reviews", 0, 0, "githubstatus.com", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			tried := 0
			w.Fail(func(c githubtest.Call) *githubtest.Fault {
				if c.Method != http.MethodPost || !strings.HasSuffix(c.Path, tt.path) || c.Path == "/graphql" {
					return nil
				}
				if tried++; tt.times > 0 && tried > tt.times {
					return nil
				}
				return &tt.fault
			})
			n, left := w.api.PostReview(t.Context(), 7, w.Head(7), findings())
			if n != tt.posted || n+len(left) != 3 || tried != tt.posts {
				t.Errorf("posted %d with %d requests, not %v", n, tried, left)
			}
			for _, u := range left {
				if !strings.Contains(u.Why.Error(), tt.says) {
					t.Errorf("%v does not say %q", u.Why, tt.says)
				}
			}
		})
	}
}
