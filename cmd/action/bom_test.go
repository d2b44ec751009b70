package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestByteOrderMarks: what an editor writes before a text is no part of it.
func TestByteOrderMarks(t *testing.T) {
	t.Parallel()
	const mark = "\ufeff"
	commented := mark + "// how we work\n" + strings.Replace(config, "}}}", "},/* both */},}", 1)
	base := map[string]string{"ROADMAP.md": mark + roadmap, ".workflow/config.json": commented}
	front := mark + "---\nfeature: login\n---\n" + goodSpec
	for name, spec := range map[string]string{"a heading": mark + goodSpec, "front matter": front} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, base, map[string]string{"specs/proposed/login.md": spec}, codextest.Always(answer("APPROVED")))
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if r := o.reviews()[0]; r.MovedTo != "specs/todo/login.md" {
				t.Errorf("the config did not count: %+v", r)
			}
			if got := w.repo.Git("show", "feature/login:specs/todo/login.md"); !strings.HasPrefix(got, mark) {
				t.Errorf("the spec was changed: %.40q", got)
			}
			prompt := w.model.Requests()[0].Prompt
			if strings.Contains(prompt, mark) || strings.Contains(prompt, "U+FEFF") || !strings.Contains(prompt, "Feature 1: Login") {
				t.Errorf("the prompt has the mark, or no roadmap:\n%s", prompt)
			}
			again := w.run(w.pull("synchronize"))
			again.ends(0, "APPROVED")
			if w.model.Count() != 1 {
				t.Errorf("the model was asked %d times", w.model.Count())
			}
		})
	}
}

// TestMarkedRecordCounts: a record that an editor saved is still the record, and no other.
func TestMarkedRecordCounts(t *testing.T) {
	t.Parallel()
	main := adderMain(true)
	main[recordAt] = "\ufeff" + main[recordAt]
	for name, c := range map[string]struct {
		pr   map[string]string
		code int
		says string
	}{
		"weakened": {map[string]string{adderAt: adderWeak}, 1, `"breach"`},
		"kept":     {map[string]string{"src/adder.py": adderCode}, 0, `"clean"`},
	} {
		dir := adderClone(t, main, c.pr)
		code, stdout, stderr := program(t, "integrity", "--repo", dir, "--base", "origin/main", "--head", "HEAD", "--json")
		if code != c.code || !strings.Contains(stdout, c.says) {
			t.Errorf("%s: exit status %d\n%s%s", name, code, stdout, stderr)
		}
	}
}
