package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/record/recordtest"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

func TestVerdict(t *testing.T) {
	breach := []workflow.Finding{{Category: "test_modification", Kind: "x", File: "tests/a.py", Line: 3}}
	around := []workflow.Finding{{Category: "workaround", Kind: "x", File: "a.py", Line: 3}}
	odd, lying := recordtest.Approved(), recordtest.Approved()
	odd.Decision = 7
	lying.Failure = &workflow.Failure{Message: "timeout"}
	violating := recordtest.Approved()
	violating.Violations = breach
	failure := &workflow.Failure{Message: "broken"}
	tests := []struct {
		name       string
		run        report.Run
		want       workflow.Decision
		conclusion string
		title      string
	}{
		{"nothing", report.Run{}, workflow.None, "success", "Nothing to review"},
		{"approved", run(recordtest.Approved(), recordtest.Rules()), workflow.Approved, "success", "Approved"},
		{"one needs changes", run(recordtest.Approved(), recordtest.Unclear()), workflow.NeedsChanges, "failure", "Needs changes"},
		{
			"one failed", run(recordtest.Approved(), recordtest.Unclear(), recordtest.Failed()), workflow.Error,
			"failure", "Review did not run",
		},
		{
			"approved but breached",
			report.Run{Results: []workflow.Result{recordtest.Approved()}, Violations: breach},
			workflow.NeedsChanges,
			"failure", "Test integrity breach",
		},
		{"nothing but breached", report.Run{Violations: breach}, workflow.NeedsChanges, "failure", "Test integrity breach"},
		{"workaround", report.Run{Violations: around}, workflow.NeedsChanges, "failure", "Needs changes"},
		{"approved with a violation", run(violating), workflow.NeedsChanges, "failure", "Test integrity breach"},
		{"failed and breached", report.Run{Violations: breach, Failure: failure}, workflow.Error, "failure", "Review did not run"},
		{
			"run failed",
			report.Run{Results: []workflow.Result{recordtest.Approved()}, Failure: failure},
			workflow.Error,
			"failure", "Review did not run",
		},
		{
			"cancelled",
			report.Run{Results: []workflow.Result{recordtest.Approved()}, Cancelled: true},
			workflow.Error,
			"cancelled", "Cancelled",
		},
		{"approved beside a failure", run(lying), workflow.Error, "failure", "Review did not run"},
		{"unknown decision", run(odd), workflow.Error, "failure", "Review did not run"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rep := report.Build(tt.run)
			c := rep.Check()
			if rep.Decision != tt.want || c.Conclusion != tt.conclusion || c.Title != tt.title || c.Name != "workflow-reviewer" {
				t.Errorf("decision %v, check %q %s %q", rep.Decision, c.Name, c.Conclusion, c.Title)
			}
			if c.Summary == "" || c.ExternalID != tt.want.String() {
				t.Errorf("summary %q, external id %q", c.Summary, c.ExternalID)
			}
			if s := rep.Summary(); s == "" || strings.Contains(s, "\n") || !strings.HasPrefix(s, tt.title) {
				t.Errorf("Summary = %q", s)
			}
		})
	}
}

