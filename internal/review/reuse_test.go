package review

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// project is a repository over several runs: each run's reviews are committed
// to it, as records and as files.
type repository struct {
	head    map[string]string
	records []record.Record
	clock   *clock
	model   *scripted
	options Options
	change  func(*Input)
}

func newRepository(model *scripted) *repository {
	return &repository{head: sample(), clock: newClock(), model: model, options: codexOptions()}
}

// run reviews the artifacts on the present head, a minute after the last run,
// and commits what is new. It returns the results and the number of calls.
func (r *repository) run(t *testing.T, artifacts ...workflow.Artifact) ([]workflow.Result, int) {
	t.Helper()
	in := inputOf(r.head, artifacts...)
	in.Records = r.records
	if r.change != nil {
		r.change(&in)
	}
	before, model := 0, Reviewer(nil)
	if r.model != nil {
		before, model = len(r.model.asked), r.model
	}
	r.clock.now = r.clock.now.Add(time.Minute)
	results := Run(t.Context(), plan(t, r.options, in), model, runOptions(r.clock))
	for _, res := range results {
		if !res.Cached && res.Decision != workflow.Error {
			rec := recordOf(t, res)
			r.records = append(r.records, rec)
			r.head[rec.Path] = string(record.Render(res))
		}
	}
	if r.model == nil {
		return results, 0
	}
	return results, len(r.model.asked) - before
}

func (r *repository) move(from, to string) {
	r.head[to] = r.head[from]
	delete(r.head, from)
}

func TestAnUnchangedRunAsksNothing(t *testing.T) {
	for _, decision := range []string{"APPROVED", "NEEDS-CHANGES"} {
		r := newRepository(always(answer(decision, issueJSON("Low", "small"))))
		artifacts := func() []workflow.Artifact {
			return []workflow.Artifact{specOf(r.head), testsOf(r.head), implementation(r.head)}
		}
		first, calls := r.run(t, artifacts()...)
		if refused := decision != "APPROVED"; calls != 3 && (!refused || calls != 2) { // what waits for refused tests is not asked
			t.Fatalf("first run: %d calls, want 3", calls)
		}
		for run := range 3 {
			again, calls := r.run(t, artifacts()...)
			if calls != 0 {
				t.Fatalf("%s: run %d asked the model %d times, want 0", decision, run+2, calls)
			}
			for i := range again {
				if !again[i].Cached || again[i].Decision != first[i].Decision || again[i].ReviewPath == "" {
					t.Errorf("%s: cached %t, %v, path %q", again[i].Artifact.Name(), again[i].Cached,
						again[i].Decision, again[i].ReviewPath)
				}
				if diff := cmp.Diff(first[i].Issues, again[i].Issues); diff != "" {
					t.Errorf("issues (-first +again)\n%s", diff)
				}
				if again[i].Tokens != (workflow.Tokens{}) {
					t.Errorf("tokens %+v", again[i].Tokens)
				}
			}
		}
	}
}

func TestALifecycleMoveChangesNothing(t *testing.T) {
	r := newRepository(always(answer("APPROVED")))
	r.run(t, specOf(r.head), implementation(r.head))
	r.move("specs/proposed/new.md", "specs/todo/new.md")
	r.move("specs/doing/login.md", "specs/done/login.md")
	spec := artifact(r.head, workflow.Spec, "new", "specs/todo/new.md")
	impl := implementation(r.head)
	spec.SpecPath, impl.SpecPath = "specs/todo/new.md", "specs/done/login.md"
	results, calls := r.run(t, spec, impl)
	if calls != 0 || !results[0].Cached || results[0].Artifact.Path() != "specs/todo/new.md" {
		t.Errorf("%d calls, cached %t, path %s", calls, results[0].Cached, results[0].Artifact.Path())
	}
}

