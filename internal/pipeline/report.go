package pipeline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// Frame is where a run is told of, and what its report says of the run itself.
type Frame struct {
	Env      process.Env
	Started  time.Time
	Dir      process.Folder // of the report
	Scope    scope.Scope
	Redactor *redact.Redactor
	Events   *events.Stream
	Notices  []workflow.Finding // of all but the plan
}

// Report is the account of an outcome as it stands. That of a run without a plan is about the head
// of its event.
func (f Frame) Report(
	ctx context.Context, req Request, o Outcome, failure *workflow.Failure,
) report.Report {
	if failure == nil {
		failure = o.Integrity.failure
	}
	if failure == nil && len(o.Unreviewed) > 0 {
		failure = incomplete(o.Unreviewed, req.recordedOnly(), req.Config.Commands)
	}
	return Build(f.Redactor, report.Run{
		Event: req.Event, Head: cmp.Or(o.Set.Head, req.Event.Head.SHA), MergeBase: o.Set.MergeBase,
		NewHead: o.NewHead, Commits: o.Commits,
		Results: o.Results, Violations: o.Violations, Weakened: o.Integrity.Outcome.Weakened,
		Issues: o.Integrity.issues, Proof: o.Integrity.Outcome.Run.Proof(),
		Notices: slices.Concat(f.Notices, o.Notices), Failure: failure, Skipped: o.Skipped,
		PutBack:   putBack(o.Set, o.Integrity.Outcome),
		Materials: o.Materials, Prices: req.Config.Prices,
		Label: req.Config.ReReviewLabel, Commands: req.Config.Commands,
		AuthorDecides: req.Config.OverrideByAuthor,
		Source:        f.Env.Source, Version: f.Env.Version, Duration: f.Env.Now().Sub(f.Started),
		Cancelled: ctx.Err() != nil,
		Dir:       f.Dir.There, ServerURL: f.Env.ServerURL(), RunURL: f.Env.RunURL(),
		Scope: f.Scope.Part(), View: f.Scope.View(),
	})
}

// Build is the report of a run without the run's secrets; results are redacted as they come. The
// caller's findings and violations are left as they are.
func Build(r *redact.Redactor, run report.Run) report.Report {
	lists := []*[]workflow.Finding{&run.Notices, &run.Violations, &run.Weakened, &run.Issues}
	for _, list := range lists {
		*list = r.Findings(*list)
	}
	run.Proof = r.Result(
		workflow.Result{Integrity: &workflow.Integrity{Proof: run.Proof}},
	).Integrity.Proof
	if run.Failure != nil {
		f := r.Failure(*run.Failure)
		run.Failure = &f
	}
	return report.Build(run)
}
