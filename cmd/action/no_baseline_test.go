package main_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// adderTodo is a base with a spec that nobody works on yet, and with tests that
// nobody approved.
func adderTodo(config string) map[string]string {
	main := adderMain(false)
	main["specs/todo/adder.md"] = main[adderSpec]
	delete(main, adderSpec)
	if config != "" {
		main[".workflow/config.json"] = config
	}
	return main
}

// weakens is a change of code that weakens a test with it.
func weakens() map[string]string {
	return map[string]string{adderAt: adderWeak, "src/adder.py": adderCode}
}

// TestWeakenedWithoutApproval: on the first pull request of a repository a
// weakened test is shown, in every place, and does not become the approved one.
func TestWeakenedWithoutApproval(t *testing.T) {
	t.Parallel()
	w := newWorld(t, adderTodo(""), weakens(), asking(isHonest))
	w.inputs["test-results"] = "all passing"
	head := w.head()
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	if vs := o.violations(); len(vs) != 0 {
		t.Errorf("violations %+v", vs)
	}
	if a := w.check(head, "workflow-reviewer").Annotations; !slices.ContainsFunc(a, func(a githubtest.Annotation) bool {
		return a.Path == adderAt && a.StartLine == 5 && a.Level == "warning"
	}) {
		t.Errorf("annotations %+v", a)
	}
	for name, text := range map[string]string{
		"comment": w.gh.Comments()[0].Body, "summary": o.summary, "report.html": o.saved("report.html"),
		"report.json":  o.saved("report.json"),
		"tests review": o.saved(o.of("tests").Path), "implementation review": o.saved(o.of("implementation").Path),
	} {
		if !strings.Contains(text, "assert add(1, 2)") || strings.Contains(text, "No violation.") {
			t.Errorf("the %s does not show the weakened test:\n%s", name, text)
		}
	}
	asked := ""
	for _, r := range w.model.Requests() {
		asked += string(r.Body)
	}
	if !strings.Contains(asked, "Nobody is known to have approved these tests") {
		t.Error("the reviewer was not asked about it")
	}
	if text := o.saved(o.of("tests").Path); !strings.Contains(text,
		"Not recorded as the approved tests of adder: the change demands less than the base in "+adderAt+":5") {
		t.Errorf("the review does not say that nothing is recorded:\n%s", text)
	}
	if slices.Contains(w.files(), recordAt) {
		t.Error("the weakened test is the approved one")
	}

	base := w.repo.Git("rev-parse", "main")
	w.repo.Git("update-ref", "refs/heads/main", w.head()) // merged all the same
	w.repo.Branch("next", "main")
	sha := w.repo.Commit("next", "Next", githubtest.Text(map[string]string{"src/adder.py": adderCode + "\n\nZERO = 0\n"}))
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Next", Head: "next", SHA: sha})
	next := w.run(githubtest.Event{Name: "pull_request", Action: "opened", Number: 8})
	next.ends(0, "APPROVED")
	if text := next.saved(next.of("implementation").Path); strings.Contains(text, "as approved in") {
		t.Errorf("a review without a record became a baseline:\n%s", text)
	}
	w.repo.Git("update-ref", "refs/heads/main", base)

	w.gh.SetLabels(7, "re-review:tests")
	labeled := w.run(githubtest.Event{Name: "pull_request", Action: "labeled", Number: 7, Label: "re-review:tests", Sender: "octocat"})
	if r := labeled.of("tests"); r.Decision != "APPROVED" || w.approvedRecord().Revision != 1 {
		t.Errorf("review %+v", r)
	}
	w.run(w.pull("synchronize")).ends(0, "APPROVED")
}

