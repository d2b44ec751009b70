package query_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

// TestLanguages: every query of every language can be read, and each language's parser is linked.
func TestLanguages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../lang/*/*.scm")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := query.Compile(string(text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, l := range syntax.Languages() {
		if query.For(l, "tests") == nil {
			t.Errorf("%s has no tests.scm", l)
		}
		if _, err := syntax.Parse(t.Context(), l, []byte(strings.Repeat("\n", 2))); err != nil {
			t.Errorf("%s: %v", l, err)
		}
	}
	if query.For(syntax.Go, "nothing") != nil {
		t.Error("a query without a file")
	}
}
