package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// finish saves and publishes the report and returns the exit status. After a cancellation it has a few seconds
// for it. Whatever goes wrong here makes the status worse, never better.
func (j *job) finish(ctx context.Context, rep report.Report) int {
	cancelled := ctx.Err() != nil
	ctx, cancel := afterCancel(ctx, closing)
	defer cancel()
	told := len(j.notices) // of these the report knows
	code := j.status(rep)
	comments := !cancelled && j.speaks() && j.mayComment(ctx, rep)
	var fatal, err error
	if !j.underWay(rep) { // a plan has no report to keep and to tell
		if err := j.store(&rep); err != nil {
			rep = j.worse(rep, unsaved(err))
		}
		if comments {
			rep.Inline = j.postInline(ctx, rep)
		}
		rep, fatal, err = j.publishChecks(ctx, rep)
	}
	if err != nil {
		j.degrade(err)
	}
	if fatal != nil {
		rep = j.worse(rep, publishFailure(fatal))
	}
	if fatal != nil || rep.IsHeld() {
		_ = j.store(&rep)
	}
	if comments {
		j.publishComments(ctx, rep)
	}
	if !cancelled && j.speaks() {
		j.takeLabel(ctx)
		if j.session != nil {
			j.answer(ctx, rep.NewHead != "")
		}
	}
	for _, n := range j.notices[told:] {
		rep.Notices = append(rep.Notices, j.redactor().Notice(n))
	}
	j.events.Tell(events.Event{Event: events.Published, Head: rep.Head, Decision: rep.Decision.String(), Message: rep.Title()})
	j.tell(rep)
	code = max(code, j.status(rep))
	j.events.Tell(runCompleted(rep, code))
	return code
}

// unsaved is the failure of a run that could not write down what it came to.
func unsaved(err error) *workflow.Failure {
	return &workflow.Failure{
		Class: "internal", Message: err.Error(), Action: "See that the runner's temp folder has room and is writable.",
	}
}

func publishFailure(err error) *workflow.Failure {
	return &workflow.Failure{
		Class: "github", Message: fmt.Sprintf("the verdict could not be posted to GitHub: %v", err),
		Action: "Run again; the reviews are saved in report-dir.",
	}
}

// worse is the report of a run that failed after all.
func (j *job) worse(rep report.Report, f *workflow.Failure) report.Report {
	if rep.Failure == nil {
		rep.Failure = f
	}
	return build(j.redactor(), rep.Run)
}

// store writes the report into its folder, making that first.
func (j *job) store(rep *report.Report) error {
	if j.dir.here == "" {
		dir, err := reportFolder(j.env)
		if err != nil {
			return err
		}
		j.dir = dir
	}
	rep.Dir = j.dir.there
	return rep.Save(j.dir.here)
}

// publishChecks completes the check runs of the reviewed head and repeats them on the commit that was written
// back. Where another check run could not be completed the gate is not green, before or afterwards, as the
// run's status then is not either. Whatever is still open is closed. The report comes back with what other scopes
// on the commit make of its verdict. fatal is what of err makes the run one that failed: that the token may make
// no check runs does not, as the log tells the verdict.
func (j *job) publishChecks(ctx context.Context, rep report.Report) (held report.Report, fatal, err error) {
	if !j.checks.active() {
		return rep, nil, nil
	}
	held = rep
	note := func(e error) {
		err = errors.Join(err, e)
		if e != nil && j.checks.active() && !j.env.act() {
			fatal = errors.Join(fatal, e)
		}
	}
	heads := slices.Compact([]string{rep.Head, rep.NewHead})
	for _, head := range heads {
		if head == "" {
			continue
		}
		if head == rep.NewHead {
			j.checks.gate.from[head] = rep.Head
		}
		for _, c := range j.checkOrder(rep, len(heads)) {
			if c.Name != report.CheckName || rep.Cancelled {
				note(j.checks.complete(ctx, head, c))
				continue
			}
			if fatal != nil {
				rep = j.worse(rep, publishFailure(fatal))
			}
			e := j.checks.start(ctx, head, c.Name)
			if e == nil {
				held, e = j.checks.settle(ctx, head, rep)
			}
			note(e)
		}
	}
	if fatal == nil && !rep.Cancelled && rep.NewHead == "" {
		var e error
		held, e = j.onward(ctx, rep, held)
		note(e)
	}
	gate := held.Check()
	note(j.checks.completeRest(ctx, notGreen(gate.Conclusion), gate.Title, gate.Summary))
	if fatal != nil {
		note(j.checks.revoke(ctx, j.worse(rep, publishFailure(fatal)).Check()))
	}
	return held, fatal, err
}

// maxChecks is the most check runs of reviews that a run makes: GitHub takes 500 writes an hour. Beyond it
// those that are not approved come first; the gate tells of all.
const maxChecks = 400

// checkOrder are the check runs of a report, on so many heads. The gate comes last, so that it is not green
// before all others are told; of a cancelled run, which is short of time and not green anyway, it comes first.
func (j *job) checkOrder(rep report.Report, heads int) []report.Check {
	var out []report.Check
	few := len(rep.Results)*heads <= maxChecks
	for i, res := range rep.Results {
		name := report.CheckName + " / " + res.Artifact.Name()
		wanted := few || res.Decision != workflow.Approved && (len(out)+1)*heads <= maxChecks
		if j.in.Mode != config.Gate && (wanted || j.checks.isOpen(rep.Head, name)) {
			out = append(out, rep.ResultCheck(i))
		}
	}
	if rep.Cancelled {
		return slices.Insert(out, 0, rep.Check())
	}
	return append(out, rep.Check())
}

// notGreen is a conclusion for a check run that has no result of its own.
func notGreen(conclusion string) string {
	if conclusion == github.Cancelled {
		return conclusion
	}
	return github.Failure
}

