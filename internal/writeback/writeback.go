// Package writeback turns the outcome of a run into commits: reviews, approval records, and what an
// approval does to documents.
//
// Each approved artifact has a commit of its own, with its review, its move and its approval
// record, so that they stand or fall together. All reviews that need changes share one, the last.
// A commit that fails with a move is tried without it: a review is never lost to a document that
// cannot be moved. What was written before a failure stays, and is not written twice.
package writeback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// Committer writes commits on top of a branch whose head is known. Errors: change.ErrHeadMoved,
// change.ErrReadOnly, or what else went wrong; none of the commits is lost to the caller then.
type Committer func(
	ctx context.Context, branch, head string, commits []change.Commit,
) (newHead string, err error)

// Writer writes the outcomes of a run to a branch.
type Writer struct {
	pipeline.Frame
	pipeline.Request // its base has a branch only where the commits are taken for proof
	To               Committer
}

// compose gathers what the commit-back writes for a round: nothing for a re-used verdict but a move
// that is still due. It notes the moves in the results; one whose file cannot be read is a warning
// there, not a lost review.
func (w Writer) compose(
	ctx context.Context, o *pipeline.Outcome,
) ([]written, map[string]change.Write) {
	approvals := w.approve(ctx, o)
	var out []written
	for i := range o.Results {
		res := &o.Results[i]
		var effect Effect
		if res.Decision == workflow.Approved {
			var err error
			if effect, err = EffectOf(o.Set.HeadTree, res.Artifact); err != nil {
				res.Warnings = append(
					res.Warnings, fmt.Sprintf("Review saved but could not move artifact: %v", err),
				)
			} else if effect.Move != nil {
				res.MovedTo = effect.Move.To
			}
		}
		next := w.written(o, approvals, i)
		next.Effect = effect
		out = append(out, next)
	}
	return out, approvals
}

// Effect is what an approval does to the artifact's documents.
type Effect struct {
	Move    *workflow.Move // nil if the artifact stays
	Mark    *workflow.Mark // nil if no state line is set
	Content []byte         // of the file that moves or is marked
}

// EffectOf reads what the approval of an artifact does to its documents.
func EffectOf(head change.Tree, a workflow.Artifact) (e Effect, err error) {
	if a.Move != nil {
		content, err := head.ReadFile(a.Move.From)
		if err != nil {
			return e, fmt.Errorf("read %s: %w", a.Move.From, err)
		}
		e.Move, e.Content = a.Move, content
	}
	if a.Mark != nil {
		content, err := head.ReadFile(a.Mark.Path)
		if err != nil {
			return e, fmt.Errorf("read %s: %w", a.Mark.Path, err)
		}
		if text, changed := layout.SetLine(string(content), a.Mark.Line, a.Mark.Word); changed {
			e.Mark, e.Content = a.Mark, []byte(text)
		}
	}
	return e, nil
}

// files are the review file and, if requests are saved, the request; and the approval record with
// what its trailer says. Of a re-used verdict there is no more than a record that is still due.
func (w Writer) files(
	o *pipeline.Outcome, approvals map[string]change.Write, i int,
) (out []change.Write, trailer string) {
	res, job := o.Results[i], o.Jobs[i]
	if rec, ok := approvals[res.Artifact.Name()]; ok && res.Decision == workflow.Approved {
		out, trailer = append(out, rec), res.Artifact.Feature+" "+gitrepo.BlobID(rec.Content)
	}
	if res.Cached {
		return out, trailer
	}
	if w.Config.SaveReviews {
		out = append(
			out,
			change.Write{Path: res.ReviewPath, Render: func() []byte { return record.Render(res) }},
		)
	}
	if path, content, ok := job.RequestFile(res); ok {
		out = append(
			out, change.Write{Path: path, Content: []byte(w.Redactor.Text(string(content)))},
		)
	}
	return out, trailer
}

// Write writes the reviews and moves of a round. A commit that fails with a move is tried again
// without it: a failed move never loses a review. What a writer wrote before it failed stays
// written and is not written again.
func (w Writer) Write(ctx context.Context, o *pipeline.Outcome) error {
	ws, approvals := w.compose(ctx, o)
	todo := w.commits(ws, o.Set.Head)
	for {
		n, known, err := w.commit(ctx, o, todo)
		if todo = todo[n:]; err == nil || len(todo) == 0 {
			return err
		}
		failed := todo
		if known {
			failed = todo[:1]
		}
		if final := errors.Is(err, change.ErrHeadMoved) || errors.Is(err, change.ErrReadOnly) ||
			ctx.Err() != nil; final || !slices.ContainsFunc(failed, batch.moves) {
			unmove(o, todo, "")
			return err
		}
		unmove(o, failed, fmt.Sprintf("Review saved but could not move artifact: %v", err))
		var left []written
		for i, b := range todo {
			for _, one := range b.of {
				if i < len(failed) {
					one = w.written(o, approvals, one.at)
				}
				left = append(left, one)
			}
		}
		todo = w.commits(left, o.Set.Head)
	}
}

// commit commits on top of what the round has written, and notes in it what was
// added: n commits. known tells that it is the next one that failed.
func (w Writer) commit(
	ctx context.Context, o *pipeline.Outcome, bs []batch,
) (n int, known bool, err error) {
	if len(bs) == 0 {
		return 0, false, nil
	}
	cs := make([]change.Commit, 0, len(bs))
	for _, b := range bs {
		cs = append(cs, b.Commit)
	}
	head, err := w.To(ctx, w.Event.Head.Branch, cmp.Or(o.NewHead, o.Set.Head), cs)
	n = len(cs)
	if err != nil {
		var partial *change.Partial
		if known = errors.As(err, &partial); !known {
			return 0, false, err
		}
		head, n = partial.Head, partial.Written
	}
	if n == 0 {
		return 0, known, err
	}
	o.NewHead = head
	for _, c := range cs[:n] {
		o.Commits = append(o.Commits, report.Commit{Subject: c.Subject})
	}
	o.Commits[len(o.Commits)-1].SHA = head
	pipeline.TellCommits(w.Events, cs[:n], head)
	return n, known, err
}

// written is what is written for a result whose artifact stays where it is.
func (w Writer) written(o *pipeline.Outcome, approvals map[string]change.Write, i int) written {
	out := written{at: i, result: o.Results[i]}
	out.files, out.approval = w.files(o, approvals, i)
	return out
}

// unmove takes the moves of commits that were not written back from the results, with a warning
// unless it is empty.
func unmove(o *pipeline.Outcome, bs []batch, warning string) {
	for _, b := range bs {
		for _, one := range b.of {
			res := &o.Results[one.at]
			if res.MovedTo != "" && warning != "" {
				res.Warnings = append(res.Warnings, warning)
			}
			res.MovedTo = ""
		}
	}
}
