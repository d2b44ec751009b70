package ghaction

import (
	"maps"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
)

// gate is what a run knows of the check runs of the gate, its own and others'.
type gate struct {
	scope  scope.Scope
	mark   scope.Mark
	report bool // the run completes what mode plan opened
	now    func() time.Time

	app       string            // slug of the App that makes our check runs
	inherited bool              // mode plan's check run was taken over
	shared    bool              // another scope stands on a commit of the run
	own       map[int64]bool    // the run's own, and those that it stands in for
	before    map[int64]bool    // those that had ended before the run began
	from      map[string]string // of a commit of reviews: the one below it
	wrote     string            // the commit that the run wrote itself
}

// gateOf is the gate of a run before it knows any check run.
func gateOf(h *host, s subject) *gate {
	m := scope.Of(s.scope())
	m.Run, m.Job = h.Env.Get("GITHUB_RUN_ID"), h.Env.Get("GITHUB_JOB")
	m.Try, m.Plan = h.attempt(), s.in.Mode == config.Plan
	return newGate(s.scope(), m, s.in.Mode == config.Report, h.Env.Now)
}

// newGate is the gate of a scope before any check run was seen.
func newGate(s scope.Scope, m scope.Mark, completesPlans bool, now func() time.Time) *gate {
	return &gate{
		scope: s, mark: m, report: completesPlans, now: now,
		own: map[int64]bool{}, before: map[int64]bool{}, from: map[string]string{},
	}
}

// opened is the external id of a check run that is begun.
func (g *gate) opened(head string) string {
	m := g.mark
	m.From, m.ID = g.from[head], github.Nonce()
	return m.String()
}

// completed is the external id of the gate with a verdict of the scope; what is none counts as an
// ERROR.
func (g *gate) completed(head string, k report.Check) string {
	m := g.mark
	m.From, m.ID, m.Done, m.Waits = g.from[head], github.Nonce(), true, k.Waits
	_ = m.Verdict.UnmarshalText([]byte(k.ExternalID))
	return m.String()
}

// sees notes which check runs had ended when they were seen first.
func (g *gate) sees(all []github.Check) {
	for _, k := range all {
		if _, known := g.before[k.ID]; !known {
			g.before[k.ID] = k.Status == completed
		}
	}
}

// begins notes the run's own check runs. What began after the first of them is no earlier run.
func (g *gate) begins(newest github.Check, ids []int64) {
	g.app = newest.AppSlug
	g.inherited = g.inherited || markOf(newest).Plan
	for _, id := range ids {
		g.own[id] = true
	}
	first := slices.Min(slices.Collect(maps.Keys(g.own)))
	for id := range g.before {
		g.before[id] = g.before[id] && id < first
	}
}

// standsIn notes a check run that the run speaks for from now on, and the commit below it.
func (g *gate) standsIn(k github.Check) {
	g.app, g.own[k.ID], g.from[k.HeadSHA] = k.AppSlug, true, markOf(k).From
}

// onTop notes that reviews were written on top of a commit, by the run itself or another.
func (g *gate) onTop(head, from string, itself bool) {
	if g.from[head] = from; itself {
		g.wrote = head
	}
}

// inherits reports whether a check run was left open by an earlier job of the workflow run that
// this one stands in for: mode plan, or an earlier attempt.
func (g *gate) inherits(k github.Check) bool {
	m := markOf(k)
	if k.Status == completed || m.Key != g.mark.Key || m.Run == "" || m.Run != g.mark.Run {
		return false
	}
	return g.report && m.Plan || m.Job == g.mark.Job && m.Try < g.mark.Try
}

const completed = "completed"

// markOf reads a check run's external id, zero where it is none of ours.
func markOf(k github.Check) scope.Mark {
	m, _ := scope.Parse(k.ExternalID)
	return m
}

// inScope reports whether a review's check run is of a run of the scope.
func inScope(k github.Check, key string) bool {
	return markOf(k).Key == key || strings.HasSuffix(k.ExternalID, " "+key)
}
