package writeback

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// written is a finished review with what the commit-back writes for it.
type written struct {
	at     int // place in the outcome
	result workflow.Result
	files  []change.Write // review file and, if saved, its request; empty for a re-used verdict
	Effect
	// approval is the value of the trailer that names the approval record among files, "" if there
	// is none.
	approval string
}

func (w written) empty() bool { return len(w.files) == 0 && w.Move == nil && w.Mark == nil }

// batch is one commit of the commit-back and what it is for.
type batch struct {
	change.Commit
	of []written
}

// moves reports whether the commit moves or marks a document.
func (b batch) moves() bool {
	return slices.ContainsFunc(
		b.of, func(w written) bool { return w.Move != nil || w.Mark != nil },
	)
}

// commits composes the commit-back: one commit for each approved artifact, then
// one for all that need changes. Errors are committed only when asked for.
func (w Writer) commits(ws []written, head string) []batch {
	var out []batch
	var rest []written
	for _, one := range ws {
		switch d := one.result.Decision; {
		case one.empty():
		case d == workflow.Approved:
			verb := "Approve"
			if one.result.Override != nil {
				verb = "Override"
			}
			subject := fmt.Sprintf(
				"%s %s: %s", verb, one.result.Artifact.Type, one.result.Artifact.Feature,
			)
			out = append(out, w.batch(subject, head, one))
		case d == workflow.NeedsChanges, d == workflow.Error && w.Config.CommitErrors:
			rest = append(rest, one)
		}
	}
	if len(rest) > 0 {
		subject := "Review: 1 artifact needs changes"
		if len(rest) > 1 {
			subject = fmt.Sprintf("Review: %d artifacts need changes", len(rest))
		}
		out = append(out, w.batch(subject, head, rest...))
	}
	for i := range out {
		out[i].Subject = strings.TrimSpace(w.Config.CommitPrefix + " " + out[i].Subject)
	}
	return out
}

// batch is a commit of results: their files, moves and lines of state, and the trailers that name
// approvals.
func (w Writer) batch(subject, head string, of ...written) batch {
	b := batch{Commit: change.Commit{Subject: subject}, of: of}
	var body strings.Builder
	for _, one := range of {
		b.Writes = append(b.Writes, one.files...)
		if one.Move != nil {
			b.Deletes = append(b.Deletes, one.Move.From)
			b.Writes = append(b.Writes, change.Write{Path: one.Move.To, Content: one.Content})
		}
		if one.Mark != nil {
			b.Writes = append(b.Writes, change.Write{Path: one.Mark.Path, Content: one.Content})
		}
		body.WriteString(one.line() + "\n")
	}
	fmt.Fprintf(&body, "\nReviewed-Head: %s\nWorkflow-Reviewer: %s\n", head, w.Env.Version)
	for _, one := range of {
		if one.approval != "" {
			fmt.Fprintf(&body, "%s: %s\n", baseline.Trailer, one.approval)
		}
	}
	if base := w.Event.Base.Branch; base != "" { // last, as the last of a name counts
		fmt.Fprintf(&body, "%s: %s\n", baseline.BaseTrailer, base)
	}
	b.Body = body.String()
	return b
}

// line is what the commit's message says of a review. It names the review file
// only where that is written, now or by an earlier run.
func (w written) line() string {
	isReview := func(f change.Write) bool { return f.Path == w.result.ReviewPath }
	line := record.Outcome(w.result) + " "
	switch {
	case w.result.Cached || slices.ContainsFunc(w.files, isReview):
		line += w.result.ReviewPath
	default:
		line += w.result.Artifact.Name()
	}
	if w.Move != nil {
		line += fmt.Sprintf(" (%s moves to %s)", w.Move.From, w.Move.To)
	}
	if w.Mark != nil {
		line += fmt.Sprintf(" (%s of %s is %s)", w.Mark.Line, w.Mark.Path, w.Mark.Word)
	}
	return line
}
