package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// TestPartTakesTheRestAlong: a review of a part of the change that commits leaves
// no check behind on the old head, and tells of all reviews.
func TestPartTakesTheRestAlong(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]func(w *world) githubtest.Event{
		"re-run of a check": func(w *world) githubtest.Event {
			id := w.check(w.head(), "workflow-reviewer / spec: login").ID
			return githubtest.Event{Name: "check_run", Action: "rerequested", Check: id, Sender: "octocat", Number: 7}
		},
		"command": func(w *world) githubtest.Event { return w.comment("octocat", "/review spec") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config},
				map[string]string{"specs/proposed/login.md": goodSpec, "src/login.py": adderCode, "VISION.md": "# Vision\n\nUsers.\n"},
				codextest.Always(answer("APPROVED")))
			w.inputs["test-results"] = "all passing"
			w.run(w.pull("opened")).ends(0, "APPROVED")
			before, asked := w.head(), w.model.Count()
			o := w.run(event(w))
			o.ends(0, "APPROVED")
			if w.head() == before || w.model.Count() != asked+1 {
				t.Errorf("%d more requests, commits %v", w.model.Count()-asked, w.subjects(before))
			}
			for _, check := range []string{"", " / spec: login", " / vision: VISION", " / implementation: login"} {
				if c := w.check(w.head(), "workflow-reviewer"+check); c.Conclusion != "success" {
					t.Errorf("check %q: %s %q", check, c.Conclusion, c.Title)
				}
			}
			comment := w.gh.Comments()[0].Body
			for _, r := range []string{"spec: login", "vision: VISION", "implementation: login"} {
				if !strings.Contains(comment, "✅ **"+r) {
					t.Errorf("the comment lacks %s:\n%s", r, comment)
				}
			}
			w.allClosed()
		})
	}
}
