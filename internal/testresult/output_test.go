package testresult_test

import (
	"testing"

	"workflow-reviewer/internal/testresult"
)

// TestParseOutput reads the lines with which runners sum up, and never takes a
// failure for a pass.
func TestParseOutput(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string // the summary; "" for an error
	}{
		"pytest": {
			"tests/test_a.py ...F\n=== 1 failed, 46 passed, 2 skipped in 2.31s ===\n",
			"46 of 47 passed, 1 failed, 2 skipped",
		},
		"pytest passing": {"===================== 47 passed in 2.31s =====================\n", "47 of 47 passed"},
		"pytest error":   {"=== 1 error in 0.1s ===\n", "0 of 1 passed, 1 failed"},
		"jest": {
			"Test Suites: 1 failed, 2 passed, 3 total\nTests:       2 failed, 7 passed, 9 total\n",
			"7 of 9 passed, 2 failed",
		},
		"vitest": {" Test Files  2 passed (2)\n      Tests  9 passed (9)\n", "9 of 9 passed"},
		"mocha":  {"  5 passing (10ms)\n  1 failing\n", "5 of 6 passed, 1 failed"},
		"cargo":  {"test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured\n", "3 of 4 passed, 1 failed"},
		"several crates": {
			"test result: FAILED. 3 passed; 1 failed; 0 ignored\ntest result: ok. 5 passed; 0 failed; 0 ignored\n",
			"5 of 6 passed, 1 failed",
		},
		"RSpec":  {"10 examples, 1 failure, 2 pending\n", "0 of 1 passed, 1 failed, 2 skipped"},
		"dotnet": {"Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5\n", "4 of 5 passed, 1 failed"},
		"go":     {"ok  \texample.com/a\t0.01s\nok  \texample.com/b\t(cached)\n", "2 of 2 passed"},
		"go failing": {
			"--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\nok  \texample.com/b\t0.1s\n",
			"1 of 2 passed, 1 failed",
		},
		"go not built":      {"FAIL\texample.com/a [build failed]\n", "0 of 1 passed, 1 failed"},
		"unittest":          {"Ran 5 tests in 0.001s\n\nOK\n", "5 of 5 passed"},
		"unittest failing":  {"Ran 5 tests in 0.001s\n\nFAILED (failures=1)\n", "5 of 6 passed, 1 failed"},
		"failed in passing": {"FAILED tests/test_a.py::test_one\n3 passed in 1s\n", "3 of 4 passed, 1 failed"},
		"stated":            {"All passing", "stated as all passing, without a report"},
		"nothing ran":       {"== no tests ran in 0.01s ==\n", ""},
		"none selected":     {"== 5 deselected in 0.01s ==\n", ""},
		"prose":             {"I ran the tests and they are fine.\n", ""},
		"empty":             {"", ""},
	} {
		s, err := testresult.ParseOutput(c.text)
		if (err != nil) != (c.want == "") || err == nil && s.String() != c.want {
			t.Errorf("%s: %q, %v; want %q", name, s.String(), err, c.want)
		}
		if err == nil && !s.OK() && s.Broken() == 0 {
			t.Errorf("%s: neither passed nor failed", name)
		}
	}
}

// FuzzParseOutput: whatever is printed, a line that counts a failure is never
// taken for a pass.
func FuzzParseOutput(f *testing.F) {
	f.Add("3 passed, 1 failed\n")
	f.Add("ok  \ta\t0.1s\nFAIL\tb\t0.1s\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := testresult.ParseOutput(text + "\n1 failed, 2 passed in 1s\n"); err != nil || s.OK() {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	})
}