// mayComment reports whether the report is to be told on the pull request. A run that failed before it knew its
// config replaces the sticky comment too, with a token that may make no check runs as well: an older one may say that
// all is well. A refused command leaves what stood before.
func (j *job) mayComment(ctx context.Context, rep report.Report) bool {
	if j.client == nil || j.ev.Number == 0 || j.session == nil && rep.Failure == nil || j.env.act() && !j.checks.active() {
		return false
	}
	if j.asked.onlyAsks() || j.asked.skip != "" && rep.Failure == nil {
		return false
	}
	return !j.outdated(ctx, rep)
}

// publishComments posts what people read. A failure here is a warning: the verdict is in the check already.
func (j *job) publishComments(ctx context.Context, rep report.Report) {
	sticky := j.in.Comment
	if j.session != nil {
		sticky = j.session.cfg.Comment
		j.closeThreads(ctx, rep)
	}
	if !sticky {
		return
	}
	err := j.client.UpsertComment(ctx, j.ev.Number, rep.Marker(), rep.Comment)
	if err != nil && (j.checks.active() || !errors.Is(err, github.ErrForbidden)) {
		j.notice(true, "the comment could not be posted: %v", err)
	}
}

// commentsInline reports whether findings are commented on in the diff.
func (j *job) commentsInline() bool {
	return j.session != nil && j.session.cfg.InlineComments != "" && j.checks.active()
}

// postInline comments on lines of the diff and returns the findings that have a comment there: the others become
// annotations.
func (j *job) postInline(ctx context.Context, rep report.Report) []report.Inline {
	if !j.commentsInline() || rep.Cancelled {
		return nil
	}
	set := j.last.set
	found, _ := rep.InDiff(set, j.session.cfg.InlineComments, func(path string) []change.Hunk { return hunksOf(set, path) })
	out := make([]github.Inline, 0, len(found))
	for _, i := range found {
		out = append(out, github.Inline{Path: i.Path, Line: i.Line, StartLine: i.StartLine, Side: i.Side, Body: i.Body, Key: i.Key})
	}
	_, refused := j.client.PostReview(ctx, j.ev.Number, rep.Head, out)
	places := map[string][]string{}
	for _, u := range refused {
		places[u.Why.Error()] = append(places[u.Why.Error()], fmt.Sprintf("%s:%d", u.Path, u.Line))
		found = slices.DeleteFunc(found, func(i report.Inline) bool { return i.Key == u.Key })
	}
	for _, why := range slices.Sorted(maps.Keys(places)) {
		j.notice(true, "annotated in place of an inline comment: %s; %s", strings.Join(places[why], ", "), why)
	}
	return found
}

// closeThreads closes the threads of what is resolved.
func (j *job) closeThreads(ctx context.Context, rep report.Report) {
	if !j.commentsInline() {
		return
	}
	if _, err := j.client.CloseThreads(ctx, j.ev.Number, rep.Settled); err != nil {
		j.notice(false, "threads of resolved findings could not be closed: %v", err)
	}
}

// hunksOf is the diff of one file as GitHub shows it, with three lines around.
func hunksOf(set change.Set, path string) []change.Hunk {
	i, found := slices.BinarySearchFunc(set.Files, path, func(f change.File, p string) int { return strings.Compare(f.Path, p) })
	if !found || set.Files[i].Binary || set.Files[i].Status == change.Deleted {
		return nil
	}
	f := set.Files[i]
	after, err := set.HeadTree.ReadFile(f.Path)
	if err != nil {
		return nil
	}
	var before []byte
	if f.OldBlob != "" {
		if before, err = set.MergeBaseTree.ReadFile(cmp.Or(f.OldPath, f.Path)); err != nil {
			return nil
		}
	}
	return textdiff.Hunks(before, after, 3)
}

// tell speaks to the job: outputs, summary, and the log.
func (j *job) tell(rep report.Report) {
	var errs []error
	for _, out := range rep.Outputs() {
		errs = append(errs, j.runner.SetOutput(out.Name, out.Value))
	}
	summary := rep.JobSummary()
	if j.underWay(rep) {
		summary = j.planned
	}
	errs = append(errs, j.runner.Summary(summary))
	if err := errors.Join(errs...); err != nil {
		j.runner.Warning(github.Place{}, err.Error())
	}
	for _, n := range rep.Notices {
		switch {
		case n.Warning:
			j.runner.Warning(github.Place{File: n.Path}, n.Text)
		default:
			j.runner.Info(report.NoticeText(n))
		}
	}
	if !j.checks.active() {
		j.annotate(rep)
	}
	j.runner.Info(rep.Summary())
	j.runner.Info("Report: " + rep.Dir)
}

// annotate puts the findings into the log where no check run can carry them.
func (j *job) annotate(rep report.Report) {
	for _, a := range rep.LogAnnotations() {
		place := github.Place{Title: a.Title, File: a.Path, Line: a.StartLine}
		switch a.Level {
		case "failure":
			j.runner.Error(place, a.Message)
		case "warning":
			j.runner.Warning(place, a.Message)
		default:
			j.runner.Notice(place, a.Message)
		}
	}
	if rep.Failure != nil {
		j.runner.Error(github.Place{Title: rep.Check().Title}, rep.Failure.Message)
	}
}

// degrade goes on without check runs and comments, as far as they fail.
func (j *job) degrade(err error) {
	j.notice(true, "%v", err)
	if j.env.act() {
		j.checks.client = nil // a local rehearsal has no pull request to write to
	}
	if errors.Is(err, github.ErrForbidden) {
		j.notice(false, "The verdict is in this log, in the job summary and in the exit status.")
	}
}
