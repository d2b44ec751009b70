package github_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/github/githubtest"
)

// TestWritesArePaced: no more than 75 writes a minute; reads are not counted.
func TestWritesArePaced(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	var at []time.Time
	for i := range 160 {
		out := github.CheckOutput{Conclusion: github.Success, Title: "Approved", ExternalID: "digest"}
		out.Name = fmt.Sprintf("workflow-reviewer / spec: %d", i)
		if _, err := w.api.PostCheck(t.Context(), head, out); err != nil {
			t.Fatal(err)
		}
		at = append(at, w.clock.Now())
		if _, err := w.api.PullRequest(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
	}
	for i := range at {
		if i >= 75 && at[i].Sub(at[i-75]) < time.Minute {
			t.Errorf("write %d came %v after write %d", i, at[i].Sub(at[i-75]), i-75)
		}
	}
	if all := at[159].Sub(at[0]); all != 2*time.Minute {
		t.Errorf("160 writes took %v", all)
	}
}

func TestPostedCheckIsComplete(t *testing.T) {
	w := start(t, githubtest.Options{})
	head := w.Head(7)
	lost := githubtest.Nth("POST", "/check-runs", 1, githubtest.BadGateway())
	w.Fail(lost)
	out := github.CheckOutput{
		Conclusion: github.Failure, Title: "Needs changes", Summary: "One issue", Text: "# Review",
		ExternalID: "sha256:1",
	}
	out.Name = "workflow-reviewer / spec: login"
	if _, err := w.api.PostCheck(t.Context(), head, out); err != nil {
		t.Fatal(err)
	}
	want := []githubtest.Check{{
		ID: w.Checks()[0].ID, Name: "workflow-reviewer / spec: login", HeadSHA: head, Status: "completed", Conclusion: "failure",
		ExternalID: "sha256:1",
		StartedAt:  w.Checks()[0].StartedAt, CompletedAt: w.Checks()[0].CompletedAt, Title: "Needs changes",
		Summary: "One issue", Text: "# Review",
	}}
	if d := cmp.Diff(want, w.Checks()); d != "" {
		t.Errorf("checks (-want +got):\n%s", d)
	}
	out.Conclusion = ""
	if _, err := w.api.PostCheck(t.Context(), head, out); err == nil {
		t.Error("a check run without a conclusion is posted")
	}
}
