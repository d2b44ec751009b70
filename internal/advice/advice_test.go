package advice_test

import (
	"cmp"
	"slices"
	"testing"

	"workflow-reviewer/internal/advice"
	"workflow-reviewer/internal/review"
)

// TestExamples: each entry is found by what the other side really said, by its code alone and by its words alone.
func TestExamples(t *testing.T) {
	classes := map[string][]string{
		"github": {"passes", "limit", "unauthorized", "forbidden", "missing", "stale", "gone", "refused"},
		"model": {
			string(review.Authentication), string(review.Quota), string(review.BadRequest), string(review.RateLimit),
			string(review.Transport), string(review.Answer), string(review.Setup),
		},
	}
	for name, table := range map[string]advice.Table{"github": advice.GitHub(), "model": advice.Model()} {
		seen := map[string]bool{}
		for i, r := range table {
			if seen[r.ID] || r.ID == "" || r.Means == "" || r.Do == "" || r.Example == "" && r.ID != "document" ||
				!slices.Contains(classes[name], r.Class) {
				t.Errorf("%s: entry %q is not complete, or has an unknown class or an id of another", name, r.ID)
			}
			seen[r.ID] = true
			words := advice.Answer{Call: r.Call, Message: r.Example}
			if len(r.Status) > 0 {
				words.Status = r.Status[0]
			}
			codes := []advice.Answer{}
			for _, c := range r.Code {
				codes = append(
					codes,
					advice.Answer{
						Status:  words.Status,
						Call:    r.Call,
						Codes:   []string{c},
						Message: "It is said in other words.",
					},
				)
			}
			if r.Says != "" || len(r.Code) == 0 {
				codes = append(codes, words)
			}
			for _, a := range codes {
				if got := table.Find(a); got.ID != r.ID {
					t.Errorf("%s: %+v is taken for %q, not for %q", name, a, got.ID, r.ID)
				}
			}
			if last := i == len(table)-1; last != (len(r.Status) == 0 && r.Call == "" && len(r.Code) == 0 && r.Says == "") {
				t.Errorf("%s: only the last entry fits every answer, not %q", name, r.ID)
			}
		}
	}
}

// TestGitHub has what GitHub says in other words than the examples.
func TestGitHub(t *testing.T) {
	const commit = "POST /graphql"
	for _, c := range []struct {
		status     int
		code, call string
		says       string
		want       string
	}{
		{
			says: "Something went wrong while executing your query on 2026-01-31T12:00:00Z. Please include `0401:6C25`.", want: "trouble",
		},
		{
			says: "We couldn't respond to your request in time. Sorry about that. Please try resubmitting your request and contact us.",
			want: "trouble",
		},
		{says: "timedout", want: "trouble"},
		{status: 422, call: "POST /repos/o/r/pulls/7/reviews", says: "Unprocessable Entity: was submitted too quickly", want: "too-quickly"},
		{code: "UNPROCESSABLE", call: commit, says: "was submitted too quickly", want: "too-quickly"},
		{
			call: commit, code: "UNPROCESSABLE", says: "Repository rule violations found\n\nMissing successful active deployment",
			want: "rule-other",
		},
		{
			call: commit, code: "UNPROCESSABLE", says: "Repository rule violations found\n\nChanges must be made through the merge queue",
			want: "rule-pull-request",
		},
		{
			call: commit, code: "UNPROCESSABLE", want: "rule-checks",
			says: "2 of 2 required status checks are expected. Protected branch update failed",
		},
		{call: "push", says: "protected branch hook declined: GH006: Protected branch update failed for refs/heads/x.", want: "rule-other"},
		{
			call: "push", want: "rule-signatures",
			says: "push declined due to repository rule violations: GH013: Repository rule violations found. Commits must have verified signatures.",
		},
		{call: commit, code: "FORBIDDEN", says: "Resource not accessible by personal access token", want: "no-commit-permission"},
		{status: 403, call: "POST /repos/o/r/check-runs", says: "Resource not accessible by personal access token", want: "pat-checks"},
		{status: 403, call: "PATCH /repos/o/r/check-runs/5", says: "Resource not accessible by integration", want: "no-check-permission"},
		{status: 403, call: "POST /repos/o/r/pulls/7/reviews", says: "Resource not accessible by integration", want: "no-comment-permission"},
		{
			status: 403, call: "DELETE /repos/o/r/issues/7/labels/x", says: "Resource not accessible by integration",
			want: "no-issue-permission",
		},
		{
			status: 403, call: "GET /repos/o/r/collaborators/ann/permission",
			says: "Must have push access to view collaborator permission.", want: "forbidden",
		},
		{
			status: 403, call: "GET /repos/o/r/pulls/7", want: "token-policy",
			says: "The 'octo-org' organization forbids access via a fine-grained personal access token if its lifetime is greater than 366 days.",
		},
		{
			status: 422, call: "POST /repos/o/r/pulls/7/comments",
			says: "Validation Failed: pull_request_review_thread.line must be part of the diff", want: "not-in-diff",
		},
		{status: 422, call: "POST /repos/o/r/pulls/7/reviews", says: "Unprocessable Entity: Line could not be resolved", want: "not-in-diff"},
		{status: 422, call: "POST /repos/o/r/check-runs", says: "No commit found for SHA: 0123", want: "not-on-pull"},
		{status: 422, call: "POST /repos/o/r/check-runs", says: "Invalid request.", want: "other"},
		{status: 407, says: "", want: "proxy-auth"},
	} {
		a := advice.Answer{Status: cmp.Or(c.status, 200), Codes: []string{c.code}, Call: c.call, Message: c.says}
		if got := advice.GitHub().Find(a).ID; got != c.want {
			t.Errorf("%+v is taken for %q, not for %q", a, got, c.want)
		}
	}
}
