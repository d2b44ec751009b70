package main_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestABugFixInOneRootLeavesTheOthersTheirReviews: the only spec in work of
// another root gets its implementation review, and the fix takes its own files.
func TestABugFixInOneRootLeavesTheOthersTheirReviews(t *testing.T) {
	t.Parallel()
	tests := map[string]string{"p/a/tests/test_login.py": adderTests}
	w := newWorld(t, with(tests, map[string]string{
		".workflow/config.json":    `{"roots":["p/*"],"auto_review":{"default_auto_move":true}}`,
		"p/a/specs/doing/login.md": goodSpec, "p/a/.workflow/approvals/login.json": record("p/a/login", 1, tests),
	}), map[string]string{
		"p/a/src/x.py": loginCode, "p/d/bugs/fixing/oops.md": bugReport, "p/d/src/adder.py": adderCode,
		"p/d/tests/regression/test_oops.py": bugTests,
	}, codextest.Always(answer("APPROVED")))
	w.inputs["test-results"] = "all passing"
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	if got, want := o.reviewed(), []string{"implementation p/a/login", "bug-fix p/d/oops"}; !slices.Equal(got, want) {
		t.Fatalf("reviews %q, want %q\n%s", got, want, o.stdout)
	}
	for _, want := range []string{"p/a/specs/done/login.md", "p/d/bugs/fixed/oops.md"} {
		if !slices.Contains(w.files(), want) {
			t.Errorf("the branch has no %s: %q", want, w.files())
		}
	}
}

// TestALayoutThatNamesOneWordOfAStateKeepsItsLine: an approval sets the line of
// the layout that it extends to its own word.
func TestALayoutThatNamesOneWordOfAStateKeepsItsLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		".specify/x": "1",
		".workflow/config.json": `{"auto_review":{"default_auto_move":true},` +
			`"layouts":["auto",{"extends":"spec-kit","state":{"approved":"Accepted"}}]}`,
	}, map[string]string{"specs/001-a/spec.md": strings.Replace(goodSpec, "\n\n", "\n\n**Status**: Draft\n\n", 1)},
		codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	if got := w.repo.Git("show", "refs/heads/feature/login:specs/001-a/spec.md"); !strings.Contains(got, "**Status**: Accepted\n") {
		t.Errorf("the spec has not its line:\n%s", got)
	}
}
