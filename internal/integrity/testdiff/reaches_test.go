package testdiff_test

import (
	"testing"

	"workflow-reviewer/internal/integrity/testdiff"
)

// TestReaches: a test file that nobody approved may do what it wants to itself,
// and nothing to others.
func TestReaches(t *testing.T) {
	const line = 3 // of what is found
	goFile := func(body string) string { return "package a\n\n" + body }
	for name, c := range map[string]struct{ path, cheat, fine string }{
		"the framework": {
			"a.test.js", "\n\nglobal.expect = () => {};\n",
			"global.fetch = jest.fn();\nDate.now = () => 0;\n",
		},
		"the framework, in brackets": {
			"a.test.ts", "\n\n(globalThis as any)['expect'] = () => {};\n",
			"(globalThis as any)['fetch'] = () => {};\n",
		},
		"an assertion": {
			"a.test.js", "const assert = require('assert');\n\nassert.equal = () => {};\n",
			"const assert = require('assert');\nassert.equal(1, 1);\n",
		},
		"the framework, defined": {
			"a.test.js", "\n\nObject.defineProperty(globalThis, 'it', { value: () => {} });\n",
			"Object.defineProperty(globalThis, 'x', { value: 1 });\n",
		},
		"the framework, assigned": {
			"a.test.js", "\n\nObject.assign(globalThis, { fetch, expect });\n",
			"Object.assign(globalThis, { fetch });\n",
		},
		"a variable of the package": {
			"a_test.go", goFile("func TestA(t *testing.T) { rate = 3 }\n"),
			goFile("func TestA(t *testing.T) {\n\told := rate\n\tt.Cleanup(func() { rate = old })\n\trate = 3\n}\n"),
		},
		"a part replaced": {
			"test_a.py", "from unittest import mock\n\ndef test_a(): mock.patch('a.b').start()\n",
			"from unittest import mock\n\ndef test_a(p):\n    q = mock.patch('a.b')\n    q.start()\n    q.stop()\n",
		},
		"a class by its object": {"test_a.py", "\n\ndef test_a(c): type(c).total = 3\n", "def test_a(c):\n    c.total = 3\n"},
		"files of tests": {
			"test_a.py", "import shutil\n\ndef test_a(): shutil.rmtree('tests/data')\n",
			"def test_a(p):\n    p.write_text('tests')\n",
		},
		"a status": {"a.test.js", "\n\nprocess.exitCode = 0;\n", "const status = process.exitCode;\n"},
		"a table of another file": {
			"a_test.go", goFile("func init() { table = nil }\n"),
			goFile("var table map[string]int\n\nfunc init() { table = map[string]int{\"a\": 1} }\n"),
		},
		"a call when a package begins": {
			"a_test.go", goFile("func init() { quiet() }\n\nfunc quiet() { now = nil }\n"),
			goFile("func helper() { quiet() }\n"),
		},
		"a call when a package is loaded": {
			"a_test.go", goFile("var _ = weaken()\n\nfunc weaken() bool { now = nil; return true }\n"),
			goFile("var errX = errors.New(\"x\")\n\nfunc helper() bool { return true }\n"),
		},
		"a process when it is loaded": {
			"a_test.go", goFile("func init() { os.Setenv(\"CI\", \"1\") }\n"),
			goFile("func helper() { os.Setenv(\"CI\", \"1\") }\n"),
		},
		"a name of the language":       {"a_test.go", goFile("var true = false\n"), goFile("var right = false\n")},
		"a type of the language":       {"a_test.go", goFile("type error struct{}\n"), goFile("type Error struct{}\n")},
		"another type of the language": {"a_test.go", goFile("type int = int8\n"), goFile("type money = int8\n")},
		"a method of another file's type": {
			"a_test.go", goFile("func (c *Cart) Total() int { return 5 }\n"),
			goFile("type cart struct{}\n\nfunc (c *cart) Total() int { return 5 }\n"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			none := func(string) bool { return false }
			got := testdiff.Reaches(t.Context(), testdiff.Source{Path: c.path, Source: []byte(c.cheat)}, nil, none)
			if len(got) != 1 || got[0].Line != line {
				t.Errorf("violations %+v, want one on line %d", got, line)
			}
			if got := testdiff.Reaches(t.Context(), testdiff.Source{Path: c.path, Source: []byte(c.fine)}, nil, none); len(got) > 0 {
				t.Errorf("honest: %+v", got)
			}
			if got := testdiff.Reaches(t.Context(), testdiff.Source{Path: c.path, Source: []byte(c.cheat + "\n")}, []byte(c.cheat),
				none); len(got) > 0 {
				t.Errorf("as it was: %+v", got)
			}
		})
	}
}
