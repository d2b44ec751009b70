package main_test

import (
	"strings"
	"testing"
)

// TestWhatSteersApprovedTestsBelongsToThem: setup and configuration that no record lists, changed by a pull request
// that has nothing to do with the feature, are changes of how its approved tests run.
func TestWhatSteersApprovedTestsBelongsToThem(t *testing.T) {
	t.Parallel()
	const hook = "import os\n\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n"
	for name, c := range map[string]struct {
		main, pr map[string]string
		code     int
		says     string
	}{
		"a hook in setup that was there": {
			map[string]string{"tests/conftest.py": "import os\n"}, map[string]string{"tests/conftest.py": hook}, 1, "acts on others",
		},
		"narrowed configuration": {
			map[string]string{"pytest.ini": "[pytest]\ntestpaths = tests\n"},
			map[string]string{"pytest.ini": "[pytest]\ntestpaths = smoke\n"},
			1, "pytest.testpaths changed",
		},
		"another test's helper": {
			map[string]string{"tests/util.py": "ONE = 1\n"}, map[string]string{"tests/util.py": "ONE = 2\n"}, 0, "no-baseline",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.pr["notes.txt"] = "x\n"
			dir := adderClone(t, with(adderMain(true), c.main), c.pr)
			code, out, _ := program(t, "integrity", "--repo", dir, "--base", "origin/main", "--head", "HEAD", "--json")
			if code != c.code || !strings.Contains(out, c.says) {
				t.Errorf("exit status %d, want %d and %q:\n%s", code, c.code, c.says, out)
			}
		})
	}
}
