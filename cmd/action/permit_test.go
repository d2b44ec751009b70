package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// TestPermitIsOfTheHeadItWasSetFor: what is pushed while the tests review of a label runs was seen
// by nobody who set it. The change of approved tests that it brings is a breach.
func TestPermitIsOfTheHeadItWasSetFor(t *testing.T) {
	t.Parallel()
	var w *world
	w = newWorld(t, adderMain(true),
		map[string]string{adderAt: strings.Replace(adderTests, "add(-1, 1) == 0", "add(-1, 2) == 1", 1)},
		func(r codextest.Request) codextest.Response {
			if r.N == 0 {
				w.repo.Commit("feature/login", "Push meanwhile", githubtest.Text(map[string]string{adderAt: adderWeak}))
			}
			return answer("APPROVED")
		})
	w.inputs["test-results"] = "all passing"
	w.gh.SetLabels(7, "re-review:tests")
	o := w.run(githubtest.Event{
		Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests", Sender: "octocat",
	})
	o.ends(1, "NEEDS-CHANGES")
	if o.kinds() != "assertion_weakened" || !strings.Contains(o.stdout, "set it again") {
		t.Errorf("violations %+v\n%s", o.violations(), o.stdout)
	}
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != "failure" {
		t.Errorf("the gate of what was pushed: %s, %s", c.Conclusion, c.Title)
	}
}
