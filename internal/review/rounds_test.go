//go:build !race

package review

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/workflow"
)

// TestSecondReview: what may block from the second review on. The first found
// "First" on line 3 of eight.
func TestSecondReview(t *testing.T) {
	edited := strings.Replace(newSpec, "Travellers see", "All travellers see", 1)
	appended, removed := newSpec+"3. More.\n", strings.Replace(newSpec, "1. A debt of 0 is not listed.\n", "", 1)
	failed := strings.Replace(answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 8)), `"criteria":null`,
		`"criteria":`+strings.Replace(passing(specIDs...), `"PASS"`, `"FAIL"`, 1), 1)
	for name, c := range map[string]struct {
		text   string // of the second version
		answer string
		want   workflow.Decision
		states string // of the issues
	}{
		"new elsewhere": {
			edited, said(answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 8)), true),
			workflow.Approved, "advice",
		},
		"High elsewhere": {
			edited,
			said(answer("NEEDS-CHANGES", shownBy("An empty name.", placed("High", "clarity", "Second", "d", 8))), true),
			workflow.Approved, "advice",
		},
		"High elsewhere, approved": {
			edited, said(answer("APPROVED", placed("High", "clarity", "Second", "d", 8)), true),
			workflow.Approved, "advice",
		},
		"security with its trigger": {
			edited,
			said(answer("NEEDS-CHANGES", shownBy("An empty name.", placed("High", "security", "Second", "It leaks.", 8))), true),
			workflow.NeedsChanges, "new",
		},
		"correctness with its trigger": {
			edited,
			said(answer("NEEDS-CHANGES", shownBy("Eine Summe von 0", placed("High", "Correctness", "Second", "d", 8))), true),
			workflow.NeedsChanges, "new",
		},
		"security without": {
			edited, said(answer("NEEDS-CHANGES", placed("High", "security", "Second", "When the name is empty, it leaks.", 8)), true),
			workflow.Approved, "advice",
		},
		"security with a dash": {
			edited, said(answer("NEEDS-CHANGES", shownBy(" – ", placed("High", "security", "Second", "It leaks.", 8))), true),
			workflow.Approved, "advice",
		},
		"Medium with a trigger": {
			edited, said(answer("NEEDS-CHANGES", shownBy("An empty name.", placed("Medium", "security", "Second", "d", 8))), true),
			workflow.Approved, "advice",
		},
		"on a changed line": {
			edited, said(answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 3)), true),
			workflow.NeedsChanges, "new",
		},
		"on an added line": {
			appended, said(answer("NEEDS-CHANGES", placed("Low", "clarity", "Second", "d", 9)), true),
			workflow.NeedsChanges, "new",
		},
		"beside a removed line": {
			removed, said(answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 7)), true),
			workflow.NeedsChanges, "new",
		},
		"of the whole file": {
			edited, said(answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 0)), true),
			workflow.NeedsChanges, "new",
		},
		"found again": {
			edited, said(answer("NEEDS-CHANGES", placed("High", "clarity", "First!", "d", 8)), true),
			workflow.NeedsChanges, "open",
		},
		"in other words, same line": {
			appended, said(answer("NEEDS-CHANGES", placed("High", "clarity", "The very same", "d", 3)), true),
			workflow.NeedsChanges, "open",
		},
		"the first is not answered": {
			edited, answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 8)),
			workflow.NeedsChanges, "open,advice",
		},
		"the first is open": {
			edited, said(answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 8)), false),
			workflow.NeedsChanges, "open,advice",
		},
		"approved without a word on the first": {edited, answer("APPROVED"), workflow.NeedsChanges, "open"},
		"approved beside the first":            {edited, said(answer("APPROVED"), false), workflow.NeedsChanges, "open"},
		"a failed criterion":                   {edited, said(failed, true), workflow.NeedsChanges, "advice"},
		"nothing told":                         {edited, said(answer("NEEDS-CHANGES"), true), workflow.NeedsChanges, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(&scripted{scripts: map[string][]turn{"": {
				{text: answer("NEEDS-CHANGES", placed("High", "clarity", "First", "d", 3))}, {text: c.answer},
			}}})
			r.withBlobs()
			r.run(t, specOf(r.head))
			r.head[reviewed] = c.text
			results, _ := r.run(t, specOf(r.head))
			got := results[0]
			var states []string
			for _, i := range got.Issues {
				states = append(states, string(i.State))
				if i.State == workflow.Advice && i.Level != workflow.Note {
					t.Errorf("advice of severity %s", i.Level)
				}
			}
			if got.Decision != c.want || strings.Join(states, ",") != c.states {
				t.Errorf("%v with issues %q, want %v with %q; %s", got.Decision, states, c.want, c.states, record.Progress(got))
			}
			if converted := strings.HasPrefix(got.Summary,
				"Only advice is left"); converted != (c.want == workflow.Approved && strings.Contains(c.answer, `"NEEDS-CHANGES"`)) {
				t.Errorf("summary %q", got.Summary)
			}
			if again, calls := r.run(t, specOf(r.head)); calls != 0 || again[0].Decision != c.want {
				t.Errorf("the run after asked %d times: %v", calls, again[0].Decision)
			}
		})
	}
}

