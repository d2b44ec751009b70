package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

func TestDecide(t *testing.T) {
	issue := func(s workflow.Severity) []workflow.Issue {
		return []workflow.Issue{{Severity: s, Title: "x", File: "a", Line: 3}}
	}
	ok := workflow.Check{ID: "spec/no-interface", Outcome: workflow.Passed, Summary: "fine"}
	for name, tc := range map[string]struct {
		check workflow.Check
		want  workflow.Decision
		grade workflow.Grade
	}{
		"passed": {ok, workflow.Approved, workflow.Pass},
		"absent": {workflow.Check{ID: "x", Outcome: workflow.Absent}, workflow.Approved, workflow.Pass},
		"low": {
			workflow.Check{ID: "x", Outcome: workflow.Noted, Issues: issue(workflow.Low)},
			workflow.Approved,
			workflow.Concern,
		},
		"medium": {
			workflow.Check{ID: "x", Outcome: workflow.Noted, Issues: issue(workflow.Medium)},
			workflow.Approved,
			workflow.Concern,
		},
		"high": {
			workflow.Check{ID: "x", Outcome: workflow.Failed, Issues: issue(workflow.High)},
			workflow.NeedsChanges,
			workflow.Fail,
		},
		"high, not said": {
			workflow.Check{ID: "x", Outcome: workflow.Passed, Issues: issue(workflow.High)},
			workflow.NeedsChanges,
			workflow.Fail,
		},
		"failed gate": {
			workflow.Check{ID: "x", Outcome: workflow.Failed, Gate: true, Summary: "s"},
			workflow.NeedsChanges,
			workflow.Fail,
		},
		"failed, no gate": {workflow.Check{ID: "x", Outcome: workflow.Failed}, workflow.Approved, workflow.Concern},
	} {
		t.Run(name, func(t *testing.T) {
			v := rules.Decide(workflow.Artifact{Type: workflow.Spec}, []workflow.Check{ok, tc.check})
			if v.Decision != tc.want || v.Summary == "" {
				t.Errorf("got %s (%q), want %s", v.Decision, v.Summary, tc.want)
			}
			worst := v.Criteria[len(v.Criteria)-1]
			if worst.Grade != tc.grade {
				t.Errorf("graded %+v, want %s", worst, tc.grade)
			}
		})
	}
}

