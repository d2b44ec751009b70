package action

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// scope is what this run's verdict is about.
func (j *job) scope() scope.Scope {
	s := scope.Scope{Pull: j.ev.Number, Base: j.ev.Base.Branch}
	if s.Pull == 0 {
		s.Event, s.Branch = j.ev.Name, j.ev.Head.Branch
	}
	if j.ev.Name == "push" {
		s.Base = j.ev.Base.SHA // the same commit pushed onto another one is another change
	}
	if len(j.in.Types) < len(workflow.Types()) {
		s.Types = j.in.Types
	}
	for _, p := range j.in.Paths {
		s.Paths = append(s.Paths, string(p))
	}
	if j.in.ConfigPath != config.DefaultPath {
		s.Config = string(j.in.ConfigPath)
	}
	return s
}

// gate is what a run knows of the check runs of the gate, its own and others'.
type gate struct {
	scope     scope.Scope
	mark      scope.Mark
	report    bool              // the run completes what mode plan opened
	app       string            // slug of the App that makes our check runs
	inherited bool              // mode plan's check run was taken over
	shared    bool              // another scope stands on a commit of the run
	own       map[int64]bool    // the run's own, and those that it stands in for
	before    map[int64]bool    // those that had ended before the run began
	from      map[string]string // of a commit that the run wrote: the one below it
	now       func() time.Time
}

func (j *job) gate() gate {
	s := j.scope()
	m := scope.Of(s)
	m.Run, m.Job = j.env.get("GITHUB_RUN_ID"), j.env.get("GITHUB_JOB")
	m.Plan = j.in.Mode == config.Plan
	m.Try, _ = strconv.Atoi(j.env.get("GITHUB_RUN_ATTEMPT")) // 0 counts as 1
	return newGate(s, m, j.in.Mode == config.Report, j.env.Now)
}

// view is what of the pull request this run's comment is about. Where the config could not be read
// it is no other.
func (j *job) view() scope.Scope {
	s := j.scope()
	if j.session == nil {
		s.Config = ""
	}
	return s
}

