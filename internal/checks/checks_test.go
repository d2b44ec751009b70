package checks_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// sample is a change with what the checks of a folder must say of it: testdata/*.txtar beside the check. The comment
// holds lines "type: T", "layout: L", "red: fails", "want: ID SEVERITY PLACE TITLE" and "figure: ID NAME VALUE", and what a change claims to be done.
type sample struct {
	in      check.Input
	want    []string
	figures []string
	counts  []string // of tests, in examples of languages
}

func read(t *testing.T, file string) sample {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := txtar.Parse(data)
	base, head := map[string]string{}, map[string]string{}
	for _, f := range a.Files {
		if p, ok := strings.CutPrefix(f.Name, "base/"); ok {
			base[p] = string(f.Data)
		} else {
			head[strings.TrimPrefix(f.Name, "head/")] = string(f.Data)
		}
	}
	s := sample{in: check.Input{Set: changetest.Set(base, base, head), Artifact: workflow.Artifact{Feature: "a"}}}
	for line := range strings.Lines(string(a.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "type":
			s.in.Artifact.Type = workflow.Type(value)
		case "layout":
			s.in.Artifact.Layout = value
		case "tests":
			s.in.Tests = &testresult.Summary{Failed: 1, Failures: []testresult.Failure{{Name: "test_a", File: "a.py"}}}
		case "passed", "failed": // a test of the results
			if s.in.Tests == nil {
				s.in.Tests = &testresult.Summary{}
			}
			if key == "passed" {
				s.in.Tests.Passed++
				s.in.Tests.Names = append(s.in.Tests.Names, value)
			} else {
				s.in.Tests.Failed++
				s.in.Tests.Failures = append(s.in.Tests.Failures, testresult.Failure{Name: value})
			}
		case "red":
			s.in.Red = map[string]proof.Outcome{"fails": proof.Failed, "passes": proof.Passed}[value]
		case "claim": // a document in both trees, with "blocks" or how it says that all is done
			claim := workflow.Claim{}
			claim.Path, value, _ = strings.Cut(value, " ")
			claim.Before = claim.Path
			claim.Blocks = strings.HasPrefix(value, "blocks")
			claim.Done = strings.TrimSpace(strings.TrimPrefix(value, "blocks"))
			for p := range head {
				if claim.Done != "" && conventions.IsTest(p) {
					claim.Tests = append(claim.Tests, p)
				}
			}
			s.in.Artifact.Claims = append(s.in.Artifact.Claims, claim)
		case "spec":
			s.in.Artifact.SpecPath = value
		case "want":
			s.want = append(s.want, value)
		case "count":
			s.counts = append(s.counts, value)
		case "figure":
			s.figures = append(s.figures, value)
		default:
			t.Fatalf("%s: %q", file, line)
		}
	}
	for _, f := range s.in.Set.Files {
		s.in.Artifact.Files = append(s.in.Artifact.Files, workflow.File{Path: f.Path, Blob: f.Blob})
		if conventions.IsTest(f.Path) && s.in.Artifact.Type == workflow.BugFix {
			s.in.Artifact.Tests = append(s.in.Artifact.Tests, f.Path)
		}
	}
	slices.SortFunc(s.in.Artifact.Files, func(x, y workflow.File) int { // a report stands first
		return strings.Compare(fmt.Sprint(!check.Report(x.Path), x.Path), fmt.Sprint(!check.Report(y.Path), y.Path))
	})
	return s
}

// TestSamples: each check says what its samples want, and nothing else.
func TestSamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	spoke := map[string]bool{}
	for _, file := range files {
		s := read(t, file)
		folder := strings.Split(filepath.ToSlash(file), "/")[0]
		var got, measured []string
		for _, c := range checks.Run(t.Context(), s.in) {
			for _, i := range c.Issues {
				place := i.File
				if i.Line > 0 {
					place = fmt.Sprintf("%s:%d", i.File, i.Line)
				}
				if owner[c.ID] == folder {
					got = append(got, fmt.Sprintf("%s %s %s %s", c.ID, i.Level, place, i.Title))
					spoke[c.ID] = true
				}
			}
			for name, value := range c.Figures {
				measured = append(measured, fmt.Sprintf("%s %s %g", c.ID, name, value))
			}
		}
		slices.Sort(got)
		slices.Sort(s.want)
		if diff := cmp.Diff(s.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		for _, f := range s.figures {
			if !slices.Contains(measured, f) {
				t.Errorf("%s: %q is not among %q", file, f, measured)
			}
		}
	}
	for _, e := range checks.Catalog() {
		folder := owner[e.ID]
		if _, err := os.Stat(folder); folder == "" || err != nil {
			t.Errorf("%s: in which folder does it stand?", e.ID)
		}
		if !spoke[e.ID] && e.Severity != "" && !slices.Contains(elsewhere, e.ID) {
			t.Errorf("%s: no sample in %s makes it speak", e.ID, path.Join(folder, "testdata"))
		}
		if e.Title == "" || e.Why == "" || e.Fix == "" || e.Run == nil || len(e.Types) == 0 {
			t.Errorf("%s: its entry is not complete", e.ID)
		}
	}
}

