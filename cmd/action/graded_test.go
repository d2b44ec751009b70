package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// grading approves with the grades that entries makes of the ids of the request's criteria.
func grading(entries func(ids []string) []string) func(codextest.Request) codextest.Response {
	return func(req codextest.Request) codextest.Response {
		criteria := []any{}
		for _, id := range entries(codextest.Enumerated(req, "criteria")) {
			criteria = append(criteria, map[string]any{
				"id": id, "result": "PASS", "finding": "It is there.", "evidence": "line 3", "impact": "",
			})
		}
		return codextest.Review(map[string]any{
			"decision": "APPROVED", "summary": "The model's summary.", "criteria": criteria,
			"issues": []any{}, "previous_findings": []any{},
		})
	}
}

// TestApprovalsAreGraded: what the real codex hands on of a model that approves without grading each criterion passes
// no gate, with the built-in criteria and with a project's own.
func TestApprovalsAreGraded(t *testing.T) {
	t.Parallel()
	own := "# A good spec\n\n## Clear goal\n\nOne goal.\n\n## Testable\n\nBy anyone.\n"
	for name, c := range map[string]struct {
		entries     func([]string) []string
		own         bool
		code, calls int
		says        string
	}{
		"each":     {func(ids []string) []string { return ids }, false, 0, 1, "| Interface contracts | PASS |"},
		"none":     {func([]string) []string { return nil }, false, 1, 2, "approved beside 6 failed criteria"},
		"all but":  {func(ids []string) []string { return ids[1:] }, false, 1, 2, "approved beside 1 failed criterion"},
		"made up":  {func(ids []string) []string { return append(ids, "beauty") }, false, 1, 2, "This review has no such criterion."},
		"own":      {func(ids []string) []string { return ids }, true, 0, 1, "| Clear goal | PASS |"},
		"one own":  {func(ids []string) []string { return ids[:1] }, true, 1, 2, "approved beside 1 failed criterion"},
		"built-in": {func([]string) []string { return []string{"testability", "clarity"} }, true, 1, 2, "approved beside 4 failed criteria"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, grading(c.entries))
			if c.own {
				w.repo.Commit("main", "Criteria", githubtest.Text(map[string]string{"Workflow/schema-spec.md": own}))
			}
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if text := o.saved(o.of("spec").Path); w.model.Count() != c.calls || !strings.Contains(text, c.says) {
				t.Errorf("%d calls, review\n%s", w.model.Count(), text)
			}
		})
	}
}

// TestTriggerDecides: from the second review on a new High finding on unchanged lines blocks by its trigger, in any
// language, and never by the words of its description.
func TestTriggerDecides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trigger, description string
		code                 int
	}{
		"a trigger":          {"ein leeres Passwort", "Jeder kommt hinein.", 1},
		"words and no field": {"", "When the password is empty, if once given, anybody gets in.", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			second := false
			w := specWorld(t, func(codextest.Request) codextest.Response {
				if !second {
					return answer("NEEDS-CHANGES", issue("High", "No lockout", "specs/proposed/login.md", 17))
				}
				hole := issue("High", "No password", "specs/proposed/login.md", 3)
				hole["category"], hole["trigger"], hole["description"] = "security", c.trigger, c.description
				return codextest.Review(map[string]any{
					"decision": "NEEDS-CHANGES", "summary": "The model's summary.", "issues": []any{hole},
					"criteria": []any{
						map[string]any{"result": "PASS", "finding": "Testable.", "evidence": "", "impact": ""},
					},
					"previous_findings": []any{
						map[string]any{"title": "No lockout", "resolved": true, "note": "Line 30."},
					},
				})
			})
			w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
			second = true
			w.repo.Commit("feature/login", "Answer", githubtest.Text(map[string]string{
				"specs/proposed/login.md": goodSpec + "\nTen tries.\n",
			}))
			o := w.run(w.pull("synchronize"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if text := o.saved(o.of("spec").Path); c.trigger != "" &&
				!strings.Contains(text, "**Trigger:** "+c.trigger) {
				t.Errorf("the review does not show the trigger:\n%s", text)
			}
		})
	}
}