// TestFindingsOfOneTitleAreAnsweredOneByOne: that one was resolved says nothing of the other.
func TestFindingsOfOneTitleAreAnsweredOneByOne(t *testing.T) {
	two := strings.Replace(said(answer("APPROVED"), true), `"note":"n"}]`,
		`"note":"n"},{"title":"First","resolved":false,"note":"still there"}]`, 1)
	first, other := placed("High", "clarity", "First", "d", 3), placed("High", "clarity", "First", "e", 8)
	r := newRepository(&scripted{scripts: map[string][]turn{"": {
		{text: answer("NEEDS-CHANGES", first, other)}, {text: two},
	}}})
	r.withBlobs()
	r.run(t, specOf(r.head))
	r.head[reviewed] = strings.Replace(newSpec, "Travellers see", "All travellers see", 1)
	results, _ := r.run(t, specOf(r.head))
	got := results[0]
	if got.Decision != workflow.NeedsChanges || len(got.Previous) != 2 || got.Previous[1].Resolved {
		t.Errorf("%v with %+v", got.Decision, got.Previous)
	}
}

// TestAnApprovalSpeaksOfWhatWasHigh: one that is silent on it is asked once more, and no number of
// other issues takes the place of what is open.
func TestAnApprovalSpeaksOfWhatWasHigh(t *testing.T) {
	var many []string
	for n := range maxIssues {
		many = append(many, placed("Low", "clarity", fmt.Sprintf("Typo %d", n), "d", 3))
	}
	for name, c := range map[string]struct {
		turns []turn
		want  workflow.Decision
		calls int
	}{
		"on the second try": {
			[]turn{{text: answer("APPROVED")}, {text: said(answer("APPROVED"), true)}},
			workflow.Approved, 2,
		},
		"open among many": {[]turn{{text: said(answer("APPROVED", many...), false)}}, workflow.NeedsChanges, 1},
	} {
		r := newRepository(&scripted{scripts: map[string][]turn{"": append(
			[]turn{{text: answer("NEEDS-CHANGES", placed("High", "clarity", "First", "", 3))}}, c.turns...)}})
		r.withBlobs()
		r.run(t, specOf(r.head))
		r.head[reviewed] = strings.Replace(newSpec, "Travellers see", "All travellers see", 1)
		if got, calls := r.run(t, specOf(r.head)); got[0].Decision != c.want || calls != c.calls {
			t.Errorf("%s: %v after %d calls, want %v after %d", name, got[0].Decision, calls, c.want, c.calls)
		}
	}
}

// TestRulesSawNoLines: what the built-in checks reviewed is new to a model.
func TestRulesSawNoLines(t *testing.T) {
	r := newRepository(always(said(answer("NEEDS-CHANGES", placed("High", "compliance", "Second", "d", 8)), true)))
	r.withBlobs()
	withModel := r.options
	r.options = Options{Engine: EngineRules}
	r.head[reviewed] = "# New\n\nIt is fast.\n\nAnd more.\n\nAnd more.\nAnd even more.\n"
	if first, _ := r.run(t, specOf(r.head)); first[0].Decision != workflow.NeedsChanges {
		t.Fatalf("rules: %v", first[0].Decision)
	}
	r.options = withModel
	r.head[reviewed] = strings.Replace(r.head[reviewed], "# New", "# New list", 1)
	got, _ := r.run(t, specOf(r.head))
	for _, i := range got[0].Issues {
		if i.Title == "Second" && (i.State != workflow.Found || i.Level != workflow.Block) {
			t.Errorf("%s, %s", i.State, i.Level)
		}
	}
	if got[0].Decision != workflow.NeedsChanges {
		t.Errorf("%v: %s", got[0].Decision, got[0].Summary)
	}
}

