package main_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// adderGood does what the spec of add demands.
const adderGood = "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n    \"\"\"Return the sum of a and b.\"\"\"\n    return a + b\n"

// stands approves, and says of each requirement of the request what entry makes
// of its id; nil leaves it out.
func stands(entry func(n int, id string) map[string]any) func(codextest.Request) codextest.Response {
	return func(req codextest.Request) codextest.Response {
		reply := map[string]any{
			"decision": "APPROVED", "summary": "The model's summary.", "issues": []any{}, "previous_findings": []any{},
			"criteria": []map[string]any{{
				"name": "Spec compliance", "result": "PASS", "finding": "Fine.",
				"evidence": "src/adder.py:4", "impact": "",
			}},
		}
		entries := []map[string]any{}
		for n, id := range codextest.Enumerated(req, "requirements") {
			if e := entry(n, id); e != nil {
				e["id"] = id
				entries = append(entries, e)
			}
		}
		reply["requirements"] = entries
		return codextest.Review(reply)
	}
}

func metAt(file string, line any) map[string]any {
	return map[string]any{"status": "met", "file": file, "line": line, "reason": "It stands there."}
}

// TestRequirements: what the real codex hands on of a model that takes no stand,
// invents one, or contradicts itself.
func TestRequirements(t *testing.T) {
	t.Parallel()
	last := func(e map[string]any) func(int, string) map[string]any {
		return func(n int, _ string) map[string]any {
			if n == 0 {
				return e
			}
			return metAt("src/adder.py", 6)
		}
	}
	for name, c := range map[string]struct {
		entry       func(int, string) map[string]any
		code, calls int
		says        []string
	}{
		"all met": {
			last(metAt("src/adder.py", 4)), 0, 1,
			[]string{"## Requirements", "| met | `src/adder.py:4` | It stands there. |"},
		},
		"omitted": {last(nil), 1, 2, []string{"1 requirement without an entry that counts", "| cannot tell |", "took no stand"}},
		"invented line": {
			last(metAt("src/adder.py", 400)), 1, 2,
			[]string{"1 requirement without an entry that counts", "names line 400 of src/adder.py, which has 6 lines"},
		},
		"invented file": {last(metAt("src/locker.py", 4)), 1, 2, []string{"names the file src/locker.py, which the head does not hold"}},
		"not met": {
			last(map[string]any{"status": "not met", "file": nil, "line": nil, "reason": "Nothing counts."}), 1, 1,
			[]string{"approved beside 1 requirement not met", "**not met**", "Nothing counts."},
		},
		"cannot tell": {
			last(map[string]any{"status": "cannot tell", "file": nil, "line": nil, "reason": "It is elsewhere."}), 0, 1,
			[]string{"whether 1 requirement is met"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderGood}, stands(c.entry))
			w.inputs["test-results"] = "all passing"
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if n := w.model.Count(); n != c.calls {
				t.Errorf("the model was asked %d times, want %d", n, c.calls)
			}
			if prompt := w.model.Requests()[0].Prompt; !strings.Contains(prompt, "Title: Login") ||
				!strings.Contains(prompt, "Commits, the newest first:\n- Work\n") {
				t.Errorf("the request does not say what was meant:\n%s", prompt)
			}
			text := o.saved(o.of("implementation").Path)
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("the review lacks %q:\n%s", want, text)
				}
			}
			if !strings.Contains(o.outputs["reviews"], `"requirements":[{"id":"1"`) ||
				!strings.Contains(w.gh.Comments()[0].Body, "| Requirement | Status | Where | Why | Tests | Code |") {
				t.Errorf("output %s, comment %s", o.outputs["reviews"], w.gh.Comments()[0].Body)
			}
		})
	}
}

// TestWeakenedRequirements: a pull request that softens its own spec is held
// against the base's, and the difference is shown.
func TestWeakenedRequirements(t *testing.T) {
	t.Parallel()
	main := adderMain(true)
	spec := main[adderSpec]
	weaker := strings.Replace(spec, "\n1. ", "\n1. Perhaps ", 1)
	if spec == weaker {
		t.Fatalf("the spec has no first criterion:\n%s", spec)
	}
	w := newWorld(t, main, map[string]string{"src/adder.py": adderGood, adderSpec: weaker}, codextest.Always(answer("APPROVED")))
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	text := o.saved(o.of("implementation").Path)
	if !strings.Contains(text, "changed by this pull request to: Perhaps") || !strings.Contains(text, "the base's count") {
		t.Errorf("the review does not show the difference:\n%s", text)
	}
}

// TestFindingsOfChecks: a model that says nothing of what the checks found High
// cannot approve.
func TestFindingsOfChecks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		questions   []any
		code, calls int
		says        string
	}{
		"refuted":   {nil, 0, 1, "**refuted:**"},
		"left open": {[]any{}, 1, 2, "1 unanswered question"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reply := map[string]any{
				"decision": "APPROVED", "summary": "The model's summary.", "issues": []any{}, "previous_findings": []any{},
				"criteria": []map[string]any{{"name": "Problem", "result": "PASS", "finding": "Fine.", "evidence": "line 3", "impact": ""}},
			}
			if c.questions != nil {
				reply["questions"] = c.questions
			}
			w := newWorld(t, map[string]string{"README.md": "x\n"}, map[string]string{"specs/proposed/new.md": "# New\n\nIt is small.\n"},
				codextest.Always(codextest.Review(reply)))
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if text := o.saved(o.of("spec").Path); w.model.Count() != c.calls || !strings.Contains(text, c.says) {
				t.Errorf("%d calls, review\n%s", w.model.Count(), text)
			}
		})
	}
}

// TestPromptTemplate: a repository's own form of the request, and one with a name
// that there is none of.
func TestPromptTemplate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, decision string
		code, calls    int
	}{
		"own":     {"# What to look at\n\n{{artifact}}\n\nIt is called {{title}}\n", "APPROVED", 0, 1},
		"unknown": {"{{artefact}}\n", "ERROR", 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{
				"ROADMAP.md": roadmap, ".workflow/config.json": `{"prompts":{"spec":{"template":"team/spec.md"}}}`, "team/spec.md": c.text,
			}, map[string]string{"specs/proposed/login.md": goodSpec}, codextest.Always(answer("APPROVED")))
			o := w.run(w.pull("opened"))
			o.ends(c.code, c.decision)
			if n := w.model.Count(); n != c.calls {
				t.Fatalf("the model was asked %d times, want %d", n, c.calls)
			}
			if c.calls > 0 && !strings.Contains(w.model.Requests()[0].Prompt, "# What to look at\n") {
				t.Errorf("the request has another form:\n%s", w.model.Requests()[0].Prompt)
			}
			if text := o.saved(o.of("spec").Path); c.code == 2 && !strings.Contains(text, "{{artefact}} is not one of {{artifact}}") {
				t.Errorf("the review does not say what is wrong:\n%s", text)
			}
		})
	}
}
