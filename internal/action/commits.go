package action

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// written is a finished review with what the commit-back writes for it.
type written struct {
	result  workflow.Result
	files   []change.Write // review file and, if saved, its request; empty for a re-used verdict
	move    *workflow.Move // nil if the artifact stays
	content []byte         // of the file that moves
}

// commits composes the commit-back: one commit for each approved artifact, then
// one for all that need changes. Errors are committed only when asked for.
func commits(ws []written, head, version string, withErrors bool) []change.Commit {
	var out []change.Commit
	var rest []written
	for _, w := range ws {
		switch d := w.result.Decision; {
		case len(w.files) == 0 && w.move == nil:
		case d == workflow.Approved:
			subject := fmt.Sprintf("Approve %s: %s", w.result.Artifact.Type, w.result.Artifact.Feature)
			out = append(out, commit(subject, head, version, w))
		case d == workflow.NeedsChanges, d == workflow.Error && withErrors:
			rest = append(rest, w)
		}
	}
	if len(rest) > 0 {
		out = append(out, commit(fmt.Sprintf("Review: %d artifacts need changes", len(rest)), head, version, rest...))
	}
	return out
}

func commit(subject, head, version string, ws ...written) change.Commit {
	c := change.Commit{Subject: subject}
	var body strings.Builder
	for _, w := range ws {
		c.Writes = append(c.Writes, w.files...)
		fmt.Fprintf(&body, "%s %s", w.result.Decision, w.result.ReviewPath)
		if w.move != nil {
			c.Deletes = append(c.Deletes, w.move.From)
			c.Writes = append(c.Writes, change.Write{Path: w.move.To, Content: w.content})
			fmt.Fprintf(&body, " (%s moves to %s)", w.move.From, w.move.To)
		}
		body.WriteString("\n")
	}
	fmt.Fprintf(&body, "\nReviewed-Head: %s\nWorkflow-Reviewer: %s\n", head, version)
	c.Body = body.String()
	return c
}
