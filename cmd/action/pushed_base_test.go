package main_test

import (
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
	for name, squash := range map[string]bool{"its commit": false, "a squash": true} {
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
			if squash {
				tree := w.head() + "^{tree}"
				w.repo.Branch("feature/login", w.repo.Git("commit-tree", tree, "-p", "main", "-m", "Squash"))
			}
			w.run(opened(7)).ends(1, "NEEDS-CHANGES")
			w.gateIs("failure", "Test integrity breach")
		})
	}
}
