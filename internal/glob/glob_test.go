package glob_test

import (
	"testing"

	"workflow-reviewer/internal/glob"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		entry, path string
		want        bool
	}{
		{"docs", "docs/a/b.md", true},
		{"docs/", "docs/a.md", true},
		{"./docs/", "docs/a.md", true},
		{"docs", "docs", true},
		{"docs", "docs2/a.md", false},
		{"docs", "x/docs/a.md", false},
		{"CLAUDE.md", "CLAUDE.md", true},
		{"docs/*.md", "docs/a.md", true},
		{"docs/*.md", "docs/b/a.md", false},
		{"docs/**", "docs/b/a.md", true},
		{"services/*", "services/pay/a.go", false},
		{"services/*/", "services/pay/a.go", true},
		{"./src/**/*.go", "src/a/b.go", true},
		{"docs/[draft].md", "docs/d.md", true},
		{"docs/[", "docs/[", false},
	} {
		if got := glob.Names(c.entry, c.path); got != c.want {
			t.Errorf("Names(%q, %q) = %t", c.entry, c.path, got)
		}
	}
}