// TestADismissalIsOfOnePlace: a new finding on a line of the same text elsewhere is another one.
func TestADismissalIsOfOnePlace(t *testing.T) {
	const twins = "def login(name):\n    return True\n\n\ndef admin(name):\n    return False\n"
	first := strings.ReplaceAll(placed("High", "security", "Anybody is let in", "d", 2), reviewed, "src/login.py")
	for name, c := range map[string]struct {
		text string // of the next version
		line int    // of the next finding
		want workflow.Decision
	}{
		"the same place":            {twins + "# more\n", 2, workflow.Approved},
		"moved":                     {"# more\n" + twins, 3, workflow.Approved},
		"a twin":                    {strings.Replace(twins, "False", "True", 1), 6, workflow.NeedsChanges},
		"moved, and which is which": {"# more\n" + strings.Replace(twins, "False", "True", 1), 7, workflow.NeedsChanges},
	} {
		r := newRepository(always(answer("NEEDS-CHANGES", first)))
		r.withBlobs()
		r.head["src/login.py"] = twins
		results, _ := r.run(t, implementation(r.head))
		jobs := r.reviewedJobs(t, workflow.NeedsChanges, implementation(r.head))
		if err := Dismiss(jobs, results[0].Issues[0].Key, workflow.Dismissal{By: "ann", Reason: "a stub"}); err != nil {
			t.Fatal(err)
		}
		r.decided(t, jobs)
		r.head["src/login.py"] = c.text
		r.model.scripts[""] = []turn{{text: answer("NEEDS-CHANGES", strings.Replace(first, `"line":2`, fmt.Sprintf(`"line":%d`, c.line), 1))}}
		if got, _ := r.run(t, implementation(r.head)); got[0].Decision != c.want {
			t.Errorf("%s: %v with %+v", name, got[0].Decision, got[0].Issues)
		}
	}
}

// TestWhatIsNotKnownBlocks: without the earlier version, or a record that is
// believed, every line counts as changed.
func TestWhatIsNotKnownBlocks(t *testing.T) {
	for name, change := range map[string]func(*Input){
		"no blobs": func(in *Input) { in.Blob = nil },
		"not at hand": func(in *Input) {
			in.Blob = func(context.Context, string, string) ([]byte, error) { return nil, errors.New("shallow") }
		},
		"forged": func(in *Input) {
			in.Vouched = func(context.Context, record.Record) (bool, string, error) { return false, "forged", nil }
		},
		"unasked": func(in *Input) {
			in.Vouched = func(context.Context, record.Record) (bool, string, error) { return false, "", errors.New("down") }
		},
	} {
		r := newRepository(&scripted{scripts: map[string][]turn{"": {
			{text: answer("NEEDS-CHANGES", placed("High", "clarity", "First", "d", 3))},
			{text: said(answer("NEEDS-CHANGES", placed("Medium", "clarity", "Second", "d", 8)), true)},
		}}})
		r.run(t, specOf(r.head))
		r.head[reviewed] = strings.Replace(newSpec, "Travellers see", "All travellers see", 1)
		r.change = change
		got, _ := r.run(t, specOf(r.head))
		told := strings.Contains(strings.Join(got[0].Warnings, "\n"), "is unavailable, so all its lines count as changed")
		if got[0].Decision != workflow.NeedsChanges || got[0].Iteration != 2 || told != strings.HasPrefix(name, "no") {
			t.Errorf("%s: %v, iteration %d, warnings %q", name, got[0].Decision, got[0].Iteration, got[0].Warnings)
		}
	}
}

