package review

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

func TestWhatBecomesOfAnAnswer(t *testing.T) {
	prose := "## Review\n\nFine.\n\n**Decision:** APPROVED\n"
	high := answer("APPROVED", issueJSON("High", "Broken"))
	failed := strings.Replace(answer("APPROVED"), `"criteria":null`,
		`"criteria":`+strings.Replace(passing(specIDs...), "PASS", "FAIL", 1), 1)
	for _, c := range []struct {
		name     string
		turns    []turn
		decision workflow.Decision
		class    Class
		warning  string
		calls    int
	}{
		{"approved", []turn{{text: answer("APPROVED")}}, workflow.Approved, "", "", 1},
		{"needs changes", []turn{{text: answer("NEEDS-CHANGES", issueJSON("High", "x"))}}, workflow.NeedsChanges, "", "", 1},
		{"approved beside a High issue", []turn{{text: high}}, workflow.NeedsChanges, "", "approved beside 1 High issue", 1},
		{"approved beside a failed criterion", []turn{{text: failed}}, workflow.NeedsChanges, "", "1 failed criterion", 1},
		{"approved beside a Low issue", []turn{{text: answer("APPROVED", issueJSON("Low", "x"))}}, workflow.Approved, "", "", 1},
		{"repaired", []turn{{text: "{"}, {text: answer("APPROVED")}}, workflow.Approved, "", "", 2},
		{
			"of another schema, then repaired",
			[]turn{{text: `{"decision":"APPROVED"}`}, {text: answer("NEEDS-CHANGES")}},
			workflow.NeedsChanges, "", "", 2,
		},
		{
			"refused in another spelling, then repaired to an approval",
			[]turn{{text: `{"decision":"needs_fix"}`}, {text: answer("APPROVED")}},
			workflow.NeedsChanges, "", undetermined, 2,
		},
		{
			"of an unknown word, then repaired to an approval",
			[]turn{{text: `{"decision":"later"}`}, {text: answer("APPROVED")}},
			workflow.NeedsChanges, "", undetermined, 2,
		},
		{
			"approved in another spelling, then repaired",
			[]turn{{text: `{"decision":"approve"}`}, {text: answer("APPROVED")}},
			workflow.Approved, "", "", 2,
		},
		{
			"beside a High issue of another form, then without it",
			[]turn{{text: `{"decision":"APPROVED","issues":[{"severity":"High","title":"Broken"}]}`}, {text: answer("APPROVED")}},
			workflow.NeedsChanges, "", undetermined, 2,
		},
		{
			"beside a High issue in capitals, then without it",
			[]turn{{text: `{"decision":"APPROVED","issues":[{"severity":"HIGH","title":"Broken"}]}`}, {text: answer("APPROVED")}},
			workflow.NeedsChanges, "", undetermined, 2,
		},
		{
			"beside a failed criterion and broken off, then without it",
			[]turn{{text: `{"criteria":[{"id":"clarity","result":"FAIL","find`}, {text: answer("APPROVED")}},
			workflow.NeedsChanges, "", undetermined, 2,
		},
		{
			"of two decisions, then of one",
			[]turn{{text: `{"decision":"NEEDS-CHANGES","decision":"APPROVED"}`}, {text: answer("APPROVED")}},
			workflow.NeedsChanges, "", undetermined, 2,
		},
		{
			"incomplete beside a High issue, then complete without it",
			[]turn{{text: strings.Replace(high, `"criteria":null`, `"criteria":[]`, 1)}, {text: answer("APPROVED")}},
			workflow.NeedsChanges, "", "approved beside", 2,
		},
		{
			"incomplete, then complete and the same",
			[]turn{
				{text: strings.Replace(answer("APPROVED", issueJSON("Low", "x")), `"criteria":null`, `"criteria":[]`, 1)},
				{text: answer("APPROVED", issueJSON("Low", "x"))},
			},
			workflow.Approved, "", "", 2,
		},
		{"prose twice, approved", []turn{{text: prose}, {text: prose}}, workflow.NeedsChanges, "", "grades no criterion", 2},
		{"prose, then nothing", []turn{{text: prose}, {text: " "}}, workflow.NeedsChanges, "", "grades no criterion", 2},
		{
			"prose approved, then rejected",
			[]turn{{text: prose}, {text: "Verdict: NEEDS_FIX"}},
			workflow.NeedsChanges, "",
			"decision was read from its text", 2,
		},
		{"prose approved, then undecided", []turn{{text: prose}, {text: "Hm."}}, workflow.NeedsChanges, "", "grades no criterion", 2},
		{"neither", []turn{{text: "Nice weather."}, {text: "Indeed."}}, workflow.NeedsChanges, "", undetermined, 2},
		{"JSON of another schema twice", []turn{{text: `{"decision":"APPROVED"}`}}, workflow.NeedsChanges, "", undetermined, 2},
		{"empty", []turn{{text: " \n"}}, workflow.Error, Answer, "", 1},
		{"refused", []turn{{text: "I'm sorry, I can't help with that."}}, workflow.Error, Answer, "", 1},
		{
			"failed while repairing",
			[]turn{{text: "{"}, {err: &EngineError{Class: Authentication, Message: "401"}}},
			workflow.Error,
			Authentication, "", 2,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			model := &scripted{scripts: map[string][]turn{"": c.turns}}
			got := one(t, plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), model, newClock())
			if got.Decision != c.decision {
				t.Errorf("decision %v, want %v; warnings %q", got.Decision, c.decision, got.Warnings)
			}
			if (got.Failure != nil) != (c.decision == workflow.Error) || got.Failure != nil && got.Failure.Class != string(c.class) {
				t.Errorf("failure %+v, want class %q", got.Failure, c.class)
			}
			if c.warning != "" && (len(got.Warnings) == 0 || !strings.Contains(got.Warnings[0], c.warning)) {
				t.Errorf("warnings %q, want the first to say %q", got.Warnings, c.warning)
			}
			if len(model.asked) != c.calls {
				t.Errorf("%d calls, want %d", len(model.asked), c.calls)
			}
		})
	}
}

