package ghaction

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// publish saves and publishes the report and returns the exit status. After a cancellation it has a
// few seconds for it. Whatever goes wrong here makes the status worse, never better.
func (r *run) publish(ctx context.Context, rep report.Report) int {
	cancelled := ctx.Err() != nil
	ctx, cancel := afterCancel(ctx, closing)
	defer cancel()
	reported := len(r.Notices) // of these the report knows
	code := r.status(rep)
	r.degradeUnopened()
	tells := !cancelled && r.speaks() && r.mayComment(ctx, rep)
	if !r.underWay(rep) { // a plan has no report to keep and to tell
		rep = r.publishVerdict(ctx, rep, tells)
	}
	if cancelled && r.announced != nil {
		_ = r.announced() // cancelled too; it may be there all the same
		_ = r.client.UpsertComment(
			ctx, r.ev.Number, rep.Marker(), rep.NoLongerUnderWay,
		) // a later run replaces it
	}
	if !cancelled && r.speaks() {
		r.takeLabel(ctx)
		if r.main != nil {
			r.thread.reply(ctx, r.host, rep.NewHead != "")
		}
	}
	rep.Notices = append(rep.Notices, r.Redactor.Findings(r.Notices[reported:])...)
	r.Events.Tell(
		events.Event{
			Event: events.Published, Head: rep.Head, Decision: rep.Decision.String(),
			Message: rep.Title(),
		},
	)
	r.logReport(rep)
	code = max(code, r.status(rep))
	r.Events.Tell(pipeline.RunCompleted(rep, code))
	return code
}

// publishVerdict saves the report and completes the check runs. The report comes back with what
// could not be told, and with what other scopes on the commit make of its verdict. What stands on
// the pull request is read meanwhile; people are told while the gate is read for the last time, and
// once more where that changes what they were told.
func (r *run) publishVerdict(ctx context.Context, rep report.Report, comments bool) report.Report {
	if err := r.store(&rep); err != nil {
		rep = r.worse(rep, unsaved(err))
	}
	tell, end := func(report.Report) {}, func(report.Report) {}
	if comments {
		rep.Inline = r.postInline(ctx, rep)
		tell, end = r.beginTelling(ctx, rep)
	}
	rep, fatal, err := r.publishChecks(ctx, rep, tell)
	if err != nil {
		r.degrade(err)
	}
	rep = r.unposted(rep, fatal)
	if fatal != nil || rep.Held != nil {
		_ = r.store(&rep)
	}
	end(rep)
	return rep
}

// unsaved is the failure of a run that could not write down what it came to.
func unsaved(err error) *workflow.Failure {
	return &workflow.Failure{
		Class: "internal", Message: err.Error(),
		Action: "See that the runner's temp folder has room and is writable.",
	}
}

// unposted is the report of a run whose verdict could not be posted to GitHub for a reason; that of
// any other is as it was.
func (r *run) unposted(rep report.Report, why error) report.Report {
	if why == nil {
		return rep
	}
	return r.worse(rep, &workflow.Failure{
		Class: "github", Message: fmt.Sprintf("the verdict could not be posted to GitHub: %v", why),
		Action: "Run again; the reviews are saved in report-dir.",
	})
}

// worse is the report of a run that failed after all.
func (r *run) worse(rep report.Report, f *workflow.Failure) report.Report {
	if rep.Failure == nil {
		rep.Failure = f
	}
	return pipeline.Build(r.Redactor, rep.Run)
}

// publishChecks completes the check runs of the reviewed head and repeats them on the commit that
// was written back. The order is part of what is promised: of each head first the reviews, then the
// gate that stands for them, and the reviewed head before the written one. What is read is read
// beside that, and the comment is written beside the last reading.
//
// Where another check run could not be completed the gate is not green, before or
// afterwards, as the run's status then is not either. Whatever is still open is closed. The report
// comes back with what other scopes on the commit make of its verdict. fatal is what of err makes
// the run one that failed: that the token may make no check runs does not, as the log tells the
// verdict.
func (r *run) publishChecks(
	ctx context.Context, rep report.Report, shown func(report.Report),
) (held report.Report, fatal, err error) {
	c := r.checks
	if !c.active() {
		return rep, nil, nil
	}
	note := func(e error) {
		err = errors.Join(err, e)
		if e != nil && c.active() && !r.Env.IsAct() {
			fatal = errors.Join(fatal, e)
		}
	}
	heads := slices.Compact([]string{rep.Head, rep.NewHead})
	heads = slices.DeleteFunc(heads, func(head string) bool { return head == "" })
	if rep.NewHead != "" {
		c.gate.onTop(rep.NewHead, rep.Head, true)
	}
	held = rep
	for i, head := range heads {
		reviews := r.reviewChecks(rep, head, len(heads))
		if rep.Cancelled { // it is short of time and not green anyway
			reviews = slices.DeleteFunc(
				reviews, func(k placed) bool { return !c.isOpen(head, k.check.Name) },
			)
			note(c.complete(ctx, head, rep.Check()))
			note(c.completeAll(ctx, reviews))
			continue
		}
		now := c.look(ctx, heads[:i+1]...)
		note(c.completeAll(ctx, reviews))
		rep = r.unposted(rep, fatal)
		var e error
		if head != c.gate.wrote || r.asked.onlyDecides() { // of a decision each step is shown
			e = c.begin(ctx, head, report.CheckName)()
		}
		switch {
		case e != nil:
		case i < len(heads)-1:
			held, _, e = c.align(ctx, head, rep, now)
		default:
			held, e = c.settle(ctx, heads, rep, now, shown)
		}
		note(e)
	}
	if fatal == nil && !rep.Cancelled && rep.NewHead == "" {
		var e error
		held, e = c.onward(ctx, r.subject, rep, held)
		note(e)
	}
	held = r.unposted(held, fatal)
	note(c.completeRest(ctx, held.Check()))
	if fatal != nil {
		note(c.revoke(ctx, r.unposted(held, fatal).Check()))
	}
	return held, fatal, err
}

// maxChecks is the most check runs of reviews that a run makes: GitHub takes 500 writes an hour.
// Beyond it those that are not approved come first; the gate tells of all.
const maxChecks = 400

// reviewChecks are the check runs of a report's reviews on a head, one of so many.
func (r *run) reviewChecks(rep report.Report, head string, heads int) []placed {
	var out []placed
	few := len(rep.Results)*heads <= maxChecks
	for i, res := range rep.Results {
		name := report.CheckName + " / " + res.Artifact.Name()
		wanted := few || res.Decision != workflow.Approved && (len(out)+1)*heads <= maxChecks
		if r.in.Mode != config.Gate && (wanted || r.checks.isOpen(rep.Head, name)) {
			out = append(out, placed{head, rep.ResultCheck(i)})
		}
	}
	return out
}
