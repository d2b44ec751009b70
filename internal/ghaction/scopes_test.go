package ghaction

import (
	"testing"

	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// ending is a run as far as the gate sees it: it begins, comes to a verdict, and ends.
type ending struct {
	scope    scope.Scope
	run, job string
	verdict  workflow.Decision
	written  string // the commit that the run wrote on top of the head, "" for none
}

func (e ending) report(head string) report.Report {
	var results []workflow.Result
	if e.verdict != workflow.None {
		artifact := workflow.Artifact{Type: workflow.Spec, Feature: "login"}
		results = []workflow.Result{{Artifact: artifact, Decision: e.verdict}}
	}
	return report.Build(report.Run{Head: head, Results: results})
}

// twoPulls is a repository whose pull requests 1 into main and 2 into twin have one head. On top of
// it is a commit, written, that no branch has.
func twoPulls(t *testing.T) (gh *githubtest.Server, head, written string) {
	t.Helper()
	repo := githubtest.NewRepo(t)
	repo.Commit("main", "Begin", githubtest.Text(map[string]string{"a": "a"}))
	repo.Branch("work", "main")
	head = repo.Commit("work", "Work", githubtest.Text(map[string]string{"b": "b"}))
	repo.Branch("twin", "work")
	repo.Branch("later", "work")
	written = repo.Commit("later", "Approve spec: login", githubtest.Text(map[string]string{"c": "c"}))
	gh = githubtest.New(t, githubtest.Options{Git: repo})
	gh.AddPull(githubtest.PR{Number: 1, Head: "work"})
	gh.AddPull(githubtest.PR{Number: 2, Head: "work", Base: "twin"})
	return gh, head, written
}

var (
	first  = scope.Scope{Pull: 1, Base: "main"}
	second = scope.Scope{Pull: 2, Base: "twin"}
	specs  = scope.Scope{Pull: 1, Base: "main", Types: []workflow.Type{workflow.Spec}}
	pushed = scope.Scope{Event: "push", Branch: "work", Base: "1111111111111111111111111111111111111111"}
)