func TestRepairAsksWithTheProblemAndTheSamePrefix(t *testing.T) {
	model := &scripted{scripts: map[string][]turn{"": {{text: "```\n{\"decision\":\"LGTM\"}"}, {text: answer("APPROVED")}}}}
	one(t, plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), model, newClock())
	first, second := model.asked[0], model.asked[1]
	if first.Instructions != second.Instructions || !strings.HasPrefix(second.Prompt, first.Prompt) {
		t.Error("the repair does not begin with the bytes of the first question")
	}
	added := strings.TrimPrefix(second.Prompt, first.Prompt)
	for _, want := range []string{"The problem:\n\n```text\nthe answer is not JSON", "````text\n```\n{\"decision\":\"LGTM\"}\n````"} {
		if !strings.Contains(added, want) {
			t.Errorf("the repair lacks %q:\n%s", want, added)
		}
	}
}

func TestFailures(t *testing.T) {
	transport := &EngineError{Class: Transport, Message: "502 Bad Gateway", Tokens: workflow.Tokens{Input: 5}}
	limited := func(after time.Duration) error {
		return &EngineError{Class: RateLimit, Message: "429 Too Many Requests", RetryAfter: after}
	}
	for _, c := range []struct {
		name    string
		turns   []turn
		class   Class // "" = approved in the end
		message string
		slept   []time.Duration
		calls   int
	}{
		{"transport, then an answer", []turn{{err: transport}, {text: answer("APPROVED")}}, "", "", []time.Duration{5 * time.Second}, 2},
		{"transport twice", []turn{{err: transport}}, Transport, "Codex API failed: 502 Bad Gateway", []time.Duration{5 * time.Second}, 2},
		{
			"rate limit obeyed",
			[]turn{{err: limited(42 * time.Second)}, {text: answer("APPROVED")}},
			"", "",
			[]time.Duration{42 * time.Second},
			2,
		},
		{
			"overload that says for how long",
			[]turn{{err: &EngineError{Class: Transport, Message: "503", RetryAfter: 42 * time.Second}}, {text: answer("APPROVED")}},
			"", "",
			[]time.Duration{42 * time.Second},
			2,
		},
		{"rate limit without a time", []turn{{err: limited(0)}, {text: answer("APPROVED")}}, "", "", []time.Duration{5 * time.Second}, 2},
		{
			"rate limit beyond the timeout",
			[]turn{{err: limited(time.Hour)}},
			RateLimit,
			"Codex API failed: 429 Too Many Requests; the wait of 3600s does not fit the timeout", nil, 1,
		},
		{
			"one retry in all",
			[]turn{{err: transport}, {text: "{"}, {err: transport}},
			Transport, "Codex API failed: 502 Bad Gateway",
			[]time.Duration{5 * time.Second},
			3,
		},
		{
			"authentication",
			[]turn{{err: &EngineError{Class: Authentication, Message: "401 Unauthorized"}}},
			Authentication,
			"Codex API failed: 401 Unauthorized", nil, 1,
		},
		{"quota", []turn{{err: &EngineError{Class: Quota, Message: "no credit"}}}, Quota, "Codex API failed: no credit", nil, 1},
		{"bad request", []turn{{err: &EngineError{Class: BadRequest, Message: "400"}}}, BadRequest, "Codex API failed: 400", nil, 1},
		{
			"timeout told by the engine",
			[]turn{{err: &EngineError{Class: Timeout, Message: "?"}}},
			Timeout,
			"Codex API timeout after 300s", nil, 1,
		},
		{"an error of no class", []turn{{err: errors.New("broken\npipe")}}, Internal, "The engine failed: broken pipe", nil, 1},
		{"a panic", []turn{{panic: "boom"}}, Internal, "the review panicked: boom", nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			model, clock := &scripted{scripts: map[string][]turn{"": c.turns}}, newClock()
			got := one(t, plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), model, clock)
			switch f := got.Failure; {
			case c.class == "" && got.Decision != workflow.Approved:
				t.Errorf("decision %v, failure %+v", got.Decision, f)
			case c.class == "":
			case f == nil || f.Class != string(c.class) || f.Message != c.message:
				t.Errorf("failure %+v, want %s: %s", f, c.class, c.message)
			case !strings.HasPrefix(f.Action, "Review not completed. Artifact not moved. "):
				t.Errorf("action %q", f.Action)
			}
			if diff := cmp.Diff(c.slept, clock.slept); diff != "" {
				t.Errorf("slept (-want +got)\n%s", diff)
			}
			if len(model.asked) != c.calls {
				t.Errorf("%d calls, want %d", len(model.asked), c.calls)
			}
		})
	}
}

