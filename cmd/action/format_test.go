package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// TestReviewFile holds a committed review to its format, byte by byte where
// other programs read it.
func TestReviewFile(t *testing.T) {
	t.Parallel()
	reply := answer("NEEDS-CHANGES", issue("High", "No lockout", "specs/proposed/user_auth-v2.md", 17)).Using(1200, 80)
	w := newWorld(t, map[string]string{
		"ROADMAP.md": roadmap, ".workflow/config.json": `{"auto_review":{"review_model":"gpt-5-codex"}}`,
		"reviews/specs/2025-10-31T18-27-44-user_auth-v2-NEEDS-CHANGES.md": "# Spec Review: user_auth-v2\n\n" +
			"**Decision:** NEEDS-CHANGES\n\n1. The LEGACY-FINDING is open.\n",
		"reviews/specs/20251028-user_auth-v2-READY.md":    "# Review\n\nFine.\n",
		"reviews/specs/20251026T143022-APPROVED.md":       "# Spec Review: user_auth-v2\n\n**Decision:** APPROVED\n",
		"reviews/specs/20251027T143022-other-APPROVED.md": "# Spec Review: other\n",
		"reviews/specs/README.md":                         "# Reviews\n",
	}, map[string]string{"specs/proposed/user_auth-v2.md": goodSpec}, codextest.Always(reply))
	head, base := w.head(), w.repo.Git("rev-parse", "main")
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	path := o.reviews()[0].Path
	if !regexp.MustCompile(`^reviews/specs/\d{8}T\d{6}-user_auth-v2-NEEDS-CHANGES\.md$`).MatchString(path) {
		t.Errorf("path %s", path)
	}
	text := w.repo.Git("show", "feature/login:"+path)
	front := `(?s)^---
schema: workflow-reviewer/review@1
type: spec
feature: user_auth-v2
decision: NEEDS-CHANGES
warning: "[^\n]*"
artifacts: \[\{path: specs/proposed/user_auth-v2\.md, blob: "?` + w.repo.Git("rev-parse", head+":specs/proposed/user_auth-v2.md") + `"?\}\]
context_digest: sha256:[0-9a-f]{64}
head: "?` + head + `"?
base: "?` + base + `"?
engine: codex 0\.169\.0
reviewed_by: model
model: gpt-5-codex
effort: high
iteration: 2
tokens: \{input: 1200, cached: \d+, output: 80, reasoning: \d+\}
duration_ms: \d+
---
# Spec Review: user_auth-v2

\*\*Artifact:\*\* specs/proposed/user_auth-v2\.md *
\*\*Reviewer:\*\* codex \(gpt-5-codex\) *
\*\*Review Date:\*\* \d{4}-\d\d-\d\d *
\*\*Iteration:\*\* 2 of 3 *
\*\*Decision:\*\* NEEDS-CHANGES

`
	if !regexp.MustCompile(front).MatchString(text) {
		t.Errorf("front matter and head:\n%s", text[:min(len(text), 1500)])
	}
	want := []string{"## Summary", "## Evaluation", "## Issues", "## Previous findings", "## Automated checks"}
	var got []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "## ") && slices.Contains(want, line) {
			got = append(got, line)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("headings %q", got)
	}
	prompt := string(w.model.Requests()[0].Body)
	if !strings.Contains(prompt, "LEGACY-FINDING") {
		t.Error("the earlier review is not in the prompt")
	}
	// The second review knows the first.
	w.repo.Commit("feature/login", "Answer", githubtest.Text(map[string]string{"specs/proposed/user_auth-v2.md": goodSpec + "\nMore.\n"}))
	o = w.run(w.pull("synchronize"))
	o.ends(1, "NEEDS-CHANGES")
	text = w.repo.Git("show", "feature/login:"+o.reviews()[0].Path)
	if !strings.Contains(text, "\niteration: 3\n") {
		t.Errorf("iteration:\n%s", text[:700])
	}
	if !regexp.MustCompile(`(?s)## Previous findings\n.*No lockout.*## Automated checks`).MatchString(text) {
		t.Errorf("previous findings:\n%s", text)
	}
	last := w.model.Requests()[w.model.Count()-1]
	if !strings.Contains(last.Prompt, "No lockout") {
		t.Error("the earlier issue is not in the prompt")
	}
}