// owner tells the folder of a check.
var owner = map[string]string{
	"implementation/test-results": "results", "bug-fix/test-results": "results", "tests/coverage": "coverage",
	"artifact/unreadable": "unreadable", "code/secret": "secret", "tests/command-disabled": "testcommand",
	"code/conflict-marker": "conflict", "code/test-mode": "testmode", "document/placeholder": "placeholder", "spec/no-acceptance-criteria": "criteria",
	"spec/requirement-without-scenario": "scenario", "spec/bundle": "bundle", "document/broken-link": "links",
	"planning/empty-section": "planning",
	"tests/empty":            "testcases", "tests/tautology": "testcases", "tests/shadowed": "testcases", "tests/focused": "testcases",
	"bug-fix/no-fix": "bugfix", "bug-fix/no-sentinel-test": "bugfix", "bug-fix/red": "red", "tests/red": "red", "code/dynamic-code": "injection",
	"code/shell-injection": "injection", "code/sql-concatenation": "injection", "code/unsafe-html": "injection",
	"implementation/no-tests": "untested", "code/oversized-file": "size", "code/untyped": "untyped",
	"code/debug-leftover": "debug", "work/not-there": "ticks", "spec/quality-score": "score",
}

// elsewhere are checks whose input no sample can hold; tests beside this one make them speak.
var elsewhere = []string{"bug-fix/test-results", "tests/coverage", "spec/bundle", "code/oversized-file"}

