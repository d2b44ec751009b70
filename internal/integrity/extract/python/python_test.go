package python_test

import (
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/extract/extracttest"
	"workflow-reviewer/internal/integrity/extract/python"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden models in testdata")

func TestModel(t *testing.T) { extracttest.Golden(t, python.Model, *update) }

// TestSameMeaning: what is written differently but means the same has the same
// model, but for lines and texts.
func TestSameMeaning(t *testing.T) {
	for _, tt := range []struct{ name, a, b string }{
		{"quotes and layout", "def test_a():\n    assert f('x',\n      1) == 2\n", "def test_a():\n    assert f(\"x\", 1) == 2\n"},
		{"type hints", "def test_a(x: int = 1) -> None:\n    y: str = f(x)\n", "def test_a(x=1):\n    y = f(x)\n"},
		{"operand order", "def test_a():\n    assert 2 == f(1)\n", "def test_a():\n    assert f(1) == 2\n"},
		{"flipped comparison", "def test_a():\n    assert 2 < f(1)\n", "def test_a():\n    assert f(1) > 2\n"},
		{"redundant parentheses", "def test_a():\n    x = (1 + f(1))\n    return (x)\n", "def test_a():\n    x = 1 + f(1)\n    return x\n"},
		{"unittest and pytest", "def test_a(self):\n    self.assertIn(f(1), x, 'm')\n", "def test_a(self):\n    assert f(1) in x\n"},
		{"double negation", "def test_a():\n    assert not (x != 1)\n", "def test_a():\n    assert x == 1\n"},
		{"documentation", "def test_a():\n    '''It is so.'''\n    assert x\n", "def test_a():\n    assert x\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(plain(model(t, tt.a)), plain(model(t, tt.b))); diff != "" {
				t.Errorf("models differ (-a +b):\n%s", diff)
			}
		})
	}
}

func model(t *testing.T, src string) testmodel.File {
	t.Helper()
	return python.Model(extracttest.Parse(t, "test_a.py", []byte(src)), "test_a.py")
}

// plain is a model without places.
func plain(f testmodel.File) []testmodel.Unit {
	for i := range f.Units {
		u := &f.Units[i]
		u.Line, u.End, u.Text = 0, 0, ""
		plainBody(u.Body)
	}
	return f.Units
}

func plainBody(body []testmodel.Stmt) {
	for i := range body {
		body[i].Line, body[i].End, body[i].Text = 0, 0, ""
		plainBody(body[i].Body)
	}
}

func FuzzModel(f *testing.F) {
	extracttest.Fuzz(f, python.Model, syntax.Python, "assert", "with (a as b, c): pass", "@pytest.mark.parametrize()\ndef test_a(): pass",
		"@patch()\ndef test_a(): pass", "x = sys.modules[0] = 1", "assert round() == 1", "assert abs() < 1", "assert len() == 1")
}