// TestMoves follows the lifecycle in both shapes of the config and both layouts.
func TestMoves(t *testing.T) {
	t.Parallel()
	shapes := map[string]string{
		"overrides":   `{"auto_review":{"auto_move_overrides":{"spec":true,"implementation":true,"bug-fix":true}}}`,
		"on approval": `{"auto_review":{"auto_move_on_approval":{"specs":true,"implementations":true,"bug_fixes":true}}}`,
		"default":     `{"auto_review":{"default_auto_move":true}}`,
		"all but":     `{"auto_review":{"default_auto_move":true,"auto_move_overrides":{"spec":false}}}`,
		"none":        `{}`,
	}
	const tests = "from src.adder import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
	for name, config := range shapes {
		for _, prefix := range []string{"", "project-meta/"} {
			t.Run(name+" "+prefix, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, map[string]string{
					prefix + "ROADMAP.md": roadmap, ".workflow/config.json": config,
					prefix + "specs/doing/adder.md": strings.ReplaceAll(goodSpec, "Login", "Adder"),
					"src/adder.py":                  "", "tests/test_adder.py": tests,
					".workflow/approvals/adder.json": record("adder", 1, map[string]string{"tests/test_adder.py": tests}),
				}, map[string]string{
					prefix + "specs/proposed/login.md": goodSpec,
					"src/adder.py": "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n" +
						"    \"\"\"Return the sum of a and b.\"\"\"\n    return a + b\n",
				}, nil)
				w.inputs["test-results"] = "all passing"
				o := w.run(w.pull("opened"))
				moved := map[string]string{}
				for _, r := range o.reviews() {
					moved[r.Type] = r.MovedTo
					if r.Decision != "APPROVED" {
						t.Fatalf("%+v", r)
					}
				}
				want := map[string]string{"spec": prefix + "specs/todo/login.md", "implementation": prefix + "specs/done/adder.md"}
				if name == "all but" || name == "none" {
					want["spec"] = ""
				}
				if name == "none" {
					want["implementation"] = ""
				}
				if fmt.Sprint(moved) != fmt.Sprint(want) {
					t.Errorf("moved %v, want %v\n%s", moved, want, o.stdout)
				}
				for _, to := range want {
					if to != "" && !slices.Contains(w.files(), to) {
						t.Errorf("%s is missing: %v", to, w.files())
					}
				}
				// After the moves nothing is left to review or to pay for.
				head := w.head()
				again := w.run(w.pull("synchronize"))
				again.ends(0, "APPROVED")
				for _, r := range again.reviews() {
					if !r.Cached {
						t.Errorf("reviewed again: %+v\n%s", r, again.stdout)
					}
				}
				if w.head() != head {
					t.Errorf("committed again: %v", w.subjects(head))
				}
			})
		}
	}
}

// TestBugFixMoves: an approved fix closes its report.
func TestBugFixMoves(t *testing.T) {
	t.Parallel()
	report := "# Bug: adding fails\n\n## Steps to reproduce\n\n1. Call add(1, 2).\n\n## Expected behaviour\n\nIt returns 3.\n\n" +
		"## Actual behaviour\n\nIt returns 4.\n\n## Root cause\n\nAn off-by-one error in add.\n\n## Fix\n\nReturn a + b.\n"
	w := newWorld(t, map[string]string{
		"ROADMAP.md": roadmap, ".workflow/config.json": `{"auto_review":{"default_auto_move":true}}`,
		"src/adder.py": "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n    \"\"\"Return the sum of a and b.\"\"\"\n" +
			"    return a + b + 1\n",
	}, map[string]string{
		"bugs/fixing/adding-fails.md": report,
		"src/adder.py": "\"\"\"Adding.\"\"\"\n\n\ndef add(a: int, b: int) -> int:\n" +
			"    \"\"\"Return the sum of a and b.\"\"\"\n    return a + b\n",
		"tests/regression/test_adding_fails.py": "\"\"\"Regression test for bugs/fixing/adding-fails.md.\"\"\"\n\n" +
			"from src.adder import add\n\n\ndef test_adding_fails():\n    \"\"\"1 + 2 is 3.\"\"\"\n    assert add(1, 2) == 3\n",
	}, nil)
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	rs := o.reviews()
	if len(rs) != 1 || rs[0].Type != "bug-fix" || rs[0].MovedTo != "bugs/fixed/adding-fails.md" ||
		!strings.HasPrefix(rs[0].Path, "reviews/bug-fixes/") {
		t.Errorf("reviews %+v", rs)
	}
	if got := w.subjects(w.repo.Git("rev-parse", "feature/login~1")); !slices.Equal(got, []string{"Approve bug-fix: adding-fails"}) {
		t.Errorf("commits %v", got)
	}
}

