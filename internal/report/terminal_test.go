package report_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]+m")

func TestTerminal(t *testing.T) {
	for name, run := range runs() {
		for _, verbose := range []bool{false, true} {
			t.Run(fmt.Sprint(name, verbose), func(t *testing.T) { checkTerminal(t, report.Build(run), verbose) })
		}
	}
}

func checkTerminal(t *testing.T, rep report.Report, verbose bool) {
	t.Helper()
	var plain, colored strings.Builder
	rep.Terminal(&plain, report.TerminalOptions{Verbose: verbose})
	rep.Terminal(&colored, report.TerminalOptions{Color: true, Verbose: verbose})
	for l := range strings.SplitSeq(plain.String(), "\n") {
		if utf8.RuneCountInString(l) > 80 && !strings.HasPrefix(l, "  reviews/") {
			t.Errorf("%d columns: %q", utf8.RuneCountInString(l), l)
		}
		if i := strings.IndexFunc(l, func(r rune) bool { return unicode.IsControl(r) || r == 0x202e }); i >= 0 {
			t.Errorf("control character in %q", l)
		}
	}
	if got := sgr.ReplaceAllString(colored.String(), ""); got != plain.String() {
		t.Error("colour changes the text")
	}
	if !sgr.MatchString(colored.String()) {
		t.Error("no colour")
	}
	if !strings.Contains(plain.String(), rep.Title()) {
		t.Error("no verdict")
	}
}

func TestTerminalWidth(t *testing.T) {
	var b strings.Builder
	report.Build(runs()["mixed"]).Terminal(&b, report.TerminalOptions{Width: 50, Verbose: true})
	for l := range strings.SplitSeq(b.String(), "\n") {
		if utf8.RuneCountInString(l) > 50 && strings.Contains(strings.TrimSpace(l), " ") {
			t.Errorf("%d columns: %q", utf8.RuneCountInString(l), l)
		}
	}
}

// TestTerminalWithoutModel: a review that asked no model says of requirements only
// what the change did to them, and of questions about what nobody approved how many there are.
func TestTerminalWithoutModel(t *testing.T) {
	run := runs()["mixed"]
	k := slices.IndexFunc(run.Results, func(r workflow.Result) bool { return len(r.Requirements) > 0 })
	res := run.Results[k]
	res.Engine = "rules"
	res.Requirements = slices.Repeat([]workflow.Requirement{
		{ID: "AC-1", Text: "First text.", Tests: []string{"t.py:3"}},
	}, 9)
	res.Requirements = append(res.Requirements,
		workflow.Requirement{ID: "AC-2", Text: "Second text."},
		workflow.Requirement{ID: "AC-3", Text: "Third text.", Changed: "weakened to: Any text."},
	)
	res.Integrity = &workflow.Integrity{Verdict: "no-baseline", Unapproved: true, Questions: []workflow.Finding{
		{Key: "1", Text: "Is that right?"}, {Key: "2", Text: "Is that right?"},
	}}
	run.Results[k] = res
	var b strings.Builder
	report.Build(run).Terminal(&b, report.TerminalOptions{Verbose: true})
	text := b.String()
	for _, want := range []string{
		"11 requirements, 9 named by tests.", "Third text.", "weakened to: Any text.", "2 questions about tests that nobody approved",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, not := range []string{"First text.", "Second text.", "Is that right?"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in\n%s", not, text)
		}
	}
}

// TestTerminalFitsAScreen: what several reviews say of one violation is printed once; what does not block is left to
// the report.
func TestTerminalFitsAScreen(t *testing.T) {
	run := runs()["breach"]
	twice := run.Results[0]
	twice.Artifact.Type = workflow.Tests
	run.Results = append(run.Results, twice)
	var b strings.Builder
	report.Build(run).Terminal(&b, report.TerminalOptions{})
	if n := strings.Count(b.String(), "- assert add(2, 3) == 5"); n != 1 {
		t.Errorf("the breach is printed %d times:\n%s", n, &b)
	}
	b.Reset()
	report.Build(runs()["mixed"]).Terminal(&b, report.TerminalOptions{})
	if n := strings.Count(b.String(), "\n"); n > 40 {
		t.Errorf("%d lines:\n%s", n, &b)
	}
	for _, not := range []string{"Unused import", "leaks its length", "Review files", "note:"} {
		if strings.Contains(b.String(), not) {
			t.Errorf("%q in\n%s", not, &b)
		}
	}
}

// TestTerminalEvidence: what is no line of a diff stands as it is.
func TestTerminalEvidence(t *testing.T) {
	q := workflow.Finding{Kind: "unread", File: "lib/a.go", Text: "Is it?", Evidence: "lib/a.go\nöl.go\n- x\n+ y"}
	var out strings.Builder
	report.Integrity{Outcome: integrity.Outcome{Questions: []workflow.Finding{q}}}.Terminal(&out, report.TerminalOptions{Width: 80})
	if want := "    lib/a.go\n    öl.go\n  - x\n  + y\n"; !strings.Contains(out.String(), want) {
		t.Errorf("it lacks %q:\n%s", want, out.String())
	}
}
