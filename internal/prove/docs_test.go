package prove_test

import (
	"os"
	"strings"
	"testing"
)

// TestDocumentedCommands: each command of docs/prove.md does what the page says, in a project with an approved feature.
func TestDocumentedCommands(t *testing.T) {
	needs(t, "pytest", "python3-pytest")
	page, err := os.ReadFile("../../docs/prove.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(t, calculator())
	p.approve("calc", "tests/test_calc.py", "tests/__init__.py")
	p.commit("Change", files{
		"calc.py": calculator()["calc.py"] + "\n\ndef sub(a, b):\n    return a - b\n",
		"tests/test_sub.py": "import unittest\nimport calc\n\n\nclass Sub(unittest.TestCase):\n" +
			"    def test_it(self):\n        self.assertEqual(calc.sub(3, 1), 2)\n",
	})
	n := 0
	for line := range strings.Lines(string(page)) {
		args, ok := strings.CutPrefix(strings.TrimSpace(line), "workflow-reviewer prove ")
		if !ok {
			continue
		}
		n++
		p.call(strings.Fields(args)...).wants(t, 0)
	}
	if n < 4 {
		t.Errorf("the page has %d commands", n)
	}
}
