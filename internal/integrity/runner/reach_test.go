package runner_test

import (
	"testing"

	"workflow-reviewer/internal/integrity/runner"
)

// TestCompareTest: a test file may do what it wants to itself.
func TestCompareTest(t *testing.T) {
	for name, c := range map[string]struct {
		path, before, after string
		line                int // of the violation, 0 for none
	}{
		"option of unittest":    {"tests/test_a.py", "", "import unittest\n\nunittest.TestCase.maxDiff = None\n", 0},
		"settings":              {"tests/test_a.py", "", "from app import settings\n\nsettings.DEBUG = True\n", 0},
		"stub of a module":      {"tests/test_a.py", "", "import sys\nfrom unittest import mock\n\nsys.modules[\"gpio\"] = mock.Mock()\n", 0},
		"in a test":             {"tests/test_a.py", "", "import sys\n\n\ndef test_a():\n    sys.modules[\"x\"] = None\n", 0},
		"own attribute":         {"tests/test_a.py", "", "def test_a():\n    pass\n\n\ntest_a.slow = True\n", 0},
		"own generated test":    {"tests/test_a.py", "", "class TestA:\n    pass\n\n\nTestA.test_x = lambda self: None\n", 0},
		"another's test":        {"tests/test_a.py", "", "from tests import test_b\n\ntest_b.test_x = lambda: None\n", 3},
		"another's, by setattr": {"tests/test_a.py", "", "from tests import test_b\n\nsetattr(test_b, \"x\", None)\n", 3},
		"the framework":         {"tests/test_a.py", "", "import pytest\n\npytest.raises = None\n", 3},
		"as it was":             {"tests/test_a.py", "import pytest\n\npytest.raises = None\n", "import pytest\n\n\npytest.raises = None\n", 0},
		"syntax error":          {"tests/test_a.py", "", "pytest.raises = (\n", 0},
		"global fetch":          {"a.test.js", "", "global.fetch = jest.fn();\nDate.now = () => 0;\n", 0},
		"own assert":            {"a.test.js", "", "const assert = require('assert');\nassert.equal(1, 1);\n", 0},
		"expect":                {"a.test.js", "", "global.expect = () => {};\n", 1},
		"expect, in brackets":   {"a.test.ts", "", "(globalThis as any)['expect'] = () => {};\n", 1},
		"an assertion":          {"a.test.js", "", "const assert = require('assert');\nassert.equal = () => {};\n", 2},
		"defined":               {"a.test.js", "", "Object.defineProperty(globalThis, 'it', { value: () => {} });\n", 1},
		"another language":      {"a_test.rb", "", "RSpec = nil\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var before []byte
			if c.before != "" {
				before = []byte(c.before)
			}
			r := runner.CompareTest(c.path, before, []byte(c.after))
			line := 0
			if len(r.Violations) > 0 {
				line = r.Violations[0].Line
			}
			if line != c.line || len(r.Violations) > 1 {
				t.Errorf("violations %+v, want one on line %d", r.Violations, c.line)
			}
		})
	}
}
