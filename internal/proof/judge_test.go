package proof_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/proof"
)

var (
	head, base, merge = strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40)
	record            = strings.Repeat("d", 40)
)

func known() proof.Known {
	demand := func([]string) evidence.Demand { return evidence.Demand{Tests: 3, Skipped: 1} }
	return proof.Known{Head: head, Demand: demand, Sets: map[string]proof.Set{
		"login": {Record: record, Files: []string{"tests/test_login.py"}, Differ: []string{"tests/test_login.py"}},
	}}
}

// run is a run that passes, for the head under review.
func run() evidence.Evidence {
	return evidence.Evidence{
		Head: head, Base: base, Approved: []evidence.Approved{{Feature: "login", Record: record}},
		Restored: []string{"tests/test_login.py"}, Command: []string{"pytest"},
		Tests:   evidence.Tests{Run: 2, Passed: 2, Skipped: 1},
		Results: []evidence.Result{{Path: "junit.xml", SHA256: strings.Repeat("0", 64)}},
	}
}

func judge(change func(*evidence.Evidence)) proof.Run {
	e := run()
	change(&e)
	return proof.Judge([]proof.File{{Path: "evidence.json", Evidence: e}}, known())
}

// TestWhatCounts: evidence of anything but this head and these records says nothing, and why is told.
func TestWhatCounts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*evidence.Evidence)
		want   string // why it is ignored
	}{
		"this head":           {func(*evidence.Evidence) {}, ""},
		"merge commit of it":  {func(e *evidence.Evidence) { e.Head, e.Parents = merge, []string{base, head} }, ""},
		"base has moved":      {func(e *evidence.Evidence) { e.Base = merge }, ""},
		"another head":        {func(e *evidence.Evidence) { e.Head = merge }, "stale: it is of commit cccccccccc"},
		"a commit on top":     {func(e *evidence.Evidence) { e.Head, e.Parents = merge, []string{head} }, "stale"},
		"another record":      {func(e *evidence.Evidence) { e.Approved[0].Record = base }, `stale: the approved tests of "login"`},
		"tests of nobody":     {func(e *evidence.Evidence) { e.Approved[0].Feature = "other" }, "nobody is known to have approved"},
		"one more than known": {func(e *evidence.Evidence) { e.Approved = append(e.Approved, evidence.Approved{Feature: "x"}) }, "nobody"},
		"no set":              {func(e *evidence.Evidence) { e.Approved = nil }, "names no approved tests"},
		"not restored":        {func(e *evidence.Evidence) { e.Restored = nil }, "tests/test_login.py differs"},
	} {
		t.Run(name, func(t *testing.T) {
			r := judge(c.change)
			if got := strings.Join(r.Ignored, "\n"); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("ignored %q, want %q", got, c.want)
			}
			if want := c.want == ""; r.Ran() != want || (r.Of("login") == proof.Passed) != want {
				t.Errorf("counts: %v, comes to %v", r.Ran(), r.Of("login"))
			}
		})
	}
	if r := proof.Judge([]proof.File{{Evidence: run()}}, proof.Known{Head: head}); r.Ran() || len(r.Ignored) != 1 {
		t.Errorf("evidence counts where no tests are approved: %v", r.Ignored)
	}
}

