package report_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs, run with -update if it is meant (-want +got):\n%s", name, diff)
	}
}

func run(results ...workflow.Result) report.Run {
	return report.Run{
		Event: change.Event{
			Name: "pull_request", Action: "synchronize", Owner: "octo", Repo: "shop", Number: 42,
			Head: change.Ref{SHA: recordtest.Head, Branch: "feature/login"},
		},
		Head: recordtest.Head, MergeBase: recordtest.Base, Results: results,
		Label: "re-review", Version: "1.0.0", Duration: 2*time.Minute + 3*time.Second, Dir: "/tmp/report",
		ServerURL: "https://github.com", RunURL: "https://github.com/octo/shop/actions/runs/7",
	}
}

// runs are the situations that people meet, by name.
func runs() map[string]report.Run {
	cached := recordtest.Approved()
	cached.Cached = true
	mixed := run(recordtest.NeedsChanges(), cached, recordtest.Unclear())
	mixed.Notices = []workflow.Finding{
		{File: "src/auth/login.py", Text: "implementation of user-authentication: a path segment equals the spec's name"},
		{Level: workflow.Warn, Text: "There is no ROADMAP.md: the spec was reviewed without it."},
	}
	mixed.Prices = workflow.Prices{Input: 1.25, Cached: 0.125, Output: 10}
	approved := run(recordtest.Approved(), recordtest.Rules())
	approved.NewHead = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"
	approved.Commits = []report.Commit{{SHA: approved.NewHead, Subject: "Approve spec: user-authentication"}}
	config := run()
	config.Failure = &workflow.Failure{
		Class: "configuration", Message: `input engine: "gpt" is not one of codex, rules`,
		Action: "Correct the input in the workflow file.",
	}
	breach := run(recordtest.Violated())
	breach.Event.Author = "dev"
	breach.PutBack = []report.PutBack{{Commit: "c6b33c3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c", Paths: []string{"tests/test_add.py"}}}
	cancelled := run(recordtest.Approved())
	cancelled.Cancelled = true
	return map[string]report.Run{
		"mixed": mixed, "approved": approved, "nothing": run(), "configuration": config, "cancelled": cancelled,
		"breach": breach, "failed": run(recordtest.Failed(), recordtest.NeedsChanges()),
		"hostile": run(recordtest.Hostile()),
	}
}

func TestGoldens(t *testing.T) {
	for name, run := range runs() {
		t.Run(name, func(t *testing.T) {
			rep := report.Build(run)
			golden(t, name+".comment.md", rep.Comment(""))
			c := rep.Check()
			golden(t, name+".check.md", c.Conclusion+" · "+c.Title+" · "+c.ExternalID+"\n\n"+c.Summary+"\n\n===\n\n"+c.Text+"\n")
			var b strings.Builder
			rep.Terminal(&b, report.TerminalOptions{})
			golden(t, name+".txt", b.String())
			b.Reset()
			rep.Terminal(&b, report.TerminalOptions{Verbose: true})
			golden(t, name+".verbose.txt", b.String())
			js, err := rep.JSON()
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".json", string(js))
			sarif, err := rep.SARIF()
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".sarif", string(sarif)+"\n")
			page, err := rep.HTML()
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".html", string(page))
		})
	}
}