func TestDecideSortsIssues(t *testing.T) {
	checks := []workflow.Check{
		{ID: "a", Issues: []workflow.Issue{{Severity: workflow.Low, Title: "1"}, {Severity: workflow.High, Title: "2"}}},
		{ID: "b", Issues: []workflow.Issue{{Severity: workflow.Medium, Title: "3"}, {Severity: workflow.High, Title: "4"}}},
	}
	var got []string
	for _, i := range rules.Decide(workflow.Artifact{Type: workflow.Spec}, checks).Issues {
		got = append(got, i.Title)
	}
	if diff := cmp.Diff([]string{"2", "4", "3", "1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the gates come to, for each kind of evidence.
func TestGate(t *testing.T) {
	ratio := func(c, n int) coverage.Ratio { return coverage.Ratio{Covered: c, Total: n} }
	for name, tc := range map[string]struct {
		typ     workflow.Type
		change  func(*rules.Input)
		ended   bool
		summary string
		check   string // the beginning of the check's own summary
	}{
		"failing tests": {workflow.Implementation, func(in *rules.Input) {
			in.Tests = &testresult.Summary{Passed: 45, Failed: 1, Errors: 1, Failures: []testresult.Failure{{Name: "a"}, {Name: "b"}}}
		}, true, "Cannot review implementation with failing tests: 2 of 47 failed", ""},
		"no test ran": {workflow.Implementation, func(in *rules.Input) {
			in.Tests = &testresult.Summary{Skipped: 3}
		}, true, "Cannot review implementation with failing tests: no test ran, 3 skipped", ""},
		"failing tests of a bug fix": {workflow.BugFix, func(in *rules.Input) {
			in.Tests = &testresult.Summary{Passed: 1, Failed: 1, Failures: []testresult.Failure{{Name: "a"}}}
		}, true, "Cannot review bug fix with failing tests: 1 of 2 failed; No regression test accompanies the fix", ""},
		"passing tests": {workflow.Implementation, func(in *rules.Input) {
			in.Tests = &testresult.Summary{Passed: 47}
		}, false, "", "test results: 47 of 47 passed"},
		"stated": {workflow.Implementation, func(in *rules.Input) {
			in.Tests = &testresult.Summary{Stated: true}
		}, false, "", "test results: stated as all passing, without a report"},
		"not provided": {workflow.Implementation, func(*rules.Input) {}, false, "", "test results: not provided"},
		"required": {workflow.Implementation, func(in *rules.Input) {
			in.RequireTestResults = true
		}, true, "Cannot review implementation without test results: require_test_results is set", ""},
		"failing tests do not gate a tests review": {workflow.Tests, func(in *rules.Input) {
			in.Tests = &testresult.Summary{Failed: 1, Failures: []testresult.Failure{{Name: "a"}}}
		}, false, "", "coverage: not provided"},
		"coverage too low": {workflow.Tests, func(in *rules.Input) {
			in.Coverage = &coverage.Report{Lines: ratio(712, 1000), Branches: ratio(55, 100)}
		}, false, "Coverage below threshold: line 71.2 % < 80 %, branch 55.0 % < 70 %", ""},
		"one coverage too low": {workflow.Tests, func(in *rules.Input) {
			in.Coverage = &coverage.Report{Lines: ratio(9, 10), Branches: ratio(1, 2)}
		}, false, "Coverage below threshold: branch 50.0 % < 70 %", ""},
		"branches not measured": {workflow.Tests, func(in *rules.Input) {
			in.Coverage = &coverage.Report{Lines: ratio(9, 10)}
		}, false, "", "coverage: line 90.0 %, branch not measured"},
		"nothing measured": {workflow.Tests, func(in *rules.Input) {
			in.Coverage = &coverage.Report{}
		}, false, "Coverage below threshold: the report measured no line", ""},
		"no thresholds": {workflow.Tests, func(in *rules.Input) {
			in.Coverage, in.Thresholds = &coverage.Report{Lines: ratio(0, 10)}, rules.Thresholds{}
		}, false, "", "coverage: line 0.0 %, branch not measured"},
	} {
		t.Run(name, func(t *testing.T) {
			in := input(tc.typ, nil, map[string]string{"src/a.py": "x = 1\n"}, "src/a.py")
			in.Thresholds = rules.Thresholds{Line: 80, Branch: 70}
			tc.change(&in)
			checks := rules.Check(t.Context(), in)
			ended, summary := rules.Gate(checks)
			if ended != tc.ended || summary != tc.summary {
				t.Errorf("got %t, %q; want %t, %q", ended, summary, tc.ended, tc.summary)
			}
			if first := checks[0].Summary; !strings.HasPrefix(first, tc.check) {
				t.Errorf("the check says %q, want %q", first, tc.check)
			}
			if d := rules.Decide(in.Artifact, checks).Decision; summary != "" && d != workflow.NeedsChanges {
				t.Errorf("a failed gate comes to %s", d)
			}
		})
	}
}

// A place in a report is shown only where the head has that file.
func TestFailuresPointIntoTheRepository(t *testing.T) {
	in := input(workflow.Implementation, nil, map[string]string{"src/a.py": "x = 1\n", "tests/t.py": "\n"}, "src/a.py")
	in.Tests = &testresult.Summary{Failed: 2, Failures: []testresult.Failure{
		{Name: "a", File: "tests/t.py", Line: 1}, {Name: "b", File: "/etc/passwd", Line: 1},
	}}
	c := find(t, rules.Check(t.Context(), in), "implementation/test-results")
	if c.Issues[0].File != "tests/t.py" || c.Issues[0].Line != 1 || c.Issues[1].File != "" || c.Issues[1].Line != 0 {
		t.Errorf("got %s", render(c))
	}
}

// TestGatheredFindings: more than three findings of one check are one that names the
// places; those about security or tests are one a file.
func TestGatheredFindings(t *testing.T) {
	many := func(n int, category workflow.Category) []workflow.Check {
		c := workflow.Check{ID: "tests/tautology", Outcome: workflow.Failed}
		for k := range n {
			i := workflow.Issue{
				Severity: workflow.Low, Category: category, File: []string{"t.py", "u.py"}[k/40], Line: k + 1,
				Title: fmt.Sprintf("Compares %d", k+1), Description: "Why.",
			}
			if k == 2 {
				i.Severity = workflow.High
			}
			c.Issues = append(c.Issues, i)
		}
		return []workflow.Check{c}
	}
	a := workflow.Artifact{Type: workflow.Tests}
	for _, c := range []struct {
		n        int
		category workflow.Category
		want     int
	}{
		{3, workflow.Maintainability, 3},
		{3, workflow.Testing, 1},
		{4, workflow.Testing, 1},
		{30, workflow.Testing, 1},
		{9, workflow.Security, 1},
		{42, workflow.Security, 2},
	} {
		v := rules.Decide(a, many(c.n, c.category))
		if len(v.Issues) != c.want || v.Decision != workflow.NeedsChanges {
			t.Errorf("%d of %s: %d findings, %s", c.n, c.category, len(v.Issues), v.Decision)
		}
		if c.want > 1 {
			continue
		}
		i := v.Issues[0]
		if i.Title != "Compares 3" || i.Severity != workflow.High || !strings.HasPrefix(i.Description, "Why.\n\nThe same in ") ||
			!strings.Contains(i.Description, "\n- t.py:1: Compares 1\n") {
			t.Errorf("%+v", i)
		}
		if strings.Contains(i.Description, "\n- and 9 more") != (c.n == 30) {
			t.Errorf("cut: %s", i.Description)
		}
	}
}
