package prove

import (
	"testing"

	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity/approval"
)

// TestPlace: a failure is placed in the one approved test file that declares it, whatever else its name holds.
func TestPlace(t *testing.T) {
	texts := map[string]string{
		"tests/test_price.py": "def test_tax(): pass\ndef test_both(): pass\n",
		"tests/test_other.py": "def test_price(): pass\ndef test_both(): pass\ndef test_case(): pass\n",
		"a_test.go":           "func TestA(t *testing.T) {}\n", "b_test.go": "func TestB(t *testing.T) {}\n",
		"tests/helper.py": "def test_helped(): pass\n",
	}
	p := prover{Options: Options{Input: Input{Content: func(blob string) ([]byte, error) { return []byte(texts[blob]), nil }}}}
	for path := range texts {
		role := approval.Test
		if path == "tests/helper.py" {
			role = approval.Support
		}
		p.Approved = append(p.Approved, approval.File{Path: path, Blob: path, Role: role})
	}
	for name, want := range map[string]string{
		"tests.test_price.test_tax": "tests/test_price.py", "tests.test_price.test_tax[test_case]": "tests/test_price.py",
		"tests.test_price.test_both": "", "tests.test_price.test_gone": "", "tests.x.test_helped": "", "it adds": "", "tests.test_price": "tests/test_price.py",
		"a.b/c.TestA": "a_test.go", "a.b/c.TestA/x.TestB": "a_test.go", "TestA": "",
	} {
		list := []evidence.Failure{{Name: name}, {Name: name, File: "told"}}
		p.place(list)
		if list[0].File != want || list[1].File != "told" {
			t.Errorf("%s: placed in %q and %q, want %q", name, list[0].File, list[1].File, want)
		}
	}
}
