package corpustest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/docstest/generated"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the table of attempts")

// attempt is one way around the gate that was tried: a pull request against a
// project whose tests are approved.
type attempt struct {
	aim   string // what it is after
	tried string // Markdown
	in    files  // the project, with what must be there besides; nil: python()
	bare  bool   // no approval is on record
	does  files  // what the pull request changes
	by    func(f *forge)
	// what it comes to
	verdict string   // breach, workaround, unverifiable, clean
	kinds   []string // of violations that must be among those found
	holds   string   // what holds it, or what closes it from outside
}

// attempts are all of them, in the order of the table.
func attempts() []attempt {
	return slices.Concat(recordAttempts(), treeAttempts(), historyAttempts(), codeAttempts(), runnerAttempts(), gateAttempts())
}

// TestAdversary makes every attempt on a real repository, and has the program
// judge it.
func TestAdversary(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range attempts() {
		if seen[a.tried] {
			t.Fatalf("%q is there twice", a.tried)
		}
		seen[a.tried] = true
		t.Run(a.aim+"/"+a.tried, func(t *testing.T) {
			t.Parallel()
			a.run(t)
		})
	}
}

func (a attempt) run(t *testing.T) {
	f := newForge(t)
	project := a.in
	if project == nil {
		project = python()
	}
	if !a.bare {
		project = project.over(files{recordPath: approve("adder", 1, project)})
	}
	f.commit("main", "Begin", project)
	f.git("branch", "feature/adder", "main")
	if len(a.does) > 0 {
		f.commit("feature/adder", "Work", a.does)
	}
	if a.by != nil {
		a.by(f)
	}
	verdict, violations, code, out := f.judge()
	var kinds []string
	for _, v := range violations {
		kinds = append(kinds, v.Kind)
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	lacks := slices.ContainsFunc(a.kinds, func(k string) bool { return !slices.Contains(kinds, k) })
	if verdict != a.verdict || lacks || code != exitStatus(verdict) {
		t.Errorf("came to %s %v, status %d; want %s %v\n%s", verdict, kinds, code, a.verdict, a.kinds, out)
	}
	if (a.verdict == "breach" || a.verdict == "workaround") && len(a.kinds) == 0 {
		t.Error("the attempt does not say what is found")
	}
}

func exitStatus(verdict string) int {
	return map[string]int{"breach": 1, "workaround": 1, "unverifiable": 2}[verdict]
}

// judge runs the integrity command on the branch, as a pull request to main.
func (f *forge) judge() (verdict string, found []workflow.Finding, code int, out string) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), binary, "integrity", "--repo", f.dir, "--base", "main", "--head", "feature/adder", "--json")
	// As many programs run at once as there are processors: one parser each will do.
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=", "NO_COLOR=1", "GOMAXPROCS=1")
	stdout, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		f.t.Fatal(err)
	}
	var answer struct {
		Verdict    string
		Violations workflow.Violations
	}
	if err := json.Unmarshal(stdout, &answer); err != nil {
		f.t.Fatalf("integrity --json: %v\n%s", err, stdout)
	}
	return answer.Verdict, answer.Violations, cmd.ProcessState.ExitCode(), string(stdout)
}

// aside is what refuses a file that nobody approved and that the comparison leaves to reviewers.
const aside = "`prove` runs the approved tests without it; the tests review is asked where a runner loads it by itself"

// questioned is what becomes of a trick in the implementation.
const questioned = "the reviewer of the code is asked about it, and an answer that is missing or «cheat» blocks"

const recordPath = ".workflow/approvals/adder.json"

// approve is the record of a project's tests as the action would write it.
func approve(feature string, revision int, project files) string {
	tree := map[string]string{}
	for p, text := range project {
		switch kind, rest, _ := strings.Cut(text, ":"); kind {
		case "link":
			tree[p] = changetest.Symlink(rest)
		case "exec":
			tree[p] = changetest.Executable(rest)
		case "module":
		default:
			tree[p] = text
		}
	}
	var tests []string
	for _, p := range slices.Sorted(maps.Keys(project)) {
		if base := filepath.Base(p); strings.Contains(base, "test_adder") || strings.Contains(base, "adder.test") ||
			strings.Contains(base, "adder_test") ||
			strings.Contains(base, "adder_spec") || strings.Contains(base, "AdderTest") || p == "tests/adder.rs" {
			tests = append(tests, p)
		}
	}
	found, _, err := approval.Collect(context.Background(), changetest.Tree("c0ffee", tree), approval.Options{Tests: tests})
	if err != nil || len(found) == 0 {
		panic(fmt.Sprintf("collect %v: %v", tests, err))
	}
	r := approval.Record{
		Version: approval.Version, Feature: feature, Type: "tests", Revision: revision,
		Review: "reviews/tests/20260101T000000-" + feature + "-APPROVED.md", Head: strings.Repeat("0", 40), Files: found,
	}
	return string(r.Render())
}

// TestAdversaryTable keeps the table of testdata/attempts.md to what the attempts
// come to.
func TestAdversaryTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| aim | tried | came to | mitigation, or what closes it from outside |\n|---|---|---|---|\n")
	type row struct{ aim, verdict, holds string }
	tried := map[row][]string{}
	var rows []row
	for _, a := range attempts() {
		r := row{a.aim, cmp.Or(map[string]string{"clean": "passes", "unverifiable": "cannot verify"}[a.verdict], a.verdict), a.holds}
		if tried[r] == nil {
			rows = append(rows, r)
		}
		tried[r] = append(tried[r], strings.ReplaceAll(a.tried, "|", `\|`))
	}
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.aim, strings.Join(tried[r], " · "), r.verdict, r.holds)
	}
	generated.Part(t, filepath.Join("..", "..", "..", "testdata", "attempts.md"), "ways around", b.String(), *update)
}
