package ghaction

import (
	"context"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// maxLineage is how many commits of ours in a row are followed down to the one that was reviewed.
const maxLineage = 20

// gates are the check runs of the gate on a commit, whoever made them, the newest first; then those
// on the commits that reviews were written on top of: what stood there stands for the same files.
func (c *checks) gates(ctx context.Context, head string) ([]github.Check, error) {
	var out []github.Check
	list := func(sha string) func() ([]github.Check, error) {
		return beside(
			func() ([]github.Check, error) { return c.client.ListChecks(ctx, sha, report.CheckName) },
		)
	}
	commits, lists := []string{head}, []func() ([]github.Check, error){list(head)}
	if from := c.gate.from[head]; from != "" {
		commits, lists = append(commits, from), append(lists, list(from))
	}
	for i := 0; i < len(commits); i++ {
		if i == maxLineage {
			return nil, fmt.Errorf("more than %d commits of reviews in a row", maxLineage)
		}
		all, err := lists[i]()
		if err != nil {
			return nil, err
		}
		onTop := slices.DeleteFunc(
			slices.Clone(all), func(k github.Check) bool { return markOf(k).From == "" },
		)
		if own, err := c.client.Own(ctx, slices.Clone(onTop)); err == nil { // another App may name any commit
			onTop = own
		}
		for _, k := range onTop {
			if from := markOf(k).From; !slices.Contains(commits, from) {
				commits, lists = append(commits, from), append(lists, list(from))
			}
		}
		out = append(out, all...)
	}
	return out, nil
}

// scopeCheck is a check run as scope.Decide sees it. One on another commit than head is below it.
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

// reading is the gates of a commit, while they are read beside the run.
type reading func() ([]github.Check, error)

// read begins to read the gates of a commit.
func (c *checks) read(ctx context.Context, head string) reading {
	return beside(func() ([]github.Check, error) { return c.gates(ctx, head) })
}

// facts are what decides on the gate of a commit.
func (c *checks) facts(ctx context.Context, head string, gates reading) (scope.Facts, error) {
	f := scope.Facts{
		Own:    func(k scope.Check) bool { return c.gate.own[k.ID] },
		Before: func(k scope.Check) bool { return c.gate.before[k.ID] },
		Now:    c.gate.now(),
	}
	all, err := gates()
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
		return !known ||
			!pr.Closed && pr.Base.Branch == m.Base && slices.Contains(commits, pr.Head.SHA)
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
// and its reading replaces what is out of date. gates is the first reading. held is the report with
// what keeps the gate from being green beside its own verdict.
func (c *checks) settle(
	ctx context.Context, head string, rep report.Report, gates reading,
) (held report.Report, err error) {
	for range maxSettle {
		held, done, err := c.settleOnce(ctx, head, rep, gates)
		if done || err != nil {
			return held, err
		}
		gates = c.read(ctx, head)
	}
	return rep, fmt.Errorf(
		"the gate of %s did not come to rest: other runs keep completing it", change.Short(head),
	)
}

// beginSettling opens and completes the gate of a commit. rest reads what others wrote meanwhile,
// beside what the run does until it is called, and has the gate come to rest.
func (c *checks) beginSettling(
	ctx context.Context, head string, rep report.Report, gates reading,
) (rest func() (report.Report, error)) {
	held, done, err := rep, false, c.start(ctx, head, report.CheckName)
	if err == nil {
		held, done, err = c.settleOnce(ctx, head, rep, gates)
	}
	if done || err != nil {
		return func() (report.Report, error) { return held, err }
	}
	again := c.read(ctx, head)
	return func() (report.Report, error) { return c.settle(ctx, head, rep, again) }
}

// settleOnce brings the gate of a commit in line with a reading. done is false after a write, so
// that what others wrote meanwhile is read.
func (c *checks) settleOnce(
	ctx context.Context, head string, rep report.Report, gates reading,
) (held report.Report, done bool, err error) {
	if !c.active() {
		return rep, true, nil
	}
	f, err := c.facts(ctx, head, gates)
	if ctx.Err() != nil {
		return rep, false, ctx.Err()
	}
	out := scope.Decide(c.gate.mark, c.gate.scope, rep.Decision, f)
	held = rep.HeldBack(heldBy(out, err))
	gate := held.Check()
	gate.ExternalID = out.Verdict.String()
	done, err = c.showGate(ctx, head, gate, f)
	return held, done, err
}

// showGate has GitHub show the gate. done is false after a write, so that what others wrote
// meanwhile is read.
func (c *checks) showGate(
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

// superseded is the gate of a head that the branch has left.
func superseded(moved string) report.Check {
	return report.Check{
		Name: report.CheckName, Conclusion: github.Cancelled, Title: "Superseded",
		Summary: fmt.Sprintf(
			"The branch moved to %s during the review; the verdict is there.", moved,
		),
	}
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
	i := slices.IndexFunc(
		all, func(k github.Check) bool { return markOf(k).Key == c.gate.mark.Key },
	)
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
			Lines: []report.HeldLine{
				{Text: fmt.Sprintf("The other verdicts on this commit could not be read: %v", err)},
			},
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
	h.Title, h.Pull, h.Waits = h.Lines[0].Text, first.Pull, first.State == scope.Waiting ||
		first.State == scope.Unjudged
	switch first.State {
	case scope.NeedsChanges:
		h.Decision = workflow.NeedsChanges
	case scope.Unjudged:
		h.GateAlone = true
	}
	return h
}

// sentence says what holds the gate back.
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

// onward repeats the verdict on the pull request's head where that is a commit of reviews, written
// by the run of another scope on top of the one that was reviewed: nothing under review differs,
// and no run begins there.
func (c *checks) onward(
	ctx context.Context, s subject, rep, held report.Report,
) (report.Report, error) {
	if !c.gate.shared || s.ev.Number == 0 || !s.speaks() {
		return held, nil
	}
	pr, err := c.client.PullRequest(ctx, s.ev.Number)
	if err != nil || pr.Head.SHA == rep.Head {
		return held, err
	}
	all, err := c.gates(ctx, pr.Head.SHA)
	onTop := slices.ContainsFunc(all, func(k github.Check) bool { return k.HeadSHA == rep.Head })
	i := slices.IndexFunc(all, func(k github.Check) bool {
		return k.AppSlug == c.gate.app && markOf(k).From != ""
	})
	if err != nil || !onTop || i < 0 {
		return held, err
	}
	c.gate.from[pr.Head.SHA] = markOf(all[i]).From
	if err := c.start(ctx, pr.Head.SHA, report.CheckName); err != nil {
		return held, err
	}
	return c.settle(ctx, pr.Head.SHA, rep, c.read(ctx, pr.Head.SHA))
}

// maxPlanned is on how many commits below the head the check run that mode plan left open is looked
// for.
const maxPlanned = 30

// closePlanned ends the check run that mode plan opened where the head was read by API and has
// moved since: mode report works on the new one, and nobody else would end it.
func (c *checks) closePlanned(ctx context.Context, s subject) error {
	if s.in.Mode != config.Report || !s.asked.needPR || !c.active() || c.gate.inherited {
		return nil
	}
	commits, err := c.client.PullCommits(ctx, s.ev.Number)
	if err != nil {
		return err
	}
	for _, sha := range commits[:min(len(commits), maxPlanned)] {
		all, err := c.client.ListChecks(ctx, sha, report.CheckName)
		if err != nil || sha == s.ev.Head.SHA {
			continue
		}
		for _, k := range all {
			if k.AppSlug == c.gate.app && c.gate.inherits(k) {
				c.open[checkRun{sha, k.Name}] = []int64{k.ID}
				return c.complete(ctx, sha, superseded(s.ev.Head.SHA))
			}
		}
	}
	return nil
}
