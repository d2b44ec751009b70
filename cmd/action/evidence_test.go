package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/github/githubtest"
)

// adderHook is the approved file with a hook that acts on its tests.
const adderHook = "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef _fast(monkeypatch):\n" +
	"    monkeypatch.setattr('src.adder.add', lambda a, b: 3)\n\n\n" + adderTests

// adderEvidence is what prove writes of the pull request's head where the approved tests of adder pass.
func (w *world) adderEvidence(restored ...string) evidence.Evidence {
	return evidence.Evidence{
		Head: w.head(), Base: w.repo.Resolve("refs/heads/main"),
		Approved: []evidence.Approved{
			{Feature: "adder", Record: changetest.Blob(w.repo.Git("show", "main:"+recordAt) + "\n")},
		},
		Restored: restored, SetAside: []string{"tests/conftest.py"}, Command: []string{"pytest"},
		Tests: evidence.Tests{Run: 2, Passed: 2},
		Results: []evidence.Result{
			{Path: "junit.xml", SHA256: strings.Repeat("0", 64)},
		}, Tool: "workflow-reviewer test",
	}
}

// fails makes evidence that of a run in which a test failed.
func fails(e evidence.Evidence) evidence.Evidence {
	e.Exit, e.Tests = 1, evidence.Tests{Run: 2, Passed: 1, Failed: 1}
	e.Failures = []evidence.Failure{{Name: "test_add", File: adderAt, Message: "assert 4 == 3"}}
	return e
}

// hand puts evidence where the input names it.
func (w *world) hand(name string, e evidence.Evidence) {
	w.t.Helper()
	data, err := e.Render()
	if err != nil {
		w.t.Fatal(err)
	}
	w.put(name, string(data))
	w.inputs["evidence"] = "*evidence.json"
}

// put writes a file into the workspace.
func (w *world) put(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.workspace, name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// proofs are the columns of the table.
func (w *world) proofs(restored ...string) map[string]func() {
	return map[string]func(){
		"not run": func() {},
		"passed":  func() { w.hand("evidence.json", w.adderEvidence(restored...)) },
		"failed":  func() { w.hand("evidence.json", fails(w.adderEvidence(restored...))) },
	}
}

// TestTableOfEvidence is every cell of the table in docs/integrity.md, from the files to the gate's title: without
// evidence, with a run that passed, and with one that failed; by the rules alone and with a model that answers.
func TestTableOfEvidence(t *testing.T) {
	t.Parallel()
	const approved, breach, failing, changes = "Approved", "Test integrity breach", "Approved tests fail", "Needs changes"
	conftest := "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n" +
		"    outcome = yield\n    outcome.get_result().outcome = 'passed'\n"
	type cells map[string]string // titles, by what the run came to
	for name, c := range map[string]struct {
		pr           map[string]string
		restored     []string
		rules, model cells
	}{
		"same": {
			map[string]string{},
			nil,
			cells{"not run": approved, "passed": approved, "failed": failing},
			cells{"not run": approved, "passed": approved, "failed": failing},
		},
		"other layout": {
			map[string]string{adderAt: "# Sums.\n" + adderTests},
			[]string{adderAt},
			cells{"not run": approved, "passed": approved, "failed": failing},
			cells{"not run": approved, "passed": approved, "failed": failing},
		},
		"gained a test": {
			map[string]string{adderAt: adderMore},
			[]string{adderAt},
			cells{"not run": approved, "passed": approved, "failed": failing},
			cells{"not run": approved, "passed": approved, "failed": failing},
		},
		"gained a hook": {
			map[string]string{adderAt: adderHook},
			[]string{adderAt},
			cells{"not run": breach, "passed": changes, "failed": breach},
			cells{"not run": breach, "passed": approved, "failed": breach},
		},
		"a file that the runner loads": {
			map[string]string{"tests/conftest.py": conftest},
			nil,
			cells{"not run": breach, "passed": changes, "failed": breach},
			cells{"not run": breach, "passed": approved, "failed": breach},
		},
		"changed": {
			map[string]string{adderAt: adderWeak},
			[]string{adderAt},
			cells{"not run": breach, "passed": changes, "failed": breach},
			cells{"not run": breach, "passed": approved, "failed": breach},
		},
		"gone": { // nobody can be asked about tests that are not there
			map[string]string{adderAt: ""},
			[]string{adderAt},
			cells{"not run": breach, "passed": changes, "failed": breach},
			cells{"not run": breach, "passed": changes, "failed": breach},
		},
	} {
		for engine, want := range map[string]cells{"rules": c.rules, "model": c.model} {
			for run, title := range want {
				t.Run(name+"/"+engine+"/"+run, func(t *testing.T) {
					t.Parallel()
					var model func(codextest.Request) codextest.Response
					if engine == "model" {
						model = asking(isHonest)
					}
					w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": ""}, model)
					w.push(with(map[string]string{"src/adder.py": adderCode}, c.pr))
					w.inputs["test-results"] = "all passing"
					w.proofs(c.restored...)[run]()
					o := w.run(w.pull("synchronize"))
					code := map[bool]int{true: 0, false: 1}[title == approved]
					w.saysTheSame(o, code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[code])
					if got := w.check(w.lastReviewed(o), "workflow-reviewer").Title; code != 0 && got != title {
						t.Errorf("title %q, want %q\n%s", got, title, o.summary)
					}
					o.fitsSchemas()
					if title == breach != (len(o.violations()) > 0) {
						t.Errorf("violations %+v", o.violations())
					}
				})
			}
		}
	}
}

// lastReviewed is the head that a run was about.
func (w *world) lastReviewed(o outcome) string {
	w.t.Helper()
	var rep struct {
		Head    string
		NewHead string `json:"new_head"`
	}
	if err := json.Unmarshal([]byte(o.saved("report.json")), &rep); err != nil {
		w.t.Fatal(err)
	}
	return rep.Head
}

// TestFailingSaysTheSameEverywhere: who reads any account of a run learns which approved tests the code fails.
func TestFailingSaysTheSameEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		adderMain(true),
		map[string]string{"src/adder.py": adderCode},
		codextest.Always(answer("APPROVED")),
	)
	e := fails(w.adderEvidence())
	e.Failures[0].Message = "leaked " + canaryToken
	w.hand("evidence.json", e)
	o := w.run(w.pull("opened"))
	w.saysTheSame(o, 1, "NEEDS-CHANGES")
	if n := w.model.Count(); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
	const says = "The code fails 1 approved test: test_add"
	for name, text := range map[string]string{
		"review": o.saved(o.of("implementation").Path), "comment": w.gh.Comments()[0].Body, "json": o.saved("report.json"),
		"page": o.saved("report.html"), "job summary": o.summary, "output": o.outputs["summary"],
		"check of the review": w.check(w.lastReviewed(o), "workflow-reviewer / implementation: adder").Title,
	} {
		want := says
		switch name {
		case "output", "check of the review":
			want = "Approved tests fail"
		case "comment", "page", "job summary":
			want = "Approved test fails: test_add"
		}
		if !strings.Contains(text, want) {
			t.Errorf("the %s lacks %q:\n%s", name, want, text)
		}
		if strings.Contains(text, canaryToken) {
			t.Errorf("the %s shows a secret", name)
		}
	}
	if sarif := o.saved("results.sarif"); !strings.Contains(sarif, "integrity/failing") {
		t.Errorf("SARIF: %s", sarif)
	}
	if vs := o.violations(); len(vs) != 0 {
		t.Errorf("failing tests are violations: %+v", vs)
	}
	w.push(map[string]string{"README.md": "More.\n"})
	w.hand("evidence.json", w.adderEvidence()) // the same code passes now
	w.inputs["test-results"] = "all passing"
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
}