func TestTokensOfAllTriesCount(t *testing.T) {
	model := &scripted{scripts: map[string][]turn{"": {
		{err: &EngineError{Class: Transport, Message: "reset", Tokens: workflow.Tokens{Input: 10}}},
		{text: "{", reply: Reply{Tokens: workflow.Tokens{Input: 100, Output: 1}}},
		{text: answer("APPROVED"), reply: Reply{
			Tokens: workflow.Tokens{Input: 1000, Cached: 900, Output: 2},
			Notes:  []string{"unknown model"},
		}},
	}}}
	got := one(t, plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), model, newClock())
	want := workflow.Tokens{Input: 1110, Cached: 900, Output: 3}
	if got.Tokens != want || got.Decision != workflow.Approved {
		t.Errorf("tokens %+v, want %+v; decision %v", got.Tokens, want, got.Decision)
	}
	if diff := cmp.Diff([]string{"unknown model"}, got.Warnings); diff != "" {
		t.Errorf("warnings (-want +got)\n%s", diff)
	}
}

func TestTimeoutAndCancellation(t *testing.T) {
	o := codexOptions()
	o.Timeout = time.Millisecond
	model := &scripted{scripts: map[string][]turn{"": {{hang: true}}}}
	got := one(t, plan(t, o, inputOf(sample(), specOf(sample()))), model, newClock())
	if got.Failure == nil || got.Failure.Class != "timeout" ||
		got.Failure.Action != "Review not completed. Artifact not moved. Retry manually or check API status." {
		t.Errorf("after the timeout: %+v", got.Failure)
	}

	ctx, cancel := context.WithCancel(t.Context())
	model = &scripted{scripts: map[string][]turn{"": {{hang: true}}}, reached: make(chan struct{}, 1)}
	o.Timeout, o.MaxParallel = time.Minute, 1
	jobs := plan(t, o, inputOf(sample(), specOf(sample()), testsOf(sample()), implementation(sample())))
	go func() {
		<-model.reached
		cancel()
	}()
	for _, r := range Run(ctx, jobs, model, runOptions(newClock())) {
		if r.Failure == nil || r.Failure.Class != "cancelled" {
			t.Errorf("%s after cancellation: %v, %+v", r.Artifact.Name(), r.Decision, r.Failure)
		}
	}
	if len(model.asked) != 1 {
		t.Errorf("%d calls, want 1", len(model.asked))
	}
}

