package main_test

import (
	"strings"
	"testing"
)

// TestOwnPinIsAsked: who reads the pull request sees that what reviews the next
// one changes, also where nothing else is to be reviewed.
func TestOwnPinIsAsked(t *testing.T) {
	t.Parallel()
	const path = ".github/workflows/review.yml"
	const use = "on: pull_request\njobs:\n  review:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: octo/workflow-reviewer@v1\n"
	changed := strings.Replace(use, "octo/workflow-reviewer@v1", "evil/workflow-reviewer@main", 1)
	w := newWorld(t, map[string]string{path: use}, map[string]string{path: changed}, nil)
	o := w.run(w.pull("opened"))
	o.ends(0, "NONE")
	const want = "which version of this action reviews"
	gate := w.check(w.repo.Git("rev-parse", "feature/login"), "workflow-reviewer")
	shown := map[string]string{"check": gate.Summary + gate.Text, "job summary": o.summary, "log": o.stdout, "page": o.saved("report.html")}
	if comments := w.gh.Comments(); len(comments) == 1 {
		shown["comment"] = comments[0].Body
	} else {
		t.Errorf("%d comments", len(comments))
	}
	for name, text := range shown {
		if !strings.Contains(text, want) || !strings.Contains(text, "evil/workflow-reviewer") {
			t.Errorf("the %s does not tell it:\n%s", name, text)
		}
	}
}