// TestFailingWithoutReviews: a change of what the code stands on is red too, though there is nothing to review.
func TestFailingWithoutReviews(t *testing.T) {
	t.Parallel()
	main := with(adderMain(true), map[string]string{"requirements.txt": "left-pad==1.0\n", "src/adder.py": adderCode})
	w := newWorld(t, main, map[string]string{"requirements.txt": "left-pad==2.0\n"}, nil)
	w.hand("evidence.json", fails(w.adderEvidence()))
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if c := w.check(w.head(), "workflow-reviewer"); c.Title != "Approved tests fail" || c.Conclusion != "failure" {
		t.Errorf("check %s %s", c.Conclusion, c.Title)
	}
	if !strings.Contains(w.gh.Comments()[0].Body, "Approved test fails: test_add") {
		t.Errorf("comment:\n%s", w.gh.Comments()[0].Body)
	}
	o.fitsSchemas()
	w.hand("evidence.json", w.adderEvidence())
	w.run(w.pull("synchronize")).ends(0, "NONE")
}

// TestLiftedTestsBecomeTheBaseline: what the tests review approves beside evidence is what the code is held to next.
func TestLiftedTestsBecomeTheBaseline(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"changed": adderWeak, "with a hook": adderHook} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(
				t,
				adderMain(true),
				map[string]string{"src/adder.py": adderCode, adderAt: text},
				asking(isHonest),
			)
			w.inputs["test-results"] = "all passing"
			w.hand("evidence.json", w.adderEvidence(adderAt))
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			review := o.saved(o.of("tests").Path)
			for _, want := range []string{"The approved tests pass on this code as they were approved", "**honest:**", "2 tests"} {
				if !strings.Contains(review, want) {
					t.Errorf("the tests review lacks %q:\n%s", want, review)
				}
			}
			r := w.approvedRecord()
			if f, ok := r.File(adderAt); !ok || r.Revision != 2 || f.Blob != changetest.Blob(text) {
				t.Errorf("record %+v", r)
			}
			if o := w.gate(w.pull("synchronize")); o.code != 0 {
				t.Errorf("mode gate ends %d\n%s", o.code, o.stdout)
			}
			delete(w.inputs, "evidence") // it is approved now, whoever runs it
			w.push(map[string]string{"README.md": "More.\n"})
			w.run(w.pull("synchronize")).ends(0, "APPROVED")
		})
	}
}

