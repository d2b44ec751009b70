package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// TestSentinelIsRead: a bug fix says what its new test demands; without one it
// is over before a model is asked.
func TestSentinelIsRead(t *testing.T) {
	const report = "# Export loses a row\n\nCall `export([a])`. Expected: one row, and it is there. Cause: the loop ends too early, by " +
		"one.\n"
	old := map[string]string{"tests/test_export.py": "def test_header():\n    assert export([]) == \"id\"\n"}
	for name, c := range map[string]struct {
		tests, says string
		ended       bool
	}{
		"new test": {
			"def test_header():\n    assert export([]) == \"id\"\n\n\ndef test_row():\n    assert len(export([a])) == 1\n",
			"test_row (tests/test_export.py:5) asserts ", false,
		},
		"changed test": {
			"def test_header():\n    assert export([]) == \"id,name\"\n",
			`test_header (tests/test_export.py:1) asserts export([]) == "id,name"`, false,
		},
		"nothing new": {old["tests/test_export.py"], "no new or changed test was found", true},
		"idle test": {
			old["tests/test_export.py"] + "\n\ndef test_row():\n    export([a])\n",
			"The regression test asserts nothing: test_row", false,
		},
		"unparsable": {old["tests/test_export.py"] + "\ndef test_row(:\n", "cannot be told", false},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(workflow.BugFix, old, map[string]string{
				"bugs/fixing/export.md": report, "src/export.py": "x = 1\n", "tests/test_export.py": c.tests,
			}, "bugs/fixing/export.md", "src/export.py", "tests/test_export.py")
			checks := rules.Check(t.Context(), in)
			if ended, _ := rules.Gate(checks); ended != c.ended {
				t.Errorf("ended %t", ended)
			}
			for _, check := range checks {
				if check.ID == "bug-fix/sentinel-asserts" && !strings.Contains(check.Summary, c.says) {
					t.Errorf("it says %q, want %q", check.Summary, c.says)
				}
			}
		})
	}
}
