package ghaction

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
	"workflow-reviewer/internal/writeback"
)

// maxRounds is how often a run follows a branch that moves under it.
const maxRounds = 3

// errRefused ends a run that was asked for decisions alone, and none was taken.
var errRefused = errors.New("every command was refused")

// errSuperseded ends a report whose branch moved to a head of which the shards
// have not reviewed all: that head's own run gives it its verdict.
var errSuperseded = &stepError{errors.New("the branch moved while the shards reviewed, " +
	"to a head that changes what is under review; nothing was committed"), commitFailure}

// rounds plans, reviews and writes back, again if the branch moved meanwhile. Results of a round
// are carried into the next, where those stand whose files are the same there; heads that the
// branch left still vouch for records by their check runs. A branch that never
// rests, or a commit that is refused, ends in a failure: the reviews are in the report's folder,
// and the check is not green.
func (r *run) rounds(ctx context.Context) report.Report {
	var carried []workflow.Result
	var left []string // heads that the branch had before
	for n := 1; ; n++ {
		if !r.followsShards(left) {
			r.openChecks(ctx, report.CheckName)
		}
		to := round{r, left}
		o, err := r.Round(
			ctx, r.request(left), carried,
			pipeline.End{Planned: to.planned, Save: to.save, Write: to.write},
		)
		if errors.Is(err, errSuperseded) {
			r.superseded = true
			return r.account(ctx, r.last, cause(ctx, err))
		}
		r.last = o
		switch {
		case errors.Is(err, errRefused):
			r.asked.skip = r.thread.whyRefused()
			end := r.nothing(ctx)
			r.thread.reply(ctx, r.host, false)
			return end
		case err == nil:
			return r.account(ctx, o, nil)
		case !errors.Is(err, change.ErrHeadMoved) || n == maxRounds || ctx.Err() != nil:
			return r.account(ctx, o, cause(ctx, err))
		}
		was := r.ev.Head.SHA
		if err := r.follow(ctx); err != nil {
			return r.account(ctx, o, cause(ctx, &stepError{err, commitFailure}))
		}
		left, carried = append([]string{was}, left...), o.Results
	}
}

// follow makes the branch's new head what the run is about, and ends the checks of the old one. A
// label permits nothing there: nobody who set it saw that head.
func (r *run) follow(ctx context.Context) error {
	repo, was := r.main.req.Repo, r.ev.Head.SHA
	tip, err := repo.Tip(ctx, r.ev.Head.Branch)
	if err != nil {
		return fmt.Errorf("find the new head of %s: %w", r.ev.Head.Branch, err)
	}
	if r.main.req.Permit != "" {
		r.withdraw(tip)
		r.main.req.Permit = ""
	}
	r.ev.Head.SHA, r.main.req.Event.Head.SHA = tip, tip
	if err := repo.Fetch(ctx, tip); err != nil {
		return err
	}
	r.log(
		"The branch moved from %s to %s during the review; planning again.", change.Short(was),
		change.Short(tip),
	)
	if err := r.checks.completeRest(ctx, superseded(tip)); err != nil {
		r.degrade(fmt.Errorf("end the checks of %s: %w", change.Short(was), err))
	}
	return nil
}

// round is the end of one round on GitHub.
type round struct {
	*run
	left []string // heads that the branch had before
}

// planned is of pipeline.End: with people's decisions, and with what the shards came to. A
// report whose branch moved opens its gate only if they reviewed all of the new head.
func (r round) planned(ctx context.Context, p *pipeline.Plan) (by pipeline.Asker, err error) {
	if r.followsShards(r.left) {
		if len(p.Shards(r.main.req).Shards) > 0 {
			return by, errSuperseded
		}
		r.openChecks(ctx, report.CheckName)
	}
	if err := r.decide(ctx, p); err != nil {
		return by, err
	}
	r.tellPlan(*p)
	if err := r.ready(*p); err != nil {
		return by, err
	}
	by.Reviewer = r.main.engine.Reviewer
	switch {
	case r.in.Mode == config.All:
		r.openChecks(ctx, jobNames(p.Jobs)...)
	case r.in.Mode == config.Report && !r.asked.onlyDecides():
		by.Given = r.collect(p)
	}
	r.announce(ctx, *p)
	return by, nil
}