// TestNothingJoinsFailingTests: what a tests review approves while the code fails the approved tests is not on record: it
// would run beside them next time. It is once they pass.
func TestNothingJoinsFailingTests(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		adderMain(true),
		map[string]string{"src/adder.py": adderCode, adderAt: adderMore},
		asking(isHonest),
	)
	w.inputs["test-results"] = "all passing"
	w.hand("evidence.json", fails(w.adderEvidence(adderAt)))
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if r := w.approvedRecord(); r.Revision != 1 || o.of("tests").Decision != "APPROVED" {
		t.Errorf("tests %s, record %+v", o.of("tests").Decision, r)
	}
	if review := o.saved(o.of("tests").Path); !strings.Contains(
		review,
		"Not recorded as the approved tests of adder: The code fails 1",
	) {
		t.Errorf("the review does not say that nothing is recorded:\n%s", review)
	}
	w.hand("evidence.json", w.adderEvidence(adderAt))
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
	if r := w.approvedRecord(); r.Revision != 2 {
		t.Errorf("record once the tests pass: %+v", r)
	}
}

// TestUnansweredLiftBlocks: a tests review that finds a cheat, or that leaves the question open, approves nothing.
func TestUnansweredLiftBlocks(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]func(string) map[string]any{
		"cheat":    func(string) map[string]any { return map[string]any{"answer": "cheat", "reason": "It demands less."} },
		"left out": func(string) map[string]any { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(
				t,
				adderMain(true),
				map[string]string{"src/adder.py": adderCode, adderAt: adderWeak},
				asking(entry),
			)
			w.inputs["test-results"] = "all passing"
			w.hand("evidence.json", w.adderEvidence(adderAt))
			o := w.run(w.pull("opened"))
			o.ends(1, "NEEDS-CHANGES")
			if len(o.violations()) > 0 || o.of("tests").Decision != "NEEDS-CHANGES" ||
				o.of("implementation").Decision != "NEEDS-CHANGES" {
				t.Errorf("violations %+v, reviews %+v", o.violations(), o.reviews())
			}
			if r := w.approvedRecord(); r.Revision != 1 {
				t.Errorf("record %+v", r)
			}
		})
	}
}

// TestLabelDecidesWhatRulesCannot: with nobody to ask, a person's label is the answer.
func TestLabelDecidesWhatRulesCannot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode, adderAt: adderWeak}, nil)
	w.inputs["test-results"] = "all passing"
	w.hand("evidence.json", w.adderEvidence(adderAt))
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if text := o.saved(o.of("tests").Path); !strings.Contains(text, "A person must decide") ||
		!strings.Contains(text, "re-review:tests") {
		t.Errorf("the tests review does not say what to do:\n%s", text)
	}
	w.gh.SetLabels(7, "re-review:tests")
	o = w.run(githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests"})
	if r := w.approvedRecord(); o.of("tests").Decision != "APPROVED" || r.Revision != 2 {
		t.Errorf("the label decides nothing: %+v, %+v\n%s", o.reviews(), r, o.stdout)
	}
	delete(w.inputs, "evidence")
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
}

// TestEvidenceThatDoesNotCount: evidence of something else lifts nothing, and why is told.
func TestEvidenceThatDoesNotCount(t *testing.T) {
	t.Parallel()
	other := strings.Repeat("e", 40)
	for name, c := range map[string]struct {
		change func(*evidence.Evidence)
		says   string
	}{
		"another head":    {func(e *evidence.Evidence) { e.Head = other }, "stale: it is of commit eeeeeeeeee"},
		"another record":  {func(e *evidence.Evidence) { e.Approved[0].Record = other }, "stale: the approved tests of"},
		"another feature": {func(e *evidence.Evidence) { e.Approved[0].Feature = "login" }, "nobody is known to have approved"},
		"not restored":    {func(e *evidence.Evidence) { e.Restored = nil }, adderAt + " differs"},
		"inconclusive": {func(e *evidence.Evidence) {
			e.Exit, e.Results, e.Tests, e.Before = 1, nil, evidence.Tests{}, &evidence.Before{Exit: 1}
		}, "inconclusive"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode, adderAt: adderWeak}, nil)
			e := w.adderEvidence(adderAt)
			c.change(&e)
			w.hand("evidence.json", e)
			o := w.run(w.pull("opened"))
			o.ends(1, "NEEDS-CHANGES")
			if o.kinds() != "assertion_weakened" {
				t.Errorf("violations %+v", o.violations())
			}
			for place, text := range map[string]string{
				"review": o.saved(o.of("implementation").Path), "comment": w.gh.Comments()[0].Body, "json": o.saved("report.json"),
			} {
				if !strings.Contains(text, c.says) {
					t.Errorf("the %s does not say %q:\n%s", place, c.says, text)
				}
			}
		})
	}
}

