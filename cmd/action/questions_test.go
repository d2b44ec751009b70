package main_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// adderByFrame is right, and looks at its own call stack.
const adderByFrame = "\"\"\"Adding.\"\"\"\n\nimport sys\n\n\ndef add(a: int, b: int) -> int:\n" +
	"    \"\"\"Return the sum of a and b.\"\"\"\n    depth = sys._getframe(0)\n    return a + b if depth else 0\n"

// adderUnread has a syntax error on a new line, so that no rule reads it whole.
const adderUnread = "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n    \"\"\"Return the sum of a and b.\"\"\"\n" +
	"    return a + + ) b\n"

// asking approves, and answers the questions of the request's schema with entry,
// nil for none of them.
func asking(entry func(id string) map[string]any) func(codextest.Request) codextest.Response {
	return func(req codextest.Request) codextest.Response {
		reply := map[string]any{
			"decision": "APPROVED", "summary": "The model's summary.",
			"criteria": []map[string]any{{
				"name": "Testability", "result": "PASS", "finding": "Testable.",
				"evidence": "Acceptance criteria", "impact": "None",
			}},
			"issues": []any{}, "previous_findings": []any{},
		}
		if ids := codextest.Enumerated(req, "questions"); ids != nil {
			entries := []map[string]any{}
			for _, id := range ids {
				if e := entry(id); e != nil {
					e["id"] = id
					entries = append(entries, e)
				}
			}
			reply["questions"] = entries
		}
		return codextest.Review(reply)
	}
}

// isHonest is the entry of a reviewer who finds nothing wrong.
func isHonest(string) map[string]any {
	return map[string]any{"answer": "honest", "reason": "It adds whatever it is given."}
}

// TestQuestions: what the reviewer says of a question decides.
func TestQuestions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		source, policy string
		entry          func(string) map[string]any
		code, calls    int
		says           []string
	}{
		"honest": {
			adderByFrame, "block", isHonest, 0, 1,
			[]string{"## Questions", "**honest:** It adds whatever it is given.", "_getframe"},
		},
		"left out": {adderByFrame, "block", func(string) map[string]any {
			return nil
		}, 1, 2, []string{"## Questions", "**No answer.**", "1 unanswered question"}},
		"cheat": {adderByFrame, "block", func(string) map[string]any {
			return map[string]any{"answer": "cheat", "reason": "It stands in."}
		}, 1, 1, []string{"**cheat:** It stands in.", "works around its tests"}},
		"off":             {adderByFrame, "off", nil, 0, 1, nil},
		"unread, honest":  {adderUnread, "block", isHonest, 0, 1, []string{"## Questions", "syntax errors", "Cannot verify"}},
		"unread, ignored": {adderUnread, "block", func(string) map[string]any { return nil }, 1, 2, []string{"**No answer.**"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := adderMain(true)
			main[".workflow/config.json"] = `{"integrity":{"workarounds":"` + c.policy + `"}}`
			w := newWorld(t, main, map[string]string{"src/adder.py": c.source}, asking(c.entry))
			w.inputs["test-results"] = "all passing"
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if n := w.model.Count(); n != c.calls {
				t.Errorf("the model was asked %d times, want %d", n, c.calls)
			}
			text := o.saved(o.of("implementation").Path)
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("the review lacks %q:\n%s", want, text)
				}
			}
			if c.says == nil && strings.Contains(text, "## Questions") {
				t.Errorf("questions were asked:\n%s", text)
			}
		})
	}
}

// TestQuestionsWithoutModel: the rules engine lists them and does not block.
func TestQuestionsWithoutModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderByFrame}, codextest.Always(answer("NEEDS-CHANGES")))
	w.inputs["test-results"], w.inputs["engine"] = "all passing", "rules"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	if text := o.saved(o.of("implementation").Path); !strings.Contains(text, "**Medium**") && !strings.Contains(text, "Medium") ||
		!strings.Contains(text, "The code looks at its own call stack") {
		t.Errorf("the review does not list the question:\n%s", text)
	}
}