func newGate(s scope.Scope, m scope.Mark, completesPlans bool, now func() time.Time) gate {
	return gate{
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
func (g *gate) begins(app string, ids []int64) {
	g.app = app
	for _, id := range ids {
		g.own[id] = true
	}
	first := slices.Min(slices.Collect(maps.Keys(g.own)))
	for id := range g.before {
		g.before[id] = g.before[id] && id < first
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

func markOf(k github.Check) scope.Mark {
	m, _ := scope.Parse(k.ExternalID)
	return m
}

// inScope reports whether a review's check run is of a run of the scope.
func inScope(k github.Check, key string) bool {
	return markOf(k).Key == key || strings.HasSuffix(k.ExternalID, " "+key)
}

// maxLineage is how many commits of ours in a row are followed down to the one that was reviewed.
const maxLineage = 20

// gates are the check runs of the gate on a commit, whoever made them, the newest first; then those
// on the commits that reviews were written on top of: what stood there stands for the same files.
func (c *checks) gates(ctx context.Context, head string) ([]github.Check, error) {
	var out []github.Check
	commits := []string{head}
	for i := 0; i < len(commits); i++ {
		if i == maxLineage {
			return nil, fmt.Errorf("more than %d commits of reviews in a row", maxLineage)
		}
		all, err := c.client.ListChecks(ctx, commits[i], report.CheckName)
		if err != nil {
			return nil, err
		}
		onTop := slices.DeleteFunc(slices.Clone(all), func(k github.Check) bool { return markOf(k).From == "" })
		if own, err := c.client.Own(ctx, slices.Clone(onTop)); err == nil { // another App may name any commit
			onTop = own
		}
		for _, k := range onTop {
			if from := markOf(k).From; !slices.Contains(commits, from) {
				commits = append(commits, from)
			}
		}
		out = append(out, all...)
	}
	return out, nil
}

func scopeCheck(k github.Check, head string) scope.Check {
	s := scope.Check{
		ID: k.ID, Below: k.HeadSHA != head, Started: k.Started,
		Open: k.Status != completed, Passed: k.Conclusion == github.Success,
		Cancelled: k.Conclusion == github.Cancelled,
	}
	if m, ok := scope.Parse(k.ExternalID); ok {
		s.Mark = &m
	}
	return s
}

// facts reads what decides on the gate of a commit.
func (c *checks) facts(ctx context.Context, head string) (scope.Facts, error) {
	f := scope.Facts{
		Own:    func(k scope.Check) bool { return c.gate.own[k.ID] },
		Before: func(k scope.Check) bool { return c.gate.before[k.ID] },
		Now:    c.gate.now(),
	}
	all, err := c.gates(ctx, head)
	if err != nil {
		return f, err
	}
	commits := []string{head}
	for _, k := range all {
		if k.AppSlug == c.gate.app {
			f.Checks = append(f.Checks, scopeCheck(k, head))
			commits = append(commits, k.HeadSHA, markOf(k).From)
		}
	}
	pulls := c.pulls(ctx, f.Checks)
	f.Stands = func(m scope.Mark) bool {
		pr, known := pulls[m.Pull]
		return !known || !pr.Closed && pr.Base.Branch == m.Base && slices.Contains(commits, pr.Head.SHA)
	}
	if c.gate.scope.NeedsPulls(f.Checks) {
		f.Pulls, err = c.client.OpenPulls(ctx, head)
		f.Unlisted = err != nil
	}
	return f, nil
}

// pulls are the pull requests that other scopes are of. One that cannot be read is left out: its
// scopes stand.
func (c *checks) pulls(ctx context.Context, all []scope.Check) map[int]change.Event {
	pulls := map[int]change.Event{}
	for _, k := range all {
		if k.Mark == nil || k.Mark.Key == c.gate.mark.Key {
			continue
		}
		c.gate.shared = true
		if n := k.Mark.Pull; n != 0 && pulls[n].Number == 0 {
			if pr, err := c.client.PullRequest(ctx, n); err == nil {
				pulls[n] = pr
			}
		}
	}
	return pulls
}

// maxSettle is how often a run that ends reads the gate anew because others ended meanwhile.
const maxSettle = 8

// settle ends the gate of a commit so that the newest check run of its name is green only if every
// scope that stands on the commit is. It reads what stands before it completes its own check run
// and again after: of two runs that end at once, the one that completes last sees both verdicts,
// and its reading replaces what is out of date. held is the report with what keeps the gate from
// being green beside its own verdict.
func (c *checks) settle(
	ctx context.Context, head string, rep report.Report,
) (held report.Report, err error) {
	held = rep
	for range maxSettle {
		if c.client == nil {
			return held, nil
		}
		f, err := c.facts(ctx, head)
		if ctx.Err() != nil {
			return held, ctx.Err()
		}
		out := scope.Decide(c.gate.mark, c.gate.scope, rep.Decision, f)
		held = rep.HeldBack(heldBy(out, err))
		gate := held.Check()
		gate.ExternalID = out.Verdict.String()
		if done, err := c.tell(ctx, head, gate, f); done || err != nil {
			return held, err
		}
	}
	return held, fmt.Errorf("the gate of %s did not come to rest: other runs keep completing it", short(head))
}

// tell has GitHub show the gate. done is false after a write, so that what others wrote meanwhile
// is read.
func (c *checks) tell(
	ctx context.Context, head string, gate report.Check, f scope.Facts,
) (done bool, err error) {
	if c.isOpen(head, gate.Name) {
		return false, c.complete(ctx, head, gate)
	}
	gate.Annotations = nil // they stand in the run's own check run
	newest := scope.Check{}
	if len(f.Checks) > 0 {
		newest = f.Checks[0]
	}
	passes := gate.Conclusion == github.Success
	switch {
	case !c.gate.own[newest.ID] && f.Pending(newest):
		return true, nil // its run reads this verdict when it ends
	case !newest.Open && newest.Passed == passes && !(waits(newest) && !gate.Waits):
		return true, nil
	case c.gate.own[newest.ID]:
		err = c.client.CompleteCheck(ctx, newest.ID, c.output(head, gate))
	default:
		var made github.Check
		made, err = c.client.PostCheck(ctx, head, gate.Name, c.output(head, gate))
		c.gate.own[made.ID] = true
	}
	if err == nil && passes {
		c.green = append(c.green, head)
	}
	return false, err
}

// maxPlanned is on how many commits below the head the check run that mode plan left open is looked
// for.
const maxPlanned = 30

// closePlanned ends the check run that mode plan opened where the head was read by API and has
// moved since: mode report works on the new one, and nobody else would end it.
func (j *job) closePlanned(ctx context.Context) error {
	c := j.checks
	if j.in.Mode != config.Report || !j.asked.needPR || !c.active() || c.gate.inherited {
		return nil
	}
	commits, err := j.client.PullCommits(ctx, j.ev.Number)
	if err != nil {
		return err
	}
	for _, sha := range commits[:min(len(commits), maxPlanned)] {
		all, err := c.client.ListChecks(ctx, sha, report.CheckName)
		if err != nil || sha == j.ev.Head.SHA {
			continue
		}
		for _, k := range all {
			if k.AppSlug == c.gate.app && c.gate.inherits(k) {
				c.open[checkRun{sha, k.Name}] = []int64{k.ID}
				return c.complete(ctx, sha, superseded(j.ev.Head.SHA))
			}
		}
	}
	return nil
}

// superseded is the gate of a head that the branch has left.
func superseded(moved string) report.Check {
	return report.Check{
		Name: report.CheckName, Conclusion: github.Cancelled, Title: "Superseded",
		Summary: fmt.Sprintf("The branch moved to %s during the review; the verdict is there.", moved),
	}
}

// onward repeats the verdict on the pull request's head where that is a commit of reviews, written
// by the run of another scope on top of the one that was reviewed: nothing under review differs,
// and no run begins there.
func (j *job) onward(ctx context.Context, rep, held report.Report) (report.Report, error) {
	if !j.checks.gate.shared || j.ev.Number == 0 || !j.speaks() {
		return held, nil
	}
	pr, err := j.client.PullRequest(ctx, j.ev.Number)
	if err != nil || pr.Head.SHA == rep.Head {
		return held, err
	}
	all, err := j.checks.gates(ctx, pr.Head.SHA)
	onTop := slices.ContainsFunc(all, func(k github.Check) bool { return k.HeadSHA == rep.Head })
	i := slices.IndexFunc(all, func(k github.Check) bool {
		return k.AppSlug == j.checks.gate.app && markOf(k).From != ""
	})
	if err != nil || !onTop || i < 0 {
		return held, err
	}
	j.checks.gate.from[pr.Head.SHA] = markOf(all[i]).From
	if err := j.checks.start(ctx, pr.Head.SHA, report.CheckName); err != nil {
		return held, err
	}
	return j.checks.settle(ctx, pr.Head.SHA, rep)
}

// waits reports whether a gate is shown to wait for another scope.
func waits(c scope.Check) bool { return c.Mark != nil && c.Mark.Waits }

// recorded is the verdict that the newest check run of the run's scope has on a commit; ok is false
// without one. From then on the run speaks for it.
func (c *checks) recorded(
	ctx context.Context, head string,
) (d workflow.Decision, ok bool, err error) {
	all, err := c.gates(ctx, head)
	if err == nil {
		all, err = c.client.Own(ctx, all)
	}
	i := slices.IndexFunc(all, func(k github.Check) bool { return markOf(k).Key == c.gate.mark.Key })
	if err != nil || i < 0 || all[i].HeadSHA != head {
		return workflow.Error, false, err
	}
	k, m := all[i], markOf(all[i])
	c.gate.sees(all)
	c.gate.app, c.gate.own[k.ID], c.gate.from[head] = k.AppSlug, true, m.From
	return m.Verdict, m.Done && m.Verdict != workflow.Error && k.Conclusion != github.Cancelled, nil
}

// heldBy puts into words what keeps the gate from being green, nil for nothing.
func heldBy(out scope.Outcome, err error) *report.Held {
	if err != nil {
		return &report.Held{
			Title: report.TitleNotRun,
			Lines: []report.HeldLine{{Text: fmt.Sprintf("The other verdicts on this commit could not be read: %v", err)}},
		}
	}
	if len(out.Held) == 0 {
		return nil
	}
	h := &report.Held{}
	for _, s := range out.Held {
		h.Lines = append(h.Lines, report.HeldLine{Text: sentence(s), Pull: s.Pull})
	}
	first := out.Held[0]
	h.Title, h.Pull, h.Waits = h.Lines[0].Text, first.Pull, first.State == scope.Waiting || first.State == scope.Unjudged
	switch first.State {
	case scope.NeedsChanges:
		h.Decision = workflow.NeedsChanges
	case scope.Unjudged:
		h.GateAlone = true
	}
	return h
}

func sentence(h scope.Held) string {
	switch h.State {
	case scope.NeedsChanges:
		return h.What + " needs changes"
	case scope.Waiting, scope.Unjudged:
		return report.TitleWaiting + h.What
	default:
		return h.What + " did not run"
	}
}
