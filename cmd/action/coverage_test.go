package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// TestCoverageThresholds: in every format, tests below a threshold need
// changes, with the figures.
func TestCoverageThresholds(t *testing.T) {
	t.Parallel()
	const lines, branches = `{"thresholds":{"line_coverage":80}}`, `{"thresholds":{"branch_coverage":70}}`
	lcov := func(hit string) string {
		return "TN:\nSF:src/login.py\nDA:1,1\nDA:2," + hit + "\nLF:2\nLH:" +
			map[string]string{"0": "1", "1": "2"}[hit] + "\nend_of_record\n"
	}
	jacoco := func(second string) string {
		return `<report name="r"><package name="p"><sourcefile name="A.java"><line nr="1" mi="0" ci="1" mb="0" cb="0"/><line nr="2" ` +
			second + `/><counter type="LINE" missed="0" covered="1"/></sourcefile></package></report>`
	}
	for name, c := range map[string]struct {
		config, content string
		code            int
		says            string
	}{
		"lcov below":  {lines, lcov("0"), 1, "line 50"},
		"lcov enough": {lines, lcov("1"), 0, ""},
		"cobertura below": {lines, `<?xml version="1.0"?><coverage line-rate="0.5" branch-rate="0"><packages><package ` +
			`name="p"><classes><class name="c" filename="src/login.py"><lines><line number="1" hits="1"/><line number="2" ` +
			`hits="0"/></lines></class></classes></package></packages></coverage>`, 1, "line 50"},
		"cobertura branch": {
			branches, `<coverage line-rate="1" branch-rate="0.5" branches-covered="1" ` +
				`branches-valid="2"><packages><package name="p"><classes><class name="c" filename="src/login.py"><lines><line number="1" ` +
				`hits="1" branch="true" condition-coverage="50% (1/2)"/></lines></class></classes></package></packages></coverage>`, 1,
			"branch 50",
		},
		"go below":         {lines, "mode: set\np/a.go:1.1,2.2 1 1\np/a.go:3.1,4.2 1 0\n", 1, "line 50"},
		"jacoco below":     {lines, jacoco(`mi="1" ci="0" mb="0" cb="0"`), 1, "line 50"},
		"jacoco branch":    {branches, jacoco(`mi="0" ci="1" mb="3" cb="1"`), 1, "branch 25"},
		"sums alone":       {lines, `<coverage line-rate="0.95" branch-rate="0.9"></coverage>`, 2, "coverage-report"},
		"nothing measured": {lines, `<coverage line-rate="1"><packages/></coverage>`, 1, "no line"},
		"not a report":     {lines, "100 %", 2, "coverage-report"},
		"no thresholds":    {`{"thresholds":{"line_coverage":0,"branch_coverage":0}}`, lcov("0"), 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": c.config, "specs/todo/login.md": goodSpec},
				map[string]string{"tests/test_login.py": "from src.login import login\n\n\ndef test_login():\n" +
					"    \"\"\"The right password is let in.\"\"\"\n    assert login(\"a@example.com\", \"a\")\n"},
				codextest.Always(answer("APPROVED")))
			if err := os.WriteFile(filepath.Join(w.workspace, "coverage.out"), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			w.inputs["coverage-report"] = "coverage.*"
			o := w.run(w.pull("opened"))
			if o.code != c.code || !strings.Contains(o.stdout+o.summary, c.says) {
				t.Errorf("exit status %d, want %d with %q\n%s\n%s", o.code, c.code, c.says, o.stdout, o.summary)
			}
		})
	}
}

// TestRequiredTestResults: what is required and not given is no approval.
func TestRequiredTestResults(t *testing.T) {
	t.Parallel()
	code := map[string]string{"src/login.py": "\"\"\"Logging in.\"\"\"\n\n\ndef login(email: str, password: str) -> bool:\n" +
		"    \"\"\"Say whether the password fits.\"\"\"\n    return email == password\n"}
	for config, want := range map[string]int{`{"require_test_results":true}`: 1, `{}`: 0} {
		w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config, "specs/todo/login.md": goodSpec}, code,
			codextest.Always(answer("APPROVED")))
		o := w.run(w.pull("opened"))
		if o.code != want || (w.model.Count() == 0) != (want == 1) {
			t.Errorf("%s: exit status %d, %d model requests\n%s", config, o.code, w.model.Count(), o.stdout)
		}
		if text := o.saved(o.reviews()[0].Path); want == 0 && !strings.Contains(text, "test results: not provided") {
			t.Errorf("the review does not say so:\n%s", text)
		}
	}
}

// TestReviewsInOneSecond: a review never takes the place of an earlier one.
func TestReviewsInOneSecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap}, map[string]string{"specs/proposed/login.md": "# Spec: Login\n\nTODO\n"}, nil)
	var paths []string
	for range 4 {
		o := w.run(w.comment("octocat", "/review"))
		o.ends(1, "NEEDS-CHANGES")
		paths = append(paths, o.reviews()[0].Path)
	}
	if n := len(slices.Compact(slices.Clone(paths))); n != 4 {
		t.Errorf("paths %q", paths)
	}
	for _, path := range paths {
		if !slices.Contains(w.files(), path) {
			t.Errorf("%s is gone", path)
		}
	}
}

// TestRunBesideAnother: two runs on the same head end in one verdict, without
// a second commit of the same.
func TestRunBesideAnother(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.gh.AddCheck(githubtest.Check{Name: "workflow-reviewer", HeadSHA: w.head(), Status: "in_progress", ExternalID: "x"})
	head := w.head()
	first, one := w.command(w.pull("opened"))
	second, two := w.command(w.pull("synchronize"))
	for _, cmd := range []interface{ Start() error }{first, second} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	a, b := w.wait(first, one, first.Wait()), w.wait(second, two, second.Wait())
	a.ends(0, "APPROVED")
	b.ends(0, "APPROVED")
	if got := w.subjects(head); len(got) == 0 || len(got) > 2 {
		t.Errorf("commits %v", got)
	}
	if c := w.check(w.head(), "workflow-reviewer"); c.Conclusion != "success" {
		t.Errorf("gate %+v", c)
	}
	if n := len(w.gh.Comments()); n > 2 {
		t.Errorf("%d sticky comments", n)
	}
}
