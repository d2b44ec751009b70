package ghaction

import (
	"errors"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/report"
)

// logReport speaks to the job: outputs, summary, and the log.
func (r *run) logReport(rep report.Report) {
	var errs []error
	for _, out := range rep.Outputs() {
		errs = append(errs, r.runner.SetOutput(out.Name, out.Value))
	}
	summary := rep.JobSummary()
	if r.underWay(rep) {
		summary = r.planned
	}
	errs = append(errs, r.runner.Summary(summary))
	if err := errors.Join(errs...); err != nil {
		r.warn("", err.Error())
	}
	for _, n := range rep.Notices {
		switch {
		case n.Warns():
			r.warn(n.File, n.Text)
		default:
			r.runner.Info(report.NoticeText(n))
		}
	}
	if !r.checks.active() {
		r.annotate(rep)
	}
	r.runner.Info(rep.Summary())
	if rep.Failure != nil {
		_, rest, more := strings.Cut(rep.Failure.Message, "\n")
		if more { // the summary has the first line
			r.runner.Info(rest)
		}
	}
	r.runner.Info("Report: " + rep.Dir)
}

// warn puts a warning into the log, at a file unless that is "".
func (r *run) warn(file, text string) {
	r.runner.Annotate(change.Annotation{Level: "warning", Path: file, Message: text})
}

// annotate puts the findings into the log where no check run can carry them.
func (r *run) annotate(rep report.Report) {
	for _, a := range rep.LogAnnotations() {
		r.runner.Annotate(a)
	}
	if rep.Failure != nil {
		r.runner.Annotate(change.Annotation{
			Level: "failure", Title: rep.Check().Title, Message: rep.Failure.Message,
		})
	}
}
