package detect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/workflow"
)

func lookup(t *testing.T, base, head map[string]string, opt detect.Options) *detect.Lookup {
	t.Helper()
	l, err := detect.NewLookup(changetest.Set(base, base, head), opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLookupRole(t *testing.T) {
	l := lookup(t, nil, nil, detect.Options{
		Ignore: []string{
			"tests/legacy/**",
		}, Globs: map[workflow.Type][]string{workflow.Tests: {"checks/*.py"}},
	})
	for p, want := range map[string]detect.Role{
		"tests/test_a.py": detect.Test, "tests/helpers.py": detect.Helper, "conftest.py": detect.Helper, "src/a.py": detect.Source,
		"README.md": detect.Neither, ".workflow/approvals/a.json": detect.Neither, "vendor/x/x_test.go": detect.Neither,
		"specs/doing/a.md":    detect.Neither,
		"__tests__/readme.js": detect.Test, "tests/README.txt": detect.Neither, "src/test/java/ATest.java": detect.Test,
		"src/test/java/HTTPTests.java": detect.Test, "src/main/java/Latest.java": detect.Source,
		// The config takes no test out of protection, and may add some.
		"tests/legacy/test_b.py": detect.Test, "checks/one.py": detect.Test,
	} {
		if got := l.Role(p); got != want {
			t.Errorf("%s is %d, want %d", p, got, want)
		}
	}
}

func TestLookupTests(t *testing.T) {
	head := map[string]string{
		"specs/doing/user-auth.md": "# Spec\n", "tests/test_user_auth.py": "", "tests/user_auth/test_more.py": "",
		"tests/user_auth/data.json": "",
		"tests/test_other.py":       "", "src/user_auth.py": "", "tests/link.py": changetest.Symlink("x"), "tests/adder/test_x.py": "",
	}
	l := lookup(t, map[string]string{"specs/doing/adder.md": "# Spec\n"}, head, detect.Options{})
	for feature, want := range map[string][]string{
		"user-auth": {"tests/test_user_auth.py", "tests/user_auth/test_more.py"}, "other": {"tests/test_other.py"}, "none": nil,
		"adder": {"tests/adder/test_x.py"},
	} {
		got, err := l.Tests(changetest.Tree("c0ffee", head), feature)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", feature, diff)
		}
	}
	if !l.Doing("user_auth") || !l.Doing("adder") || l.Doing("other") {
		t.Error("the features that are being worked on are wrong")
	}
	tests, helpers, err := l.AllTests(changetest.Tree("c0ffee", head))
	if err != nil || len(tests) != 4 || len(helpers) != 2 {
		t.Errorf("all tests %v, helpers %v, error %v", tests, helpers, err)
	}
}