// TestOutcome: what a run came to follows from what was observed, not from one figure of it.
func TestOutcome(t *testing.T) {
	failure := evidence.Failure{Name: "test_a", File: "tests/test_login.py"}
	before := failure
	before.Before = true
	fails := func(e *evidence.Evidence, f evidence.Failure, exit int) {
		e.Failures, e.Exit, e.Tests.Passed, e.Tests.Failed = []evidence.Failure{f}, exit, 1, 1
	}
	broken := &evidence.Before{Exit: 1, Tests: evidence.Tests{Run: 2, Passed: 1, Failed: 1}}
	for name, c := range map[string]struct {
		change func(*evidence.Evidence)
		want   proof.Outcome
		why    string
	}{
		"passes":       {func(*evidence.Evidence) {}, proof.Passed, ""},
		"status alone": {func(e *evidence.Evidence) { e.Results, e.Tests = nil, evidence.Tests{} }, proof.Passed, ""},
		"status alone, failing": {
			func(e *evidence.Evidence) { e.Results, e.Tests, e.Exit = nil, evidence.Tests{}, 3 },
			proof.Failed, "status 3",
		},
		"fails":                      {func(e *evidence.Evidence) { fails(e, failure, 1) }, proof.Failed, "1 of 2 tests fail"},
		"status 0 beside a failure":  {func(e *evidence.Evidence) { fails(e, failure, 0) }, proof.Failed, "1 of 2"},
		"failures without names":     {func(e *evidence.Evidence) { fails(e, failure, 0); e.Failures = nil }, proof.Failed, "1 of 2"},
		"status 1 without a failure": {func(e *evidence.Evidence) { e.Exit = 1 }, proof.Failed, "status 1"},
		"too few":                    {func(e *evidence.Evidence) { e.Tests = evidence.Tests{Run: 1, Passed: 1} }, proof.Failed, "hold 3"},
		"none":                       {func(e *evidence.Evidence) { e.Tests = evidence.Tests{} }, proof.Failed, "no test ran"},
		"more skipped":               {func(e *evidence.Evidence) { e.Tests.Skipped = 2 }, proof.Failed, "2 tests were skipped"},
		"said to fail before, and no run shows it": {
			func(e *evidence.Evidence) { fails(e, before, 1) }, proof.Failed, "no run shows it",
		},
		"said of more tests than fail before": {func(e *evidence.Evidence) {
			fails(e, before, 1)
			e.Before = &evidence.Before{Tests: evidence.Tests{Run: 2, Passed: 2}}
		}, proof.Failed, "no run shows it"},
		"inconclusive": {func(e *evidence.Evidence) {
			e.Results, e.Tests, e.Exit, e.Before = nil, evidence.Tests{}, 1, &evidence.Before{Exit: 1}
		}, proof.NotRun, "inconclusive"},
		"passes before alone": {func(e *evidence.Evidence) {
			e.Results, e.Tests, e.Exit, e.Before = nil, evidence.Tests{}, 1, &evidence.Before{}
		}, proof.Failed, "status 1"},
		"fails before as well": {func(e *evidence.Evidence) { fails(e, before, 1); e.Before = broken }, proof.Passed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := judge(c.change)
			why := strings.Join(append(r.Why(), r.Ignored...), "\n")
			if r.Outcome() != c.want || !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
				t.Errorf("outcome %v, %q; want %v, %q", r.Outcome(), why, c.want, c.why)
			}
		})
	}
	r := judge(func(e *evidence.Evidence) { fails(e, before, 1); e.Before = broken })
	if r.Of("login") != proof.NotRun || len(r.Before("login")) != 1 || len(r.Before("other")) != 0 {
		t.Errorf("what failed before proves something: %v, %v", r.Of("login"), r.Before("login"))
	}
	if r.OfFile("tests/test_login.py", "login") != proof.NotRun || r.OfFile("tests/test_other.py", "login") != proof.Passed {
		t.Error("a test that fails before counts for the file that it is in, and for no other")
	}
	unplaced := before
	unplaced.File = ""
	r = judge(func(e *evidence.Evidence) { fails(e, unplaced, 1); e.Before = broken })
	if r.OfFile("tests/test_other.py", "login") != proof.NotRun {
		t.Error("a test of an unknown file fails before, and another file is taken for shown")
	}
}

// TestWorstCounts: of several runs for one head the worst decides.
func TestWorstCounts(t *testing.T) {
	passed, failed, stale := run(), run(), run()
	failed.Exit = 1
	stale.Head, stale.Exit = merge, 1
	r := proof.Judge([]proof.File{{Path: "a.json", Evidence: passed}, {Path: "b.json", Evidence: stale}}, known())
	if r.Outcome() != proof.Passed || len(r.Ignored) != 1 {
		t.Errorf("a stale file decides: %v, %v", r.Outcome(), r.Ignored)
	}
	r = proof.Judge([]proof.File{{Path: "a.json", Evidence: failed}, {Path: "b.json", Evidence: passed}}, known())
	if r.Outcome() != proof.Failed || len(r.Why()) != 1 {
		t.Errorf("a failed run is outweighed: %v, %v", r.Outcome(), r.Why())
	}
	other := run()
	other.SetAside = []string{"tests/conftest.py"}
	r = proof.Judge([]proof.File{{Evidence: run()}, {Evidence: other}}, known())
	if r.Without("tests/conftest.py") || !r.Without("tests/test_login.py") {
		t.Error("what one run left there is taken for set aside")
	}
}

