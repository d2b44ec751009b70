package pipeline

import (
	"context"
	"slices"
	"time"

	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// Frame is what a report says of the run itself.
type Frame struct {
	Env      process.Env
	Started  time.Time
	Dir      process.Folder // of the report
	Scope    scope.Scope
	Redactor *redact.Redactor
}

// Report is the account of an outcome as it stands. notices are those of everything before it.
func (f Frame) Report(
	ctx context.Context, req Request, o Outcome, notices []workflow.Finding,
	failure *workflow.Failure,
) report.Report {
	if failure == nil {
		failure = o.Integrity.failure
	}
	if failure == nil && len(o.Unreviewed) > 0 {
		failure = incomplete(o.Unreviewed, req.recordedOnly(), req.Config.Commands)
	}
	return f.Build(ctx, report.Run{
		Event: req.Event, Head: o.Set.Head, MergeBase: o.Set.MergeBase,
		NewHead: o.NewHead, Commits: o.Commits,
		Results: o.Results, Violations: o.Violations, Weakened: o.Integrity.Outcome.Weakened,
		Issues: o.Integrity.issues, Proof: o.Integrity.Outcome.Run.Proof(),
		Notices: slices.Concat(notices, o.Notices), Failure: failure,
		PutBack:   putBack(o.Set, o.Integrity.Outcome),
		Materials: o.Materials, Prices: req.Config.Prices,
		Label: req.Config.ReReviewLabel, Commands: req.Config.Commands,
		AuthorDecides: req.Config.OverrideByAuthor,
	})
}

// Build completes what is to be reported by what the frame knows.
func (f Frame) Build(ctx context.Context, run report.Run) report.Report {
	run.Source = f.Env.Source
	run.Version, run.Duration, run.Cancelled = f.Env.Version, f.Env.Now().
		Sub(f.Started),
		ctx.Err() != nil
	run.Dir, run.ServerURL, run.RunURL = f.Dir.There, f.Env.ServerURL(), f.Env.RunURL()
	run.Scope, run.View = f.Scope.Part(), f.Scope.View()
	return Build(f.Redactor, run)
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
