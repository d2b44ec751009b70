// Package ghaction is a run inside GitHub Actions: it brings the pipeline its request from an
// event, and gives its report to checks, branch, comments and the job.
//
// A run goes through these files:
//
//	triage, commands   what the event asks for, from its payload alone
//	intake             what GitHub must say first: permissions, commits, a recorded verdict
//	prepare, fetch     repository, config and engine, while the gate's check run is made
//	rounds             plan, review, commit; again where the branch moved meanwhile
//	publish, settle    check runs and the gate, comments beside them
//	joblog             outputs, summary and log of the job
//
// modes, shard and results are the parts of a run that is spread over several jobs. Whatever
// happens, the exit status, the output decision and the gate say the same, and none of them is
// better than what is known: a failure on the way out makes them worse.
package ghaction

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// How long GitHub may take after a cancellation to answer what was being asked, and to hear the
// last words. The runner kills 10 s after its first signal; this program ends within 5.
const (
	answering = time.Second
	closing   = 3 * time.Second
)

// run is what a run has come to so far: what it takes to end it from anywhere.
type run struct {
	*host
	subject
	client     *github.Client // nil without a token
	checks     *checks
	thread     *thread
	main       *prepared // nil until the config is known
	last       pipeline.Outcome
	opened     func() error // what came of the check runs that were begun
	announced  func() error // what came of the comment that the run is under way; nil for none
	superseded bool         // the branch moved away from what was reviewed
	planned    string       // what mode plan tells of the shards, Markdown
}

// Run does the job that the inputs name, and returns the exit status.
func Run(ctx context.Context, env process.Env) (code int) {
	r := &run{
		host: newHost(env), checks: newChecks(nil, &gate{}), opened: nothingBegun,
	}
	defer r.close()
	r.runner.Info(engine.VersionLine(env))
	rep := r.carryOut(ctx)
	defer func() {
		if p := recover(); p != nil {
			code = r.broken(ctx, p)
		}
	}()
	return r.publish(ctx, rep)
}

func nothingBegun() error { return nil }

// broken ends a run that panicked while its report was published: what is still open is closed, a
// gate that was green already is closed by a newer check run, and the folder of the report is
// named.
func (r *run) broken(ctx context.Context, p any) int {
	r.runner.Foreign(string(debug.Stack()))
	f := internalFailure(p)
	ctx, cancel := afterCancel(ctx, closing)
	defer cancel()
	gate := report.Check{
		Name:       report.CheckName,
		Conclusion: github.Failure,
		Title:      report.TitleNotRun,
		Summary:    f.Message,
	}
	err := r.checks.completeRest(ctx, gate)
	if err = errors.Join(err, r.checks.revoke(ctx, gate)); err != nil {
		r.warn("", err.Error())
	}
	r.runner.Annotate(change.Annotation{
		Level: "failure", Title: report.TitleNotRun, Message: f.Message,
	})
	r.runner.Info("Report: " + r.Dir.There)
	r.Events.Tell(pipeline.RunCompleted(r.failed(ctx, f), cli.NotRun))
	return cli.NotRun
}

// internalFailure is the failure of a run that panicked.
func internalFailure(p any) *workflow.Failure {
	return &workflow.Failure{
		Class:   "internal",
		Message: fmt.Sprintf("internal error: %v", p),
		Action: "This is a defect of workflow-reviewer. Report it with the log of this step; " +
			"nothing was approved.",
	}
}

