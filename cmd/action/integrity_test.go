package main_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
	"workflow-reviewer/internal/workflow"
)

// A feature "adder" whose tests are approved.
const (
	adderSpec  = "specs/doing/adder.md"
	adderTests = "from src.adder import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_negative():\n" +
		"    assert add(-1, 1) == 0\n"
	adderWeak = "from src.adder import add\n\n\ndef test_add():\n    assert add(1, 2)\n\n\ndef test_negative():\n" +
		"    assert add(-1, 1) == 0\n"
	adderMore = adderTests + "\n\ndef test_zero():\n    assert add(0, 0) == 0\n"
	adderCode = "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n    \"\"\"Return the sum of a and b.\"\"\"\n    return a + b\n"
	adderAt   = "tests/test_adder.py"
	recordAt  = ".workflow/approvals/adder.json"
)

// adderMain is a base with a spec in specs/doing/ and tests, approved or not.
func adderMain(approved bool) map[string]string {
	files := map[string]string{
		"ROADMAP.md": roadmap, ".workflow/config.json": config, "src/adder.py": "", adderAt: adderTests,
		adderSpec: strings.ReplaceAll(goodSpec, "Login", "Adder"),
	}
	if approved {
		files[recordAt] = record("adder", 1, map[string]string{adderAt: adderTests})
	}
	return files
}

func (o outcome) violations() []workflow.Finding {
	o.t.Helper()
	var vs workflow.Violations
	if err := json.Unmarshal([]byte(o.outputs["violations"]), &vs); err != nil || vs == nil {
		o.t.Fatalf("output violations %q: %v", o.outputs["violations"], err)
	}
	return vs
}

// kinds are the kinds of all violations, sorted.
func (o outcome) kinds() string {
	var out []string
	for _, v := range o.violations() {
		out = append(out, v.Kind)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

// of is the review of a type.
func (o outcome) of(typ string) review {
	o.t.Helper()
	for _, r := range o.reviews() {
		if r.Type == typ {
			return r
		}
	}
	o.t.Fatalf("no review of type %s among %+v\n%s", typ, o.reviews(), o.stdout)
	return review{}
}

// TestWeakenedTestEndsTheReview: an approved test that demands less ends the
// review without a model, and everybody is told where.
func TestWeakenedTestEndsTheReview(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode, adderAt: adderWeak},
		codextest.Always(answer("APPROVED")))
	head := w.head()
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if n := w.model.Count(); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	vs := o.violations()
	if len(vs) != 1 || vs[0].Kind != "assertion_weakened" || vs[0].File != adderAt || vs[0].Line != 5 || vs[0].Side != "after" ||
		vs[0].Feature != "adder" {
		t.Errorf("violations %+v", vs)
	}
	gate := w.check(head, "workflow-reviewer")
	if gate.Conclusion != "failure" || gate.Title != "Test integrity breach" {
		t.Errorf("gate %s %s", gate.Conclusion, gate.Title)
	}
	if !slices.ContainsFunc(gate.Annotations, func(a githubtest.Annotation) bool {
		return a.Path == adderAt && a.StartLine == 5 && a.Level == "failure"
	}) {
		t.Errorf("annotations %+v", gate.Annotations)
	}
	text := o.saved(o.of("implementation").Path)
	for _, want := range []string{
		"AUTOMATIC REJECTION: Test integrity violation", "## Test integrity", "**Breach.**",
		"assert add(1, 2) == 3", "record on the base branch",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the review lacks %q:\n%s", want, text)
		}
	}
	for name, where := range map[string]string{
		"comment": w.gh.Comments()[0].Body, "summary": o.summary, "page": o.saved("report.html"),
		"json": o.saved("report.json"),
	} {
		if !strings.Contains(where, "assert add(1, 2)") {
			t.Errorf("the %s does not show the evidence", name)
		}
	}
	if !slices.Contains(w.files(), o.of("implementation").Path) {
		t.Error("the review is not committed")
	}
	if strings.Contains(strings.Join(w.files(), " "), "specs/done/") {
		t.Error("the spec was moved")
	}
	w.run(w.pull("synchronize")).ends(1, "NEEDS-CHANGES") // and again, from the record
}

