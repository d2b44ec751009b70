package runner_test

import (
	"slices"
	"testing"

	"workflow-reviewer/internal/integrity/runner"
)

// TestCallsOfDocuments: a document steers tests where a step that runs tests names it, not where one makes documents of it
// or does nobody knows what.
func TestCallsOfDocuments(t *testing.T) {
	t.Parallel()
	tree := runner.NewTree(func(p string) []byte {
		if slices.Contains([]string{"README.md", "ruff.toml", "ci/run", ".rdoc_options"}, p) {
			return []byte("text\n")
		}
		return nil
	})
	const head = "on: pull_request\njobs:\n  one:\n    runs-on: x\n    steps:\n"
	for name, c := range map[string]struct {
		steps string
		want  []string
	}{
		"nobody knows":    {"      - run: thing README.md ci/run\n", []string{"README.md", "ci/run"}},
		"documentation":   {"      - run: |\n          bundle exec rdoc --main README.md\n          ci/run\n", []string{"ci/run"}},
		"beside tests":    {"      - run: lint --config ruff.toml && ci/run\n      - run: pytest\n", []string{"ci/run"}},
		"run as tests":    {"      - run: pytest --doctest-glob README.md\n", []string{"README.md"}},
		"settings beside": {"      - run: cp ../.rdoc_options .\n      - run: pytest\n", nil},
	} {
		if got := runner.Calls(".github/workflows/a.yml", []byte(head+c.steps), tree); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