// followsShards reports whether the shards reviewed a head that the branch has left.
func (r *run) followsShards(left []string) bool {
	return r.in.Mode == config.Report && len(left) > 0
}

// save is of pipeline.End. The check runs of reviews may still be being opened, but not those of
// a person's decision, which is written once it is shown.
func (r round) save(ctx context.Context, o pipeline.Outcome) error {
	if r.last = o; ctx.Err() != nil {
		return nil // publish saves it: seconds are left, and thousands of reviews take some
	}
	if r.asked.onlyDecides() {
		r.degradeUnopened()
	}
	rep := r.account(ctx, o, nil)
	if err := r.store(&rep); err != nil {
		return &stepError{err, unsaved}
	}
	return nil
}

// write is of pipeline.End: it commits what the round came to.
func (r round) write(ctx context.Context, o *pipeline.Outcome) error {
	defer r.degradeUnopened()
	m := r.main
	if m.writer.to == nil {
		r.log("Reviews are not committed: %s.", m.writer.why)
		return nil
	}
	err := writeback.Writer{
		To: m.writer.to, Frame: r.Frame, Request: m.req,
	}.Write(ctx, o)
	switch {
	case errors.Is(err, change.ErrReadOnly) && engine.Dependabot(r.Env):
		r.notice(
			workflow.Warn,
			"Reviews are not committed: the token of a run that Dependabot starts may only read, "+
				"unless the workflow's permissions say otherwise.",
		)
		return nil
	case err != nil:
		return &stepError{err, commitFailure}
	}
	return nil
}

// decide has people's decisions change a plan, and drops what has no verdict where nothing is
// reviewed. A run that was asked for decisions alone touches no check before one is taken.
func (r *run) decide(ctx context.Context, p *pipeline.Plan) error {
	r.thread.refusals = r.takeDecisions(p.Jobs)
	taken := len(r.asked.commands) - len(r.thread.refusals)
	first := r.asked.onlyDecides() && !r.checks.active()
	if first && taken == 0 {
		return errRefused
	}
	p.DropUnsettled(r.in.Mode == config.Gate)
	if first && r.client != nil {
		r.checks = newChecks(r.client, gateOf(r.host, r.subject))
		r.openChecks(ctx, report.CheckName)
	}
	return nil
}

// ready says what is missing for a round: a token that GitHub takes, before any token of a model is
// spent; the engine where a model is to be asked; who writes where something is to be written.
func (r *run) ready(p pipeline.Plan) error {
	if err := r.checks.answered(); errors.Is(err, github.ErrUnauthorized) {
		return err
	}
	writes := slices.ContainsFunc(p.Jobs, func(j review.Job) bool {
		_, recorded := j.Standing()
		return !recorded
	})
	if err := r.main.writer.err; err != nil && writes {
		return err
	}
	return r.main.engine.Ready(r.Env, r.ev, r.main.req.Config, p.Jobs)
}

// jobNames are the names of the check runs of jobs.
func jobNames(jobs []review.Job) []string {
	names := make([]string, 0, len(jobs))
	for _, job := range jobs {
		names = append(names, report.CheckName+" / "+job.Artifact.Name())
	}
	return slices.Compact(names)
}

// tellPlan tells what a round is to do, and in the log what was found and why.
func (h *host) tellPlan(p pipeline.Plan) {
	pipeline.TellPlan(h.Events, p)
	h.runner.Group("Why")
	defer h.runner.EndGroup()
	for _, job := range p.Jobs {
		h.log("%s (%s)", job.Artifact.Name(), job.Artifact.Path())
		for _, why := range job.Artifact.Why {
			h.log("    %s", why)
		}
	}
}