func TestOneFailureLosesNothingButItself(t *testing.T) {
	head := sample()
	model := &scripted{scripts: map[string][]turn{
		"spec: new":    {{panic: "boom"}},
		"vision: v":    {{err: &EngineError{Class: Transport, Message: "reset"}}},
		"":             {{text: answer("APPROVED")}},
		"tests: login": {{text: answer("APPROVED")}},
	}}
	jobs := plan(t, codexOptions(), inputOf(head, specOf(head), artifact(head, workflow.Vision, "v", "VISION.md"),
		testsOf(head), implementation(head)))
	got := map[string]string{}
	for _, r := range Run(t.Context(), jobs, model, runOptions(newClock())) {
		got[r.Artifact.Name()] = r.Decision.String()
	}
	want := map[string]string{"spec: new": "ERROR", "vision: v": "ERROR", "tests: login": "APPROVED", "implementation: login": "APPROVED"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got)\n%s", diff)
	}
}

// TestAPanicOfThePlanLosesNothingButItself, also where what an artifact's history holds causes it.
func TestAPanicOfThePlanLosesNothingButItself(t *testing.T) {
	r := newRepository(always(answer("NEEDS-CHANGES", issueJSON("High", "x"))))
	spec, vision := specOf(r.head), artifact(r.head, workflow.Vision, "v", "VISION.md")
	r.run(t, spec, vision)
	r.change = func(in *Input) {
		in.Vouched = func(_ context.Context, rec record.Record) (bool, string, error) {
			if rec.Type == workflow.Spec {
				panic("boom")
			}
			return true, "", nil
		}
	}
	results, _ := r.run(t, spec, vision)
	if !results[0].Cached || results[0].Decision != workflow.NeedsChanges {
		t.Errorf("vision: %s, %+v", results[0].Decision, results[0].Failure)
	}
	if f := results[1].Failure; f == nil || f.Message != "planning the review panicked: boom" {
		t.Errorf("spec: %s, %+v", results[1].Decision, f)
	}
}

func TestAFinalFailureEndsWhatHasNotBegun(t *testing.T) {
	for _, class := range []Class{Authentication, Quota, Budget, Setup} {
		head := sample()
		o := codexOptions()
		o.MaxParallel = 1
		model := &scripted{scripts: map[string][]turn{"": {{err: &EngineError{Class: class, Message: "no more", Action: "Do this."}}}}}
		jobs := plan(t, o, inputOf(head, specOf(head), testsOf(head), implementation(head)))
		for _, r := range Run(t.Context(), jobs, model, runOptions(newClock())) {
			if r.Failure == nil || r.Failure.Class != string(class) || !strings.HasSuffix(r.Failure.Action, "Do this.") {
				t.Errorf("%s: %s: %+v", class, r.Artifact.Name(), r.Failure)
			}
		}
		if len(model.asked) != 1 {
			t.Errorf("%s: %d calls, want 1", class, len(model.asked))
		}
	}
}

