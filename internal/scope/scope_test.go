package scope

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/workflow"
)

// TestScopesDiffer: what asks another question is another scope, and what asks the same is not.
func TestScopesDiffer(t *testing.T) {
	t.Parallel()
	base := Scope{Pull: 12, Base: "main"}
	keys := map[string]string{}
	for name, s := range map[string]Scope{
		"the whole":    base,
		"another pull": {Pull: 13, Base: "main"},
		"another base": {Pull: 12, Base: "twin"},
		"types":        {Pull: 12, Base: "main", Types: []workflow.Type{workflow.Spec}},
		"other types":  {Pull: 12, Base: "main", Types: []workflow.Type{workflow.Tests}},
		"paths":        {Pull: 12, Base: "main", Paths: []string{"a", "b"}},
		"one path":     {Pull: 12, Base: "main", Paths: []string{"a b"}},
		"config":       {Pull: 12, Base: "main", Config: "x.json"},
		"a push":       {Event: "push", Branch: "main", Base: "main"},
		"a dispatch":   {Event: "workflow_dispatch", Branch: "main", Base: "main"},
	} {
		if other, known := keys[s.Key()]; known {
			t.Errorf("%s is the same scope as %s", name, other)
		}
		keys[s.Key()] = name
	}
	same := Scope{Paths: []string{"b", "a"}, Types: []workflow.Type{"tests", "spec"}}
	if same.Key() != (Scope{Paths: []string{"a", "b"}, Types: []workflow.Type{"spec", "tests"}}).Key() {
		t.Error("the order makes another scope")
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Scope{
		"#12 into `twin`": {Pull: 12, Base: "twin"},
		"#12 into `main` (types spec, tests; paths a, b; config c.json)": {
			Pull: 12, Base: "main", Types: []workflow.Type{"spec", "tests"}, Paths: []string{"a", "b"}, Config: "c.json",
		},
		"the push to `dev`":          {Event: "push", Branch: "dev", Base: "1"},
		"the merge group for `main`": {Event: "merge_group", Branch: "q", Base: "main"},
		"the run on `dev`":           {Event: "workflow_dispatch", Branch: "dev", Base: "main"},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMarksAreReadBack whatever a branch is called; what has another form is none.
func TestMarksAreReadBack(t *testing.T) {
	t.Parallel()
	m := Of(Scope{Pull: 12, Base: "release/ä&scope=1;x`" + strings.Repeat("é", 100)})
	m.Run, m.Job, m.Try, m.Plan, m.Waits, m.ID = "77", "re&view", 3, true, true, "n"
	m.From = strings.Repeat("a", 40)
	for _, d := range []workflow.Decision{workflow.Error, workflow.NeedsChanges, workflow.Approved, workflow.None} {
		m.Verdict, m.Done = d, true
		if got, ok := Parse(m.String()); !ok || cmp.Diff(m, got) != "" {
			t.Errorf("%v: %s", ok, cmp.Diff(m, got))
		}
	}
	m.Verdict, m.Done = workflow.Error, false
	if got, ok := Parse(m.String()); !ok || cmp.Diff(m, got) != "" {
		t.Errorf("open: %v %s", ok, cmp.Diff(m, got))
	}
	key := strings.Repeat("a", 32)
	for _, id := range []string{
		"", "APPROVED", "NONE", "run:1:abc", "sha256:" + key, "APPROVED:scope=1", "approved:scope=" + key, "success:scope=" + key,
		"APPROVED:scope=" + key + "&from=main", ":scope=" + key, "APPROVED:scope=" + key + "%zz",
	} {
		if m, ok := Parse(id); ok {
			t.Errorf("%q is read as %+v", id, m)
		}
	}
}

var now = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// of is a completed check run of a scope.
func of(id int64, s Scope, verdict workflow.Decision) Check {
	m := Of(s)
	m.Verdict, m.Done = verdict, true
	return Check{ID: id, Passed: verdict.ExitCode() == 0, Started: now, Mark: &m}
}

func under(c Check, age time.Duration) Check {
	m := *c.Mark
	m.Done = false
	c.Open, c.Passed, c.Started, c.Mark = true, false, now.Add(-age), &m
	return c
}

func by(c Check, run, job string) Check {
	m := *c.Mark
	m.Run, m.Job = run, job
	c.Mark = &m
	return c
}

func below(c Check) Check { c.Below = true; return c }

// moved is the check run of a head that its run has left.
func moved(c Check) Check {
	m := *c.Mark
	m.Waits, c.Mark = true, &m
	return cancelled(c)
}

func cancelled(c Check) Check { c.Cancelled, c.Passed = true, false; return c }

func TestDecide(t *testing.T) {
	t.Parallel()
	const approved, none, red, failed = workflow.Approved, workflow.None, workflow.NeedsChanges, workflow.Error
	own, other := Scope{Pull: 1, Base: "main"}, Scope{Pull: 2, Base: "twin"}
	spec := Scope{Pull: 1, Base: "main", Types: []workflow.Type{workflow.Spec}}
	push := Scope{Event: "push", Branch: "work"}
	old := Check{ID: 5}
	oldGreen := Check{ID: 5, Passed: true}
	for name, c := range map[string]struct {
		scope   Scope
		verdict workflow.Decision
		facts   Facts
		want    Outcome
	}{
		"alone":                {own, approved, Facts{}, Outcome{approved, nil}},
		"another is green":     {own, none, Facts{Checks: []Check{of(2, other, approved)}}, Outcome{none, nil}},
		"another is red":       {own, none, Facts{Checks: []Check{of(2, other, red)}}, Outcome{none, []Held{{other.String(), other.Pull, NeedsChanges}}}},
		"another did not run":  {own, none, Facts{Checks: []Check{of(2, other, failed)}}, Outcome{none, []Held{{other.String(), other.Pull, NotRun}}}},
		"another is cancelled": {own, none, Facts{Checks: []Check{cancelled(of(2, other, approved))}}, Outcome{none, []Held{{other.String(), other.Pull, NotRun}}}},
		"the newest counts":    {own, none, Facts{Checks: []Check{of(3, other, approved), of(2, other, red)}}, Outcome{none, nil}},
		"under way again": {
			own, none,
			Facts{Checks: []Check{under(of(3, other, approved), time.Hour), of(2, other, approved)}},
			Outcome{none, []Held{{other.String(), other.Pull, Waiting}}},
		},
		"the gravest first": {
			own, none,
			Facts{Checks: []Check{under(of(3, other, none), 0), of(2, spec, red)}},
			Outcome{none, []Held{{spec.String(), spec.Pull, NeedsChanges}, {other.String(), other.Pull, Waiting}}},
		},
		"held back itself": {
			own, none, Facts{Checks: []Check{func() Check { k := of(2, other, approved); k.Passed = false; return k }()}}, Outcome{none, nil},
		},
		"closed":              {own, none, Facts{Checks: []Check{of(2, Scope{Pull: 9, Base: "x"}, red)}}, Outcome{none, nil}},
		"dead pull":           {own, none, Facts{Checks: []Check{under(of(2, other, none), 25*time.Hour)}}, Outcome{none, []Held{{other.String(), other.Pull, NotRun}}}},
		"dead push":           {own, none, Facts{Checks: []Check{under(of(2, push, none), 25*time.Hour)}}, Outcome{none, nil}},
		"slow push":           {own, none, Facts{Checks: []Check{under(of(2, push, none), 23*time.Hour)}}, Outcome{none, []Held{{push.String(), push.Pull, Waiting}}}},
		"own, replaced":       {own, approved, Facts{Checks: []Check{of(1, own, red)}}, Outcome{approved, nil}},
		"own, beside":         {own, approved, Facts{Checks: []Check{of(101, own, red)}}, Outcome{red, []Held{{"another run of " + own.String(), own.Pull, NeedsChanges}}}},
		"own, under way":      {own, approved, Facts{Checks: []Check{under(of(101, own, red), 0)}}, Outcome{approved, nil}},
		"own, below":          {own, approved, Facts{Checks: []Check{below(of(101, own, red))}}, Outcome{approved, nil}},
		"own, cancelled":      {own, approved, Facts{Checks: []Check{cancelled(of(101, own, failed))}}, Outcome{approved, nil}},
		"job before":          {own, approved, Facts{Checks: []Check{by(of(1, own, red), "7", "rules")}}, Outcome{red, []Held{{"another run of " + own.String(), own.Pull, NeedsChanges}}}},
		"job below":           {own, approved, Facts{Checks: []Check{by(below(of(1, own, red)), "7", "rules")}}, Outcome{red, []Held{{"another run of " + own.String(), own.Pull, NeedsChanges}}}},
		"job again":           {own, approved, Facts{Checks: []Check{by(of(3, own, none), "7", "rules"), by(of(2, own, red), "7", "rules")}}, Outcome{approved, nil}},
		"job under way":       {own, approved, Facts{Checks: []Check{by(under(of(1, own, none), 0), "7", "rules")}}, Outcome{approved, []Held{{"the job rules", 0, Waiting}}}},
		"job cancelled":       {own, approved, Facts{Checks: []Check{by(cancelled(of(1, own, failed)), "7", "rules")}}, Outcome{approved, []Held{{"the job rules", 0, NotRun}}}},
		"job cancelled below": {own, approved, Facts{Checks: []Check{by(below(cancelled(of(1, own, failed))), "7", "rules")}}, Outcome{approved, []Held{{"the job rules", 0, NotRun}}}},
		"job moving on":       {own, approved, Facts{Checks: []Check{by(below(moved(of(1, own, failed))), "7", "rules")}}, Outcome{approved, []Held{{"the job rules", 0, Waiting}}}},
		"job moved on": {
			own, approved,
			Facts{Checks: []Check{by(of(2, own, approved), "7", "rules"), by(below(moved(of(1, own, failed))), "7", "rules")}},
			Outcome{approved, nil},
		},
		"the same job":    {own, approved, Facts{Checks: []Check{by(of(1, own, red), "7", "review")}}, Outcome{approved, nil}},
		"earlier release": {own, approved, Facts{Checks: []Check{old}}, Outcome{approved, nil}},
		"earlier release, two pulls": {
			own, approved, Facts{Checks: []Check{old}, Pulls: []int{1, 2}}, Outcome{approved, []Held{{"a run of an earlier release", 0, NotRun}}},
		},
		"earlier release, green": {own, approved, Facts{Checks: []Check{oldGreen, old}, Pulls: []int{1, 2}}, Outcome{approved, nil}},
		"earlier release, a part": {
			spec, approved, Facts{Checks: []Check{old}}, Outcome{approved, []Held{{"a run of an earlier release", 0, NotRun}}},
		},
		"push alone":  {push, approved, Facts{}, Outcome{approved, nil}},
		"push, pull":  {push, approved, Facts{Pulls: []int{1}}, Outcome{approved, []Held{{"#1", 1, Unjudged}}}},
		"push, green": {push, approved, Facts{Pulls: []int{1}, Checks: []Check{of(1, own, none)}}, Outcome{approved, nil}},
		"push, of another pull": {
			push, approved, Facts{Pulls: []int{1}, Checks: []Check{of(1, other, none)}}, Outcome{approved, []Held{{"#1", 1, Unjudged}}},
		},
		"push, red beside missing": {
			push, approved,
			Facts{Pulls: []int{1, 2}, Checks: []Check{of(1, other, red)}},
			Outcome{approved, []Held{{other.String(), other.Pull, NeedsChanges}, {"#1", 1, Unjudged}}},
		},
		"merge group": {Scope{Event: "merge_group", Base: "main"}, approved, Facts{Pulls: nil, Checks: []Check{of(1, push, red)}}, Outcome{approved, []Held{{push.String(), push.Pull, NeedsChanges}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := c.facts
			f.Now = now
			f.Own = func(k Check) bool { return k.ID == 100 }
			f.Before = func(k Check) bool { return k.ID < 100 }
			f.Stands = func(m Mark) bool { return m.Pull != 9 }
			m := Of(c.scope)
			m.Run, m.Job = "7", "review"
			if d := cmp.Diff(c.want, Decide(m, c.scope, c.verdict, f)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestMoreScopesNeverHelp: a check run that is added to those of a commit never takes away what holds the gate back,
// but for a newer one of the same scope.
func TestMoreScopesNeverHelp(t *testing.T) {
	t.Parallel()
	own := Scope{Pull: 1, Base: "main"}
	facts := func(checks ...Check) Facts {
		return Facts{
			Checks: checks, Now: now, Own: func(Check) bool { return false }, Before: func(Check) bool { return true },
			Stands: func(Mark) bool { return true },
		}
	}
	red := of(1, Scope{Pull: 2, Base: "twin"}, workflow.NeedsChanges)
	for pull := range 5 {
		for _, d := range []workflow.Decision{workflow.Error, workflow.NeedsChanges, workflow.Approved, workflow.None} {
			more := of(9, Scope{Pull: pull + 3, Base: "main"}, d)
			for _, f := range []Facts{facts(more, red), facts(red, more), facts(under(more, 0), red), facts(cancelled(more), red)} {
				if out := Decide(Of(own), own, workflow.Approved, f); len(out.Held) == 0 {
					t.Errorf("%s of #%d makes it green", d, pull+3)
				}
			}
		}
	}
}
