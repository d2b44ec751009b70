package kernel_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/syntax"
)

var update = flag.Bool("update", false, "rewrite the classes of the examples")

var classes = []string{"changed", "acts", "gained", "same"} // as proof.Standing counts

// example is a pair of versions of a file, and the class of what became of it.
type example struct {
	class, file, name string
	old, now          string
}

// examples reads a file of testdata/examples. Each example is
//
//	=== same|gained|acts|changed FILE what differs
//	the approved version
//	---
//	the head's version
func examples(t *testing.T, name string) []example {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []example
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		words := strings.SplitN(head, " ", 3)
		old, now, ok := strings.Cut(body, "\n---\n")
		if len(words) != 3 || !ok || !slices.Contains(classes, words[0]) {
			t.Fatalf("%s: not an example: %q", name, head)
		}
		out = append(out, example{class: words[0], file: words[1], name: words[2], old: old + "\n", now: now})
	}
	return out
}

// compare compares two versions of a file beside others that use the names
// shared, os and test_shared.
func compare(t *testing.T, file, old, now string) kernel.Result {
	t.Helper()
	lang, ok := syntax.LanguageOf(file)
	if !ok {
		t.Fatalf("%s is in no known language", file)
	}
	trees := make([]*syntax.Tree, 2)
	for i, src := range []string{old, now} {
		tree, err := syntax.Parse(t.Context(), lang, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		trees[i] = tree
	}
	used := func(name string) bool { return slices.Contains([]string{"shared", "os", "test_shared"}, name) }
	return kernel.Compare(trees[0], trees[1], kernel.Options{Used: used, Path: file})
}

// TestClasses holds the comparison to what it must say of each example.
func TestClasses(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "examples", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples (%v)", err)
	}
	for _, file := range files {
		var rewritten strings.Builder
		for _, e := range examples(t, file) {
			t.Run(filepath.Base(file)+"/"+e.name, func(t *testing.T) {
				r := compare(t, e.file, e.old, e.now)
				got := classes[r.Standing()]
				rewritten.WriteString("=== " + got + " " + e.file + " " + e.name + "\n" + e.old + "---\n" + e.now + "\n")
				if got == e.class {
					return
				}
				t.Errorf("%s, want %s", got, e.class)
				for _, d := range r.Differences {
					t.Logf("- %s\n+ %s", d.Old.Normalized(), d.New.Normalized())
				}
				for _, g := range r.Gains {
					t.Logf("gained %s: %s: %s", g.What, g.Node.Normalized(), g.Acts)
				}
			})
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimSuffix(rewritten.String(), "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestReflexive: a file is the same as itself, whatever it holds.
func TestReflexive(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("testdata", "examples", "*.txt"))
	for _, file := range files {
		for _, e := range examples(t, file) {
			if r := compare(t, e.file, e.old, e.old); r.Standing() != proof.Same {
				t.Errorf("%s: %s: differs from itself", file, e.name)
			}
		}
	}
}