// TestWhatPasses: what leaves the approved tests as demanding as they were.
func TestWhatPasses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		main, pr map[string]string
		says     string // in the implementation's review
	}{
		"implementation alone": {adderMain(true), map[string]string{"src/adder.py": adderCode}, "1 file as approved in"},
		"comment in a test": {
			adderMain(true),
			map[string]string{"src/adder.py": adderCode, adderAt: "# Sums.\n" + adderTests},
			"Differs and is harmless",
		},
		"test added": {adderMain(true), map[string]string{"src/adder.py": adderCode, adderAt: adderMore}, "Differs and is harmless"},
		"brand-new tests": {
			map[string]string{
				"ROADMAP.md": roadmap, ".workflow/config.json": config,
				adderSpec: strings.ReplaceAll(goodSpec, "Login", "Adder"),
			},
			map[string]string{"src/adder.py": adderCode, adderAt: adderTests},
			"are new in this change",
		},
		"never approved, the config warns": {
			with(adderMain(false), map[string]string{".workflow/config.json": `{"integrity":{"on_missing_baseline":"warn"}}`}),
			map[string]string{"src/adder.py": adderCode},
			"Approved tests could not be verified",
		},
		"never approved, not being worked on": {
			with(adderMain(false), map[string]string{
				adderSpec:             "# gone\n",
				"specs/todo/adder.md": strings.ReplaceAll(goodSpec, "Login", "Adder"),
			}, map[string]string{adderSpec: ""}),
			map[string]string{"src/adder.py": adderCode},
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.main[adderSpec] == "" {
				delete(c.main, adderSpec)
			}
			w := newWorld(t, c.main, c.pr, nil)
			w.inputs["test-results"] = "all passing"
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			text := o.saved(o.of("implementation").Path)
			if !strings.Contains(text, "## Test integrity") || !strings.Contains(text, c.says) {
				t.Errorf("the review lacks %q:\n%s", c.says, text)
			}
			if vs := o.violations(); len(vs) != 0 {
				t.Errorf("violations %+v", vs)
			}
		})
	}
}

// TestWhatBreaks: every way to a breach ends 1, with its kind.
func TestWhatBreaks(t *testing.T) {
	t.Parallel()
	code := map[string]string{"src/adder.py": adderCode}
	weakRecord := record("adder", 2, map[string]string{adderAt: adderWeak})
	for name, c := range map[string]struct {
		main, pr map[string]string
		message  string // of the pull request's commit
		kinds    string
	}{
		"test removed":   {main: adderMain(true), pr: with(code, map[string]string{adderAt: ""}), kinds: "test_deleted"},
		"record removed": {main: adderMain(true), pr: with(code, map[string]string{recordAt: ""}), kinds: "record_removed"},
		"record rewritten": {
			main: adderMain(true), pr: with(code, map[string]string{recordAt: weakRecord, adderAt: adderWeak}),
			kinds: "assertion_weakened record_changed",
		},
		"record forged": {
			main: adderMain(false), pr: with(code, map[string]string{recordAt: weakRecord, adderAt: adderWeak}),
			kinds: "record_forged",
		},
		"record with trailer": {
			main: adderMain(true), pr: with(code, map[string]string{recordAt: weakRecord, adderAt: adderWeak}),
			message: "Approve tests: adder\n\nReviewed-Head: x\nWorkflow-Reviewer: dev\nApproved-Tests: adder " +
				changetest.Blob(weakRecord), kinds: "assertion_weakened record_changed",
		},
		"RFC in the change": {
			main:  adderMain(true),
			pr:    with(code, map[string]string{adderAt: adderWeak, "rfcs/approved/1.md": "Change " + adderAt + "."}),
			kinds: "assertion_weakened",
		},
		"policy in the change": {
			main: adderMain(true),
			pr: with(code, map[string]string{
				adderAt:                 adderWeak,
				".workflow/config.json": `{"integrity":{"on_missing_baseline":"warn"}}`,
			}), kinds: "assertion_weakened",
		},
		"strict": {
			main: with(adderMain(true), map[string]string{".workflow/config.json": `{"integrity":{"policy":"strict"}}`}),
			pr:   with(code, map[string]string{adderAt: "# Sums.\n" + adderTests}), kinds: "*",
		},
		"protected file": {
			main: with(adderMain(true), map[string]string{
				".workflow/config.json": `{"integrity":{"protect":["scripts/*.sh"]}}`,
				"scripts/check.sh":      "exit 1\n",
			}),
			pr: with(code, map[string]string{"scripts/check.sh": "exit 0\n"}), kinds: "*",
		},
		"record alone": {main: adderMain(true), pr: map[string]string{recordAt: ""}, kinds: "record_removed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.main, map[string]string{"README.md": "x\n"}, nil)
			message := c.message
			if message == "" {
				message = "Work"
			}
			files := map[string][]byte{}
			for p, text := range c.pr {
				if files[p] = []byte(text); text == "" {
					files[p] = nil
				}
			}
			head := w.repo.Commit("feature/login", message, files)
			w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login"})
			o := w.run(w.pull("opened"))
			o.ends(1, "NEEDS-CHANGES")
			if got := o.kinds(); got != c.kinds && c.kinds != "*" || got == "" {
				t.Errorf("kinds %q, want %q: %+v", got, c.kinds, o.violations())
			}
			if g := w.check(head, "workflow-reviewer"); g.Conclusion != "failure" || g.Title != "Test integrity breach" {
				t.Errorf("gate %s %s", g.Conclusion, g.Title)
			}
		})
	}
}