// TestHostileEvidence: a file that is not what prove writes ends the run, and is named.
func TestHostileEvidence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text func(string) string
		says string
	}{
		"cut off":       {func(s string) string { return s[:len(s)/2] }, "EOF"},
		"two documents": {func(s string) string { return s + s }, "more after"},
		"no JSON":       {func(string) string { return "all passing" }, "invalid"},
		"other schema":  {func(s string) string { return strings.Replace(s, "evidence@1", "evidence@2", 1) }, "schema"},
		"another key":   {func(s string) string { return strings.Replace(s, `"red"`, `"verdict": "passed", "red"`, 1) }, "verdict"},
		"a key twice":   {func(s string) string { return strings.Replace(s, `"red"`, `"exit": 0, "red"`, 1) }, "twice"},
		"a wrong type":  {func(s string) string { return strings.Replace(s, `"exit": 0`, `"exit": "0"`, 1) }, "exit"},
		"deep": {func(s string) string {
			return strings.Replace(s, `"command": [`, `"command": [`+strings.Repeat("[", 100_000), 1)
		}, "nested"},
		"wrong sums": {func(s string) string { return strings.Replace(s, `"passed": 2`, `"passed": 7`, 1) }, "7 passed"},
		"too large":  {func(s string) string { return s + strings.Repeat(" ", evidence.MaxFile) }, "16 MiB"},
		"empty":      {func(string) string { return "" }, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
			data, err := w.adderEvidence().Render()
			if err != nil {
				t.Fatal(err)
			}
			w.put("evidence.json", c.text(string(data)))
			w.inputs["evidence"] = "evidence.json"
			refused(t, w, c.says)
		})
	}
	t.Run("link", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
		w.hand("real.evidence.json", w.adderEvidence())
		if err := os.Symlink("real.evidence.json", filepath.Join(w.workspace, "evidence.json")); err != nil {
			t.Fatal(err)
		}
		w.inputs["evidence"] = "evidence.json"
		refused(t, w, "link")
	})
	t.Run("behind a link", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
		if err := os.Mkdir(filepath.Join(w.workspace, "out"), 0o755); err != nil {
			t.Fatal(err)
		}
		w.hand("out/evidence.json", w.adderEvidence())
		if err := os.Symlink("out", filepath.Join(w.workspace, "in")); err != nil {
			t.Fatal(err)
		}
		w.inputs["evidence"] = "in/evidence.json"
		refused(t, w, "link")
	})
	t.Run("no file", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
		w.inputs["evidence"] = "evidence.json"
		refused(t, w, "matches no file")
		if o := w.gate(w.pull("opened")); o.code != 2 {
			t.Errorf("mode gate ends %d without it", o.code)
		}
	})
}

// refused runs a world whose evidence cannot be taken.
func refused(t *testing.T, w *world, says string) {
	t.Helper()
	o := w.run(w.pull("opened"))
	w.saysTheSame(o, 2, "ERROR")
	failure := w.check(w.head(), "workflow-reviewer")
	text := failure.Summary + o.stdout
	if !strings.Contains(text, "evidence.json") || !strings.Contains(text, says) ||
		failure.Title != "Review did not run" {
		t.Errorf("%s, and it lacks %q:\n%.2000s", failure.Title, says, text)
	}
}

// TestRequireEvidence: where the config asks for it, code without evidence that counts needs changes.
func TestRequireEvidence(t *testing.T) {
	t.Parallel()
	main := with(adderMain(true), map[string]string{".workflow/config.json": `{"integrity":{"require_evidence":true}}`})
	w := newWorld(t, main, map[string]string{"src/adder.py": adderCode}, codextest.Always(answer("APPROVED")))
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if text := o.saved(o.of("implementation").Path); !strings.Contains(text, "prove") || w.model.Count() != 0 {
		t.Errorf("asked %d times:\n%s", w.model.Count(), text)
	}
	stale := w.adderEvidence()
	stale.Head = strings.Repeat("e", 40)
	w.hand("evidence.json", stale)
	w.run(w.pull("synchronize")).ends(1, "NEEDS-CHANGES")
	w.hand("evidence.json", w.adderEvidence())
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
}

// TestStrictIsNotLifted: under policy strict evidence lifts nothing, and a failing run still counts.
func TestStrictIsNotLifted(t *testing.T) {
	t.Parallel()
	main := with(adderMain(true), map[string]string{".workflow/config.json": `{"integrity":{"policy":"strict"}}`})
	w := newWorld(t, main, map[string]string{"src/adder.py": adderCode, adderAt: "# Sums.\n" + adderTests}, nil)
	w.hand("evidence.json", w.adderEvidence(adderAt))
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if len(o.violations()) == 0 {
		t.Error("a difference passes under policy strict")
	}
	w = newWorld(t, main, map[string]string{"src/adder.py": adderCode}, nil)
	w.hand("evidence.json", fails(w.adderEvidence()))
	w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
}

// TestWorstEvidenceCounts: a run that failed is not outweighed by one that passed, nor by a record.
func TestWorstEvidenceCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		adderMain(true),
		map[string]string{"src/adder.py": adderCode},
		codextest.Always(answer("APPROVED")),
	)
	w.inputs["test-results"], w.inputs["commit"] = "all passing", "off"
	w.hand("a.evidence.json", w.adderEvidence())
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.hand("b.evidence.json", fails(w.adderEvidence()))
	w.run(w.pull("synchronize")).ends(1, "NEEDS-CHANGES")
	if o := w.gate(w.pull("synchronize")); o.code != 1 {
		t.Errorf("mode gate ends %d", o.code)
	}
}