func TestWhatMakesARecordVoid(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*repository)
	}{
		{"the artifact", func(r *repository) { r.head["src/login.py"] += "# more\n" }},
		{"the spec", func(r *repository) { r.head["specs/doing/login.md"] += "more\n" }},
		{"a test", func(r *repository) { r.head["tests/test_login.py"] += "# more\n" }},
		{"the project context", func(r *repository) { r.head["CLAUDE.md"] += "more\n" }},
		{"the policy", func(r *repository) { r.options.Policy = "other" }},
		{"the model", func(r *repository) { r.options.Model = "other" }},
		{"the effort", func(r *repository) { r.options.Effort = "low" }},
		{"the engine", func(r *repository) { r.options.Engine, r.options.EngineName = EngineRules, EngineRules }},
		{"a wish for a fresh review", func(r *repository) { r.options.Fresh = func(workflow.Type) bool { return true } }},
		{"test results", func(r *repository) {
			r.change = func(in *Input) { in.Tests = &testresult.Summary{Passed: 3} }
		}},
		{"the role prompt", func(r *repository) {
			r.change = func(in *Input) {
				in.Set.BaseTree = changetest.Tree("base",
					map[string]string{"CLAUDE.md": r.head["CLAUDE.md"], "Workflow/role-implementation-reviewer.md": "Ours."})
			}
		}},
		{"the criteria", withInBase("Workflow/schema-implementation-code.md", "## Speed\n\n## Size\n")},
		{"the form of reviews", withInBase("Workflow/schema-review.md", "Say what it costs.\n")},
		{"a template", func(r *repository) {
			withInBase("request.md", "Look at {{artifact}}\n")(r)
			r.options.Prompts = map[workflow.Type]prompt.Files{workflow.Implementation: {Template: "request.md"}}
		}},
		{"who must read it", func(r *repository) {
			r.options.Reader = func(workflow.Type) workflow.Reader { return workflow.ByPerson }
		}},
		{"a threshold", func(r *repository) { r.options.Thresholds.Line = 80 }},
		{"what the base held", func(r *repository) {
			r.change = func(in *Input) {
				in.Set = setOf(map[string]string{"CLAUDE.md": r.head["CLAUDE.md"], "src/login.py": "x = 1\n"}, r.head)
			}
		}},
		{"a question of test integrity", func(r *repository) {
			r.change = func(in *Input) {
				in.Integrity = map[string]*workflow.Integrity{"implementation: login": {Questions: []workflow.Finding{{Key: "aaaa1111", Kind: "echo"}}}}
			}
		}},
		{"a document that the spec names", func(r *repository) { r.head["specs/doing/errors.md"] += "More.\n" }},
		{"no voucher", func(r *repository) {
			r.change = func(in *Input) {
				in.Vouched = func(context.Context, record.Record) (bool, string, error) { return false, "nobody signed it", nil }
			}
		}},
		{"a voucher that fails", func(r *repository) {
			r.change = func(in *Input) {
				in.Vouched = func(context.Context, record.Record) (bool, string, error) { return true, "", errors.New("offline") }
			}
		}},
		{"a newer verdict in another context", func(r *repository) {
			newer, other := r.records[0], *r.records[0].Result
			other.ContextDigest = "sha256:other"
			newer.Time, newer.Result = newer.Time.Add(time.Second), &other
			r.records = append(r.records, newer)
		}},
		{"a legacy record", func(r *repository) { r.records[0].Legacy = true }},
		{"another feature's record", func(r *repository) { r.records[0].Feature = "logout" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(always(answer("APPROVED")))
			r.head["specs/doing/login.md"] += "\nErrors are those of errors.md, `specs/doing/errors.md`.\n"
			r.head["specs/doing/errors.md"] = "# Errors\n\nNone.\n"
			r.run(t, implementation(r.head))
			c.change(r)
			if results, _ := r.run(t, implementation(r.head)); results[0].Cached {
				t.Error("the record was used")
			}
		})
	}
}

// withInBase has the base hold one more file.
func withInBase(file, text string) func(*repository) {
	return func(r *repository) {
		r.change = func(in *Input) {
			in.Set.BaseTree = changetest.Tree("base", map[string]string{"CLAUDE.md": r.head["CLAUDE.md"], file: text})
		}
	}
}

