package extracttest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/testdiff"
)

// Change is an edit of an approved test file, and what should be said of it.
type Change struct {
	Name     string
	Old, New string // what stands in the file, once, and what it becomes
	// Want are the violations, each as "kind line side"; none for an honest
	// change. A kind may be several, divided by bars, where each is true.
	Want []string
}

// Changes makes each change to a file of testdata and compares the outcome
// with the file.
func Changes(t *testing.T, file string, changes []Change) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		t.Run(c.Name, func(t *testing.T) { change(t, file, string(src), c) })
	}
}

// Kinds are the kinds of violation that a comparison finds.
func Kinds(t *testing.T, file, before, after string) []string {
	t.Helper()
	var kinds []string
	for _, v := range compare(t, file, before, after).Violations {
		kinds = append(kinds, v.Kind)
	}
	return kinds
}

func compare(t *testing.T, file, before, after string) testdiff.Result {
	t.Helper()
	Parse(t, file, []byte(after))
	res, err := testdiff.Compare(t.Context(), testdiff.Input{Changed: []testdiff.Pair{{
		Path: "tests/" + filepath.Base(file), Role: "test", Before: []byte(before), After: []byte(after),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func change(t *testing.T, file, before string, c Change) {
	t.Helper()
	if n := strings.Count(before, c.Old); n != 1 {
		t.Fatalf("the file has %q %d times", c.Old, n)
	}
	res := compare(t, file, before, strings.Replace(before, c.Old, c.New, 1))
	var got, said []string
	for i, v := range res.Violations {
		is := fmt.Sprintf("%s %d %s", v.Kind, v.Line, v.Side)
		if i < len(c.Want) && among(is, c.Want[i]) {
			is = c.Want[i]
		}
		got, said = append(got, is), append(said, v.Description)
	}
	if diff := cmp.Diff(c.Want, got); diff != "" {
		t.Errorf("violations (-want +got):\n%s\nsaid: %q\nharmless: %q\nnot analysed: %q", diff, said, res.Harmless, res.NotAnalysed)
	}
}

// among reports whether a violation is one of "kind|kind line side".
func among(is, want string) bool {
	kinds, rest, _ := strings.Cut(want, " ")
	kind, at, _ := strings.Cut(is, " ")
	return at == rest && slices.Contains(strings.Split(kinds, "|"), kind)
}
