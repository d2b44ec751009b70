package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestTicksWithoutWork: a tick whose file is not there is advice under the rules, a question to the model, and blocks
// where the layout says so; one whose file is there is nothing.
func TestTicksWithoutWork(t *testing.T) {
	t.Parallel()
	const list = "# Tasks\n\n- [ ] T001 Sign in, in `app/auth.py`\n- [ ] T002 Cap the rate in `app/limits.py`\n"
	main := map[string]string{
		".specify/memory/constitution.md": "# C\n",
		"specs/001-login/tasks.md":        list,
		"specs/001-login/spec.md":         goodSpec,
	}
	work := map[string]string{
		"specs/001-login/tasks.md": strings.ReplaceAll(
			list,
			"[ ]",
			"[x]",
		), "app/auth.py": loginCode, "tests/001-login/test_auth.py": loginTest,
	}
	const said = "Ticked, and `app/limits.py` is not there"
	t.Run("advice", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, main, work, nil)
		o := w.run(w.pull("opened"))
		o.ends(0, "APPROVED")
		if !strings.Contains(o.summary, said) ||
			strings.Contains(o.summary, "`app/auth.py` is not there") {
			t.Errorf("the summary does not say %q:\n%s", said, o.summary)
		}
	})
	t.Run("blocks", func(t *testing.T) {
		t.Parallel()
		strict := map[string]string{
			".workflow/config.json": `{"layouts":[{"extends":"spec-kit","ticks":"block"}]}`,
		}
		for name, text := range main {
			strict[name] = text
		}
		w := newWorld(t, strict, work, nil)
		o := w.run(w.pull("opened"))
		o.ends(1, "NEEDS-CHANGES")
		if !strings.Contains(o.summary, said) {
			t.Errorf("the summary does not say %q:\n%s", said, o.summary)
		}
	})
	t.Run("alone", func(t *testing.T) {
		t.Parallel()
		strict := map[string]string{
			".workflow/config.json": `{"layouts":[{"extends":"spec-kit","ticks":"block"}]}`,
			"app/auth.py":           loginCode,
		}
		for name, text := range main {
			strict[name] = text
		}
		w := newWorld(
			t,
			strict,
			map[string]string{"specs/001-login/tasks.md": work["specs/001-login/tasks.md"]},
			nil,
		)
		o := w.run(w.pull("opened"))
		o.ends(1, "NEEDS-CHANGES")
	})
	t.Run("a question", func(t *testing.T) {
		t.Parallel()
		for answer, code := range map[string]int{"refuted": 0, "confirmed": 1} {
			asked := false
			reply := asking(
				func(string) map[string]any { return map[string]any{"answer": answer, "reason": "It is called for."} },
			)
			w := newWorld(t, main, work, func(req codextest.Request) codextest.Response {
				asked = asked ||
					strings.Contains(req.Prompt, "work/not-there") &&
						strings.Contains(req.Prompt, "app/limits.py")
				return reply(req)
			})
			if o := w.run(w.pull("opened")); o.code != code || !asked {
				t.Errorf("%s: ended %d, asked %t\n%s", answer, o.code, asked, o.summary)
			}
		}
	})
}
