package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// review does the main job, or the mode's part of it: from the event to a report.
func (j *job) review(ctx context.Context) report.Report {
	if (j.asked.onlyDecides() || j.asked.onlyAsks()) && !j.speaks() {
		j.asked.skip = "the comment asks for decisions or answers alone, which are given in the mode report"
		return j.nothing(ctx)
	}
	if j.client != nil && !j.asked.onlyDecides() && !j.asked.onlyAsks() && j.in.Mode != config.Review {
		j.checks = newChecks(j.client, j.gate())
	}
	work, err := os.MkdirTemp(j.env.temp(), "workflow-reviewer-work-")
	if err != nil {
		_ = j.begin(ctx, j.ev.Head.SHA)
		return j.failed(ctx, misconfigured(fmt.Errorf("make a working folder: %w", err)))
	}
	j.later(func() { _ = os.RemoveAll(work) })
	var starting engine
	if j.in.Mode == config.All && (!j.asked.onlyDecides() || len(j.asked.testBugs) > 0) {
		starting = startEngine(ctx, j.env, j.in, work)
		j.later(starting.stop)
	}
	if err := j.begin(ctx, j.ev.Head.SHA); errors.Is(err, github.ErrUnauthorized) {
		return j.failed(ctx, publishFailure(err)) // before any token of a model is spent
	}
	if err := j.closePlanned(ctx); err != nil {
		j.notice(true, "a check of an earlier head may be left in progress: %v", err)
	}
	repo, err := j.open(ctx, work)
	if err != nil {
		return j.failed(ctx, cause(ctx, errors.Join(j.inputErr, j.asked.err, err)))
	}
	j.later(func() { _ = repo.Close() })
	cfg, notices, err := loadConfig(j.in, errors.Join(j.inputErr, j.asked.err), repo, j.ev.Base.SHA)
	j.notices = append(j.notices, notices...)
	if err != nil {
		return j.failed(ctx, misconfigured(err))
	}
	if !cfg.Enabled {
		j.asked.skip = switchedOff
		return j.nothing(ctx)
	}
	j.session = &session{
		env: j.env, cfg: cfg, repo: repo, event: j.ev, asked: j.asked, redactor: j.redactor(),
		scope: j.scope(), vouched: j.voucher(repo), witness: j.vouch(), events: j.events, started: j.started, dir: j.dir,
	}
	if j.asked.onlyAsks() {
		return j.answerTestBugs(ctx, starting)
	}
	if len(j.asked.testBugs) > 0 && j.speaks() {
		j.askTestBugs(ctx, starting)
	}
	j.writer, j.unwritten, j.unwritable = j.committer()
	if len(j.asked.commands) > 0 {
		j.screen()
	}
	if j.asked.onlyDecides() {
		j.session.shown, j.session.reviewer = j.shown, nil
	} else if err := j.prepare(ctx, starting); err != nil {
		return j.failed(ctx, cause(ctx, err))
	}
	switch j.in.Mode {
	case config.Plan:
		return j.plan(ctx)
	case config.Review:
		return j.shard(ctx, work)
	default:
		return j.rounds(ctx)
	}
}

// switchedOff is why nothing is reviewed where the config says so.
const switchedOff = `the config says "auto_review.enabled": false`

// begin opens the gate check. Without permission the run goes on without
// checks; the log, the summary and the exit status still tell the verdict.
func (j *job) begin(ctx context.Context, head string) error {
	err := j.checks.begin(ctx, head, report.CheckName)
	if err != nil {
		j.degrade(err)
	}
	return err
}

// prepare reads what was measured and waits for the engine; where none is asked, or not yet, it has its name alone.
func (j *job) prepare(ctx context.Context, starting engine) error {
	s := j.session
	var err error
	s.measured, err = readMeasured(j.env, j.env.get("GITHUB_WORKSPACE"), s.cfg)
	if err != nil {
		return err
	}
	if starting != nil {
		j.use(ctx, starting)
		return nil
	}
	s.nameEngine(ctx)
	switch s.brief = j.in.Mode != config.Review; j.in.Mode {
	case config.Report:
		s.given = j.collect
	case config.Gate:
		s.gate = true
		if j.client != nil {
			s.shown = j.shown
		}
	}
	return nil
}

// use has the reviews done by an engine that was started.
func (j *job) use(ctx context.Context, e engine) {
	j.notices = append(j.notices, j.session.use(ctx, e)...)
}

// explain tells in the log what was found and why.
func (j *job) explain(r round) {
	j.runner.Group("Why")
	defer j.runner.EndGroup()
	for _, job := range r.jobs {
		j.log("%s (%s)", job.Artifact.Name(), job.Artifact.Path())
		for _, why := range job.Artifact.Why {
			j.log("    %s", why)
		}
	}
}

// cause tells a cancellation and an engine's failure from a configuration's.
func cause(ctx context.Context, err error) *workflow.Failure {
	var engine *review.EngineError
	var commit *commitError
	switch {
	case ctx.Err() != nil:
		return &workflow.Failure{Class: "cancelled", Message: "the run was cancelled", Action: "Run again."}
	case errors.As(err, &commit):
		return commitFailure(commit.err)
	case errors.As(err, &engine):
		return &workflow.Failure{Class: string(engine.Class), Message: err.Error(), Action: engine.Action}
	case errors.As(err, new(*github.Refusal)), errors.Is(err, github.ErrRateLimited): // says itself what to do
		return &workflow.Failure{Class: "github", Message: err.Error(), Action: "Then run again; nothing was reviewed."}
	default:
		return misconfigured(err)
	}
}

func jobNames(jobs []review.Job) []string {
	names := make([]string, 0, len(jobs))
	for _, job := range jobs {
		names = append(names, report.CheckName+" / "+job.Artifact.Name())
	}
	return slices.Compact(names)
}

func (j *job) log(format string, args ...any) {
	j.runner.Info(fmt.Sprintf(format, args...))
}

// afterCancel is a context for what has to be said in any case: it outlives ctx
// by grace, whether that is cancelled already or only while it is said.
func afterCancel(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		_ = sleep(out, grace)
		cancel()
	})
	return out, func() { stop(); cancel() }
}
