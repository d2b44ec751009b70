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
		"global fetch":        {"a.test.js", "", "global.fetch = jest.fn();\nDate.now = () => 0;\n", 0},
		"own assert":          {"a.test.js", "", "const assert = require('assert');\nassert.equal(1, 1);\n", 0},
		"expect":              {"a.test.js", "", "global.expect = () => {};\n", 1},
		"expect, in brackets": {"a.test.ts", "", "(globalThis as any)['expect'] = () => {};\n", 1},
		"an assertion":        {"a.test.js", "", "const assert = require('assert');\nassert.equal = () => {};\n", 2},
		"defined":             {"a.test.js", "", "Object.defineProperty(globalThis, 'it', { value: () => {} });\n", 1},
		"another language":    {"a_test.rb", "", "RSpec = nil\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var before []byte
			if c.before != "" {
				before = []byte(c.before)
			}
			r := runner.CompareTest(t.Context(), c.path, before, []byte(c.after))
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