func TestAnUnbelievedRecordIsToldOf(t *testing.T) {
	r := newRepository(always(answer("APPROVED")))
	r.run(t, specOf(r.head))
	r.change = func(in *Input) {
		in.Vouched = func(context.Context, record.Record) (bool, string, error) { return false, "no check run names it", nil }
	}
	results, calls := r.run(t, specOf(r.head))
	if calls != 1 || !strings.Contains(strings.Join(results[0].Warnings, "\n"), "was not used: no check run names it") {
		t.Errorf("%d calls, warnings %q", calls, results[0].Warnings)
	}
}

func TestARevertFindsItsOldVerdict(t *testing.T) {
	r := newRepository(&scripted{scripts: map[string][]turn{"": {
		{text: answer("APPROVED")}, {text: answer("NEEDS-CHANGES", issueJSON("High", "worse"))},
	}}})
	good := r.head["specs/proposed/new.md"]
	r.run(t, specOf(r.head))
	r.head["specs/proposed/new.md"] = "# New\n\nWorse.\n"
	second, _ := r.run(t, specOf(r.head))
	if second[0].Iteration != 1 || second[0].Decision != workflow.NeedsChanges {
		t.Fatalf("second run: iteration %d, %v", second[0].Iteration, second[0].Decision)
	}
	r.head["specs/proposed/new.md"] = good
	if third, calls := r.run(t, specOf(r.head)); calls != 0 || third[0].Decision != workflow.Approved || !third[0].Cached {
		t.Errorf("after the revert: %d calls, %v", calls, third[0].Decision)
	}
}

func TestARejectionForWantOfTestsHoldsAsLong(t *testing.T) {
	r := newRepository(&scripted{scripts: map[string][]turn{
		"tests: login": {{text: answer("NEEDS-CHANGES", issueJSON("High", "weak"))}, {text: strings.ReplaceAll(said(answer("APPROVED"), true), "First", "weak")}},
		"":             {{text: answer("APPROVED")}},
	}})
	for run, want := range []struct {
		calls    int
		decision workflow.Decision
		fresh    bool
	}{
		{2, workflow.NeedsChanges, false},
		{0, workflow.NeedsChanges, false}, // nothing changed
		{2, workflow.Approved, true},      // the tests are looked at afresh, and approved
		{0, workflow.Approved, false},
	} {
		r.options.Fresh = func(workflow.Type) bool { return want.fresh }
		results, calls := r.run(t, testsOf(r.head), implementation(r.head))
		early := run == 0 && calls == 1 // the tests were refused before the implementation was asked about
		if calls != want.calls && !early || results[1].Decision != want.decision {
			t.Errorf("run %d: %d calls, implementation %v; want %d, %v", run+1, calls, results[1].Decision, want.calls, want.decision)
		}
	}
}

func TestARecordedApprovalYieldsToTestsRejectedNow(t *testing.T) {
	r := newRepository(&scripted{scripts: map[string][]turn{
		"tests: login": {{text: answer("NEEDS-CHANGES", issueJSON("High", "weak"))}},
		"":             {{text: answer("APPROVED")}},
	}})
	r.run(t, implementation(r.head))
	results, calls := r.run(t, testsOf(r.head), implementation(r.head))
	got := results[1]
	if calls != 1 || got.Decision != workflow.NeedsChanges || got.Cached || got.ReviewPath != "" || !got.Date.Equal(r.clock.now) {
		t.Errorf("%d calls, %v, cached %t, path %q, date %v", calls, got.Decision, got.Cached, got.ReviewPath, got.Date)
	}
	if _, calls := r.run(t, testsOf(r.head), implementation(r.head)); calls != 0 {
		t.Errorf("the run after asked %d times, want 0", calls)
	}
}