// TestSummaryOfLosses: what tests that nobody approved lost is said with the verdict,
// also where nothing was reviewed.
func TestSummaryOfLosses(t *testing.T) {
	lost := []workflow.Finding{{Kind: "test_deleted", File: "t.py", Line: 3}}
	for want, results := range map[string][]workflow.Result{
		"Nothing to review: 1 unapproved test was weakened.":                    nil,
		"Approved: 1 review (findings: 1 Low); 1 unapproved test was weakened.": {recordtest.Approved()},
	} {
		if got := report.Build(report.Run{Results: results, Weakened: lost}).Summary(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestZeroReportBlocks(t *testing.T) {
	var rep report.Report
	if c := rep.Check(); rep.Decision.ExitCode() != 2 || c.Conclusion != "failure" {
		t.Errorf("exit %d, %+v", rep.Decision.ExitCode(), c)
	}
}

func TestAnErrorNeverLooksLikeAVerdict(t *testing.T) {
	rep := report.Build(run(recordtest.Failed()))
	var b strings.Builder
	rep.Terminal(&b, report.TerminalOptions{})
	page, err := rep.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"comment": rep.Comment(""), "check": rep.Check().Summary,
		"result check": rep.ResultCheck(0).Summary, "terminal": b.String(), "page": string(bytes.SplitAfter(page, []byte("</style>"))[1]),
	} {
		for _, want := range []string{"did not run", "No answer from the model within 300 seconds", "raise the input timeout"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
		if strings.Contains(text, "NEEDS-CHANGES") {
			t.Errorf("%s looks like a verdict", name)
		}
	}
}

func TestResultCheck(t *testing.T) {
	cached := recordtest.Approved()
	cached.Cached = true
	rep := report.Build(run(recordtest.Violated(), cached, recordtest.Failed()))
	var got []string
	for i, res := range rep.Results {
		c := rep.ResultCheck(i)
		got = append(got, c.Name+" | "+c.Conclusion+" | "+c.Title)
		want := record.Digest(record.Render(res))
		if res.Cached {
			want = "recorded"
		}
		if c.ExternalID != want {
			t.Errorf("%s: external id %s, want %s", c.Name, c.ExternalID, want)
		}
		if c.Summary == "" || !strings.Contains(c.Text, "## Summary") {
			t.Errorf("%s: summary %q, text %q", c.Name, c.Summary, c.Text)
		}
	}
	want := []string{
		"workflow-reviewer / spec: user-authentication | success | Approved (recorded earlier)",
		"workflow-reviewer / tests: payments | failure | Review did not run",
		"workflow-reviewer / implementation: add | failure | Test integrity breach",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTokensOfRecordedReviewsAreNotSpent(t *testing.T) {
	cached := recordtest.Approved()
	cached.Cached = true
	rep := report.Build(run(cached, recordtest.NeedsChanges()))
	if rep.Tokens != recordtest.NeedsChanges().Tokens {
		t.Errorf("Tokens = %+v", rep.Tokens)
	}
}

func TestAnnotations(t *testing.T) {
	r := run(recordtest.NeedsChanges(), recordtest.Violated(), recordtest.Hostile())
	r.Results[0].Issues = append(r.Results[0].Issues,
		workflow.Finding{Level: workflow.Note, Title: "whole file", File: "a.py"},
		workflow.Finding{Level: workflow.Note, Title: "no file", Line: 3},
		workflow.Finding{Level: workflow.Note, Title: "absolute", File: "/etc/passwd", Line: 3})
	var got []string
	for _, a := range report.Build(r).Check().Annotations {
		if a.Path == "tests/`x`.py" {
			continue
		}
		got = append(got, fmt.Sprintf("%s %s:%d-%d %s", a.Level, a.Path, a.StartLine, a.EndLine, a.Title))
		if a.Message == "" {
			t.Errorf("%s has no message", a.Path)
		}
	}
	want := []string{
		"failure tests/test_add.py:1-1 Test integrity: assertion weakened",
		"failure src/auth/login.py:27-27 High: Passwords are compared in plain text",
		"failure src/auth/login.py:12-40 High: Lockout after five failed tries is missing",
		"warning src/auth/session.py:9-9 Medium: A broken session store looks like a wrong password",
		"notice src/auth/session.py:2-2 Low: Unused import",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// big is a run whose every part is beyond what GitHub takes.
func big() report.Run {
	long := strings.Repeat("Ein längerer Text mit `code`.\n", 100)
	r := run()
	for i := range 25 {
		res := recordtest.NeedsChanges()
		res.Artifact.Feature = fmt.Sprintf("feature-%d", i)
		res.Summary, res.Warnings, res.Omitted = long, []string{long}, []string{long}
		for range 20 {
			res.Issues = append(res.Issues, workflow.Finding{
				Level: workflow.Warn, Title: fmt.Sprint(len(res.Issues), long),
				File: fmt.Sprint(i, ".py"), Line: len(res.Issues), Text: long, Fix: long,
			})
		}
		res.Violations = []workflow.Finding{{Kind: "x", File: fmt.Sprint(i, ".py"), Text: long, Evidence: long}}
		r.Results = append(r.Results, res)
	}
	return r
}

func TestLimits(t *testing.T) {
	rep := report.Build(big())
	c, rc := rep.Check(), rep.ResultCheck(0)
	for name, tt := range map[string]struct {
		text string
		max  int
	}{
		"comment": {rep.Comment(""), 65536}, "job summary": {rep.JobSummary(), 1 << 20}, "check summary": {c.Summary, 65535},
		"check text":     {c.Text, 65535},
		"result summary": {rc.Summary, 65535}, "result text": {rc.Text, 65535},
	} {
		if len(tt.text) > tt.max {
			t.Errorf("%s has %d bytes, more than %d", name, len(tt.text), tt.max)
		}
		if name != "result summary" && !strings.Contains(tt.text, "GitHub allows no more") &&
			!strings.Contains(tt.text, "too long to be shown here whole") {
			t.Errorf("%s is cut without a note", name)
		}
		if strings.Count(tt.text, "<details>") != strings.Count(tt.text, "</details>") {
			t.Errorf("%s leaves a fold open", name)
		}
	}
	if !strings.HasPrefix(strings.SplitN(rep.Comment(""), "\n", 3)[2], "## ⛔ Test integrity breach") {
		t.Errorf("the verdict is not on top: %q", rep.Comment("")[:100])
	}
	if len(c.Annotations) != 500 {
		t.Errorf("%d annotations", len(c.Annotations))
	}
	total := 0
	for _, p := range rep.Outputs() {
		total += len(p.Value)
		if strings.HasPrefix(p.Value, "[") && !json.Valid([]byte(p.Value)) {
			t.Errorf("output %s is no JSON", p.Name)
		}
	}
	if total > 1<<20 {
		t.Errorf("outputs have %d bytes", total)
	}
}

func TestOutputs(t *testing.T) {
	rep := report.Build(runs()["mixed"])
	got := map[string]string{}
	var names []string
	for _, p := range rep.Outputs() {
		got[p.Name] = p.Value
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{
		"decision", "reviews", "review-paths", "violations", "matrix", "summary", "report-dir", "fix-context",
		"tokens",
	}, names); diff != "" {
		t.Error(diff)
	}
	var reviews []map[string]any
	if err := json.Unmarshal([]byte(got["reviews"]), &reviews); err != nil {
		t.Fatal(err)
	}
	first := reviews[0]
	delete(first, "issues")
	want := map[string]any{
		"type": "spec", "feature": "user-authentication", "decision": "APPROVED", "cached": true,
		"path":     "reviews/specs/20260131T143022-user-authentication-APPROVED.md",
		"artifact": "specs/proposed/user-authentication.md", "moved_to": "specs/todo/user-authentication.md", "requirements": []any{},
		"verdict": map[string]any{"code": "APPROVED", "gate": "APPROVE", "spec": "PASS"},
		"tokens":  map[string]any{"input": 18234.0, "cached": 12032.0, "output": 2210.0, "reasoning": 1408.0},
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Error(diff)
	}
	if got["tokens"] != `{"input":60111,"cached":24064,"output":6114,"reasoning":3918}` || got["decision"] != "NEEDS-CHANGES" ||
		got["violations"] != "[]" {
		t.Errorf("tokens %s, decision %s, violations %s", got["tokens"], got["decision"], got["violations"])
	}
	if n := strings.Count(got["review-paths"], "\n"); n != 2 {
		t.Errorf("review-paths = %q", got["review-paths"])
	}
	for _, p := range report.Build(report.Run{}).Outputs() {
		if p.Name == "reviews" && p.Value != "[]" {
			t.Errorf("reviews of an empty run = %q", p.Value)
		}
	}
}