func run(t *testing.T, id string, in check.Input) workflow.Check {
	t.Helper()
	for _, c := range checks.Run(t.Context(), in) {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("%s did not run", id)
	return workflow.Check{}
}

func TestCoverageBelowItsThreshold(t *testing.T) {
	t.Parallel()
	in := check.Input{
		Set: changetest.Set(nil, nil, map[string]string{"a_test.go": "package a"}),
		Artifact: workflow.Artifact{
			Type: workflow.Tests, Files: []workflow.File{{Path: "a_test.go"}},
		},
		Thresholds: check.Thresholds{Line: 80},
		Coverage: &coverage.Report{
			Lines: coverage.Ratio{Covered: 7, Total: 10},
			Files: []coverage.FileCoverage{{Path: "a.go", Lines: coverage.Ratio{Covered: 7, Total: 10}}},
		},
	}
	c := run(t, workflow.CoverageCheck, in)
	if c.Outcome != workflow.Failed || !c.Gate || !strings.Contains(c.Issues[0].Text, "a.go") {
		t.Errorf("below: %+v", c)
	}
	in.Coverage.Lines.Covered = 8
	if c := run(t, workflow.CoverageCheck, in); c.Outcome != workflow.Passed {
		t.Errorf("at the threshold: %+v", c)
	}
	in.Coverage = nil
	if c := run(t, workflow.CoverageCheck, in); c.Outcome != workflow.NotLooked || c.Gate ||
		c.Summary != "coverage: not provided" {
		t.Errorf("not provided: %+v", c)
	}
}

func TestGapsOfABundle(t *testing.T) {
	t.Parallel()
	c := run(t, "spec/bundle", check.Input{
		Set:      changetest.Set(nil, nil, map[string]string{"specs/a/product-brief.md": "# A"}),
		Artifact: workflow.Artifact{Type: workflow.Spec, Files: []workflow.File{{Path: "specs/a/product-brief.md"}}},
		Bundle: &workflow.Bundle{
			Score: 55,
			Dimensions: []workflow.BundleDimension{
				{Name: "completeness", Score: 50, Issues: []string{"Missing: architecture"}},
			},
			Chain: workflow.Chain{
				Gaps: []workflow.ChainGap{{Kind: "requirement without a goal", IDs: []string{"REQ-1"}, File: "r.md"}},
			},
		},
	})
	if len(c.Issues) != 2 || c.Outcome != workflow.Noted {
		t.Errorf("%+v", c)
	}
}

func TestOversizedFile(t *testing.T) {
	t.Parallel()
	function := func(n int) string {
		return fmt.Sprintf("func f%d() int {\n%s\treturn %d\n}\n", n, strings.Repeat("\tx()\n", 20), n)
	}
	text := "package a\n"
	for n := range 50 {
		text += function(n)
	}
	in := check.Input{
		Set:      changetest.Set(nil, nil, map[string]string{"a.go": text}),
		Artifact: workflow.Artifact{Type: workflow.Implementation, Files: []workflow.File{{Path: "a.go"}}},
	}
	if c := run(t, "code/oversized-file", in); len(c.Issues) != 1 ||
		c.Issues[0].Title != "1151 lines of code, and grows by 1151" {
		t.Errorf("%+v", c)
	}
}

// TestAdviceIsOneLineARun: what never blocks is gathered over all artifacts.
func TestAdviceIsOneLineARun(t *testing.T) {
	t.Parallel()
	rows := [][]workflow.Check{
		{
			{
				ID:     "code/untyped",
				Issues: []workflow.Finding{{Title: "5 added lines have the type any", File: "a.ts", Line: 1}},
			},
		},
		{
			{ID: "code/secret", Issues: []workflow.Finding{{Title: "A secret"}}},
			{ID: "code/debug-leftover", Issues: []workflow.Finding{{Title: "debugger is left", File: "b.ts", Line: 3}}},
		},
	}
	checks.GatherAdvice(rows)
	want := "2 things worth a look: a.ts:1: 5 added lines have the type any; b.ts:3: debugger is left"
	if got := rows[0][0].Issues[0].Title; got != want {
		t.Errorf("%q", got)
	}
	if len(rows[1][0].Issues) != 1 || len(rows[1][1].Issues) != 0 {
		t.Errorf("%+v", rows[1])
	}
}

// TestDecideWithoutReading: what no model read is never said to be approved.
func TestDecideWithoutReading(t *testing.T) {
	t.Parallel()
	a := workflow.Artifact{Type: workflow.Implementation, Files: []workflow.File{{Path: "a.kt"}}}
	passed := workflow.Check{ID: "code/secret", Outcome: workflow.Passed}
	not := workflow.Check{ID: "code/untyped", Outcome: workflow.NotLooked}
	v := checks.Decide(a, []workflow.Check{passed, not})
	if want := "No findings by 1 check – not read by a model. Of Kotlin only the text was looked at, as for secrets."; v.Summary != want ||
		v.Decision != workflow.Approved {
		t.Errorf("%+v", v)
	}
	if v := checks.Decide(a, []workflow.Check{not}); v.Decision != workflow.NeedsChanges {
		t.Errorf("nothing looked: %+v", v)
	}
	failed := workflow.Check{ID: "code/secret", Outcome: workflow.Failed, Summary: "A secret"}
	if v := checks.Decide(a, []workflow.Check{passed, failed}); v.Decision != workflow.NeedsChanges {
		t.Errorf("failed: %+v", v)
	}
}

// TestAnEncodingHidesNoSecret: whatever bytes a file holds beside it, a secret on an added line is found, and the file
// is reviewed for it.
func TestAnEncodingHidesNoSecret(t *testing.T) {
	t.Parallel()
	line := "token = 'ghp_" + "a8Xk29dLqP0zVn4RtYw7BmC3sEhJfU1oGi6K'\n"
	utf16Of := func(order binary.AppendByteOrder, s string) string {
		out := order.AppendUint16(nil, 0xfeff)
		for _, u := range utf16.Encode([]rune(s)) {
			out = order.AppendUint16(out, u)
		}
		return string(out)
	}
	for name, c := range map[string]struct{ file, before, after string }{
		"Latin-1":                        {"a.py", "", "# caf\xe9\n" + line},
		"Latin-1 before":                 {"settings.ini", "# caf\xe9\n", "# caf\xe9\n" + line},
		"UTF-16":                         {"settings.txt", "", utf16Of(binary.LittleEndian, "é\r\n"+line)},
		"UTF-16, the other way":          {"settings.txt", utf16Of(binary.BigEndian, "é\n"), utf16Of(binary.BigEndian, "é\n"+line)},
		"half a unit more":               {"settings.txt", "", utf16Of(binary.LittleEndian, line) + "x"},
		"a zero byte where git looks no": {".env.example", "", strings.Repeat("# a comment\n", 800) + "\x00\n" + line},
		"lines of old Macs":              {"a.txt", "", strings.ReplaceAll("a\nb\n"+line, "\n", "\r")},
		"a long line":                    {"a.js", "", "x='" + strings.Repeat("a", 1<<17) + "';" + line},
		"after a megabyte":               {"a.csv", "", strings.Repeat("a,b,c\n", 200_000) + line},
	} {
		base := map[string]string{}
		if c.before != "" {
			base[c.file] = c.before
		}
		set := changetest.Set(base, base, map[string]string{c.file: c.after})
		if !checks.Demands(t.Context(), check.Input{Set: set})(c.file, true) {
			t.Errorf("%s: the secret is not found", name)
		}
	}
	binaryFile := changetest.Set(nil, nil, map[string]string{"a.png": "\x89PNG\x00" + line})
	if checks.Demands(t.Context(), check.Input{Set: binaryFile})("a.png", false) {
		t.Error("a binary file is read as text")
	}
}

// TestDecideAfterADismissal: what is left of a check once its High issue was dismissed does not block.
func TestDecideAfterADismissal(t *testing.T) {
	t.Parallel()
	c := workflow.Check{ID: "document/placeholder", Outcome: workflow.Failed, Issues: []workflow.Finding{{Level: workflow.Note}}}
	if v := checks.Decide(workflow.Artifact{Type: workflow.Spec}, []workflow.Check{c}); v.Decision != workflow.Approved {
		t.Errorf("%+v", v)
	}
	c.Issues = append(c.Issues, workflow.Finding{Level: workflow.Block})
	if v := checks.Decide(workflow.Artifact{Type: workflow.Spec}, []workflow.Check{c}); v.Decision != workflow.NeedsChanges {
		t.Errorf("%+v", v)
	}
}

// TestCriteriaOfWhatIsCalledDone: what became of their tests is told by criterion.
func TestCriteriaOfWhatIsCalledDone(t *testing.T) {
	t.Parallel()
	const file = "ticks/testdata/tests.txtar"
	s := read(t, file)
	said := run(t, "work/not-there", s.in).Issues[0].Text
	for _, want := range []string{
		"the tests of AC-3 did not pass", "the tests of AC-2 did not run", "the tests of AC-1 ran and passed",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
	s.in.Artifact.Claims[0].Implemented = true
	if c := run(t, "work/not-there", s.in); !strings.Contains(c.Issues[0].Title, "AC-3 did not pass") {
		t.Errorf("with an approved implementation: %+v", c)
	}
	s.in.Tests.Passed++ // a test that has no name
	if said := run(t, "work/not-there", s.in).Issues[0].Text; strings.Contains(said, "did not run") {
		t.Error(said)
	}
	s = read(t, "ticks/testdata/passed.txtar")
	want := "nothing found in 1 claim; the tests of AC-1, AC-2, AC-3 ran and passed"
	if c := run(t, "work/not-there", s.in); c.Summary != want {
		t.Errorf("%q, want %q", c.Summary, want)
	}
	s = read(t, "ticks/testdata/titles.txtar")
	s.in.Tests.Names = append(s.in.Tests.Names, "login.refuses")
	want = "nothing found in 1 claim; the tests of AC-1, AC-2 ran and passed" // the title of AC-3 is that of two tests
	if c := run(t, "work/not-there", s.in); c.Summary != want {
		t.Errorf("%q, want %q", c.Summary, want)
	}
}

// TestTicksOfAnArchive: what a task took away before the change is not missed where history tells, and without it only
// new ticks count.
func TestTicksOfAnArchive(t *testing.T) {
	t.Parallel()
	const old, now = "openspec/changes/a/tasks.md", "openspec/changes/archive/2026-01-31-a/tasks.md"
	const tasks = "- [x] 1 Delete `src/old.py`\n- [x] 2 Add `src/none.py`\n- [x] 3 Rename `gone()`\n"
	base := map[string]string{old: strings.Replace(tasks, "[x] 2", "[ ] 2", 1)}
	in := check.Input{
		Set: changetest.Set(base, base, map[string]string{now: tasks}),
		Artifact: workflow.Artifact{Type: workflow.Implementation, Claims: []workflow.Claim{
			{Path: now, Before: old, All: true, Done: "was moved to openspec/changes/archive/"},
		}},
	}
	history := func(err error) func(context.Context, string) ([]string, error) {
		return func(_ context.Context, p string) ([]string, error) { return []string{"src/old.py", p}, err }
	}
	const one, ticked = "Ticked, and `src/none.py` is not there", "Ticked, and `src/old.py` is not there, and 1 more"
	for name, c := range map[string]struct {
		former func(context.Context, string) ([]string, error)
		want   string
	}{
		"known":           {history(nil), one},
		"not known":       {history(os.ErrNotExist), one},
		"no history":      {nil, one},
		"was never there": {func(context.Context, string) ([]string, error) { return nil, nil }, ticked},
	} {
		in.Former = c.former
		if got := run(t, "work/not-there", in); len(got.Issues) != 1 || got.Issues[0].Title != c.want {
			t.Errorf("%s: %+v", name, got.Issues)
		}
	}
}