func TestVerdictsCarryOverToAMovedHead(t *testing.T) {
	head := sample()
	model := &scripted{scripts: map[string][]turn{
		"tests: login": {{text: answer("NEEDS-CHANGES", issueJSON("High", "weak"))}},
		"":             {{text: answer("APPROVED")}},
	}}
	in := inputOf(head, specOf(head), testsOf(head), implementation(head))
	first := Run(t.Context(), plan(t, codexOptions(), in), model, runOptions(newClock()))
	moved := maps.Clone(head)
	moved["specs/proposed/new.md"] = "# New\n\nIn two seconds.\n"
	in = inputOf(moved, specOf(moved), testsOf(moved), implementation(moved))
	in.Carried = first
	asked := len(model.asked)
	jobs := plan(t, codexOptions(), in)
	second := Run(t.Context(), jobs, model, runOptions(newClock()))
	var kinds []Kind
	for _, j := range jobs {
		kinds = append(kinds, j.Kind)
	}
	if diff := cmp.Diff([]Kind{Asks, Carried, Carried}, kinds); diff != "" || len(model.asked)-asked != 1 {
		t.Errorf("%d calls; kinds (-want +got)\n%s", len(model.asked)-asked, diff)
	}
	if second[2].Decision != workflow.NeedsChanges || second[1].Cached {
		t.Errorf("carried: %v, cached %t", second[2].Decision, second[1].Cached)
	}
}

func TestVerdictsReachedElsewhere(t *testing.T) {
	r := newRepository(always(answer("APPROVED")))
	r.change = func(in *Input) {
		in.Ended = map[string]workflow.Result{"implementation: login": {
			Decision: workflow.NeedsChanges, Summary: "AUTOMATIC REJECTION: Test integrity violation.",
			Violations: []workflow.Finding{{
				Category: "test_weakening", File: "tests/test_login.py", Line: 2, Side: "before",
				Text: "d", Kind: "assertion_weakened", Feature: "login",
			}},
		}}
	}
	first, calls := r.run(t, implementation(r.head))
	if calls != 0 || first[0].Decision != workflow.NeedsChanges || len(first[0].Violations) != 1 ||
		first[0].Iteration != 1 || first[0].Head == "" {
		t.Fatalf("%d calls, result %+v", calls, first[0])
	}
	if again, _ := r.run(t, implementation(r.head)); !again[0].Cached {
		t.Error("the same breach was recorded again")
	}
	r.change = nil
	if fixed, calls := r.run(t, implementation(r.head)); calls != 1 || fixed[0].Decision != workflow.Approved {
		t.Errorf("without the breach: %d calls, %v", calls, fixed[0].Decision)
	}
	r.change = func(in *Input) {
		in.Ended = map[string]workflow.Result{"implementation: login": {Decision: workflow.Approved}}
	}
	r.model.scripts[""] = []turn{{text: answer("NEEDS-CHANGES")}}
	r.head["src/login.py"] += "# more\n"
	if got, _ := r.run(t, implementation(r.head)); got[0].Decision != workflow.NeedsChanges {
		t.Errorf("an approval from elsewhere counted: %v", got[0].Decision)
	}
}

// TestRoundsEnd: after the most reviews without an approval no model is asked,
// until somebody asks for one round more.
func TestRoundsEnd(t *testing.T) {
	r := newRepository(always(answer("NEEDS-CHANGES", issueJSON("High", "still"))))
	for i, want := range []struct {
		iteration, calls int
		fresh            bool
	}{{1, 1, false}, {2, 1, false}, {3, 1, false}, {3, 0, false}, {3, 0, false}, {4, 1, true}, {4, 0, false}} {
		r.head["specs/proposed/new.md"] += "more\n"
		r.options.Fresh = func(workflow.Type) bool { return want.fresh }
		got, calls := r.run(t, specOf(r.head))
		undecided := strings.HasPrefix(got[0].Summary, Undecided)
		if calls != want.calls || got[0].Iteration != want.iteration || undecided != (calls == 0) ||
			got[0].Decision != workflow.NeedsChanges || len(got[0].Issues) != 1 {
			t.Errorf("push %d: %d calls, iteration %d, %v with %d issues: %s", i+1, calls, got[0].Iteration, got[0].Decision,
				len(got[0].Issues), got[0].Summary)
		}
	}
	if again, _ := r.run(t, specOf(r.head)); !again[0].Cached {
		t.Error("that a person must decide was recorded twice")
	}
}

