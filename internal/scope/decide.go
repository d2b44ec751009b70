package scope

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"workflow-reviewer/internal/workflow"
)

// Check is a check run of the gate, made by our own App.
type Check struct {
	ID        int64
	Below     bool // it is on a commit that reviews were written on top of
	Open      bool // under way
	Passed    bool // completed as success
	Cancelled bool
	Started   time.Time
	Mark      *Mark // nil where an earlier release made it, which named no scope
}

// Facts describe a commit when a run asks for the gate's verdict.
type Facts struct {
	// the newest first, then those of the commits that reviews were written on top of
	Checks []Check
	// Own tells the run's own check runs, and those that it stands in for.
	Own func(Check) bool
	// Before tells those that had ended before the run began: what they say of its scope, it says
	// anew.
	Before func(Check) bool
	// Stands reports whether the pull request of another scope is open and for the scope's base
	// still.
	Stands func(Mark) bool
	// Pulls are the open pull requests whose head the commit is. They count for a run without a
	// pull request, and where a check run of an earlier release is red.
	Pulls    []int
	Unlisted bool // nobody could say which they are
	Now      time.Time
}

// Abandoned is the time after which the run of an open check run counts as dead.
const Abandoned = 24 * time.Hour

// Held is a scope, or another run, that keeps the gate from being green.
type Held struct {
	What  string
	Pull  int // the pull request that What names, 0 for none
	State State
}

// State names the reason for which a scope holds the gate back.
type State int

// The states, those first that a reader must act on.
const (
	NeedsChanges State = iota
	NotRun
	Waiting
	Unjudged // no run of it was seen: the gate waits, the run that asks has its own verdict
)

// Outcome is the verdict that the gate may show, with what holds it back.
type Outcome struct {
	Verdict workflow.Decision // of the run's own scope, that of runs beside it included
	Held    []Held            // what else keeps the gate from being green, the gravest first
}

// Decide combines a run's verdict with those of all scopes that stand on the commit. The gate may
// be green only if the verdict of its own scope passes and nothing is held.
func Decide(own Mark, scope Scope, verdict workflow.Decision, f Facts) Outcome {
	out := Outcome{Verdict: verdict}
	out.beside(own, f)
	out.others(own, f)
	if scope.Unbound() {
		out.unjudged(f)
	}
	alone := !slices.ContainsFunc(f.Pulls, func(n int) bool { return n != scope.Pull })
	if !alone || f.Unlisted || !scope.Whole() {
		out.unnamed(f)
	}
	slices.SortStableFunc(out.Held, func(a, b Held) int { return cmp.Compare(a.State, b.State) })
	return out
}

// NeedsPulls reports whether Decide asks for the open pull requests of the commit.
func (s Scope) NeedsPulls(checks []Check) bool {
	i := slices.IndexFunc(checks, func(c Check) bool { return c.Mark == nil })
	return s.Unbound() || i >= 0 && !checks[i].Passed
}

// Unbound reports whether nothing waits for the scope's verdict: no pull request and no merge
// group.
func (s Scope) Unbound() bool { return s.Pull == 0 && s.Event != "merge_group" }

// beside has the verdicts of other runs of the same scope count: of other jobs of the same workflow
// run, and of runs that ended while this one was under way. Runs that ended before it began are
// replaced by it.
func (o *Outcome) beside(own Mark, f Facts) {
	jobs := map[string]bool{}
	for _, c := range f.Checks {
		if c.Mark == nil || c.Mark.Key != own.Key || f.Own(c) {
			continue
		}
		job := c.Mark.Run != "" && c.Mark.Run == own.Run && c.Mark.Job != own.Job
		if job && jobs[c.Mark.Job] || !job && (c.Below || f.Before(c)) {
			continue
		}
		jobs[c.Mark.Job] = jobs[c.Mark.Job] || job
		switch {
		case job && (c.Open || c.Cancelled && c.Mark.Waits): // it may have moved on to a new head
			o.hold("the job "+c.Mark.Job, 0, Waiting)
		case c.Cancelled && job:
			o.hold("the job "+c.Mark.Job, 0, NotRun)
		case c.Open, c.Cancelled:
		default:
			if state, passes := stateOf(c); !passes {
				o.hold("another run of "+c.Mark.Name, c.Mark.Pull, state)
			}
			o.Verdict = min(o.Verdict, c.Mark.Verdict)
		}
	}
}

// others holds the gate back for each other scope whose newest check run does not pass.
func (o *Outcome) others(own Mark, f Facts) {
	seen := map[string]bool{own.Key: true}
	for _, c := range f.Checks {
		if c.Mark == nil || seen[c.Mark.Key] {
			continue
		}
		seen[c.Mark.Key] = true
		dead := f.dead(c)
		switch {
		case !f.Stands(*c.Mark), dead && c.Mark.Pull == 0:
		case dead:
			o.hold(c.Mark.Name, c.Mark.Pull, NotRun)
		default:
			if state, passes := stateOf(c); !passes {
				o.hold(c.Mark.Name, c.Mark.Pull, state)
			}
		}
	}
}

// Pending reports whether a check run is under way and its run can be expected to end it.
func (f Facts) Pending(c Check) bool {
	return c.Open && !f.dead(c) && (c.Mark == nil || f.Stands(*c.Mark))
}

func (f Facts) dead(c Check) bool { return c.Open && f.Now.Sub(c.Started) > Abandoned }

// unjudged holds a run without a pull request back for open ones that have no verdict on their
// head: what was missing must not turn green by a push or a dispatch.
func (o *Outcome) unjudged(f Facts) {
	if f.Unlisted {
		o.hold("the open pull requests, which could not be listed: "+
			`give the job "pull-requests: read"`, 0, Unjudged)
	}
	for _, n := range f.Pulls {
		judged := func(c Check) bool {
			return c.Mark != nil && c.Mark.Pull == n && f.Stands(*c.Mark)
		}
		if !slices.ContainsFunc(f.Checks, judged) {
			o.hold(fmt.Sprintf("#%d", n), n, Unjudged)
		}
	}
}

// unnamed holds the gate back for the newest check run that names no scope.
func (o *Outcome) unnamed(f Facts) {
	for _, c := range f.Checks {
		if c.Mark != nil {
			continue
		}
		if !c.Passed {
			o.hold("a run of an earlier release", 0, NotRun)
		}
		return
	}
}

func (o *Outcome) hold(what string, pull int, s State) {
	o.Held = append(o.Held, Held{what, pull, s})
}

// stateOf reads a check run's verdict on its scope; passes if it does not hold the gate back. What
// the mark says of the verdict counts, as the gate's own conclusion tells of other scopes too.
func stateOf(c Check) (s State, passes bool) {
	switch {
	case c.Open:
		return Waiting, false
	case c.Cancelled || !c.Mark.Done:
		return NotRun, false
	case c.Mark.Verdict == workflow.NeedsChanges:
		return NeedsChanges, false
	case c.Mark.Verdict == workflow.Error:
		return NotRun, false
	}
	return 0, true
}
