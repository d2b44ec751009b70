package integrity_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/baseline"
)

// TestStandIns: new files that take the place of approved ones, and those that
// only look like it.
func TestStandIns(t *testing.T) {
	const helper = "def close(a, b):\n    assert a == b\n"
	approved := files{at: good, "tests/helpers.py": helper, "test/tools.ts": "export {}\n", "test/kit/index.js": "exports.x = 1\n"}
	for name, c := range map[string]struct {
		main, does files
		want       string
	}{
		"letter case":               {nil, files{"tests/Test_Add.py": good}, "breach file_changed tests/Test_Add.py:1:after"},
		"letter case of a folder":   {nil, files{"Tests/test_add.py": good}, "breach file_changed Tests/test_add.py:1:after"},
		"link in place of a folder": {nil, files{"TESTS": changetest.Symlink("other")}, "breach file_changed TESTS:1:after"},
		"another folder's name":     {nil, files{"lib/Test_Add.py": good}, "clean"},
		"renamed by case":           {nil, files{"tests/helpers.py": "", "tests/Helpers.py": helper}, "clean"},
		"package before module": {
			nil,
			files{"tests/helpers/__init__.py": helper},
			"breach autoloaded_file tests/helpers/__init__.py:1:after, helper_changed tests/helpers/__init__.py:1:after",
		},
		"package beside a test":    {nil, files{"tests/test_add/__init__.py": ""}, "clean"},
		"script before TypeScript": {nil, files{"test/tools.js": "\n"}, "breach helper_changed test/tools.js:1:after"},
		"declarations":             {nil, files{"test/tools.d.ts": "export {}\n"}, "clean"},
		"file before index":        {nil, files{"test/kit.js": "\n"}, "breach helper_changed test/kit.js:1:after"},
		"module beside the tests": {
			files{"app.py": "def add(a, b): ...\n"},
			files{"tests/app.py": "x = 1\n"},
			"breach mock_of_sut tests/app.py:1:after",
		},
		"module that no test imports": {files{"tool.py": "x = 1\n"}, files{"tests/tool.py": "x = 1\n"}, "clean"},
		"submodule of the tests": {
			files{"tests/data": changetest.Submodule(strings.Repeat("1", 40))},
			files{"tests/data": changetest.Submodule(strings.Repeat("2", 40))},
			"breach helper_changed tests/data:1:after",
		},
		"submodule elsewhere": {
			files{"third_party/zlib": changetest.Submodule(strings.Repeat("1", 40))},
			files{"third_party/zlib": changetest.Submodule(strings.Repeat("2", 40))},
			"clean",
		},
		"attributes of line ends": {nil, files{".gitattributes": "* text=auto eol=lf\n*.png filter=lfs binary\n"}, "clean"},
		"a filter elsewhere":      {nil, files{".gitattributes": "secrets/** filter=git-crypt diff=git-crypt\n"}, "clean"},
		"another encoding": {
			nil,
			files{".gitattributes": "tests/*.py working-tree-encoding=UTF-16\n"},
			"breach file_changed .gitattributes:1:after",
		},
		"another encoding, from below": {
			nil,
			files{"tests/.gitattributes": "\n*.py ident\n"},
			"breach file_changed tests/.gitattributes:2:after",
		},
	} {
		t.Run(name, func(t *testing.T) {
			main := maps.Clone(approved)
			maps.Copy(main, c.main)
			head := maps.Clone(main)
			for p, text := range c.does {
				if head[p] = text; text == "" && p != "tests/test_add/__init__.py" {
					delete(head, p)
				}
			}
			out := check(t, changetest.Set(main, main, head), nil, approvedAs(baseline.BaseRecord, approved))
			if diff := cmp.Diff(c.want, told(out)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestVendoredFramework: a copy of a framework changes with its version only; no
// vendored source is read, so that none is clean.
func TestVendoredFramework(t *testing.T) {
	const file, list = "vendor/github.com/stretchr/testify/assert/assert.go", "vendor/modules.txt"
	main := files{at: good, file: "package assert\n", list: "# testify v1\n"}
	for name, c := range map[string]struct {
		does files
		want string
	}{
		"by hand":         {files{file: "package assert\n\n// x\n"}, "breach helper_changed " + file + ":3:after"},
		"by an upgrade":   {files{file: "package assert\n\n// x\n", list: "# testify v2\n"}, "unverifiable"},
		"another library": {files{"vendor/github.com/a/b/b.go": "package b\n"}, "unverifiable"},
	} {
		t.Run(name, func(t *testing.T) {
			head := maps.Clone(main)
			maps.Copy(head, c.does)
			out := check(t, changetest.Set(main, main, head), nil, approvedAs(baseline.BaseRecord, files{at: good}))
			if diff := cmp.Diff(c.want, told(out)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
