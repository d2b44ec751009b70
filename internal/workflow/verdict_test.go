package workflow_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/workflow"
)

func TestVerdict(t *testing.T) {
	issue := func(s workflow.Level, c workflow.Category) []workflow.Finding {
		return []workflow.Finding{{Level: s, Category: c}}
	}
	score := func(n float64) []workflow.Check {
		return []workflow.Check{{ID: workflow.ScoreCheck, Figures: map[string]float64{"score": n}}}
	}
	for name, c := range map[string]struct {
		result workflow.Result
		want   workflow.Verdict
	}{
		"no verdict": {workflow.Result{
			Decision: workflow.Error, Issues: issue(workflow.Block, workflow.Security),
			Checks: score(10),
		}, workflow.Verdict{}},
		"approved": {
			workflow.Result{Decision: workflow.Approved, Issues: issue(workflow.Note, workflow.Security)},
			workflow.Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "PASS"},
		},
		"beside Medium issues": {
			workflow.Result{Decision: workflow.Approved, Issues: issue(workflow.Warn, workflow.Clarity)},
			workflow.Verdict{Code: "APPROVED", Gate: "CONDITIONAL", Spec: "PASS"},
		},
		"a score of 80": {
			workflow.Result{Decision: workflow.Approved, Checks: score(80)},
			workflow.Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "PASS"},
		},
		"a score of 79": {
			workflow.Result{Decision: workflow.Approved, Checks: score(79)},
			workflow.Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "REVIEW"},
		},
		"a refuted FAIL": {
			workflow.Result{Decision: workflow.Approved, Checks: score(59)},
			workflow.Verdict{Code: "APPROVED", Gate: "APPROVE", Spec: "REVIEW"},
		},
		"a FAIL": {workflow.Result{
			Decision: workflow.NeedsChanges, Issues: issue(workflow.Block, workflow.Clarity),
			Checks: score(59),
		}, workflow.Verdict{Code: "NEEDS_FIX", Gate: "BLOCK", Spec: "FAIL"}},
		"High of security": {
			workflow.Result{Decision: workflow.NeedsChanges, Issues: issue(workflow.Block, workflow.Security)},
			workflow.Verdict{Code: "MAJOR_ISSUES", Gate: "BLOCK", Spec: "FAIL"},
		},
		"High of compliance": {
			workflow.Result{Decision: workflow.NeedsChanges, Issues: issue(workflow.Block, workflow.Compliance)},
			workflow.Verdict{Code: "MAJOR_ISSUES", Gate: "BLOCK", Spec: "FAIL"},
		},
		"High of correctness": {
			workflow.Result{Decision: workflow.NeedsChanges, Issues: issue(workflow.Block, workflow.Correctness)},
			workflow.Verdict{Code: "MAJOR_ISSUES", Gate: "BLOCK", Spec: "FAIL"},
		},
		"Medium of security": {
			workflow.Result{Decision: workflow.NeedsChanges, Issues: issue(workflow.Warn, workflow.Security)},
			workflow.Verdict{Code: "NEEDS_FIX", Gate: "BLOCK", Spec: "FAIL"},
		},
		"a breach of the tests": {
			workflow.Result{Decision: workflow.NeedsChanges, Violations: []workflow.Finding{{}}},
			workflow.Verdict{Code: "MAJOR_ISSUES", Gate: "BLOCK", Spec: "FAIL"},
		},
		"nothing to have reviewed": {workflow.Result{Decision: workflow.None}, workflow.Verdict{}},
	} {
		if diff := cmp.Diff(c.want, c.result.Verdict()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParseCategory(t *testing.T) {
	for text, want := range map[string]workflow.Category{
		"security": workflow.Security, " Security ": workflow.Security, "Bug": workflow.Correctness, "STYLE": workflow.Maintainability,
		"Error handling": workflow.Reliability,
		"Code quality":   workflow.Maintainability, "test coverage": workflow.Testing, "documentation/clarity": workflow.Documentation,
		"scope": workflow.ScopeCategory,
		"":      "", "zest": "", "§": "",
	} {
		if got, ok := workflow.ParseCategory(text); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %t; want %q", text, got, ok, want)
		}
	}
	for _, c := range workflow.Categories() {
		if got, _ := workflow.ParseCategory(string(c)); got != c {
			t.Errorf("%q is read as %q", c, got)
		}
	}
	var issue workflow.Finding
	if err := json.Unmarshal([]byte(`{"category":"zest"}`), &issue); err != nil || issue.Category != workflow.Correctness {
		t.Errorf("an unknown word of an earlier review is %q, %v", issue.Category, err)
	}
}
