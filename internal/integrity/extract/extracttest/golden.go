package extracttest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Extract makes a model of a tree.
type Extract func(t *syntax.Tree, path string) testmodel.File

// Golden compares the models of the sources in testdata with the texts beside
// them, or writes those if update is true.
func Golden(t *testing.T, extract Extract, update bool) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		compared++
		t.Run(filepath.Base(file), func(t *testing.T) { golden(t, extract, file, update) })
	}
	if compared == 0 {
		t.Error("testdata holds no sources")
	}
}

func golden(t *testing.T, extract Extract, file string, update bool) {
	t.Helper()
	got := Dump(extract(Parse(t, file, read(t, file)), filepath.Base(file)))
	if update {
		if err := os.WriteFile(file+".golden", []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, file+".golden")), got); diff != "" {
		t.Errorf("model of %s (-want +got):\n%s", file, diff)
	}
}

// Parse is the tree of a source that has no errors, by the name of its file.
func Parse(t *testing.T, file string, src []byte) *syntax.Tree {
	t.Helper()
	lang, ok := syntax.LanguageOf(file)
	if !ok {
		t.Fatalf("%s: the language is not known", file)
	}
	tree, err := syntax.Parse(t.Context(), lang, src)
	if err != nil {
		t.Fatal(err)
	}
	if tree.HasError() {
		t.Fatalf("%s has a syntax error:\n%s", file, src)
	}
	return tree
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Fuzz models whatever parses and checks what holds for every model.
func Fuzz(f *testing.F, extract Extract, lang syntax.Language, seeds ...string) {
	f.Helper()
	files, _ := filepath.Glob("testdata/*.*")
	for _, file := range files {
		if src, err := os.ReadFile(file); err == nil {
			f.Add(src)
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		tree, err := syntax.Parse(context.Background(), lang, src)
		if err != nil {
			return
		}
		Check(t, extract(tree, "x"), strings.Count(string(src), "\n")+1)
	})
}

// Check tells what is wrong with a model whatever it is of: names that are
// not unique, lines outside of the file, assertions that do not say so.
func Check(t *testing.T, m testmodel.File, lines int) {
	t.Helper()
	seen := map[string]bool{}
	for _, u := range m.Units {
		key := string(u.Role) + "\x00" + u.Name
		if seen[key] {
			t.Errorf("two units are %s %q", u.Role, u.Name)
		}
		seen[key] = true
		if u.Line < 1 || u.Line > lines {
			t.Errorf("unit %q is on line %d of %d", u.Name, u.Line, lines)
		}
		checkStmts(t, u.Body, lines)
	}
}

func checkStmts(t *testing.T, body []testmodel.Stmt, lines int) {
	t.Helper()
	for _, s := range body {
		if s.Line < 1 || s.Line > lines || s.End < s.Line {
			t.Errorf("statement on lines %d-%d of %d", s.Line, s.End, lines)
		}
		if (s.Kind == testmodel.Asserts) != (s.Assert != nil) {
			t.Errorf("statement of kind %s, with assertion: %v", s.Kind, s.Assert != nil)
		}
		checkStmts(t, s.Body, lines)
	}
}
