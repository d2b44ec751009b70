package ghaction

import (
	"context"
	"errors"
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

// listing is the check runs of the gate on one commit, once they are read.
type listing func() ([]github.Check, error)

// look is one look at the gates: each commit is asked about once.
type look struct {
	ctx    context.Context
	checks *checks
	lists  map[string]listing
}

// look begins to read the gates of commits, and of those that reviews were written on top of.
func (c *checks) look(ctx context.Context, heads ...string) *look {
	l := &look{ctx, c, map[string]listing{}}
	for _, head := range heads {
		l.list(head)
		if from := c.gate.from[head]; from != "" {
			l.list(from)
		}
	}
	return l
}

// list begins to read the gates of one commit.
func (l *look) list(sha string) listing {
	if l.lists[sha] == nil {
		l.lists[sha] = beside(func() ([]github.Check, error) {
			defer l.checks.slot()()
			return l.checks.client.ListChecks(l.ctx, sha, report.CheckName)
		})
	}
	return l.lists[sha]
}

// gates are the check runs of the gate on a commit, whoever made them, the newest first; then those
// on the commits that reviews were written on top of: what stood there stands for the same files.
func (l *look) gates(head string) ([]github.Check, error) {
	var out []github.Check
	commits := []string{head}
	if from := l.checks.gate.from[head]; from != "" {
		commits = append(commits, from)
	}
	for i := 0; i < len(commits); i++ {
		if i == maxLineage {
			return nil, fmt.Errorf("more than %d commits of reviews in a row", maxLineage)
		}
		all, err := l.list(commits[i])()
		if err != nil {
			return nil, err
		}
		onTop := slices.DeleteFunc(
			slices.Clone(all), func(k github.Check) bool { return markOf(k).From == "" },
		)
		if own, err := l.checks.client.Own(l.ctx, slices.Clone(onTop)); err == nil {
			onTop = own // another App may name any commit
		}
		for _, k := range onTop {
			if from := markOf(k).From; !slices.Contains(commits, from) {
				commits = append(commits, from)
				l.list(from)
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

// facts are what decides on the gate of a commit.
func (c *checks) facts(ctx context.Context, head string, now *look) (scope.Facts, error) {
	f := scope.Facts{
		Own:    func(k scope.Check) bool { return c.gate.own[k.ID] },
		Before: func(k scope.Check) bool { return c.gate.before[k.ID] },
		Now:    c.gate.now(),
	}
	all, err := now.gates(head)
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

// Several runs may write to the gate of one commit, and GitHub has no lock. So each run
//
//  1. reads all check runs of the gate on the commit, and below it where reviews were written on
//     top of another commit,
//  2. decides by them and by its own verdict, and completes its own check run,
//  3. reads again, and writes again where others changed what is true.
//
// Of two runs the one whose write comes last reads the other's verdict in step 3. A run that is
// killed before it leaves its verdict in the external id of its check run; whoever ends later
// counts it. TestTwoScopesInEveryOrder plays every order of two runs' requests.

// settle ends the gates of commits so that the newest check run of the name is green only if every
// scope that stands on the commit is. It reads what stands before it completes its own check run
// and again after: of two runs that end at once, the one that completes last sees both verdicts,
// and its reading replaces what is out of date. now is the first reading; shown is told of the
// report while what was written is read again. held is the report with what keeps the last head's
// gate from being green beside its own verdict.
func (c *checks) settle(
	ctx context.Context, heads []string, rep report.Report, now *look, shown func(report.Report),
) (held report.Report, err error) {
	for range maxSettle {
		wrote := false
		for _, head := range heads {
			var writes bool
			if held, writes, err = c.align(ctx, head, rep, now); err != nil {
				return held, err
			}
			wrote = wrote || writes
		}
		if !wrote {
			return held, nil
		}
		now = c.look(ctx, heads...)
		shown(held)
	}
	return rep, errors.New("the gate did not come to rest: other runs keep completing it")
}

// align brings the gate of a commit in line with a reading. The report comes back with what holds
// the gate back. After a write what others wrote meanwhile is to be read.
func (c *checks) align(
	ctx context.Context, head string, rep report.Report, now *look,
) (held report.Report, wrote bool, err error) {
	if !c.active() {
		return rep, false, nil
	}
	f, err := c.facts(ctx, head, now)
	if ctx.Err() != nil {
		return rep, false, ctx.Err()
	}
	out := scope.Decide(c.gate.mark, c.gate.scope, rep.Decision, f)
	held = rep.HeldBack(heldBy(out, err))
	gate := held.Check()
	gate.ExternalID = out.Verdict.String()
	if c.isOpen(head, gate.Name) || c.isDue(head) {
		return held, true, c.complete(ctx, head, gate)
	}
	gate.Annotations = nil // they stand in the run's own check run
	newest := scope.Check{}
	if len(f.Checks) > 0 {
		newest = f.Checks[0]
	}
	own, passes := f.Own(newest), gate.Conclusion == github.Success
	standing := !newest.Open && newest.Passed == passes && !(waits(newest) && !gate.Waits)
	if err != nil { // nobody knows what stands, but what this run said
		standing = !c.wasOpened(head)
	}
	if standing || !own && f.Pending(newest) { // whose run reads this verdict when it ends
		return held, false, nil
	}
	return held, true, c.replace(ctx, head, newest.ID, gate)
}

// replace has the newest gate of a commit say something else: the run's own is completed anew,
// another's gets a newer one above it.
func (c *checks) replace(
	ctx context.Context, head string, newest int64, gate report.Check,
) (err error) {
	defer c.slot()()
	passes := gate.Conclusion == github.Success
	if passes {
		c.note(head, passes) // also where the answer is lost
	}
	made := github.Check{ID: newest}
	if c.gate.own[newest] {
		err = c.client.UpdateCheck(ctx, newest, c.output(head, gate))
	} else {
		made, err = c.client.PostCheck(ctx, head, c.output(head, gate))
	}
	if err != nil {
		return err
	}
	c.gate.own[made.ID] = true
	c.note(head, passes)
	return nil
}

// superseded is the gate of a head that the branch has left. It waits for the verdict that the job
// gives on the new one, and so is told from one that was cancelled.
func superseded(moved string) report.Check {
	return report.Check{
		Name: report.CheckName, Conclusion: github.Cancelled, Waits: true, Title: "Superseded",
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
	ctx context.Context, head string, now *look,
) (d workflow.Decision, ok bool, err error) {
	all, err := now.gates(head)
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
	c.gate.standsIn(k)
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
	head := pr.Head.SHA
	all, err := c.look(ctx, head).gates(head)
	onTop := slices.ContainsFunc(all, func(k github.Check) bool { return k.HeadSHA == rep.Head })
	i := slices.IndexFunc(all, func(k github.Check) bool {
		return k.AppSlug == c.gate.app && markOf(k).From != ""
	})
	if err != nil || !onTop || i < 0 {
		return held, err
	}
	c.gate.onTop(head, markOf(all[i]).From, false)
	if err := c.begin(ctx, head, report.CheckName)(); err != nil {
		return held, err
	}
	return c.settle(ctx, []string{head}, rep, c.look(ctx, head), func(report.Report) {})
}

// maxPlanned is on how many commits below the head the check run that mode plan left open is looked
// for.
const maxPlanned = 30

// closePlanned ends the check run that mode plan opened where the head was read by API and has
// moved since: mode report works on the new one, and nobody else would end it.
func (c *checks) closePlanned(ctx context.Context, s subject) error {
	if s.in.Mode != config.Report || !s.asked.needPR ||
		!c.isOpen(s.ev.Head.SHA, report.CheckName) || c.gate.inherited {
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
				c.open(checkRun{sha, k.Name}, func() ([]int64, error) { return []int64{k.ID}, nil })
				return c.complete(ctx, sha, superseded(s.ev.Head.SHA))
			}
		}
	}
	return nil
}
