package kernel_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/syntax"
)

// example is a pair of versions of which a rule says that they demand the same,
// or a counter-example, which must stay a change.
type example struct {
	name, file, old, now string
	same                 bool
}

// examples reads a file of testdata/rules. Each example is
//
//	=== same|changed FILE why
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
		if len(words) != 3 || !ok || words[0] != "same" && words[0] != "changed" {
			t.Fatalf("%s: not an example: %q", name, head)
		}
		out = append(out, example{name: words[2], file: words[1], old: old + "\n", now: now + "\n", same: words[0] == "same"})
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
	return kernel.Compare(trees[0], trees[1], kernel.Options{Additions: true, Used: used, OldPath: file, NewPath: file})
}

// TestRules holds each rule that forgives to what it must and must not forgive.
func TestRules(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "rules", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples (%v)", err)
	}
	for _, file := range files {
		rule := strings.TrimSuffix(filepath.Base(file), ".txt")
		all := examples(t, file)
		for _, want := range []bool{true, false} {
			if !slices.ContainsFunc(all, func(e example) bool { return e.same == want }) {
				t.Errorf("%s: no example whose result is same: %v", rule, want)
			}
		}
		for _, e := range all {
			t.Run(rule+"/"+e.name, func(t *testing.T) {
				r := compare(t, e.file, e.old, e.now)
				if r.Same() == e.same {
					return
				}
				t.Errorf("same is %v, forgiven %q", r.Same(), r.Forgiven)
				for _, d := range r.Differences {
					t.Logf("- %s\n+ %s", d.Old.Source(), d.New.Source())
				}
			})
		}
	}
}

// TestEveryRuleHasExamples: a rule that forgives stands in a file of its own and
// has a file of examples.
func TestEveryRuleHasExamples(t *testing.T) {
	rules, err := filepath.Glob("rule_*.go")
	if err != nil || len(rules) == 0 {
		t.Fatalf("no rules (%v)", err)
	}
	for _, r := range rules {
		name := strings.TrimSuffix(strings.TrimPrefix(r, "rule_"), ".go")
		if _, err := os.Stat(filepath.Join("testdata", "rules", name+".txt")); err != nil {
			t.Errorf("%s has no examples: %v", r, err)
		}
	}
}

// TestReflexive: a file is the same as itself, whatever it holds.
func TestReflexive(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("testdata", "rules", "*.txt"))
	for _, file := range files {
		for _, e := range examples(t, file) {
			if r := compare(t, e.file, e.old, e.old); !r.Same() || len(r.Forgiven) > 0 {
				t.Errorf("%s: %s: differs from itself: %v", file, e.name, r.Forgiven)
			}
		}
	}
}
