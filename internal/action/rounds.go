package action

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// maxRounds is how often a run follows a branch that moves under it.
const maxRounds = 3

// rounds plans, reviews and writes back, again if the branch moved meanwhile. A branch that never rests, or a commit
// that is refused, ends in a failure: the reviews are in the report's folder, and the check is not green.
func (j *job) rounds(ctx context.Context) report.Report {
	head := j.ev.Head.SHA
	var carried []workflow.Result
	for n := 1; ; n++ {
		r, err := j.round(ctx, head, carried)
		if errors.Is(err, errSuperseded) {
			j.superseded = true
			return j.account(ctx, j.last, cause(ctx, err))
		}
		j.last = r
		switch {
		case errors.Is(err, errRefused):
			return j.refused(ctx)
		case err == nil:
			return j.account(ctx, r, nil)
		case !errors.Is(err, change.ErrHeadMoved) || n == maxRounds || ctx.Err() != nil:
			return j.account(ctx, r, cause(ctx, err))
		}
		moved, err := j.follow(ctx)
		if err != nil {
			return j.account(ctx, r, cause(ctx, &commitError{err}))
		}
		j.log("The branch moved from %s to %s during the review; planning again.", short(head), short(moved))
		j.supersede(ctx, head, moved)
		j.left = append([]string{head}, j.left...)
		head, carried = moved, r.results
	}
}

// errSuperseded ends a report whose branch moved to a head of which the shards
// have not reviewed all: that head's own run gives it its verdict.
var errSuperseded = &commitError{errors.New("the branch moved while the shards reviewed, " +
	"to a head that changes what is under review; nothing was committed")}

// outdated reports whether a run without a verdict is about a head that the pull
// request has left: what people read is of the new one.
func (j *job) outdated(ctx context.Context, rep report.Report) bool {
	if j.superseded || j.in.Mode != config.Report || rep.Decision != workflow.Error || j.ev.Number == 0 {
		return j.superseded
	}
	pr, err := j.client.PullRequest(ctx, j.ev.Number)
	return err == nil && pr.Head.SHA != rep.Head && pr.Head.SHA != rep.NewHead
}

// round is one plan, its reviews, and their commit. It saves the report before anything is written to the branch.
func (j *job) round(ctx context.Context, head string, carried []workflow.Result) (round, error) {
	s := j.session
	follows := j.in.Mode == config.Report && len(j.left) > 0
	if !follows {
		_ = j.begin(ctx, head) // told already; the verdict is also in the log
	}
	r, err := s.plan(ctx, j.ev.Base.SHA, head, carried)
	r.set.Head = head
	if err != nil {
		return r, err
	}
	if follows {
		if len(s.shards(r).Shards) > 0 {
			return r, errSuperseded
		}
		_ = j.begin(ctx, head)
	}
	if err := j.decide(&r); err != nil {
		return r, err
	}
	r.leaveAbsent(s.gate)
	if !j.checks.active() && j.client != nil && j.asked.onlyDecides() {
		j.checks = newChecks(j.client, j.gate())
		_ = j.begin(ctx, head)
	}
	s.tellPlan(r)
	j.explain(r)
	if err := j.ready(r); err != nil {
		return r, err
	}
	if j.in.Mode == config.All {
		if err := j.checks.begin(ctx, head, jobNames(r.jobs)...); err != nil {
			j.degrade(err)
		}
	}
	s.run(ctx, &r)
	j.last = r
	if ctx.Err() != nil {
		return r, nil
	}
	rep := j.account(ctx, r, nil)
	if err := j.store(&rep); err != nil {
		return r, err
	}
	if j.writer == nil {
		j.log("Reviews are not committed: %s.", j.unwritten)
		return r, nil
	}
	switch err := s.commitBack(ctx, j.writer, j.ev.Head.Branch, &r); {
	case errors.Is(err, change.ErrReadOnly) && s.dependabot():
		j.notice(true, "Reviews are not committed: the token of a run that Dependabot starts may only read, "+
			"unless the workflow's permissions say otherwise.")
	case err != nil:
		return r, &commitError{err}
	}
	return r, nil
}

// ready says what is missing for a round: the engine where a model is to be asked, and who writes where something
// is to be written.
func (j *job) ready(r round) error {
	writes := slices.ContainsFunc(r.jobs, func(j review.Job) bool {
		_, recorded := j.Standing()
		return !recorded
	})
	if j.unwritable != nil && writes {
		return j.unwritable
	}
	return j.session.ready(r.jobs)
}

// account is the report of a round.
func (j *job) account(ctx context.Context, r round, f *workflow.Failure) report.Report {
	j.session.notices = j.notices
	return j.session.report(ctx, r, f)
}

// follow finds the branch's new head and makes it available.
func (j *job) follow(ctx context.Context) (string, error) {
	tip, err := j.session.repo.Tip(ctx, j.ev.Head.Branch)
	if err != nil {
		return "", fmt.Errorf("find the new head of %s: %w", j.ev.Head.Branch, err)
	}
	j.ev.Head.SHA = tip
	j.session.event.Head.SHA = tip
	return tip, j.session.repo.Fetch(ctx, j.headWant())
}

// supersede ends the checks of a head that is no longer the branch's.
func (j *job) supersede(ctx context.Context, head, moved string) {
	k := superseded(moved)
	err := j.checks.completeRest(ctx, k.Conclusion, k.Title, k.Summary)
	if err != nil {
		j.degrade(fmt.Errorf("end the checks of %s: %w", short(head), err))
	}
}