// TestRecordedReviewDoesNotOutliveEvidence: an approval that was recorded with evidence is none once the tests fail.
func TestRecordedReviewDoesNotOutliveEvidence(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		adderMain(true),
		map[string]string{"src/adder.py": adderCode},
		codextest.Always(answer("APPROVED")),
	)
	w.inputs["test-results"] = "all passing"
	w.hand("evidence.json", w.adderEvidence())
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.hand("evidence.json", fails(w.adderEvidence())) // of the new head, which holds the review
	o := w.run(w.pull("synchronize"))
	o.ends(1, "NEEDS-CHANGES")
	if r := o.of("implementation"); r.Cached {
		t.Errorf("the recorded review is used: %+v", r)
	}
	w.hand("evidence.json", w.adderEvidence())
	o = w.run(w.pull("synchronize"))
	o.ends(0, "APPROVED")
}

// TestFailingBefore: tests that fail without the change as well close nothing of a feature in progress, but the review
// of the code that is to pass them.
func TestFailingBefore(t *testing.T) {
	t.Parallel()
	before := func(e evidence.Evidence) evidence.Evidence {
		e = fails(e)
		e.Failures[0].Before = true
		e.Before = &evidence.Before{Exit: 1, Tests: evidence.Tests{Run: 2, Passed: 1, Failed: 1}}
		return e
	}
	for name, c := range map[string]struct {
		main, pr map[string]string
		restored []string
		title    string
		says     string
	}{
		"its own code": {
			adderMain(true),
			map[string]string{"src/adder.py": adderCode},
			nil,
			"Approved tests fail", "Cannot review implementation with failing tests: 1 approved test of adder failed",
		},
		"other code, in progress": {
			adderMain(true),
			map[string]string{"other/thing.txt": "x\n", "requirements.txt": "a==1\n"},
			nil,
			"Nothing to review", "without the change as well: test_add",
		},
		"built, nothing of the environment": {
			built(), map[string]string{"README.md": "x\n"}, nil, "Nothing to review", "without the change as well: test_add",
		},
		"built, and the environment": {
			built(), map[string]string{"requirements.txt": "a==1\n"}, nil, "Needs changes", "without the change as well: test_add",
		},
		"it proves no change of the tests": {
			adderMain(true),
			map[string]string{adderAt: adderWeak},
			[]string{adderAt},
			"Test integrity breach", "without the change as well: test_add",
		},
		"it proves no change of what the test may load": {
			helped(),
			map[string]string{helperAt: "def expect(x, y):\n    pass\n"},
			[]string{helperAt},
			"Test integrity breach", "without the change as well: test_add",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.main, c.pr, nil)
			w.hand("evidence.json", before(w.adderEvidence(c.restored...)))
			o := w.run(w.pull("opened"))
			if got := w.check(w.lastReviewed(o), "workflow-reviewer").Title; got != c.title {
				t.Errorf("title %q, want %q\n%s", got, c.title, o.stdout)
			}
			if !strings.Contains(o.saved("report.json"), c.says) {
				t.Errorf("the report does not say %q:\n%s", c.says, o.saved("report.json"))
			}
		})
	}
}

const helperAt = "tests/helper.py"

// helped is a base whose approved tests have a helper.
func helped() map[string]string {
	tests := map[string]string{helperAt: "def expect(x, y):\n    assert x == y\n", adderAt: adderTests}
	r := strings.Replace(record("adder", 1, tests), `"role": "test"`, `"role": "support"`, 1)
	return with(adderMain(true), tests, map[string]string{recordAt: r})
}

// built is a base whose feature adder is done.
func built() map[string]string {
	main := with(adderMain(true), map[string]string{
		"specs/done/adder.md": adderMain(true)[adderSpec], "src/adder.py": adderCode,
	})
	delete(main, adderSpec)
	return main
}

// TestEvidenceAcrossTheMatrix: all jobs of one run judge by the same evidence, or what a shard did is refused.
func TestEvidenceAcrossTheMatrix(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		report func(w *world)
		code   int
	}{
		"the same":         {func(*world) {}, 0},
		"none in report":   {func(w *world) { delete(w.inputs, "evidence") }, 1},
		"other in report":  {func(w *world) { w.hand("evidence.json", more(w.adderEvidence(adderAt))) }, 2},
		"failed in report": {func(w *world) { w.hand("evidence.json", fails(w.adderEvidence(adderAt))) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(
				t,
				adderMain(true),
				map[string]string{"src/adder.py": adderCode, adderAt: adderWeak},
				asking(isHonest),
			)
			w.inputs["test-results"] = "all passing"
			w.hand("evidence.json", w.adderEvidence(adderAt))
			m, _ := w.plan(w.pull("opened"), 2)
			w.shards(w.pull("opened"), m)
			c.report(w)
			o := w.report(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES", 2: "ERROR"}[c.code])
		})
	}
}

// more is evidence with one test more.
func more(e evidence.Evidence) evidence.Evidence {
	e.Tests = evidence.Tests{Run: 3, Passed: 3}
	return e
}

