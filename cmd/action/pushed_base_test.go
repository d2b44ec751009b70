package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// TestAPushedRecordIsNoBase: what a push compares with is what was pushed before, which may hold a
// record that nobody approved. The approval of what comes next on top of it counts for no pull
// request.
func TestAPushedRecordIsNoBase(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
	w.inputs["test-results"] = "all passing"
	push := func(files map[string]string) outcome {
		before := w.head()
		after := w.repo.Commit("feature/login", "Work", githubtest.Text(files))
		return w.run(githubtest.Event{Name: "push", Branch: "feature/login", Before: before, After: after})
	}
	more := adderWeak + "\n\ndef test_zero():\n    assert add(0, 0) == 0\n"
	push(map[string]string{
		adderAt: adderWeak, recordAt: record("adder", 2, map[string]string{adderAt: adderWeak}),
	}).ends(1, "NEEDS-CHANGES")
	push(map[string]string{adderAt: more}).ends(0, "APPROVED")
	w.run(w.pull("synchronize")).ends(1, "NEEDS-CHANGES")
	w.gateIs("failure", "Test integrity breach")
}

// TestAnotherBranchIsNoBase: neither is what was approved in a pull request into a branch of one's
// own, whether its commit is there or was put into another.
func TestAnotherBranchIsNoBase(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{"its commit": "the branch `twin`", "a squash": "#8 into `twin`"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
			w.inputs["test-results"] = "all passing"
			forged := githubtest.Text(map[string]string{
				adderAt: adderWeak, recordAt: record("adder", 2, map[string]string{adderAt: adderWeak}),
			})
			w.repo.Branch("twin", "main")
			w.repo.Commit("twin", "Work", forged)
			w.repo.Branch("feature/login", "twin")
			w.repo.Commit("feature/login", "Work", githubtest.Text(map[string]string{
				adderAt: adderWeak + "\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
			}))
			w.gh.AddPull(githubtest.PR{Number: 8, Title: "Twin", Head: "feature/login", Base: "twin"})
			w.run(opened(8)).ends(0, "APPROVED")
			if name == "a squash" {
				tree := w.head() + "^{tree}"
				w.repo.Branch("feature/login", w.repo.Git("commit-tree", tree, "-p", "main", "-m", "Squash"))
			}
			o := w.run(opened(7))
			o.ends(1, "NEEDS-CHANGES")
			w.gateIs("failure", "Test integrity breach")
			if says := "it was approved for " + says + ", and not for `main`"; !strings.Contains(o.outputs["violations"], says) {
				t.Errorf("violations %s", o.outputs["violations"])
			}
		})
	}
}

// TestARetargetedPullRequestIsApprovedByLabel: what was approved for the branch below it in a stack
// is approved anew for the trunk by a label, and stays so.
func TestARetargetedPullRequestIsApprovedByLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"README.md": "# Sums\n"}, nil)
	w.inputs["test-results"] = "all passing"
	w.repo.Branch("below", "feature/login")
	w.repo.Commit("feature/login", "Work", githubtest.Text(map[string]string{
		adderAt: adderTests + "\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
	}))
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Stacked", Head: "feature/login", Base: "below"})
	w.run(opened(8)).ends(0, "APPROVED")
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Stacked", Head: "feature/login", Base: "main"})
	w.run(githubtest.Event{Name: "pull_request", Action: "edited", Number: 8, OldBase: "below"}).ends(1, "NEEDS-CHANGES")
	w.gh.SetLabels(8, "re-review:tests")
	w.run(githubtest.Event{
		Name: "pull_request", Action: "labeled", Number: 8, Label: "re-review:tests", Sender: "octocat",
	}).ends(0, "APPROVED")
	w.run(githubtest.Event{Name: "pull_request", Action: "synchronize", Number: 8}).ends(0, "APPROVED")
}