// TestEveryFindingHasItsID, the same in later rounds and after its file moved.
func TestEveryFindingHasItsID(t *testing.T) {
	issues := func(shift int, title string) turn {
		return turn{text: answer(
			"NEEDS-CHANGES",
			placed("High", "clarity", title, "d", 3+shift), placed("High", "clarity", title, "d", 7+shift),
			placed("Low", "clarity", "Other", "d", 8+shift),
		)}
	}
	r := newRepository(&scripted{scripts: map[string][]turn{"": {issues(0, "Same"), issues(1, "The same in other words")}}})
	ids := func(res workflow.Result) (out []string) {
		for _, i := range res.Issues {
			if !regexp.MustCompile(`^[0-9a-f]{8}$`).MatchString(i.Key) || slices.Contains(out, i.Key) {
				t.Errorf("id %q among %q", i.Key, out)
			}
			out = append(out, i.Key)
		}
		return out
	}
	first, _ := r.run(t, specOf(r.head))
	r.head[reviewed] = "A preface.\n" + newSpec
	second, _ := r.run(t, specOf(r.head))
	if one, two := ids(first[0]), ids(second[0]); !slices.Equal(one, two) || len(one) != 3 {
		t.Errorf("ids %q and then %q", one, two)
	}
}

// reviewedJobs are the jobs of a run that only takes decisions of people.
func (r *repository) reviewedJobs(t *testing.T, shown workflow.Decision, artifacts ...workflow.Artifact) []Job {
	t.Helper()
	in := inputOf(r.head, artifacts...)
	in.Records = r.records
	if r.change != nil {
		r.change(&in)
	}
	in.Standing = func(context.Context, workflow.Artifact) (workflow.Decision, bool) {
		return shown, shown != workflow.Error
	}
	return plan(t, r.options, in)
}

// decided commits what the jobs come to, as run does.
func (r *repository) decided(t *testing.T, jobs []Job) workflow.Result {
	t.Helper()
	r.clock.now = r.clock.now.Add(time.Minute)
	res := Run(t.Context(), jobs, nil, runOptions(r.clock))[0]
	rec := recordOf(t, res)
	r.records = append(r.records, rec)
	r.head[rec.Path] = string(record.Render(res))
	return res
}

func someone() workflow.Override {
	return workflow.Override{By: "ann", Reason: "it is meant like that", Time: newClock().now}
}

// TestOverrideIsRefused for what no person may overrule.
func TestOverrideIsRefused(t *testing.T) {
	breach := workflow.Finding{Category: "test_weakening", Kind: "assertion_weakened", File: "tests/test_login.py", Side: "before"}
	refusing := answer("NEEDS-CHANGES", issueJSON("High", "Hole"))
	for name, c := range map[string]struct {
		answer string
		shown  workflow.Decision
		change func(*workflow.Result) // of what is recorded
		why    string
	}{
		"allowed":           {refusing, workflow.NeedsChanges, nil, ""},
		"approved":          {answer("APPROVED"), workflow.Approved, nil, "approved already"},
		"did not run":       {refusing, workflow.Error, nil, "no review that came to a verdict"},
		"the check differs": {refusing, workflow.Approved, nil, "does not show the recorded verdict"},
		"breach": {refusing, workflow.NeedsChanges, func(r *workflow.Result) {
			r.Violations = []workflow.Finding{breach}
		}, "approved tests or their record"},
		"integrity": {refusing, workflow.NeedsChanges, func(r *workflow.Result) {
			r.Unasked = workflow.ByIntegrity
		}, "approved tests or their record"},
		"failing tests": {refusing, workflow.NeedsChanges, func(r *workflow.Result) { r.Unasked = workflow.ByChecks }, "failing tests"},
		"coverage": {refusing, workflow.NeedsChanges, func(r *workflow.Result) {
			r.Checks = append(r.Checks, workflow.Check{ID: "tests/coverage", Gate: true, Outcome: workflow.Failed, Summary: "61 %"})
		}, "coverage below its threshold"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(always(c.answer))
			results, _ := r.run(t, specOf(r.head))
			if c.change != nil {
				c.change(&results[0])
				r.records = []record.Record{recordOf(t, results[0])}
			}
			jobs := r.reviewedJobs(t, c.shown, specOf(r.head))
			err := Override(jobs, "spec: new", someone())
			if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
				t.Errorf("error %v, want %q", err, c.why)
			}
			if err != nil && (jobs[0].Kind == Decided || jobs[0].result.Override != nil) {
				t.Errorf("refused, and decided all the same: %+v", jobs[0].result)
			}
			if err != nil && len(results[0].Issues) > 0 {
				if err := Dismiss(jobs, results[0].Issues[0].Key, workflow.Dismissal{By: "ann", Reason: "r"}); err == nil {
					t.Error("dismissed, though it may not be overridden")
				}
			}
		})
	}
}

