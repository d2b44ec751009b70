package detect_test

import (
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// version is one content of a file.
type version struct{ path, content string }

// approvals answers for the versions; the lifecycle does not count, as in records.
func approvals(known map[version][]detect.Approved) func(path, blob string) []detect.Approved {
	builtin, _ := layout.BuiltinSet()
	return func(path, blob string) []detect.Approved {
		var out []detect.Approved
		for v, as := range known {
			if builtin.Canonical(v.path) == builtin.Canonical(path) &&
				changetest.Blob(v.content) == blob {
				out = append(out, as...)
			}
		}
		return out
	}
}

const (
	realPy = "def f():\n    return 1\n"
	stubPy = "def f():\n    raise NotImplementedError\n"
)

func TestApprovedFilesKeepTheirNames(t *testing.T) {
	fix := func(name string) detect.Approved {
		return detect.Approved{
			Type:    workflow.BugFix,
			Feature: name,
			Path:    "bugs/fixing/" + name + ".md",
			Record:  "reviews/bug-fixes/r.md",
		}
	}
	as := func(typ workflow.Type, feature string) []detect.Approved {
		return []detect.Approved{
			{Type: typ, Feature: feature, Path: "src/a.py", Record: "reviews/r.md"},
		}
	}
	for name, c := range map[string]struct {
		old, now files
		known    map[version][]detect.Approved
		types    []workflow.Type
		want     []string
	}{
		"implementation": {
			now: files{"src/a.py": realPy}, known: map[version][]detect.Approved{{
				"src/a.py",
				realPy,
			}: as(workflow.Implementation, "login")},
			want: []string{"implementation: login = src/a.py"},
		},
		"a spec in its path comes second": {
			now:   files{"src/pay/a.py": realPy, "specs/doing/pay.md": "x"},
			known: map[version][]detect.Approved{{"src/pay/a.py", realPy}: as(workflow.Implementation, "login")},
			want:  []string{"spec: pay = specs/doing/pay.md", "implementation: login = src/pay/a.py"},
		},
		"another version": {
			now: files{"src/a.py": realPy}, known: map[version][]detect.Approved{{
				"src/a.py",
				stubPy,
			}: as(workflow.Implementation, "login")},
			want: []string{"implementation: work = src/a.py"},
		},
		"files beside it": {
			now:   files{"src/a.py": realPy, "src/b.py": realPy, "tests/test_b.py": realPy},
			known: map[version][]detect.Approved{{"src/a.py", realPy}: as(workflow.Implementation, "login")},
			want:  []string{"tests: work = tests/test_b.py", "implementation: login = src/a.py", "implementation: work = src/b.py"},
		},
		"files beside two": {
			now: files{"src/a.py": realPy, "src/b.py": realPy, "src/c.py": realPy},
			known: map[version][]detect.Approved{
				{"src/a.py", realPy}: as(workflow.Implementation, "login"), {"src/b.py", realPy}: as(workflow.Implementation, "logout"),
			},
			want: []string{"implementation: login = src/a.py", "implementation: logout = src/b.py", "implementation: work = src/c.py"},
		},
		"skeleton": {
			old: files{"src/a.py": stubPy + realPy}, now: files{"src/a.py": stubPy + "\n" + realPy + "# x\n"},
			known: map[version][]detect.Approved{{"src/a.py", stubPy + "\n" + realPy + "# x\n"}: as(workflow.Skeleton, "login")},
			want:  []string{"skeleton: login = src/a.py"},
		},
		"helpers of tests": {
			now:   files{"tests/test_a.py": realPy, "tests/conftest.py": realPy},
			known: map[version][]detect.Approved{{"tests/test_a.py", realPy}: as(workflow.Tests, "login")},
			want:  []string{"tests: login = tests/conftest.py tests/test_a.py"},
		},
		"a fix whose report was moved": {
			now: files{"bugs/fixed/x.md": "report", "src/a.py": realPy, "tests/test_a.py": realPy},
			known: map[version][]detect.Approved{
				{"bugs/fixing/x.md", "report"}: {fix("x")}, {"src/a.py", realPy}: {fix("x")}, {"tests/test_a.py", realPy}: {fix("x")},
			},
			want: []string{"bug-fix: x = bugs/fixed/x.md src/a.py tests/test_a.py"},
		},
		"a fix that is not asked for": {
			now:   files{"bugs/fixed/x.md": "report", "src/a.py": realPy},
			known: map[version][]detect.Approved{{"bugs/fixing/x.md", "report"}: {fix("x")}, {"src/a.py", realPy}: {fix("x")}},
			types: []workflow.Type{workflow.Implementation},
		},
		"a report that was edited": {
			now:   files{"bugs/fixed/x.md": "another", "src/a.py": realPy},
			known: map[version][]detect.Approved{{"src/a.py", realPy}: {fix("x")}},
			want:  []string{"bug-fix: x = bugs/fixed/x.md src/a.py"},
		},
		"a report that is gone": {
			now:   files{"src/a.py": realPy, "specs/doing/pay.md": "x"},
			known: map[version][]detect.Approved{{"src/a.py", realPy}: {fix("x")}},
			want:  []string{"spec: pay = specs/doing/pay.md", "bug-fix: x = src/a.py"},
		},
		"two fixes that share a file": {
			now: files{"bugs/fixed/x.md": "one", "bugs/fixing/y.md": "two", "src/a.py": realPy, "tests/test_y.py": realPy},
			known: map[version][]detect.Approved{
				{"bugs/fixing/x.md", "one"}: {fix("x")}, {"bugs/fixing/y.md", "two"}: {fix("y")},
				{"src/a.py", realPy}: {fix("x"), fix("y")},
			},
			want: []string{"bug-fix: x = bugs/fixed/x.md src/a.py", "bug-fix: y = bugs/fixing/y.md src/a.py tests/test_y.py"},
		},
		"no report of another's": {
			now:   files{"bugs/fixed/x.md": "report", "src/a.py": realPy},
			known: map[version][]detect.Approved{{"bugs/fixed/x.md", "report"}: {fix("y")}},
			want:  []string{"implementation: work = src/a.py"},
		},
		"a later report takes nothing": {
			now:   files{"bugs/fixing/x.md": "report", "src/a.py": realPy, "src/b.py": realPy},
			known: map[version][]detect.Approved{{"src/a.py", realPy}: as(workflow.Implementation, "login")},
			want:  []string{"implementation: login = src/a.py", "bug-fix: x = bugs/fixing/x.md src/b.py"},
		},
		"a name that is none": {
			now: files{"src/a.py": realPy}, known: map[version][]detect.Approved{{"src/a.py", realPy}: as(workflow.Implementation, "../x")},
			want: []string{"implementation: work = src/a.py"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantNames(
				t,
				find(
					t,
					c.old,
					c.now,
					detect.Options{Branch: "work", Types: c.types, Approved: approvals(c.known)},
				),
				c.want...)
		})
	}
}
