package main_test

import (
	"cmp"
	"flag"
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/docstest/generated"
	"workflow-reviewer/internal/github/githubtest"
)

var updateTable = flag.Bool("update", false, "rewrite the table of attempts")

// githubAttempt is one way around the gate that goes through GitHub: the pull
// request weakens an approved test besides.
type githubAttempt struct {
	tried string
	by    func(w *world) githubtest.Event // makes the attempt, and says what happens then
	code  int                             // what the run ends with
	kinds string                          // of violations
	holds string
}

func githubAttempts() []githubAttempt {
	const signed = "GitHub is asked who signed the commit that names the record; a message proves nothing"
	const entitled = "GitHub is asked whether the one who set it may write, and the label counts for the head that it was set on"
	const content = "what is compared does not depend on names of branches, forks or bases"
	weak := func() map[string]string { return map[string]string{"src/adder.py": adderCode, adderAt: adderWeak} }
	forged := func() string { return record("adder", 2, map[string]string{adderAt: adderWeak}) }
	trailer := "Approve tests: adder\n\nReviewed-Head: x\nWorkflow-Reviewer: dev\nApproved-Tests: adder " + changetest.Blob(forged())
	label := func(sender string) githubtest.Event {
		return githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests", Sender: sender}
	}
	return []githubAttempt{
		{"a forged record in a commit with the trailer, unsigned", func(w *world) githubtest.Event {
			w.repo.Commit("feature/login", trailer, githubtest.Text(with(weak(), map[string]string{recordAt: forged()})))
			return w.pull("synchronize")
		}, 1, "assertion_weakened record_changed", signed},
		{"the same in the name of `github-actions[bot]`", func(w *world) githubtest.Event {
			w.repo.Git("config", "user.name", "github-actions[bot]")
			w.repo.Git("config", "user.email", "41898282+github-actions[bot]@users.noreply.github.com")
			w.repo.Commit("feature/login", trailer, githubtest.Text(with(weak(), map[string]string{recordAt: forged()})))
			return w.pull("synchronize")
		}, 1, "assertion_weakened record_changed", signed},
		{"a check run `workflow-reviewer` of another App that vouches for it", func(w *world) githubtest.Event {
			head := w.repo.Commit("feature/login", trailer, githubtest.Text(with(weak(), map[string]string{recordAt: forged()})))
			w.gh.AddCheck(githubtest.Check{
				Name: "workflow-reviewer", HeadSHA: head, Status: "completed",
				Conclusion: "success", App: "mallory",
			})
			return w.pull("synchronize")
		}, 1, "assertion_weakened record_changed", signed},
		{"the label `re-review:tests` by somebody who may not write", func(w *world) githubtest.Event {
			w.repo.Commit("feature/login", "Work", githubtest.Text(weak()))
			w.gh.SetLabels(7, "re-review:tests")
			return label("mallory")
		}, 1, "assertion_weakened", entitled},
		{"the label set by a writer, and pushed after it", func(w *world) githubtest.Event {
			w.gh.SetLabels(7, "re-review:tests")
			w.repo.Commit("feature/login", "Work", githubtest.Text(weak()))
			return w.pull("synchronize")
		}, 1, "assertion_weakened", entitled},
		{"a label `feature: other` or a title that names another feature", func(w *world) githubtest.Event {
			w.repo.Commit("feature/login", "Work", githubtest.Text(weak()))
			w.gh.SetLabels(7, "feature: sums")
			return w.pull("synchronize")
		}, 1, "assertion_weakened", content},
		{"a fork whose branch is called as the base", func(w *world) githubtest.Event {
			sha := w.repo.Commit("evil", "Work", githubtest.Text(weak()))
			w.repo.Git("update-ref", "refs/pull/8/head", sha)
			w.gh.AddPull(githubtest.PR{Number: 8, Head: "main", Fork: "mallory/hello", SHA: sha})
			return githubtest.Event{Name: "pull_request_target", Action: "opened", Number: 8}
		}, 1, "assertion_weakened", content},
		{"a merge group whose commit weakens what the pull request did not", func(w *world) githubtest.Event {
			base := w.repo.Git("rev-parse", "main")
			w.repo.Branch("gh-readonly-queue/main/pr-7-"+base, w.head())
			head := w.repo.Commit("gh-readonly-queue/main/pr-7-"+base, "x", githubtest.Text(weak()))
			return githubtest.Event{Name: "merge_group", Action: "checks_requested", Number: 7, Before: base, After: head}
		}, 1, "assertion_weakened", content},
		{
			"opened against a branch of its own, whose tests and record are the weakened, and set to the default branch after it passed",
			func(w *world) githubtest.Event {
				w.repo.Branch("soft", "main")
				w.repo.Commit("soft", "Soften", githubtest.Text(map[string]string{adderAt: adderWeak, recordAt: forged()}))
				w.repo.Git("update-ref", "refs/heads/feature/login", "refs/heads/soft")
				w.repo.Commit("feature/login", "Work", githubtest.Text(map[string]string{"src/adder.py": adderCode}))
				w.gh.AddPull(githubtest.PR{Number: 7, Head: "feature/login", Base: "soft"})
				return w.pull("opened")
			}, 0, "", "the check stands on the commit and is as green as that base allowed; GitHub asks nobody again when the base " +
				"changes. Name the branches in the workflow (`pull_request: branches: [main]`), let a ruleset require the workflow, and " +
				"dismiss approvals when the base changes",
		},
	}
}

// TestAdversary makes every attempt, in a world of its own.
func TestAdversary(t *testing.T) {
	t.Parallel()
	for _, a := range githubAttempts() {
		t.Run(a.tried, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderMain(true), map[string]string{"README.md": "x\n"}, nil)
			w.inputs["test-results"] = "all passing"
			o := w.run(a.by(w))
			o.ends(a.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[a.code])
			if got := o.kinds(); got != a.kinds {
				t.Errorf("kinds %q, want %q: %+v", got, a.kinds, o.violations())
			}
			for _, c := range w.gh.Checks() {
				if c.Name == "workflow-reviewer" && c.App != "mallory" && (c.Conclusion == "success") != (a.code == 0) {
					t.Errorf("the gate is %s", c.Conclusion)
				}
			}
		})
	}
}

// TestAdversaryTable keeps the table of testdata/attempts.md to these attempts.
func TestAdversaryTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| tried | came to | mitigation, or what closes it from outside |\n|---|---|---|\n")
	for _, a := range githubAttempts() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", a.tried, cmp.Or(map[int]string{0: "passes"}[a.code], "breach"), a.holds)
	}
	generated.Part(t, "../../testdata/attempts.md", "ways around on GitHub", b.String(), *updateTable)
}