// TestOverrideHolds while nothing that it covers changes, and no longer than
// the config says.
func TestOverrideHolds(t *testing.T) {
	r := newRepository(always(answer("NEEDS-CHANGES", issueJSON("High", "Hole"))))
	r.run(t, specOf(r.head))
	jobs := r.reviewedJobs(t, workflow.NeedsChanges, specOf(r.head))
	if err := Override(jobs, "spec: new", someone()); err != nil {
		t.Fatal(err)
	}
	if res := r.decided(t, jobs); res.Decision != workflow.Approved || !strings.HasSuffix(record.Path(res), "-new-OVERRIDDEN.md") ||
		len(res.Override.Findings) != 1 {
		t.Fatalf("%v, %s, %+v", res.Decision, record.Path(res), res.Override)
	}
	r.options.OverrideDays, r.options.Now = 7, func() time.Time { return r.clock.now }
	if got, calls := r.run(t, specOf(r.head)); calls != 0 || got[0].Decision != workflow.Approved || got[0].Override == nil ||
		got[0].Iteration != 1 {
		t.Errorf("%d calls, %v", calls, got[0].Decision)
	}
	day := r.clock.now
	r.clock.now = day.AddDate(0, 0, 8)
	if got, calls := r.run(t, specOf(r.head)); calls != 1 || got[0].Decision != workflow.NeedsChanges ||
		!strings.Contains(strings.Join(got[0].Warnings, "\n"), "older than override.expires_days") {
		t.Errorf("after 8 days: %d calls, %v, %q", calls, got[0].Decision, got[0].Warnings)
	}
	r.records = r.records[:2]
	r.clock.now = day
	roadmap := r.head["ROADMAP.md"]
	r.head["ROADMAP.md"] += "\n## Feature 3: New\n\nIt is new.\n"
	if got, _ := r.run(t, specOf(r.head)); got[0].Decision != workflow.NeedsChanges {
		t.Errorf("with another context: %v", got[0].Decision)
	}
	r.records, r.head["ROADMAP.md"] = r.records[:2], roadmap
	r.head[reviewed] += "3. More.\n"
	if got, _ := r.run(t, specOf(r.head)); got[0].Decision != workflow.NeedsChanges || got[0].Override != nil || got[0].Iteration != 1 {
		t.Errorf("with another text: %v, iteration %d", got[0].Decision, got[0].Iteration)
	}
}

// TestGatesStandAboveAnOverride: what is measured later lowers it.
func TestGatesStandAboveAnOverride(t *testing.T) {
	r := newRepository(always(answer("NEEDS-CHANGES", issueJSON("High", "Hole"))))
	r.run(t, implementation(r.head))
	jobs := r.reviewedJobs(t, workflow.NeedsChanges, implementation(r.head))
	if err := Override(jobs, "implementation: login", someone()); err != nil {
		t.Fatal(err)
	}
	r.decided(t, jobs)
	r.change = func(in *Input) {
		in.Ended = map[string]workflow.Result{"implementation: login": {
			Decision: workflow.NeedsChanges,
			Summary:  "AUTOMATIC REJECTION: Test integrity violation.",
		}}
	}
	if got, _ := r.run(t, implementation(r.head)); got[0].Decision != workflow.NeedsChanges {
		t.Errorf("beside a breach: %v", got[0].Decision)
	}
	r.records, r.change = r.records[:2], nil
	r.model.scripts["tests: login"] = []turn{{text: answer("NEEDS-CHANGES", issueJSON("High", "weak"))}}
	got, _ := r.run(t, testsOf(r.head), implementation(r.head))
	if got[1].Decision != workflow.NeedsChanges || got[1].Override != nil {
		t.Errorf("beside tests that are not approved: %v", got[1].Decision)
	}
}