// TestBaselinePolicy: what a weakened test means that nobody approved.
func TestBaselinePolicy(t *testing.T) {
	t.Parallel()
	policy := func(p string) string { return `{"integrity":{"baseline":"` + p + `"}}` }
	for name, c := range map[string]struct {
		main, pr map[string]string
		code     int
		kinds    string // of the violations
		warned   string // place of a warning
	}{
		"enforced":      {adderTodo(policy("enforce")), weakens(), 1, "assertion_weakened", ""},
		"not looked at": {adderTodo(policy("none")), weakens(), 0, "", ""},
		"the change says nothing": {
			adderTodo(policy("enforce")),
			with(weakens(), map[string]string{".workflow/config.json": policy("none")}), 1, "assertion_weakened", "",
		},
		"test deleted": {adderTodo(""), map[string]string{adderAt: "", "src/adder.py": adderCode}, 0, "", adderAt},
		"CI neutered, of which a reviewer may say more": {
			with(adderTodo(""), map[string]string{".github/workflows/ci.yml": "on: push\njobs:\n  t:\n    runs-on: x\n    steps:\n" +
				"      - run: pytest\n"}),
			map[string]string{
				"src/adder.py":             adderCode,
				".github/workflows/ci.yml": "on: push\njobs:\n  t:\n    runs-on: x\n    steps:\n      - run: pytest || true\n",
			},
			0, "", "",
		},
		"expected value changed": {
			adderTodo(""),
			map[string]string{adderAt: strings.Replace(adderTests, "== 3", "== 4", 1), "src/adder.py": adderCode},
			0, "", "",
		},
		"protected all the same": {
			adderTodo(`{"integrity":{"protect":["tests/**"]}}`), weakens(), 1, "assertion_weakened", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.main, map[string]string{"README.md": "x\n"}, nil)
			w.inputs["test-results"] = "all passing"
			w.push(c.pr)
			w.gh.AddPull(githubtest.PR{Number: 7, Title: "Login", Head: "feature/login"})
			head := w.head()
			o := w.run(w.pull("opened"))
			o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES"}[c.code])
			if got := o.kinds(); got != c.kinds {
				t.Errorf("kinds %q, want %q: %+v", got, c.kinds, o.violations())
			}
			if text := w.gh.Comments()[0].Body; c.code == 1 && (strings.Contains(text, "workflow-reviewer restore") ||
				!strings.Contains(text, "nobody approved them")) {
				t.Errorf("the advice is not for tests that nobody approved:\n%s", text)
			}
			warned := ""
			for _, a := range w.check(head, "workflow-reviewer").Annotations {
				if a.Level == "warning" && strings.HasPrefix(a.Title, "Test integrity") {
					warned = a.Path
				}
			}
			if warned != c.warned {
				t.Errorf("warned of %q, want %q", warned, c.warned)
			}
		})
	}
}

// TestApprovalSaysWhatItTakesOver: tests of the base become approved with others
// that were reviewed, and the review names them.
func TestApprovalSaysWhatItTakesOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, with(adderTodo(""), map[string]string{"tests/conftest.py": "import pytest\n"}),
		map[string]string{"src/adder.py": adderCode, adderAt: adderMore}, nil)
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	text := o.saved(o.of("tests").Path)
	_, over, _ := strings.Cut(text, "taken over from the base without a review")
	if !strings.Contains(text, "It approves:") || !strings.Contains(over, "tests/conftest.py (support)") ||
		w.approvedRecord().Revision != 1 {
		t.Errorf("the review does not say what it approves:\n%s", text)
	}
}

// TestBranchNameIsNoFeature: tests that belong to no spec are approved and not
// recorded, unless the config says so.
func TestBranchNameIsNoFeature(t *testing.T) {
	t.Parallel()
	const at = ".workflow/approvals/login.json"
	for name, c := range map[string]struct {
		config, label string
		recorded      bool
	}{
		"no spec":             {"{}", "", false},
		"the config says so":  {`{"integrity":{"record_unnamed":true}}`, "", true},
		"the config names it": {`{"features":{"login":["tests/**","src/**"]}}`, "", true},
		"a label names it":    {"{}", "feature: login", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{".workflow/config.json": c.config, "ROADMAP.md": roadmap},
				map[string]string{"src/adder.py": adderCode, adderAt: adderTests}, nil)
			w.inputs["test-results"] = "all passing"
			if c.label != "" {
				w.gh.SetLabels(7, c.label)
			}
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if recorded := slices.Contains(w.files(), at); recorded != c.recorded {
				t.Errorf("recorded %t", recorded)
			}
			if text := o.saved(o.of("tests").Path); strings.Contains(text, "only the branch's name") == c.recorded {
				t.Errorf("the review does not say why:\n%s", text)
			}
			if o := w.run(w.pull("synchronize")); !o.of("tests").Cached {
				t.Error("the review is not used again")
			}
		})
	}
}

// TestQuestionsWithoutApproval: the tests that a change brings are tests that
// its code is held to, whether somebody approved them or not.
func TestQuestionsWithoutApproval(t *testing.T) {
	t.Parallel()
	main := adderTodo("")
	delete(main, adderAt)
	w := newWorld(t, main, map[string]string{adderAt: adderTests, "src/adder.py": adderByFrame}, asking(isHonest))
	w.inputs["test-results"], w.inputs["engine"] = "all passing", "rules"
	o := w.run(w.pull("opened"))
	if review := o.saved(o.of("implementation").Path); !strings.Contains(review, "The code looks at its own call stack") {
		t.Errorf("the review does not list the question:\n%s", review)
	}
}
