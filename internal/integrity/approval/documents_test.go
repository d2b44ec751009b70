package approval_test

import (
	"slices"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/approval"
)

// TestDocumentsOfPackages: a document that a package only lists is no part of what runs the tests; one that a runner is
// given is, and what it names is not.
func TestDocumentsOfPackages(t *testing.T) {
	t.Parallel()
	tree := changetest.Tree("c0ffee", map[string]string{
		"tests/test_a.py": "def test_a(): pass\n", "spec/a_spec.rb": "it('a') {}\n", "CHANGES.md": "x\n", "README.md": "See GUIDE.md.\n",
		"GUIDE.md": "x\n", "NOTES.md": "x\n",
		"pyproject.toml": "[tool.flit.sdist]\ninclude = ['CHANGES.md']\n[tool.pytest.ini_options]\naddopts = '--doctest-glob=README.md'\n",
		"a.gemspec":      "Gem::Specification.new { |s| s.files = %w(NOTES.md) }\n",
	})
	found, _, err := approval.Collect(t.Context(), tree, approval.Options{Tests: []string{"tests/test_a.py", "spec/a_spec.rb"}})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range found {
		paths = append(paths, f.Path)
	}
	for p, want := range map[string]bool{
		"pyproject.toml": true, "README.md": true, "CHANGES.md": false, "GUIDE.md": false, "NOTES.md": false,
	} {
		if slices.Contains(paths, p) != want {
			t.Errorf("%s: %v, want %v of %q", p, !want, want, paths)
		}
	}
}
