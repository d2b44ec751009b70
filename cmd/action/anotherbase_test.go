package main_test

import (
	"regexp"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

var spent = regexp.MustCompile(`(?m)((?:input|cached|output|reasoning|^duration_ms): )\d+`)

// TestARecordOfAnotherBase: a review that a branch of one's own brings counts for a pull request
// into that branch, and for no other by the check run that this one shows.
func TestARecordOfAnotherBase(t *testing.T) {
	t.Parallel()
	liar := specWorld(t, codextest.Always(answer("APPROVED")))
	liar.inputs["commit"] = "off"
	o := liar.run(liar.pull("opened"))
	o.ends(0, "APPROVED")
	path := o.reviews()[0].Path
	forged := spent.ReplaceAllString(o.saved(path), "${1}0")

	w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
	w.repo.Branch("side", "main")
	w.repo.Commit("side", "Work", githubtest.Text(map[string]string{path: forged}))
	w.repo.Branch("feature/side", "side")
	w.repo.Commit("feature/side", "Work", githubtest.Text(map[string]string{"specs/proposed/login.md": goodSpec}))
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Side", Head: "feature/side", Base: "side"})
	w.run(opened(8)).ends(0, "APPROVED")
	w.repo.Commit("feature/login", "More\n\nReviewed-Head: "+w.repo.Resolve("refs/heads/feature/side"), githubtest.Text(map[string]string{path: forged}))
	w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
}

// TestADecisionForAnotherBase: whom a base lets decide, it lets decide for itself.
func TestADecisionForAnotherBase(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"override": "/override spec:login", "dismissal": "/dismiss ",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
			w.repo.Branch("side", "main")
			w.repo.Commit("side", "Work", githubtest.Text(map[string]string{
				".workflow/config.json": `{"auto_review":{"retry_delay_s":0.01},"override":{"author":true}}`,
			}))
			w.repo.Branch("feature/side", "side")
			w.repo.Commit("feature/side", "Work", githubtest.Text(map[string]string{
				"specs/proposed/login.md": goodSpec, ".workflow/config.json": config,
			}))
			w.gh.AddPull(githubtest.PR{Number: 8, Title: "Side", Head: "feature/side", Base: "side"})
			o := w.run(opened(8))
			o.ends(1, "NEEDS-CHANGES")
			if name == "dismissal" {
				command += o.finding()
			}
			id := w.gh.AddComment(8, "octocat", command+" the hole is closed by the gateway")
			w.run(githubtest.Event{Name: "issue_comment", Action: "created", Number: 8, Sender: "octocat", Comment: id}).ends(0, "APPROVED")
			w.gh.AddPull(githubtest.PR{Number: 8, Title: "Side", Head: "feature/side", Base: "main"})
			base := w.repo.Git("rev-parse", "main")
			group := w.repo.Git("commit-tree", w.repo.Git("rev-parse", "feature/side^{tree}"), "-p", base, "-m", "Squashed (#8)")
			w.repo.Branch("gh-readonly-queue/main/pr-8-"+base, group)
			w.run(githubtest.Event{Name: "merge_group", Action: "checks_requested", Number: 8, Before: base, After: group}).ends(1, "NEEDS-CHANGES")
			o = w.run(githubtest.Event{Name: "pull_request", Action: "edited", Number: 8, OldBase: "side"})
			o.ends(1, "NEEDS-CHANGES")
		})
	}
}

// TestADecisionOfBefore: what somebody decided on another's pull request, and the base holds since,
// counts on one of their own: its reviews are not made anew each time.
func TestADecisionOfBefore(t *testing.T) {
	t.Parallel()
	const at = "specs/proposed/login.md"
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": "{}"}, map[string]string{at: goodSpec},
		codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", at, 3))))
	w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login", Author: "dev"})
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	w.run(w.comment("octocat", "/dismiss "+o.finding()+" the roadmap says it elsewhere")).ends(0, "APPROVED")
	w.repo.Branch("main", "feature/login")
	w.repo.Branch("feature/more", "main")
	w.repo.Commit("feature/more", "More", githubtest.Text(map[string]string{at: goodSpec + "\nMore.\n"}))
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "More", Head: "feature/more", Author: "octocat"})
	w.run(opened(8)).ends(0, "APPROVED")
	w.repo.Commit("feature/more", "Note", githubtest.Text(map[string]string{"NOTES.md": "x\n"}))
	asked := w.model.Count()
	w.run(githubtest.Event{Name: "pull_request", Action: "synchronize", Number: 8}).ends(0, "APPROVED")
	if n := w.model.Count() - asked; n > 0 {
		t.Errorf("the model was asked %d times more", n)
	}
}
