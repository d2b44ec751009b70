package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
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

// TestTicksByWhatTestsSay: of a spec that is moved to done it is told which criteria have tests that ran and passed, by
// the results and by the evidence.
func TestTicksByWhatTestsSay(t *testing.T) {
	t.Parallel()
	const done = "specs/done/adder.md"
	tests := strings.Replace(adderTests, "def test_add", "# Criterion 1\ndef test_add", 1)
	pr := func(main map[string]string) map[string]string {
		return map[string]string{"src/adder.py": adderCode, adderSpec: "", done: main[adderSpec]}
	}
	const junit = `<testsuite><testcase classname="tests.test_adder" name="test_negative"/>` +
		`<testcase classname="tests.test_adder" name="NAME"/></testsuite>`
	for name, c := range map[string]struct {
		give func(*world)
		want string
	}{
		"ran": {func(w *world) {
			w.put("junit.xml", strings.Replace(junit, "NAME", "test_add", 1))
			w.inputs["test-results"] = "junit.xml"
		}, "the tests of 1 ran and passed"},
		"did not run": {func(w *world) {
			w.put("junit.xml", strings.Replace(junit, "NAME", "test_other", 1))
			w.inputs["test-results"] = "junit.xml"
		}, "the tests of 1 did not run"},
		"evidence": {func(w *world) { w.hand("evidence.json", w.adderEvidence()) }, "the tests of 1 ran and passed"},
		"nothing":  {func(*world) {}, "nothing found in 1 claim"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := adderMain(false)
			main[adderAt], main[recordAt] = tests, record("adder", 1, map[string]string{adderAt: tests})
			w := newWorld(t, main, pr(main), nil)
			c.give(w)
			o := w.run(w.pull("opened"))
			if report := o.saved("report.json"); !strings.Contains(report, c.want) {
				t.Errorf("%q is not in %s", c.want, report)
			}
		})
	}
}

// TestTicksOfAnArchive: tasks that were ticked earlier are held against all that was there since, though the checkout is
// shallow.
func TestTicksOfAnArchive(t *testing.T) {
	t.Parallel()
	const at, archive = "openspec/changes/login/", "openspec/changes/archive/2026-01-31-login/"
	const list = "# Tasks\n\n- [ ] 1.1 Delete `app/old.py`\n- [ ] 1.2 Add `app/limits.py`\n- [ ] 1.3 Sign in, in `app/auth.py`\n"
	ticked := strings.ReplaceAll(list, "[ ]", "[x]")
	w := newWorld(t, map[string]string{"openspec/project.md": "# P\n", "app/old.py": loginCode}, nil, nil)
	for _, files := range []map[string]string{
		{at + "tasks.md": list, at + "specs/session/spec.md": delta},
		{at + "tasks.md": ticked, "app/old.py": "", "app/auth.py": loginCode},
		{"NOTES": "x\n"},
	} {
		w.repo.Commit("main", "Work", githubtest.Text(files))
	}
	w.repo.Branch("feature/login", "main")
	w.repo.Commit("feature/login", "Archive", githubtest.Text(map[string]string{
		at + "tasks.md": "", at + "specs/session/spec.md": "",
		archive + "tasks.md": ticked, archive + "specs/session/spec.md": delta,
	}))
	w.workspace += "-of-the-archive"
	w.clone("--depth=1", "--branch=feature/login")
	o := w.run(w.pull("opened"))
	report := o.saved("report.json")
	if !strings.Contains(report, "`app/limits.py` is not there") || strings.Contains(report, "`app/old.py` is not there") {
		t.Errorf("ended %d: %s\n%s", o.code, report, o.summary)
	}
}