// TestEvidenceFormats: what earlier steps measured decides, in every format.
func TestEvidenceFormats(t *testing.T) {
	t.Parallel()
	const failing, passing, broken = "Cannot review implementation with failing tests", "", "test-results"
	for name, c := range map[string]struct {
		file, content string
		code          int
		says          string
	}{
		"junit failing": {"r.xml", `<testsuite tests="2" failures="1"><testcase name="a" classname="t"/><testcase name="b" ` +
			`classname="t"><failure message="no"/></testcase></testsuite>`, 1, failing},
		"junit error": {"r.xml", `<testsuites><testsuite><testcase name="a"/><testcase ` +
			`name="b"><error>boom</error></testcase></testsuite></testsuites>`, 1, failing},
		"junit counts alone": {"r.xml", `<testsuites tests="3" failures="0" errors="1"><testsuite tests="3" errors="1"><testcase ` +
			`name="a"/></testsuite></testsuites>`, 1, failing},
		"junit empty":       {"r.xml", `<testsuites/>`, 1, failing},
		"junit all skipped": {"r.xml", `<testsuite><testcase name="a"><skipped/></testcase></testsuite>`, 1, failing},
		"junit cut off":     {"r.xml", `<testsuite tests="2"><testcase name="a"/>`, 2, broken},
		"junit passing": {"r.xml", `<?xml version="1.0"?><testsuites><testsuite name="s" tests="1"><testcase classname="t" ` +
			`name="a" time="0.1"/></testsuite></testsuites>`, 0, passing},
		"go failing": {"r.json", `{"Action":"run","Package":"p","Test":"TestA"}` + "\n" +
			`{"Action":"fail","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"fail","Package":"p"}` + "\n", 1, failing},
		"go build failure": {
			"r.json", `{"ImportPath":"p","Action":"build-output","Output":"x"}` + "\n" +
				`{"ImportPath":"p","Action":"build-fail"}` + "\n" + `{"Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p"}` + "\n",
			1,
			failing,
		},
		"go package fails": {"r.json", `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n" +
			`{"Action":"fail","Package":"p"}` + "\n", 1, failing},
		"go cut off in a test": {"r.json", `{"Action":"run","Package":"p","Test":"TestA"}` + "\n", 2, broken},
		"go passing": {"r.json", `{"Action":"start","Package":"p"}` + "\n" + `{"Action":"run","Package":"p","Test":"TestA"}` +
			"\n" + `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"p"}` + "\n", 0, passing},
		"neither":               {"r.txt", "47 passed\n", 2, broken},
		"empty":                 {"r.xml", "", 2, broken},
		"all passing in a file": {"r.txt", "all passing\n", 0, passing},
		"no file":               {"other.xml", "x", 2, broken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config, "specs/todo/login.md": goodSpec},
				map[string]string{"src/login.py": "\"\"\"Logging in.\"\"\"\n\n\ndef login(email: str, password: str) -> bool:\n" +
					"    \"\"\"Say whether the password fits.\"\"\"\n    return email == password\n"},
				codextest.Always(answer("APPROVED")))
			if err := os.WriteFile(filepath.Join(w.workspace, c.file), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			w.inputs["test-results"] = "r.*"
			o := w.run(w.pull("opened"))
			if o.code != c.code || !strings.Contains(o.stdout+o.summary, c.says) {
				t.Errorf("exit status %d, want %d with %q\n%s", o.code, c.code, c.says, o.stdout)
			}
			if n := w.model.Count(); (n == 0) == (c.code == 0) {
				t.Errorf("%d model requests", n)
			}
			w.allClosed()
		})
	}
}