// carryOut does everything up to a report that can be published. Of a panic that says so, with what
// was reviewed so far.
func (r *run) carryOut(ctx context.Context) (rep report.Report) {
	defer func() {
		if p := recover(); p != nil {
			r.runner.Foreign(string(debug.Stack()))
			rep = r.account(ctx, r.last, internalFailure(p))
		}
	}()
	r.in, r.inErr = config.ParseInputs(r.Env.Vars)
	r.Redactor = redact.New(r.in.APIKey.Reveal(), r.in.Token.Reveal())
	ev, err := readEvent(r.Env)
	r.Events.Tell(pipeline.RunStarted(engine.VersionLine(r.Env), ev.Head.SHA))
	if err != nil {
		return r.fail(ctx, errors.Join(r.inErr, err))
	}
	r.ev = ev
	r.subject = r.inMode(sortEvent(ev, r.in.ReReviewLabel))
	if r.asked.skip != "" {
		return r.nothing(ctx)
	}
	if err := r.connect(); err != nil {
		return r.fail(ctx, errors.Join(r.inErr, err))
	}
	err = r.complete(ctx)
	var end *report.Report
	if err == nil && r.asked.skip == "" {
		end, err = r.recorded(ctx)
	}
	switch {
	case err != nil:
		return r.fail(ctx, errors.Join(r.inErr, err))
	case r.asked.skip != "" || end != nil && r.inErr != nil:
		return r.nothing(ctx)
	case end != nil:
		return *end
	}
	r.thread = newThread(r.client, r.subject)
	return r.review(ctx)
}

// nothing ends a run that has nothing to review. Wrong inputs are an error even then.
func (r *run) nothing(ctx context.Context) report.Report {
	if r.inErr != nil {
		return r.fail(ctx, r.inErr)
	}
	return r.failed(ctx, nil)
}

// fail is the report of a run without results because of an error.
func (r *run) fail(ctx context.Context, err error) report.Report {
	return r.failed(ctx, cause(ctx, err))
}

// failed is the report of a run without results.
func (r *run) failed(ctx context.Context, f *workflow.Failure) report.Report {
	return r.account(ctx, pipeline.Outcome{Skipped: r.asked.skip}, f)
}

// account is the report of an outcome. Where the config could not be read, what it is about is no
// other config.
func (r *run) account(ctx context.Context, o pipeline.Outcome, f *workflow.Failure) report.Report {
	req := pipeline.Request{
		Event: r.ev, Config: config.Config{Inputs: r.in, Commands: r.commands},
	}
	if r.Scope = r.scope(); r.main != nil {
		req = r.main.req
	} else {
		r.Scope.Config = ""
	}
	return r.Report(ctx, req, o, f)
}

// stepError is an error of a step that says itself what it is a failure of.
type stepError struct {
	error
	failure func(error) *workflow.Failure
}

func (e *stepError) Unwrap() error { return e.error }

// cause is the failure of a run that an error ended: of a step, by GitHub, an engine or the
// configuration. A cancellation comes first, as what fails then fails because of it.
func cause(ctx context.Context, err error) *workflow.Failure {
	var step *stepError
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &step):
		return step.failure(step.error)
	case errors.As(err, new(*github.Refusal)),
		errors.Is(err, github.ErrRateLimited): // says itself what to do
		return &workflow.Failure{
			Class: "github", Message: err.Error(),
			Action: "Do what the error says, then run again; nothing was reviewed.",
		}
	}
	return pipeline.FailureOf(ctx, err)
}

// openChecks begins check runs on the head, beside what the run does meanwhile.
func (r *run) openChecks(ctx context.Context, names ...string) {
	before, opened := r.opened, r.checks.begin(ctx, r.ev.Head.SHA, names...)
	r.opened = func() error { return errors.Join(before(), opened()) }
}

// degradeUnopened waits for the check runs that were begun, and goes on without those that were not
// made: the log, the summary and the exit status still tell the verdict.
func (r *run) degradeUnopened() {
	if err := r.opened(); err != nil {
		r.degrade(err)
	}
	r.opened, r.checks.first = nothingBegun, map[string]listing{} // a failure of that is no other's
}

// degrade goes on without check runs and comments, as far as they fail.
func (r *run) degrade(err error) {
	r.notice(workflow.Warn, "%v", err)
	if r.Env.IsAct() {
		r.checks.giveUp() // a local rehearsal has no pull request to write to
	}
	if errors.Is(err, github.ErrForbidden) {
		r.notice(
			workflow.Note, "The verdict is in this log, in the job summary and in the exit status.",
		)
	}
}

// afterCancel is a context for what has to be said in any case: it outlives ctx
// by grace, whether that is cancelled already or only while it is said.
func afterCancel(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-out.Done():
		case <-time.After(grace):
		}
		cancel()
	})
	return out, func() { stop(); cancel() }
}
