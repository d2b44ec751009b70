package action

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
	result  workflow.Result
	files   []change.Write // review file and, if saved, its request; empty for a re-used verdict
	move    *workflow.Move // nil if the artifact stays
	mark    *workflow.Mark // nil if no state line is set
	content []byte         // of the file that moves or is marked
	// approval is the value of the trailer that names the approval record among files, "" if there is none.
	approval string
}

// batch is one commit of the commit-back and the results that it is for.
type batch struct {
	change.Commit
	of []int // indexes
}

// commits composes the commit-back: one commit for each approved artifact, then
// one for all that need changes. Errors are committed only when asked for.
func (s *session) commits(ws []written, head string) []batch {
	version := s.env.Version
	var out []batch
	var rest []int
	for i, w := range ws {
		switch d := w.result.Decision; {
		case len(w.files) == 0 && w.move == nil && w.mark == nil:
		case d == workflow.Approved:
			verb := "Approve"
			if w.result.Override != nil {
				verb = "Override"
			}
			subject := fmt.Sprintf("%s %s: %s", verb, w.result.Artifact.Type, w.result.Artifact.Feature)
			out = append(out, newBatch(subject, head, version, ws, i))
		case d == workflow.NeedsChanges, d == workflow.Error && s.cfg.CommitErrors:
			rest = append(rest, i)
		}
	}
	if len(rest) > 0 {
		subject := "Review: 1 artifact needs changes"
		if len(rest) > 1 {
			subject = fmt.Sprintf("Review: %d artifacts need changes", len(rest))
		}
		out = append(out, newBatch(subject, head, version, ws, rest...))
	}
	for i := range out {
		out[i].Subject = strings.TrimSpace(s.cfg.CommitPrefix + " " + out[i].Subject)
	}
	return out
}

func newBatch(subject, head, version string, ws []written, of ...int) batch {
	b := batch{Commit: change.Commit{Subject: subject}, of: of}
	var body strings.Builder
	for _, i := range of {
		w := ws[i]
		b.Writes = append(b.Writes, w.files...)
		if w.move != nil {
			b.Deletes = append(b.Deletes, w.move.From)
			b.Writes = append(b.Writes, change.Write{Path: w.move.To, Content: w.content})
		}
		if w.mark != nil {
			b.Writes = append(b.Writes, change.Write{Path: w.mark.Path, Content: w.content})
		}
		body.WriteString(w.line() + "\n")
	}
	fmt.Fprintf(&body, "\nReviewed-Head: %s\nWorkflow-Reviewer: %s\n", head, version)
	for _, i := range of {
		if ws[i].approval != "" {
			fmt.Fprintf(&body, "%s: %s\n", baseline.Trailer, ws[i].approval)
		}
	}
	b.Body = body.String()
	return b
}

// line is what the commit's message says of a review. It names the review file
// only where that is written, now or by an earlier run.
func (w written) line() string {
	line := record.Outcome(w.result) + " "
	switch {
	case w.result.Cached || slices.ContainsFunc(w.files, func(f change.Write) bool { return f.Path == w.result.ReviewPath }):
		line += w.result.ReviewPath
	default:
		line += w.result.Artifact.Name()
	}
	if w.move != nil {
		line += fmt.Sprintf(" (%s moves to %s)", w.move.From, w.move.To)
	}
	if w.mark != nil {
		line += fmt.Sprintf(" (%s of %s is %s)", w.mark.Line, w.mark.Path, w.mark.Word)
	}
	return line
}