func TestParallelismIsBounded(t *testing.T) {
	head := sample()
	in := inputOf(head)
	for i := range 12 {
		a := specOf(head)
		a.Feature = fmt.Sprint("f", i)
		in.Artifacts = append(in.Artifacts, a)
	}
	o := codexOptions()
	o.MaxParallel = 3
	model := always(answer("APPROVED"))
	if n := len(Run(t.Context(), plan(t, o, in), model, runOptions(newClock()))); n != 12 || model.peak > 3 {
		t.Errorf("%d results, at most %d at a time; want 12, 3", n, model.peak)
	}
}

func TestFailingTestsEndTheReview(t *testing.T) {
	in := inputOf(sample(), implementation(sample()))
	in.Tests = &testresult.Summary{Passed: 3, Failed: 1, Failures: []testresult.Failure{{Name: "test_wrong_password"}}}
	model := always(answer("APPROVED"))
	for _, engine := range []string{EngineCodex, EngineRules} {
		o := codexOptions()
		o.Engine = engine
		got := one(t, plan(t, o, in), model, newClock())
		if got.Decision != workflow.NeedsChanges || !strings.Contains(got.Summary, "Cannot review implementation with failing tests") {
			t.Errorf("%s: %v: %s", engine, got.Decision, got.Summary)
		}
	}
	if len(model.asked) != 0 {
		t.Errorf("%d model calls, want none", len(model.asked))
	}
}

func TestGates(t *testing.T) {
	head := sample()
	covered := func(n int) *coverage.Report {
		return &coverage.Report{Lines: coverage.Ratio{Covered: n, Total: 100}}
	}
	for _, c := range []struct {
		name     string
		artifact workflow.Artifact
		change   func(*Input, *Options)
		decision workflow.Decision
		says     string
		calls    int
	}{
		{"coverage below its threshold", testsOf(head), func(in *Input, _ *Options) {
			in.Coverage = covered(79)
		}, workflow.NeedsChanges, "79.0", 1},
		{"coverage at its threshold", testsOf(head), func(in *Input, _ *Options) {
			in.Coverage = covered(80)
		}, workflow.Approved, "It is so.", 1},
		{"no coverage report", testsOf(head), func(*Input, *Options) {}, workflow.Approved, "It is so.", 1},
		{"no test results", implementation(head), func(*Input, *Options) {}, workflow.Approved, "It is so.", 1},
		{"no test results though required", implementation(head), func(_ *Input, o *Options) {
			o.RequireTestResults = true
		}, workflow.NeedsChanges, "without test results", 0},
		{"passing tests", implementation(head), func(in *Input, _ *Options) {
			in.Tests = &testresult.Summary{Passed: 1}
		}, workflow.Approved, "It is so.", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, o := inputOf(head, c.artifact), codexOptions()
			o.Thresholds = check.Thresholds{Line: 80, Branch: 70}
			c.change(&in, &o)
			model := always(answer("APPROVED"))
			got := one(t, plan(t, o, in), model, newClock())
			if got.Decision != c.decision || !strings.Contains(got.Summary, c.says) || len(model.asked) != c.calls {
				t.Errorf("%v, %d calls, summary %q; want %v, %d, %q", got.Decision, len(model.asked), got.Summary,
					c.decision, c.calls, c.says)
			}
			if c.artifact.Type == workflow.Implementation && in.Tests == nil && c.calls > 0 &&
				!strings.Contains(fmt.Sprint(got.Checks), "test results: not provided") {
				t.Errorf("checks %+v", got.Checks)
			}
		})
	}
}

