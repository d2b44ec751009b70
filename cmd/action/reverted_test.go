package main_test

import (
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// TestApprovalIsOfTheChangeFromItsBase: what was approved as a change of one
// version is reviewed as the change of another; on what else the base brings
// nothing is reviewed again.
func TestApprovalIsOfTheChangeFromItsBase(t *testing.T) {
	t.Parallel()
	more := adderCode + "\n\ndef run(x):\n    return x\n"
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config, "src/adder.py": adderWrong},
		map[string]string{"src/adder.py": more}, codextest.Always(answer("APPROVED")))
	w.inputs["test-results"] = "all passing"
	w.run(w.pull("opened")).ends(0, "APPROVED")

	other := githubtest.Text(map[string]string{"README.md": "# Adder\n"})
	w.repo.Commit("main", "Write a readme", other)
	w.repo.Commit("feature/login", "Take main's readme", other)
	merge := w.repo.Git("commit-tree", w.head()+"^{tree}", "-p", w.head(), "-p", "main", "-m", "Merge main")
	w.repo.Branch("feature/login", merge)
	w.nothingAgain()

	w.repo.Branch("main", "feature/login")
	w.repo.Commit("main", "Take run out, which was a hole", githubtest.Text(map[string]string{"src/adder.py": adderCode}))
	w.repo.Branch("feature/other", "main")
	w.repo.Commit("feature/other", "Bring it back", githubtest.Text(map[string]string{"src/adder.py": more}))
	w.gh.AddPull(githubtest.PR{Number: 9, Title: "Something else", Head: "feature/other"})
	asked := w.model.Count()
	w.run(githubtest.Event{Name: "pull_request", Action: "opened", Number: 9}).ends(0, "APPROVED")
	if w.model.Count() == asked {
		t.Error("the approval of another change was used again")
	}
}