// TestIntegrityCommandTakesEvidence: the same table on a developer's machine.
func TestIntegrityCommandTakesEvidence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pr      map[string]string
		change  func(evidence.Evidence) evidence.Evidence
		code    int
		verdict string
		asks    int
	}{
		"intact, passed":  {map[string]string{"src/adder.py": adderCode}, nil, 0, "clean", 0},
		"intact, failed":  {map[string]string{"src/adder.py": adderCode}, fails, 1, "failing", 0},
		"changed, passed": {map[string]string{adderAt: adderWeak}, nil, 0, "clean", 1},
		"changed, failed": {map[string]string{adderAt: adderWeak}, fails, 1, "breach", 0},
		"make runs nothing, passed": {
			map[string]string{"Makefile": "test:\n\tpytest\n", "test/notes.txt": "x\n"},
			func(e evidence.Evidence) evidence.Evidence {
				e.Restored, e.SetAside = nil, append(e.SetAside, "test/notes.txt")
				return e
			}, 1, "breach", 0,
		},
		"changed, stale": {map[string]string{adderAt: adderWeak}, func(e evidence.Evidence) evidence.Evidence {
			e.Head = strings.Repeat("e", 40)
			return e
		}, 1, "breach", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, adderMain(true), c.pr, nil)
			w.clonedWhole()
			e := w.adderEvidence(adderAt)
			if c.change != nil {
				e = c.change(e)
			}
			w.hand("evidence.json", e)
			file := filepath.Join(w.workspace, "evidence.json")
			code, stdout, stderr := program(
				t,
				"integrity",
				"--repo",
				w.workspace,
				"--base",
				"origin/main",
				"--evidence",
				file,
				"--json",
			)
			var out struct {
				Verdict   string
				Questions []struct{ ID, Kind string }
				Notices   []struct{ Text string }
				Proof     struct{ Outcome string }
			}
			if err := json.Unmarshal([]byte(stdout), &out); err != nil {
				t.Fatalf("%v\n%s%s", err, stdout, stderr)
			}
			if code != c.code || out.Verdict != c.verdict || len(out.Questions) != c.asks {
				t.Errorf(
					"exit status %d, verdict %s, %d questions; want %d, %s, %d\n%s",
					code,
					out.Verdict,
					len(out.Questions),
					c.code,
					c.verdict,
					c.asks,
					stdout,
				)
			}
			stale := slices.ContainsFunc(
				out.Notices,
				func(n struct{ Text string }) bool { return strings.Contains(n.Text, "stale") },
			)
			if stale != (name == "changed, stale") {
				t.Errorf("notices %+v", out.Notices)
			}
			code, stdout, _ = program(t, "integrity", "--repo", w.workspace, "--base", "origin/main", "--evidence", file)
			if code != c.code {
				t.Errorf("on a terminal the exit status is %d\n%s", code, stdout)
			}
			served := serving(t, w.workspace).good("check_integrity", map[string]any{
				"revision": "HEAD", "base": "origin/main", "evidence": []string{"evidence.json"},
			})
			if served["verdict"] != c.verdict {
				t.Errorf("the tool says %v", served["verdict"])
			}
		})
	}
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
	w.clonedWhole()
	for file, says := range map[string]string{"none.json": "none.json", "src/adder.py": "adder.py"} {
		code, stdout, stderr := program(
			t,
			"integrity",
			"--repo",
			w.workspace,
			"--evidence",
			filepath.Join(w.workspace, file),
		)
		if code != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit status %d\n%s%s", file, code, stdout, stderr)
		}
	}
	serving(
		t,
		w.workspace,
	).bad("check_integrity", map[string]any{"evidence": []string{"../evidence.json"}}, "outside of the repository")
}

// clonedWhole makes the workspace a clone with all branches.
func (w *world) clonedWhole() {
	w.t.Helper()
	w.workspace = filepath.Join(w.t.TempDir(), "whole")
	w.clone("--branch=feature/login")
}

// TestLocalTakesEvidence: local reads it as the action does.
func TestLocalTakesEvidence(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
	w.clonedWhole()
	w.hand("evidence.json", fails(w.adderEvidence()))
	code, stdout, _ := local(t, w.workspace, "--test-results", "all passing", "--evidence", "evidence.json")
	if code != 1 || !strings.Contains(stdout, "The code fails 1 approved test: test_add") {
		t.Errorf("exit status %d\n%s", code, stdout)
	}
	w.hand("evidence.json", w.adderEvidence())
	if code, stdout, _ := local(t, w.workspace, "--test-results", "all passing", "--evidence", "evidence.json"); code != 0 {
		t.Errorf("exit status %d\n%s", code, stdout)
	}
}

// TestTenFailingTestsAreNamed: of many failures the first are told by name, and the rest are counted.
func TestTenFailingTestsAreNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
	e := w.adderEvidence()
	e.Exit, e.Tests = 1, evidence.Tests{Run: 12, Failed: 12}
	for i := range 12 {
		e.Failures = append(e.Failures, evidence.Failure{Name: fmt.Sprintf("test_%02d", i)})
	}
	w.hand("evidence.json", e)
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	text := o.saved(o.of("implementation").Path)
	if !strings.Contains(text, "The code fails 12 approved tests: test_00") ||
		!strings.Contains(text, "test_09 and 2 more") {
		t.Errorf("review:\n%s", text)
	}
}

