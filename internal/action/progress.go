package action

import (
	"errors"
	"os"
	"path/filepath"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// progress tells what happened to a review.
func (s *session) progress(e review.ProgressEvent) {
	out := events.Event{Review: e.Job, Head: s.event.Head.SHA, Message: e.Message}
	switch e.Phase {
	case review.Started:
		out.Event = events.ReviewStarted
	case review.Waiting:
		out.Event = events.ReviewProgress
	case review.Retrying:
		out.Event = events.ReviewRetried
	default:
		out.Event, out.Decision, out.Cached = events.ReviewCompleted, e.Decision.String(), e.Phase == review.Cached
		out.DurationMS, out.Tokens = e.Duration.Milliseconds(), spent(e.Tokens)
	}
	s.events.Tell(out)
}

// spent is what a review or run used, nil for nothing.
func spent(t workflow.Tokens) *workflow.Tokens {
	if t == (workflow.Tokens{}) {
		return nil
	}
	return &t
}

// tellPlan tells what a round is to do, and what was found before any review.
func (s *session) tellPlan(r round) {
	e := events.Event{Event: events.Planned, Head: r.set.Head, Base: r.set.MergeBase, Files: len(r.set.Files)}
	for _, j := range r.jobs {
		e.Reviews = append(e.Reviews, j.Artifact.Name())
	}
	s.events.Tell(e)
	if v := r.integrity.outcome.Verdict(); len(r.integrity.details) > 0 || len(r.violations) > 0 {
		s.events.Tell(events.Event{Event: events.Integrity, Head: r.set.Head, Verdict: string(v), Violations: len(r.violations)})
	}
}

// tellCommits tells what was written to the branch.
func (s *session) tellCommits(cs []change.Commit, head string) {
	e := events.Event{Event: events.Committed, Head: head}
	for _, c := range cs {
		e.Commits = append(e.Commits, c.Subject)
	}
	s.events.Tell(e)
}

// runStarted and runCompleted are the first and the last event of a run.
func runStarted(env Env, head string) events.Event {
	return events.Event{Event: events.RunStarted, Head: head, Message: versionLine(env)}
}

func runCompleted(rep report.Report, code int) events.Event {
	return events.Event{
		Event: events.RunCompleted, Head: rep.Head, Decision: rep.Decision.String(), ExitCode: &code,
		Tokens: spent(rep.Tokens), DurationMS: rep.Duration.Milliseconds(), Message: rep.Summary(),
	}
}

// openEvents has the stream written into the report's folder. closing is to be called at the end of the run.
// Without the file the run goes on: nothing depends on it.
func (f folder) openEvents(s *events.Stream) (closing func()) {
	const flags = os.O_CREATE | os.O_APPEND | os.O_WRONLY
	file, err := os.OpenFile(filepath.Join(f.here, events.File), flags, 0o644) //nolint:gosec // later steps of the job read it
	if err != nil {
		return func() {}
	}
	s.Attach(&wholeLines{File: file})
	return func() { _ = file.Close() }
}

// wholeLines is a file in which no line is left in part.
type wholeLines struct {
	*os.File
	size int64
}

func (f *wholeLines) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if err != nil {
		return 0, errors.Join(err, f.Truncate(f.size))
	}
	f.size += int64(n)
	return n, nil
}