// TestCannotVerify: a feature that is being worked on is not approved where
// nobody knows which of its tests were.
func TestCannotVerify(t *testing.T) {
	t.Parallel()
	for name, main := range map[string]map[string]string{
		"no approval":       adderMain(false),
		"unreadable record": with(adderMain(false), map[string]string{recordAt: "{}"}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, main, map[string]string{"src/adder.py": adderCode}, codextest.Always(answer("APPROVED")))
			head := w.head()
			o := w.run(w.pull("opened"))
			o.ends(2, "ERROR")
			if n := w.model.Count(); n != 0 {
				t.Errorf("the model was asked %d times", n)
			}
			if g := w.check(head, "workflow-reviewer"); g.Conclusion != "failure" || g.Title != "Review did not run" {
				t.Errorf("gate %s %s", g.Conclusion, g.Title)
			}
			text := o.saved(o.of("implementation").Path)
			if !strings.Contains(text, "**Cannot verify.**") ||
				!strings.Contains(text, "cannot be verified which tests of adder were approved") {
				t.Errorf("the review does not say why:\n%s", text)
			}
			if w.head() != head {
				t.Error("an error was committed")
			}
		})
	}
}

// TestForkCannotWeaken: a fork's pull request is held to the same tests, and a
// record of its own counts for nothing.
func TestForkCannotWeaken(t *testing.T) {
	t.Parallel()
	weakRecord := record("adder", 2, map[string]string{adderAt: adderWeak})
	for _, event := range []string{"pull_request", "pull_request_target"} {
		t.Run(event, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderMain(true), map[string]string{"README.md": "x\n"}, nil)
			w.repo.Branch("patch-1", "main")
			sha := w.repo.Commit("patch-1", "Approve tests: adder\n\nApproved-Tests: adder "+changetest.Blob(weakRecord)+"\n",
				githubtest.Text(map[string]string{"src/adder.py": adderCode, adderAt: adderWeak, recordAt: weakRecord}))
			w.gh.AddPull(githubtest.PR{Number: 8, Head: "patch-1", Fork: "mallory/hello", SHA: sha})
			o := w.run(githubtest.Event{Name: event, Action: "opened", Number: 8})
			o.ends(1, "NEEDS-CHANGES")
			if got := o.kinds(); got != "assertion_weakened record_changed" {
				t.Errorf("kinds %q", got)
			}
		})
	}
}
