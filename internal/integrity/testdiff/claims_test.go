package testdiff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/testdiff"
)

func TestClaimsOf(t *testing.T) {
	for name, c := range map[string]struct {
		path, src string
		want      []testdiff.Claims
		known     bool
	}{
		"python": {
			"tests/test_a.py", "import pytest\n\n\ndef test_a():\n    assert add(1, 2) == 3\n    with pytest.raises(ValueError):\n        add(None, 1)\n\n\ndef helper():\n    assert False\n",
			[]testdiff.Claims{{Test: "test_a", Line: 4, End: 7, Demands: []string{"add(1, 2): equality with 3", "the expected exception ValueError"}}},
			true,
		},
		"typescript": {
			"a.test.ts", "test(\"adds\", () => {\n  expect(add(1, 2)).toBe(3);\n});\n",
			[]testdiff.Claims{{Test: "adds", Line: 1, End: 3, Demands: []string{"add(1, 2): equality with 3"}}},
			true,
		},
		"no assertion":   {"tests/test_a.py", "def test_a():\n    add(1, 2)\n", []testdiff.Claims{{Test: "test_a", Line: 1, End: 2}}, true},
		"unparsable":     {"tests/test_a.py", "def test_a(:\n", nil, false},
		"other language": {"tests/a.lua", "x = 1\n", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, known, err := testdiff.ClaimsOf(t.Context(), c.path, []byte(c.src))
			if err != nil || known != c.known {
				t.Fatalf("known %t, error %v", known, err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
