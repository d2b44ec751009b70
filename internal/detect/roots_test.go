package detect_test

import (
	"testing"

	"workflow-reviewer/internal/detect"
)

// TestABugReportTakesFilesOfItsOwnRootAlone: a fix in one project takes no code of
// another out of its review.
func TestABugReportTakesFilesOfItsOwnRootAlone(t *testing.T) {
	const report = "p/d/bugs/fixing/oops.md"
	fix := files{report: "b\n", "p/d/src/adder.py": pyReal, "p/d/tests/test_oops.py": pyTest}
	others := files{"p/a/src/x.py": pyReal, "p/a/tests/test_x.py": pyTest, "p/a/tests/conftest.py": pyTest, "tools/y.py": pyReal}
	a := files{"p/a/specs/doing/login.md": aSpec}
	const oops = "bug-fix: p/d/oops = " + report + " p/d/src/adder.py p/d/tests/test_oops.py"
	for name, c := range map[string]struct {
		old, now files
		want     []string
	}{
		"others without a spec": {nil, with(fix, others), []string{
			"tests: p/a/b = p/a/tests/conftest.py p/a/tests/test_x.py", "implementation: b = tools/y.py", "implementation: p/a/b = p/a/src/x.py",
			oops,
		}},
		"the only spec in work": {a, with(fix, others), []string{
			"tests: p/a/login = p/a/tests/conftest.py p/a/tests/test_x.py", "implementation: b = tools/y.py",
			"implementation: p/a/login = p/a/src/x.py", oops,
		}},
		"the report of no root": {
			nil, files{"bugs/fixing/oops.md": "b\n", "tools/y.py": pyReal, "p/a/src/x.py": pyReal},
			[]string{"implementation: p/a/b = p/a/src/x.py", "bug-fix: oops = bugs/fixing/oops.md tools/y.py"},
		},
		"a report in each": {nil, with(fix, files{"p/a/bugs/fixing/oops.md": "src/adder.py\n", "p/a/src/x.py": pyReal}), []string{
			"bug-fix: p/a/oops = p/a/bugs/fixing/oops.md p/a/src/x.py", oops,
		}},
		// the source of another root is no reason to leave the fix in its feature
		"the fix is in a feature that is in work": {
			files{"p/d/specs/doing/adder.md": aSpec},
			with(fix, files{"p/a/src/x.py": pyReal}), []string{"implementation: p/a/b = p/a/src/x.py", oops},
		},
		"a conftest of another root": {nil, files{"p/a/tests/conftest.py": pyTest, "p/d/tests/login/test_login.py": pyTest}, []string{
			"tests: p/a/b = p/a/tests/conftest.py", "tests: p/d/b = p/d/tests/login/test_login.py",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := find(t, c.old, with(c.old, c.now), detect.Options{Branch: "b", Roots: []string{"p/*"}})
			wantNames(t, got, c.want...)
		})
	}
}
