// Package cliketest checks the models of languages with curly braces: against
// golden files, and for what holds for the model of any source.
package cliketest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/extract/extracttest"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Modeller makes the model of a file.
type Modeller func(t *syntax.Tree, path string) testmodel.File

// Parse parses a source or fails the test.
func Parse(t testing.TB, lang syntax.Language, src string) *syntax.Tree {
	t.Helper()
	tree, err := syntax.Parse(context.Background(), lang, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Golden compares the model of every source in a folder with the file beside
// it that ends in .golden, or rewrites that.
func Golden(t *testing.T, lang syntax.Language, model Modeller, dir string, update bool) {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources", err)
	}
	for _, path := range sources {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			tree := Parse(t, lang, string(src))
			if tree.HasError() {
				t.Fatalf("%s is not valid %s", path, lang)
			}
			got := extracttest.Dump(model(tree, path))
			golden := strings.TrimSuffix(path, ".txt") + ".golden"
			if update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("model of %s (-want +got):\n%s", path, diff)
			}
		})
	}
}

// Sound fails the test unless a model keeps what every model must: lines
// within the source, assertions exactly where the kind says so, unique names.
func Sound(t testing.TB, f testmodel.File, src string) {
	t.Helper()
	last := strings.Count(src, "\n") + 1
	type key struct {
		role testmodel.Role
		name string
	}
	seen := map[key]bool{}
	for _, u := range f.Units {
		if k := (key{u.Role, u.Name}); seen[k] {
			t.Errorf("two units %v", k)
		} else {
			seen[k] = true
		}
		if u.Line < 1 || u.Line > last {
			t.Errorf("unit %q is on line %d of %d", u.Name, u.Line, last)
		}
		sound(t, u.Body, last)
	}
}

func sound(t testing.TB, body []testmodel.Stmt, last int) {
	t.Helper()
	for _, st := range body {
		if st.Line < 1 || st.Line > last || st.End < st.Line {
			t.Errorf("statement is on lines %d to %d of %d", st.Line, st.End, last)
		}
		if (st.Kind == testmodel.Asserts) != (st.Assert != nil) {
			t.Errorf("line %d: kind %s, assertion %v", st.Line, st.Kind, st.Assert)
		}
		sound(t, st.Body, last)
	}
}
