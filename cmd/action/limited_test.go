package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// TestLimitedRequestsDoNotOpenTheGate: the gate stands for the whole change,
// also after a request that looked at a part of it.
func TestLimitedRequestsDoNotOpenTheGate(t *testing.T) {
	t.Parallel()
	requests := map[string]func(*world) githubtest.Event{
		"comment": func(w *world) githubtest.Event { return w.comment("octocat", "/review vision") },
		"dispatch": func(*world) githubtest.Event {
			return githubtest.Event{Name: "workflow_dispatch", Branch: "feature/login", Inputs: map[string]string{"types": "vision"}}
		},
		"paths": func(*world) githubtest.Event {
			return githubtest.Event{Name: "workflow_dispatch", Branch: "feature/login", Inputs: map[string]string{"paths": "VISION.md"}}
		},
		"label": func(w *world) githubtest.Event {
			w.gh.SetLabels(7, "re-review:tests")
			return githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests"}
		},
	}
	for name, request := range requests {
		for _, c := range []struct {
			name, spec string
			before     bool // everything was reviewed before
			code       int
			conclusion string
			title      string
		}{
			{"never reviewed", goodSpec, false, 2, "failure", "Review did not run"},
			{"approved before", goodSpec, true, 0, "success", ""},
			{"closed before", "# Spec: Login\n\nTODO\n", true, 1, "failure", "Needs changes"},
		} {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, "VISION.md": vision}, map[string]string{
					"specs/proposed/login.md": c.spec, "VISION.md": vision + "\nIt is quick.\n",
				}, nil)
				if c.before {
					w.run(w.pull("opened"))
				}
				o := w.run(request(w))
				if o.code != c.code {
					t.Errorf("exit status %d, want %d\n%s", o.code, c.code, o.stdout)
				}
				gate := w.check(w.head(), "workflow-reviewer")
				if want := map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES", 2: "ERROR"}[c.code]; o.outputs["decision"] != want &&
					(c.code != 0 || o.outputs["decision"] != "NONE") {
					t.Errorf("decision %s beside exit status %d", o.outputs["decision"], o.code)
				}
				if gate.Conclusion != c.conclusion || c.title != "" && gate.Title != c.title {
					t.Errorf("gate %s %q, want %s %q", gate.Conclusion, gate.Title, c.conclusion, c.title)
				}
				if !c.before && !strings.Contains(gate.Summary, "spec: login") {
					t.Errorf("the check does not say what is missing:\n%s", gate.Summary)
				}
				w.allClosed()
			})
		}
	}
}

// vision passes the built-in checks.
const vision = `# Vision: Login

## Problem

People who use several tools forget their passwords and lose an hour a week.

## Users

Small teams of up to twenty people who share tools.

## Value

One login for all tools saves that hour.

## Success criteria

- 90 % of logins succeed at the first try within six months.
- Support requests about passwords fall by half.

## Scope

Login and logout. Payment is out of scope.
`