// TestUnreadAndUnasked: a source that cannot be read is a notice where no code was asked for and nothing is approved,
// whatever it is that cannot be read; where something is approved it never passes unseen.
func TestUnreadAndUnasked(t *testing.T) {
	t.Parallel()
	large := "x = 1\n" + strings.Repeat("# much\n", 1<<20)
	for name, file := range map[string][2]string{
		"NUL bytes":         {"src/adder.py", "def add(a, b):\n    return 3  # \x00\n"},
		"syntax errors":     {"src/adder.py", "def add(a, b:\n  return }{\n"},
		"another encoding":  {"src/adder.js", "const gr\xfc\xdfe = `\xe9\n"},
		"too large":         {"src/adder.py", large},
		"a template":        {"src/page.go", "package {{.Name}}\n\nfunc {{.Func}}() {\n"},
		"a video":           {"media/adder.ts", "\x47\x00\x10\x00\x00"},
		"a broken test":     {"tests/test_adder.py", "def test_add(:\n    assert }{\n"},
		"a broken fixture":  {"tests/conftest.py", "def fixture(:\n    return }{\n"},
		"a broken manifest": {"package.json", "{ \"name\": }{"},
	} {
		for asked, inputs := range map[string]map[string]string{
			"types": {"types": "spec"}, "paths": {"paths": "specs/proposed/login.md"},
		} {
			if asked == "types" && name != "NUL bytes" && name != "a broken test" {
				continue // it is asked for by its path in the others
			}
			for _, approved := range []bool{false, true} {
				t.Run(fmt.Sprint(name, "/", asked, "/", approved), func(t *testing.T) {
					t.Parallel()
					main := map[string]string{"ROADMAP.md": roadmap}
					if approved {
						main = adderMain(true)
					}
					w := newWorld(t, main, map[string]string{file[0]: file[1], "specs/proposed/login.md": goodSpec}, nil)
					maps.Copy(w.inputs, inputs)
					o := w.run(w.pull("opened"))
					if !approved {
						o.ends(0, "APPROVED")
					}
					source := strings.HasPrefix(file[0], "src/") || strings.HasPrefix(file[0], "media/")
					if said := strings.Contains(o.stdout, file[0]); source && !said || source && approved && o.code == 0 {
						t.Errorf("ended %d, the file named: %t\n%s", o.code, said, o.stdout)
					}
				})
			}
		}
	}
}

// TestUnreadSourceAlone: a source that is binary is in no review; that nobody
// looks at it is no pass.
func TestUnreadSourceAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, allow string
		code        int
	}{
		"source":   {"src/adder.py", "", 2},
		"excused":  {"src/adder.py", `[{"rule":"unread","path":"src/adder.py","reason":"stored as UTF-16","expiry":"2099-12-31"}]`, 0},
		"vendored": {"vendor/adder.py", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := adderMain(true)
			if c.allow != "" {
				main[".workflow/integrity-allow.json"] = c.allow
			}
			w := newWorld(t, main, map[string]string{c.file: "def add(a, b):\n    return 3  # \x00\n"},
				codextest.Always(answer("APPROVED")))
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "NONE", 2: "ERROR"}[c.code])
		})
	}
}

// TestSubmodule: nobody can read a submodule here. The review of code is asked about it, about each commit anew; without
// such a review it is named, and no error.
func TestSubmodule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pr       string
		entry    func(string) map[string]any // nil: the built-in checks
		code     int
		decision string
		says     string // in the log, or in the review
	}{
		"alone, by rules":     {"notes.txt", nil, 0, "NONE", "file=third_party/lib::not reviewed: a submodule"},
		"alone, by a model":   {"notes.txt", isHonest, 0, "NONE", "file=third_party/lib::not reviewed: a submodule"},
		"with code, by rules": {"src/adder.py", nil, 0, "APPROVED", "at commit 2222222222 of another repository"},
		"with code, honest":   {"src/adder.py", isHonest, 0, "APPROVED", "at commit 2222222222 of another repository"},
		"with code, no answer": {"src/adder.py", func(string) map[string]any {
			return nil
		}, 1, "NEEDS-CHANGES", "**No answer.**"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var model func(codextest.Request) codextest.Response
			if c.entry != nil {
				model = asking(c.entry)
			}
			w := newWorld(t, adderMain(true), map[string]string{c.pr: adderCode}, model)
			w.pushSubmodule("third_party/lib", "2")
			o := w.run(w.pull("opened"))
			o.ends(c.code, c.decision)
			text := o.stdout
			for _, r := range o.reviews() {
				text += o.saved(r.Path)
			}
			if !strings.Contains(text, c.says) {
				t.Errorf("it does not say %q:\n%s", c.says, text)
			}
			w.gate(w.pull("opened")).ends(c.code, c.decision)
			if name != "with code, honest" {
				return
			}
			w.pushSubmodule("third_party/lib", "3")
			o = w.run(w.pull("synchronize"))
			o.ends(0, "APPROVED")
			if text := o.saved(o.of("implementation").Path); w.model.Count() != 2 || !strings.Contains(text, "at commit 33333333") {
				t.Errorf("the model was asked %d times:\n%s", w.model.Count(), text)
			}
		})
	}
}

// TestLinkedDependencies: a link in the place of dependencies is named, and no error.
func TestLinkedDependencies(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"notes.txt": ""}, nil)
	w.pushLink("node_modules", "../node_modules")
	o := w.run(w.pull("opened"))
	o.ends(0, "NONE")
	if !strings.Contains(o.stdout, "node_modules: not reviewed") {
		t.Errorf("it is not named:\n%s", o.stdout)
	}
}
