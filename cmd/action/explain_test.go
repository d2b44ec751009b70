package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/checks"
)

// TestExplainCheck: each check is explained offline, whatever it is called.
func TestExplainCheck(t *testing.T) {
	t.Parallel()
	code, out, errs := program(t, "explain", "code/secret")
	for _, want := range []string{
		"Whoever can read the repository has the secret.", "Revoke it", "/dismiss ID REASON", "62 of 93 findings",
		"before it was simplified", "also beside a model's approval",
	} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, and it lacks %q:\n%s%s", code, want, out, errs)
		}
	}
	for _, e := range checks.Catalog() {
		if code, out, errs := program(t, "explain", e.ID); code != 0 || !strings.Contains(out, e.Fix) || strings.Count(out, "\n") > 10 {
			t.Errorf("%s ends %d:\n%s%s", e.ID, code, out, errs)
		}
	}
}

// TestExplainFinding: a finding of a report is printed whole.
func TestExplainFinding(t *testing.T) {
	t.Parallel()
	w := scanned(t, "error", nil)
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	id, dir := o.found()[0].Key, o.outputs["report-dir"]
	for _, args := range [][]string{{"explain", id, "--report", dir}, {"explain", "--report", dir, id}} {
		code, out, errs := program(t, args...)
		for _, want := range []string{
			id, "eval can be harmful.", "src/app.js:3", "High", evalRule, "Reported by ESLint as error.", "/dismiss " + id + " REASON",
		} {
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("status %d, and it lacks %q:\n%s%s", code, want, out, errs)
			}
		}
	}
	if code, out, errs := programIn(t, []string{"TMPDIR=" + filepath.Dir(dir)}, "explain", id); code != 0 || !strings.Contains(out, id) {
		t.Errorf("the last report: status %d\n%s%s", code, out, errs)
	}
	if code, _, errs := program(t, "explain", "00000000", "--report", dir); code != 2 || !strings.Contains(errs, id) {
		t.Errorf("unknown finding: status %d\n%s", code, errs)
	}
}

// TestExplainRefuses: what is not known ends with status 2 and what to do.
func TestExplainRefuses(t *testing.T) {
	t.Parallel()
	hostile := t.TempDir()
	if err := os.WriteFile(filepath.Join(hostile, "report.json"), []byte(`{"schema":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(hostile, "report.json"), filepath.Join(linked, "report.json")); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"code/secret":         {"code/secrets"},
		"name a check":        {},
		"unexpected argument": {"code/secret", "more"},
		"--report":            {"0123abcd"},
		"its schema is":       {"0123abcd", "--report", hostile},
		"is a link":           {"0123abcd", "--report", linked},
		"no such file":        {"0123abcd", "--report", filepath.Join(hostile, "none")},
	} {
		if code, out, errs := program(t, append([]string{"explain"}, args...)...); code != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%q ends %d, without %q:\n%s%s", args, code, want, out, errs)
		}
	}
}
