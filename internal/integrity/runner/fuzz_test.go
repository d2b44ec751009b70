package runner_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity/runner"
)

// FuzzCompare feeds two versions of every kind of file: nothing panics, equal
// versions are never a violation, and a difference never goes unmentioned.
func FuzzCompare(f *testing.F) {
	archives, err := filepath.Glob("testdata/compare/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if _, p, ok := strings.Cut(file.Name, "after/"); ok {
				f.Add(p, []byte("\n"), file.Data)
				f.Add(p, file.Data, []byte{})
			}
		}
	}
	f.Add(".mocharc.yml", []byte("a: &a [*a]\n"), []byte("a: &a {b: *a}\nspec: x"))
	f.Add("Makefile", []byte("A=$(B)\nB=$(A)\ntest:\n\tpytest $(A)"), []byte("test:\n\t@-+@"))
	f.Fuzz(func(t *testing.T, path string, before, after []byte) {
		r := runner.Compare(path, before, after, runner.Surroundings{})
		if bytes.Equal(before, after) && len(r.Violations) > 0 {
			t.Fatalf("equal versions of %q: %+v", path, r.Violations)
		}
		if !bytes.Equal(before, after) && len(r.Violations)+len(r.Harmless) == 0 {
			t.Fatalf("a difference of %q is passed over: %+v", path, r)
		}
		for _, v := range r.Violations {
			if v.Line < 1 || v.Kind == "" {
				t.Fatalf("incomplete: %+v", v)
			}
		}
		runner.RunsTests(path, after, nil)
		runner.Loads(path, after)
	})
}
