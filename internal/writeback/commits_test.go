package writeback

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/workflow"
)

func TestCommits(t *testing.T) {
	make1 := func(typ workflow.Type, feature string, d workflow.Decision) written {
		path := "reviews/" + typ.Folder() + "/20260131T120000-" + feature + "-" + d.String() + ".md"
		return written{
			result: workflow.Result{Artifact: workflow.Artifact{Type: typ, Feature: feature}, Decision: d, ReviewPath: path},
			files:  []change.Write{{Path: path, Content: []byte("review\n")}},
		}
	}
	moved := make1(workflow.Spec, "login", workflow.Approved)
	moved.Move = &workflow.Move{From: "specs/proposed/login.md", To: "specs/todo/login.md"}
	moved.Content = []byte("spec\n")
	cached := written{result: workflow.Result{Decision: workflow.Approved, Cached: true}}
	const trailers = "\nReviewed-Head: abc\nWorkflow-Reviewer: v1.2.3\n"

	s := Writer{Frame: pipeline.Frame{Env: process.Env{Version: "v1.2.3"}}}
	all := []written{
		moved, cached,
		make1(workflow.Tests, "login", workflow.Approved),
		make1(workflow.Implementation, "login", workflow.NeedsChanges),
		make1(workflow.Skeleton, "pay", workflow.NeedsChanges),
		make1(workflow.Scope, "SCOPE", workflow.Error),
	}
	for i := range all {
		all[i].at = i
	}
	got := s.commits(all, "abc")
	want := []change.Commit{{
		Subject: "Approve spec: login",
		Body: "APPROVED reviews/specs/20260131T120000-login-APPROVED.md (specs/proposed/login.md moves to specs/todo/login.md)\n" +
			trailers,
		Writes: []change.Write{
			{Path: "reviews/specs/20260131T120000-login-APPROVED.md", Content: []byte("review\n")},
			{Path: "specs/todo/login.md", Content: []byte("spec\n")},
		},
		Deletes: []string{"specs/proposed/login.md"},
	}, {
		Subject: "Approve tests: login",
		Body:    "APPROVED reviews/tests/20260131T120000-login-APPROVED.md\n" + trailers,
		Writes:  []change.Write{{Path: "reviews/tests/20260131T120000-login-APPROVED.md", Content: []byte("review\n")}},
	}, {
		Subject: "Review: 2 artifacts need changes",
		Body: "NEEDS-CHANGES reviews/implementations/20260131T120000-login-NEEDS-CHANGES.md\n" +
			"NEEDS-CHANGES reviews/skeletons/20260131T120000-pay-NEEDS-CHANGES.md\n" + trailers,
		Writes: []change.Write{
			{Path: "reviews/implementations/20260131T120000-login-NEEDS-CHANGES.md", Content: []byte("review\n")},
			{Path: "reviews/skeletons/20260131T120000-pay-NEEDS-CHANGES.md", Content: []byte("review\n")},
		},
	}}
	var made []change.Commit
	var of [][]int
	for _, b := range got {
		var places []int
		for _, one := range b.of {
			places = append(places, one.at)
		}
		made, of = append(made, b.Commit), append(of, places)
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([][]int{{0}, {2}, {3, 4}}, of); diff != "" {
		t.Errorf("results of the commits (-want +got)\n%s", diff)
	}
	if got := s.commits([]written{cached}, "abc"); len(got) != 0 {
		t.Errorf("a re-used verdict was committed: %v", got)
	}
	s.Config = config.Config{CommitErrors: true, CommitPrefix: "chore:"}
	withErrors := s.commits([]written{make1(workflow.Scope, "SCOPE", workflow.Error)}, "abc")
	if len(withErrors) != 1 || len(withErrors[0].Writes) != 1 {
		t.Errorf("the error's review is not committed: %v", withErrors)
	}
	if subject := "chore: Review: 1 artifact needs changes"; withErrors[0].Subject != subject {
		t.Errorf("subject %q, want %q", withErrors[0].Subject, subject)
	}
}