// TestDismissal of findings one after the other, by whatever engine.
func TestDismissal(t *testing.T) {
	r := newRepository(always(answer("NEEDS-CHANGES", placed("High", "clarity", "First", "d", 3),
		placed("Medium", "clarity", "Second", "d", 8), placed("Low", "clarity", "Third", "d", 7))))
	r.withBlobs()
	results, _ := r.run(t, specOf(r.head))
	dismiss := func(id string, shown workflow.Decision) (workflow.Result, error) {
		jobs := r.reviewedJobs(t, shown, specOf(r.head))
		if err := Dismiss(jobs, id, workflow.Dismissal{By: "ann", Reason: "it is meant"}); err != nil {
			return workflow.Result{}, err
		}
		return r.decided(t, jobs), nil
	}
	one, err := dismiss(results[0].Issues[0].Key, workflow.NeedsChanges)
	if err != nil || one.Decision != workflow.NeedsChanges || len(one.Issues) != 2 || len(one.Dismissed) != 1 {
		t.Fatalf("%v, %v with %d issues", err, one.Decision, len(one.Issues))
	}
	two, err := dismiss(results[0].Issues[1].Key, workflow.NeedsChanges)
	if err != nil || two.Decision != workflow.Approved || len(two.Issues) != 1 || len(two.Dismissed) != 2 || two.Amends != one.Amends {
		t.Fatalf("%v, %v with %d issues", err, two.Decision, len(two.Issues))
	}
	if got, calls := r.run(t, specOf(r.head)); calls != 0 || got[0].Decision != workflow.Approved {
		t.Errorf("%d calls, %v", calls, got[0].Decision)
	}
	if _, err := dismiss("ffffffff", workflow.Approved); err == nil || !strings.Contains(err.Error(), "no review of this head") {
		t.Errorf("a finding that is none: %v", err)
	}
	// The lines move: what was dismissed stays so, a namesake elsewhere does not.
	r.head[reviewed] = "Preface.\n\n" + newSpec
	r.model.scripts[""] = []turn{{text: answer("NEEDS-CHANGES", placed("High", "clarity", "First", "d", 5),
		placed("High", "clarity", "First", "d", 1))}}
	got, calls := r.run(t, specOf(r.head))
	if calls != 1 || got[0].Decision != workflow.NeedsChanges || len(got[0].Issues) != 1 || got[0].Issues[0].Line != 1 ||
		len(got[0].Dismissed) != 2 {
		t.Errorf("%d calls, %v, issues %+v, %d dismissed", calls, got[0].Decision, got[0].Issues, len(got[0].Dismissed))
	}
	if prompt := r.model.asked[len(r.model.asked)-1].Prompt; !strings.Contains(prompt,
		"- Dismissed by ann: First (specs/proposed/new.md:3). Reason: it is meant") {
		t.Error("the next reviewer is not told")
	}
}

// TestAnIDOfTwoReviews is refused rather than guessed.
func TestAnIDOfTwoReviews(t *testing.T) {
	r := newRepository(always(answer("NEEDS-CHANGES", placed("High", "clarity", "First", "d", 3))))
	r.run(t, specOf(r.head), testsOf(r.head))
	jobs := r.reviewedJobs(t, workflow.NeedsChanges, specOf(r.head), testsOf(r.head))
	if jobs[0].result.Issues[0].Key == jobs[1].result.Issues[0].Key {
		t.Fatal("two reviews share an id")
	}
	jobs[1].result.Issues[0].Key = jobs[0].result.Issues[0].Key
	if err := Dismiss(jobs, jobs[0].result.Issues[0].Key, workflow.Dismissal{By: "ann"}); err == nil ||
		!strings.Contains(err.Error(), "2 findings have this id") {
		t.Errorf("error %v", err)
	}
}

// TestDismissedFindingOfTheRules is told apart by rule, file and title.
func TestDismissedFindingOfTheRules(t *testing.T) {
	r := newRepository(nil)
	r.options = Options{Engine: EngineRules}
	r.head[reviewed] = strings.Replace(newSpec, "## Acceptance criteria\n\n1. A debt of 0 is not listed.\n"+
		"2. An unknown currency is refused with the error `unknown currency`.\n", "", 1)
	first, _ := r.run(t, specOf(r.head))
	var high []workflow.Finding
	for _, i := range first[0].Issues {
		if i.Level == workflow.Block {
			high = append(high, i)
		}
	}
	if len(high) != 1 {
		t.Fatalf("High findings %+v", high) // no criteria; the score that follows is none
	}
	jobs := r.reviewedJobs(t, workflow.NeedsChanges, specOf(r.head))
	for _, i := range high {
		if err := Dismiss(jobs, i.Key, workflow.Dismissal{By: "ann", Reason: "they are in the ticket"}); err != nil {
			t.Fatal(err)
		}
	}
	if res := r.decided(t, jobs); res.Decision != workflow.Approved {
		t.Fatalf("%v: %s", res.Decision, res.Summary)
	}
	if got, _ := r.run(t, specOf(r.head)); got[0].Decision != workflow.Approved || !got[0].Cached {
		t.Errorf("%v, cached %t", got[0].Decision, got[0].Cached)
	}
	r.head["ROADMAP.md"] += "\n## Feature 3: New\n\nIt is new.\n"
	if got, _ := r.run(t, specOf(r.head)); got[0].Decision != workflow.Approved || got[0].Cached || len(got[0].Dismissed) != 1 {
		t.Errorf("reviewed again: %v, cached %t", got[0].Decision, got[0].Cached)
	}
}