// TestRedEvidence: reviews of tests and of bug fixes say whether the new tests fail without the change. For a bug fix
// that settles whether its test shows the bug.
func TestRedEvidence(t *testing.T) {
	t.Parallel()
	red := func(w *world, exit int) {
		if exit < 0 {
			return
		}
		w.hand("evidence.json", evidence.Evidence{
			Head: w.head(), Base: w.repo.Resolve("refs/heads/main"), Command: []string{"pytest"}, Exit: exit, Red: true,
		})
	}
	for name, c := range map[string]struct {
		pr   map[string]string
		typ  string
		exit int // -1: there is no evidence
		code int
		says string
	}{
		"bug fix, fails before":  {fixedBug(), "bug-fix", 1, 0, "shown to fail without the change"},
		"bug fix, passes before": {fixedBug(), "bug-fix", 0, 1, "passes without the change: it demands nothing new"},
		"bug fix, not run":       {fixedBug(), "bug-fix", -1, 0, "the new tests without the change: not run"},
		"tests, fail before":     {map[string]string{adderAt: adderTests}, "tests", 1, 0, "shown to fail without the change"},
		"tests, pass before": {
			map[string]string{adderAt: adderTests}, "tests", 0, 0, "passes without the change: it demands nothing new",
		},
		"tests, not run": {map[string]string{adderAt: adderTests}, "tests", -1, 0, "the new tests without the change: not run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := map[string]string{
				"ROADMAP.md":           roadmap,
				"src/adder.py":         adderWrong,
				"specs/doing/login.md": goodSpec,
			}
			w := newWorld(t, main, c.pr, nil)
			w.inputs["test-results"] = "all passing"
			red(w, c.exit)
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if text := o.saved(o.of(c.typ).Path); !strings.Contains(text, c.says) {
				t.Errorf("the review lacks %q:\n%s", c.says, text)
			}
			if len(o.violations()) > 0 {
				t.Errorf("violations %+v", o.violations())
			}
		})
	}
}

// The adder's tests for Python's own runner, which is there wherever Python is.
const (
	unitTests = "import unittest\n\nfrom src.adder import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n" +
		"        self.assertEqual(add(1, 2), 3)\n"
	unitWeak = "import unittest\n\nfrom src.adder import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n" +
		"        self.assertTrue(add(1, 2))\n"
)

// TestProveThenReview: what prove writes of a checkout – of the head, or of the merge commit that GitHub checks out –
// is what the review judges by.
func TestProveThenReview(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("python3 is not installed")
	}
	for name, c := range map[string]struct {
		code  string
		title string
	}{
		"the code keeps the promise": {adderCode + "\n\nZERO = 0\n", "Needs changes"}, // by a person, as the rules can ask nobody
		"the code breaks it":         {adderWrong, "Test integrity breach"},
	} {
		for _, merged := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, merged %t", name, merged), func(t *testing.T) {
				t.Parallel()
				main := with(adderMain(false), map[string]string{
					adderAt: unitTests, recordAt: record("adder", 1, map[string]string{adderAt: unitTests}), "src/__init__.py": "",
					"src/adder.py": adderCode,
				})
				w := newWorld(t, main, map[string]string{"src/adder.py": c.code, adderAt: unitWeak}, nil)
				w.inputs["test-results"] = "all passing"
				w.clonedWhole()
				if merged {
					w.repo.Commit("main", "Meanwhile", githubtest.Text(map[string]string{"README.md": "More.\n"}))
					gitIn(t, w.workspace, "fetch", "-q", "origin")
					gitIn(
						t,
						w.workspace,
						"-c",
						"user.name=a",
						"-c",
						"user.email=a@b",
						"merge",
						"-q",
						"--no-ff",
						"-m",
						"Merge",
						"origin/main",
					)
				}
				cmd := exec.Command(binary, "prove", "--repo", w.workspace, "--base", "origin/main", "--",
					python, "-m", "unittest", "discover", "-s", "tests")
				out, err := cmd.CombinedOutput()
				if (err == nil) != (c.title == "Needs changes") {
					t.Fatalf("prove: %v\n%s", err, out)
				}
				w.inputs["evidence"] = "evidence.json"
				o := w.run(w.pull("opened"))
				o.ends(1, "NEEDS-CHANGES")
				if got := w.check(w.lastReviewed(o), "workflow-reviewer").Title; got != c.title {
					t.Errorf("title %q, want %q\n%s\n%s", got, c.title, out, o.summary)
				}
				if strings.Contains(o.summary, "does not count") {
					t.Errorf("the evidence does not count:\n%s", o.summary)
				}
			})
		}
	}
}

// TestFilesByTheHostsPath: an expression of the workflow names a file of the workspace by the path that it has on the
// host, which the container knows as another one.
func TestFilesByTheHostsPath(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderMain(true), map[string]string{"src/adder.py": adderCode}, nil)
	repository := w.gh.Env(w.pull("opened"))["GITHUB_REPOSITORY"]
	w.vars["RUNNER_WORKSPACE"] = "/home/runner/work/it"
	host := "/home/runner/work/it/" + repository[strings.LastIndex(repository, "/")+1:]
	w.put("junit.xml", `<testsuite><testcase name="test_add"/></testsuite>`)
	w.hand("evidence.json", w.adderEvidence())
	w.inputs["test-results"], w.inputs["evidence"] = host+"/*.xml", host+"/evidence.json"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	if text := o.saved(o.of("implementation").Path); !strings.Contains(
		text,
		"The approved tests ran on this head and pass: 2 tests",
	) {
		t.Errorf("review:\n%s", text)
	}
	w.inputs["evidence"] = "/etc/*.json"
	if o := w.run(w.pull("synchronize")); o.code != 2 || !strings.Contains(o.stdout, "outside of the workspace") {
		t.Errorf("exit status %d\n%s", o.code, o.stdout)
	}
}