// TestRulesHaveNoLastRound: the deterministic checks cost nothing and end by themselves.
func TestRulesHaveNoLastRound(t *testing.T) {
	r := newRepository(nil)
	r.options = Options{Engine: EngineRules}
	good := r.head["specs/proposed/new.md"]
	for i := range 5 {
		r.head["specs/proposed/new.md"] = "# New\n\n" + strings.Repeat("x", i)
		if got, _ := r.run(t, specOf(r.head)); got[0].Decision != workflow.NeedsChanges || got[0].Iteration != i+1 {
			t.Errorf("review %d: %v, iteration %d", i+1, got[0].Decision, got[0].Iteration)
		}
	}
	r.head["specs/proposed/new.md"] = good
	got, _ := r.run(t, specOf(r.head))
	if open := count(got[0].Previous, workflow.Previous.IsOpen); got[0].Decision != workflow.Approved || len(got[0].Previous) != 1 || open != 0 {
		t.Errorf("%v, previous %+v", got[0].Decision, got[0].Previous)
	}
}

// TestIterationsStartAfreshAfterAnApproval: a document that was approved and is
// then worked on for months is not one that goes back and forth.
func TestIterationsStartAfreshAfterAnApproval(t *testing.T) {
	r := newRepository(always(answer("APPROVED")))
	for i := range 5 {
		r.head["specs/proposed/new.md"] += "more\n"
		got, _ := r.run(t, specOf(r.head))
		if text := strings.Join(got[0].Warnings, "\n"); got[0].Iteration != 1 || strings.Contains(text, Undecided) {
			t.Errorf("review %d: iteration %d, warnings %q", i+1, got[0].Iteration, got[0].Warnings)
		}
	}
}

func TestEarlierFindingsAreShownAndAccountedFor(t *testing.T) {
	second := strings.Replace(answer("APPROVED"), `"previous_findings":[]`,
		`"previous_findings":[{"title":"No limit.","resolved":true,"note":"section 2"}]`, 1)
	r := newRepository(&scripted{scripts: map[string][]turn{"": {
		{text: answer("NEEDS-CHANGES", issueJSON("High", "No limit"), issueJSON("Low", "Typo"))}, {text: second},
	}}})
	r.run(t, specOf(r.head))
	r.head["specs/proposed/new.md"] += "At most 2 s.\n"
	got, _ := r.run(t, specOf(r.head))
	want := []workflow.Previous{{Title: "No limit", Resolved: true, Note: "section 2"}, {Title: "Typo", Note: "The reviewer did not say."}}
	if diff := cmp.Diff(want, got[0].Previous, cmpopts.IgnoreFields(workflow.Previous{}, "ID")); diff != "" {
		t.Errorf("previous findings (-want +got)\n%s", diff)
	}
	prompt := r.model.asked[1].Prompt
	for _, want := range []string{
		"## Earlier reviews of this artifact", "### The latest review, 2026-01-31: NEEDS-CHANGES",
		"- High: No limit", "Recommended: r",
	} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
}

// former reads reviews that an earlier version wrote, whose ids and digests were made of titles and descriptions.
func former(t *testing.T, r *repository) {
	t.Helper()
	files, err := filepath.Glob("testdata/former/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := record.Parse("reviews/specs/"+filepath.Base(f), data)
		if err != nil {
			t.Fatal(err)
		}
		r.records = append(r.records, rec)
		r.head[rec.Path] = string(data)
	}
}

func TestADismissalOfAnEarlierVersionStands(t *testing.T) {
	r := newRepository(always(said(answer("NEEDS-CHANGES", placed("High", "clarity", "Debts are vague", "d", 3)), false)))
	former(t, r)
	r.options.Fresh = func(workflow.Type) bool { return true }
	r.clock.now = r.clock.now.Add(time.Hour)
	got, calls := r.run(t, specOf(r.head))
	if calls != 1 || got[0].Decision != workflow.Approved || len(got[0].Issues) != 0 || len(got[0].Dismissed) != 1 {
		t.Errorf("%d calls, %v, issues %+v, dismissed %d", calls, got[0].Decision, got[0].Issues, len(got[0].Dismissed))
	}
}