// TestNobodyDecidesOnWhatCannotBeRead, in a run that only takes decisions of people as well.
func TestNobodyDecidesOnWhatCannotBeRead(t *testing.T) {
	r := newRepository(always(answer("APPROVED")))
	r.head["src/data.py"] = "\x00"
	a := artifact(r.head, workflow.Implementation, "login", "src/login.py", "src/data.py")
	a.SpecPath, a.Tests = "specs/doing/login.md", []string{"tests/test_login.py"}
	results, _ := r.run(t, a)
	if results[0].Decision != workflow.NeedsChanges || len(results[0].Issues) != 1 {
		t.Fatalf("%v with %+v", results[0].Decision, results[0].Issues)
	}
	jobs := r.reviewedJobs(t, workflow.NeedsChanges, a)
	if err := Dismiss(jobs, results[0].Issues[0].Key, workflow.Dismissal{By: "ann", Reason: "it is data"}); err == nil {
		t.Error("dismissed")
	}
	jobs = r.reviewedJobs(t, workflow.NeedsChanges, a)
	if err := Override(jobs, "implementation: login", someone()); err == nil {
		t.Error("overridden")
	}
}

// TestARunThatTakesRecordsMeasuresToo: what it is given and what forbids an approval counts, though
// the check of the head shows the approval.
func TestARunThatTakesRecordsMeasuresToo(t *testing.T) {
	covered := func(n int) func(*Input) {
		return func(in *Input) { in.Coverage = &coverage.Report{Lines: coverage.Ratio{Covered: n, Total: 100}} }
	}
	reported := func(l sarif.Level) func(*Input) {
		return func(in *Input) {
			in.Findings = sarif.Log{Tools: []string{"lint"}, ByFile: map[string][]sarif.Result{"tests/test_login.py": {
				{Tool: "lint", Rule: "r", Level: l, File: "tests/test_login.py", Line: 1, EndLine: 1, Message: "m"},
			}}}
		}
	}
	for name, c := range map[string]struct {
		given func(*Input)
		want  workflow.Decision
	}{
		"too little coverage":  {covered(79), workflow.NeedsChanges},
		"enough":               {covered(81), workflow.Approved},
		"another tool's error": {reported(sarif.Error), workflow.NeedsChanges},
		"its warning":          {reported(sarif.Warning), workflow.Approved},
	} {
		r := newRepository(always(answer("APPROVED")))
		r.options.Thresholds, r.options.Block = check.Thresholds{Line: 80}, sarif.Error
		r.run(t, testsOf(r.head))
		r.change = func(in *Input) {
			in.Anew = true
			c.given(in)
		}
		jobs := r.reviewedJobs(t, workflow.Approved, testsOf(r.head))
		if got := Run(t.Context(), jobs, nil, runOptions(r.clock))[0]; got.Decision != c.want {
			t.Errorf("%s: %v: %s", name, got.Decision, got.Summary)
		}
	}
}