// TestOfTest: a test of an approved file passed with its run, and failed where the run names it.
func TestOfTest(t *testing.T) {
	const file = "tests/test_login.py"
	passed := judge(func(*evidence.Evidence) {})
	failed := judge(func(e *evidence.Evidence) {
		e.Exit, e.Tests = 1, evidence.Tests{Run: 2, Passed: 1, Failed: 1}
		e.Failures = []evidence.Failure{{Name: "tests.test_login.test_in", File: file}}
	})
	is := func(test string) func(string) bool {
		return func(name string) bool { return strings.HasSuffix(name, "."+test) }
	}
	for name, c := range map[string]struct{ got, want proof.Outcome }{
		"passed":         {passed.OfTest(file, is("test_in"), "login"), proof.Passed},
		"not approved":   {passed.OfTest("tests/test_b.py", is("test_in"), "login"), proof.NotRun},
		"other feature":  {passed.OfTest(file, is("test_in"), "logout"), proof.NotRun},
		"failed":         {failed.OfTest(file, is("test_in"), "login"), proof.Failed},
		"another failed": {failed.OfTest(file, is("test_out"), "login"), proof.NotRun},
		"no evidence":    {proof.Run{}.OfTest(file, is("test_in"), "login"), proof.NotRun},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

// TestHostileFailures: a failure is placed in approved files alone, and named on one short line.
func TestHostileFailures(t *testing.T) {
	r := judge(func(e *evidence.Evidence) {
		e.Exit, e.Tests = 1, evidence.Tests{Run: 3, Failed: 3}
		e.Failures = []evidence.Failure{
			{Name: "a\n\n# b " + strings.Repeat("x", 5000), File: "../../etc/passwd"},
			{File: "/home/runner/x.py", Message: strings.Repeat("y", 60_000)},
			{Name: "c", File: "tests/test_login.py"},
		}
	})
	p := r.Proof()
	if p.Failures[0].File+p.Failures[1].File != "" || p.Failures[2].File != "tests/test_login.py" {
		t.Errorf("files %q, %q, %q", p.Failures[0].File, p.Failures[1].File, p.Failures[2].File)
	}
	text := proof.Failing{Tests: r.Failures()}.String()
	if strings.Contains(text, "\n") || len(text) > 400 || len(p.Failures[1].Message) > 3000 {
		t.Errorf("%d bytes, message of %d: %.300s", len(text), len(p.Failures[1].Message), text)
	}
}

// TestRed: the new tests must fail without the change.
func TestRed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*evidence.Evidence)
		want   proof.Outcome
	}{
		"fails":        {func(e *evidence.Evidence) { e.Red, e.Exit = true, 1 }, proof.Failed},
		"passes":       {func(e *evidence.Evidence) { e.Red = true }, proof.Passed},
		"another head": {func(e *evidence.Evidence) { e.Red, e.Head = true, merge }, proof.NotRun},
		"not red":      {func(*evidence.Evidence) {}, proof.NotRun},
	} {
		if got := judge(c.change).Red(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if judge(func(e *evidence.Evidence) { e.Red = true }).Ran() {
		t.Error("a run on the merge base's sources counts as one on the head")
	}
}

// TestTable is the table of docs/integrity.md, and its zero values block.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		standing               proof.Standing
		notRun, passed, failed proof.Answer
	}{
		{proof.Same, proof.Intact, proof.Intact, proof.Fails},
		{proof.Gained, proof.Asked, proof.Intact, proof.Fails},
		{proof.Acts, proof.Breach, proof.Question, proof.Breach},
		{proof.Changed, proof.Breach, proof.Question, proof.Breach},
	} {
		s := c.standing
		if s.Of(proof.NotRun) != c.notRun || s.Of(proof.Passed) != c.passed || s.Of(proof.Failed) != c.failed {
			t.Errorf("standing %v: %v, %v, %v", s, s.Of(proof.NotRun), s.Of(proof.Passed), s.Of(proof.Failed))
		}
	}
	var s proof.Standing
	var o proof.Outcome
	if s.Of(o) != proof.Breach {
		t.Error("the zero values let something pass")
	}
}