// TestNobodyToAsk: where the run reviews no tests, a person decides, and nothing is approved on the strength of the run.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		adderMain(true),
		map[string]string{"src/adder.py": adderCode, adderAt: adderWeak},
		asking(isHonest),
	)
	w.inputs["test-results"], w.inputs["types"] = "all passing", "implementation"
	w.hand("evidence.json", w.adderEvidence(adderAt))
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	if text := o.saved(o.of("implementation").Path); !strings.Contains(text, "A person must decide") ||
		w.model.Count() != 0 {
		t.Errorf("asked %d times:\n%s", w.model.Count(), text)
	}
}

// TestWorkflowsBesideEvidence: a changed workflow that runs tests is a question where the approved tests pass. One that
// makes the evidence or has it judged is a breach, whatever the evidence says, and so is any where nothing that the
// change leaves alone is known to make it.
func TestWorkflowsBesideEvidence(t *testing.T) {
	t.Parallel()
	const ci, prove, review, local = ".github/workflows/ci.yml", ".github/workflows/prove.yml", ".github/workflows/review.yml",
		".github/actions/run/action.yml"
	job := func(step string) string {
		return "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - " + step + "\n"
	}
	const proves = "run: workflow-reviewer prove -- pytest"
	off := func(text string) string { return strings.Replace(text, "    runs-on", "    if: false\n    runs-on", 1) }
	for name, c := range map[string]struct {
		main, pr map[string]string
		held     bool
	}{
		"one that runs tests": {
			map[string]string{ci: job("run: pytest"), prove: job(proves)},
			map[string]string{ci: job("run: pytest || true")},
			false,
		},
		"nothing runs prove": {
			map[string]string{ci: job("run: pytest")}, map[string]string{ci: job("run: pytest || true")}, true,
		},
		"what runs prove is new": {
			map[string]string{ci: job("run: pytest")},
			map[string]string{ci: job("run: pytest || true"), prove: job(proves)},
			true,
		},
		"what runs prove": {
			map[string]string{ci: job("run: pytest"), prove: job(proves), ".github/workflows/other.yml": job(proves)},
			map[string]string{prove: job("run: workflow-reviewer prove -- true")},
			true,
		},
		"what runs this action": {
			map[string]string{review: job("uses: acme/workflow-reviewer@v1"), prove: job(proves)},
			map[string]string{review: off(job("uses: acme/workflow-reviewer@v1"))},
			true,
		},
		"what the one that runs prove calls": {
			map[string]string{
				prove:                         job("uses: ./.github/actions/run\n      - " + proves),
				local:                         "runs:\n  using: composite\n  steps:\n    - run: pip install pytest\n      shell: bash\n    - run: pytest\n      shell: bash\n",
				".github/workflows/other.yml": job(proves),
			},
			map[string]string{
				local: "runs:\n  using: composite\n  steps:\n    - run: pip install ./evil\n      shell: bash\n    - run: true\n      shell: bash\n",
			},
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			approved := with(map[string]string{adderAt: adderTests}, c.main)
			main := with(adderMain(true), c.main, map[string]string{recordAt: record("adder", 1, approved)})
			w := newWorld(t, main, with(map[string]string{"src/adder.py": adderCode}, c.pr), asking(isHonest))
			w.inputs["test-results"], w.inputs["commit"] = "all passing", "off"
			var restored []string
			for p := range c.pr {
				restored = append(restored, p)
			}
			w.hand("evidence.json", w.adderEvidence(restored...))
			o := w.run(w.pull("opened"))
			o.ends(map[bool]int{true: 1, false: 0}[c.held], map[bool]string{true: "NEEDS-CHANGES", false: "APPROVED"}[c.held])
			if c.held != (len(o.violations()) > 0) {
				t.Errorf("violations %+v", o.violations())
			}
			if text := o.saved("report.json"); !c.held && !strings.Contains(text, "may it be the new approved version") {
				t.Errorf("nobody was asked:\n%s", text)
			}
		})
	}
}

// TestShadowingIsAsked: a new source that bears the name of another module stays in the run, and is a question.
func TestShadowingIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(
		t,
		adderMain(true),
		map[string]string{"src/adder.py": adderCode, "json.py": "x = 1\n"},
		asking(isHonest),
	)
	w.inputs["test-results"], w.inputs["commit"] = "all passing", "off"
	e := w.adderEvidence()
	e.Shadowing = []string{"json.py", "../../etc/passwd"}
	w.hand("evidence.json", e)
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	text := o.saved("report.json")
	if !strings.Contains(text, "Do approved tests still run what they mean?") || strings.Contains(text, "etc/passwd") {
		t.Errorf("report:\n%s", text)
	}
}