// TestADismissedFindingOfACheckIsSettled: its question counts for nothing any more, whatever the
// reviewer answers.
func TestADismissedFindingOfACheckIsSettled(t *testing.T) {
	const query = "def login(db, name):\n    return db.execute(\"select * from users where name = '\" + name + \"'\")\n"
	r := newRepository(always(answer("APPROVED")))
	r.withBlobs()
	r.head["src/login.py"] = query
	ids := enumerated(plan(t, r.options, inputOf(r.head, implementation(r.head)))[0].Request.Schema, "questions")
	if len(ids) != 1 {
		t.Fatalf("questions %q", ids)
	}
	confirmed := fmt.Sprintf(`{"questions":[{"id":%q,"answer":"confirmed","reason":"It is so."}],`, ids[0])
	for decision, text := range map[string]string{"APPROVED": query + "# more\n", "NEEDS-CHANGES": "# more\n" + query} {
		r.head["src/login.py"], r.records = query, nil
		r.model.scripts[""] = []turn{{text: strings.Replace(answer(decision), "{", confirmed, 1)}}
		results, _ := r.run(t, implementation(r.head))
		if results[0].Decision != workflow.NeedsChanges || len(results[0].Issues) != 1 {
			t.Fatalf("%v with %+v", results[0].Decision, results[0].Issues)
		}
		jobs := r.reviewedJobs(t, workflow.NeedsChanges, implementation(r.head))
		if err := Dismiss(jobs, results[0].Issues[0].Key, workflow.Dismissal{By: "ann", Reason: "it is quoted"}); err != nil {
			t.Fatal(err)
		}
		if res := r.decided(t, jobs); res.Decision != workflow.Approved {
			t.Errorf("%s, dismissed: %v", decision, res.Decision)
		}
		if got, calls := r.run(t, implementation(r.head)); got[0].Decision != workflow.Approved || calls != 0 {
			t.Errorf("%s, the same again: %v after %d calls, %q", decision, got[0].Decision, calls, got[0].Warnings)
		}
		r.head["src/login.py"] = text
		if got, _ := r.run(t, implementation(r.head)); got[0].Decision != workflow.Approved || len(got[0].Issues) > 0 {
			t.Errorf("%s, in the next version: %v with %+v", decision, got[0].Decision, got[0].Issues)
		}
	}
}

// TestADismissedFindingMovesWithItsSpec: the answer to its question blocks at the new place neither.
func TestADismissedFindingMovesWithItsSpec(t *testing.T) {
	r := newRepository(always(answer("APPROVED")))
	r.head[reviewed] = "# New\n\nIt is small.\n" // no acceptance criteria
	ids := enumerated(plan(t, r.options, inputOf(r.head, specOf(r.head)))[0].Request.Schema, "questions")
	confirmed := fmt.Sprintf(`{"questions":[{"id":%q,"answer":"confirmed","reason":"It is so."}],`, ids[0])
	r.model.scripts[""] = []turn{{text: strings.Replace(answer("APPROVED"), "{", confirmed, 1)}}
	results, _ := r.run(t, specOf(r.head))
	jobs := r.reviewedJobs(t, workflow.NeedsChanges, specOf(r.head))
	if err := Dismiss(jobs, results[0].Issues[0].Key, workflow.Dismissal{By: "ann", Reason: "they are in the ticket"}); err != nil {
		t.Fatal(err)
	}
	r.decided(t, jobs)
	r.move(reviewed, "specs/todo/new.md")
	spec := artifact(r.head, workflow.Spec, "new", "specs/todo/new.md")
	spec.SpecPath = "specs/todo/new.md"
	if got, calls := r.run(t, spec); got[0].Decision != workflow.Approved || !got[0].Cached || calls != 0 {
		t.Errorf("%v, cached %t after %d calls: %q", got[0].Decision, got[0].Cached, calls, got[0].Warnings)
	}
}

// TestTwoFindingsOfOneTitle are two: who tells or dismisses one of them says nothing of the other.
func TestTwoFindingsOfOneTitle(t *testing.T) {
	first, other := placed("High", "clarity", "First", "d", 3), placed("High", "clarity", "First", "d", 8)
	r := newRepository(&scripted{scripts: map[string][]turn{"": {
		{text: answer("NEEDS-CHANGES", first, other)}, {text: said(answer("NEEDS-CHANGES", other), false)},
	}}})
	r.withBlobs()
	r.run(t, specOf(r.head))
	r.head[reviewed] = newSpec + "3. More.\n"
	results, _ := r.run(t, specOf(r.head))
	if n := len(results[0].Issues); n != 2 {
		t.Fatalf("%d issues, want both: %+v", n, results[0].Issues)
	}
	in := inputOf(r.head, specOf(r.head))
	in.Records = r.records
	r.change(&in)
	jobs := plan(t, r.options, in)
	for n, want := range []workflow.Decision{workflow.NeedsChanges, workflow.Approved} {
		if err := Dismiss(jobs, results[0].Issues[n].Key, workflow.Dismissal{By: "ann", Reason: "it is meant"}); err != nil {
			t.Fatal(err)
		}
		got := jobs[0].result
		if settled := len(got.Previous) - count(got.Previous, workflow.Previous.IsOpen); got.Decision != want || settled != n+1 {
			t.Errorf("after %d: %s, %+v", n+1, got.Decision, got.Previous)
		}
	}
}
