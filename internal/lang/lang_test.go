package lang

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"workflow-reviewer/internal/syntax"
)

// TestQueriesCompile: every query of every language can be read, and every folder belongs to a language.
func TestQueriesCompile(t *testing.T) {
	t.Parallel()
	owner := map[string]syntax.Language{}
	for l, folder := range folders {
		owner[folder] = l
	}
	names, err := fs.Glob(files, "*/*.scm")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		l, ok := owner[path.Dir(name)]
		if !ok {
			t.Errorf("%s: no language has this folder", name)
			continue
		}
		if Query(l, strings.TrimSuffix(path.Base(name), ".scm")) == nil {
			t.Errorf("%s: no query", name)
		}
	}
	for _, l := range syntax.Languages() {
		if Query(l, "tests") == nil {
			t.Errorf("%s has no tests.scm", l)
		}
	}
	if Query(syntax.Go, "nothing") != nil {
		t.Error("a query without a file")
	}
}
