package pipeline

import (
	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// progressOf is the event of a step of a review.
func progressOf(e review.ProgressEvent, head string) events.Event {
	out := events.Event{Review: e.Job, Head: head, Message: e.Message}
	switch e.Phase {
	case review.Started:
		out.Event = events.ReviewStarted
	case review.Waiting:
		out.Event = events.ReviewProgress
	case review.Retrying:
		out.Event = events.ReviewRetried
	default:
		out.Event, out.Decision = events.ReviewCompleted, e.Decision.String()
		out.Cached = e.Phase == review.Cached
		out.DurationMS, out.Tokens = e.Duration.Milliseconds(), spent(e.Tokens)
	}
	return out
}

// spent is what a review or run used, nil for nothing.
func spent(t workflow.Tokens) *workflow.Tokens {
	if t == (workflow.Tokens{}) {
		return nil
	}
	return &t
}

// TellPlan tells what a round is to do, and what was found before any review: the verdict on
// approved tests where one was asked for.
func TellPlan(to *events.Stream, p Plan) {
	e := events.Event{
		Event: events.Planned, Head: p.Set.Head, Base: p.Set.MergeBase, Files: len(p.Set.Files),
	}
	for _, j := range p.Jobs {
		e.Reviews = append(e.Reviews, j.Artifact.Name())
	}
	to.Tell(e)
	if v := p.Integrity.Outcome.Verdict(); len(p.Integrity.details) > 0 || len(p.Violations) > 0 {
		to.Tell(
			events.Event{
				Event: events.Integrity, Head: p.Set.Head, Verdict: string(v),
				Violations: len(p.Violations),
			},
		)
	}
}

// TellCommits tells what was written to the branch.
func TellCommits(to *events.Stream, cs []change.Commit, head string) {
	e := events.Event{Event: events.Committed, Head: head}
	for _, c := range cs {
		e.Commits = append(e.Commits, c.Subject)
	}
	to.Tell(e)
}

// RunStarted and RunCompleted are the first and the last event of a run.
func RunStarted(version, head string) events.Event {
	return events.Event{Event: events.RunStarted, Head: head, Message: version}
}

// RunCompleted is the last event of a run, with its exit status.
func RunCompleted(rep report.Report, code int) events.Event {
	return events.Event{
		Event: events.RunCompleted, Head: rep.Head, Decision: rep.Decision.String(),
		ExitCode: &code,
		Tokens:   spent(rep.Tokens), Message: rep.Summary(),
		DurationMS: rep.Duration.Milliseconds(),
	}
}