func TestProgressIsToldOncePerStep(t *testing.T) {
	clock := newClock()
	o := runOptions(clock)
	var got []string
	o.Progress = func(e ProgressEvent) {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", e.Job, e.Phase, e.Decision, e.Message)))
	}
	o.Redact = func(r workflow.Result) workflow.Result {
		r.Summary = strings.ReplaceAll(r.Summary, "s3cret", "[redacted]")
		return r
	}
	model := &scripted{scripts: map[string][]turn{"": {
		{err: &EngineError{Class: Transport, Message: "reset by s3cret"}},
		{text: strings.Replace(answer("APPROVED"), "It is so.", "It is s3cret.", 1)},
	}}}
	Run(t.Context(), plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), model, o)
	want := []string{
		"spec: new started ERROR", "spec: new retry ERROR reset by [redacted]", "spec: new done APPROVED It is [redacted].",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
}

func TestAResultThatCannotBeRedactedIsDiscarded(t *testing.T) {
	o := runOptions(newClock())
	o.Redact = func(workflow.Result) workflow.Result { panic("s3cret") }
	got := Run(t.Context(), plan(t, codexOptions(), inputOf(sample(), specOf(sample()))), always(answer("APPROVED")), o)[0]
	if got.Decision != workflow.Error || strings.Contains(fmt.Sprintf("%+v", got), "s3cret") || strings.Contains(got.Summary, "It is so") {
		t.Errorf("result %+v", got)
	}
}

func TestRulesAskNoModel(t *testing.T) {
	o := Options{Engine: EngineRules}
	got := one(t, plan(t, o, inputOf(sample(), specOf(sample()))), nil, newClock())
	if got.Decision == workflow.Error || got.Engine != "rules" || got.Model != "" || got.Failure != nil {
		t.Errorf("result %+v", got)
	}
	if got.Date != newClock().now {
		t.Errorf("date %v", got.Date)
	}
}

// TestAdviceIsGatheredOverARun: of two features without tests a run tells in one finding.
func TestAdviceIsGatheredOverARun(t *testing.T) {
	head := sample()
	maps.DeleteFunc(head, func(file, _ string) bool { return strings.HasPrefix(file, "tests/") })
	var artifacts []workflow.Artifact
	for _, feature := range []string{"export", "import"} {
		path := "src/" + feature + ".py"
		head[path] = "def run(rows):\n    return rows[1:]\n"
		artifacts = append(artifacts, artifact(head, workflow.Implementation, feature, path))
	}
	var told []workflow.Finding
	jobs := plan(t, Options{Engine: EngineRules}, inputOf(head, artifacts...))
	for _, r := range Run(t.Context(), jobs, nil, runOptions(newClock())) {
		told = append(told, r.Issues...)
	}
	if len(told) != 1 || !strings.Contains(told[0].Title, "src/export.py") || !strings.Contains(told[0].Title, "src/import.py") {
		t.Errorf("%+v, want one finding that names both", told)
	}
}

// TestOtherArtifactsAreNoContext: what a run tells once names other artifacts, whose
// moves and mends have nothing reviewed again.
func TestOtherArtifactsAreNoContext(t *testing.T) {
	digest := func(other, text string) string {
		head := sample()
		head["specs/proposed/export.md"] = "# Rows\n\n## Purpose\n\nTBD\n"
		head[other] = text
		one, two := artifact(head, workflow.Spec, "export", "specs/proposed/export.md"), artifact(head, workflow.Spec, "import", other)
		return plan(t, Options{Engine: EngineRules}, inputOf(head, one, two))[0].result.ContextDigest
	}
	first := digest("specs/proposed/import.md", "# Rows\n\n## Purpose\n\nTBD\n")
	for name, got := range map[string]string{
		"moved":  digest("specs/todo/import.md", "# Rows\n\n## Purpose\n\nTBD\n"),
		"mended": digest("specs/proposed/import.md", "# Rows\n\n## Purpose\n\nMoves rows.\n"),
	} {
		if got != first || got == "" {
			t.Errorf("%s: %q, want %q", name, got, first)
		}
	}
}
