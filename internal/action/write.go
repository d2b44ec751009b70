package action

import (
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// Committer writes commits on top of a branch whose head is known. Errors:
// change.ErrHeadMoved, change.ErrReadOnly, or what else went wrong; none of the
// commits is lost to the caller then.
type Committer interface {
	Commit(ctx context.Context, branch, head string, commits []change.Commit) (newHead string, err error)
}

// committerFunc makes a Committer of a function.
type committerFunc func(ctx context.Context, branch, head string, commits []change.Commit) (string, error)

func (f committerFunc) Commit(ctx context.Context, branch, head string, commits []change.Commit) (string, error) {
	return f(ctx, branch, head, commits)
}

// compose gathers what the commit-back writes for a round: nothing for a
// re-used verdict but a move that is still due. It notes the moves in the
// results; one whose file cannot be read is a warning there, not a lost review.
func (s *session) compose(r *round) []written {
	var out []written
	for i := range r.results {
		res := &r.results[i]
		w := written{result: *res}
		if res.Decision == workflow.Approved && res.Artifact.Move != nil {
			content, err := r.set.HeadTree.ReadFile(res.Artifact.Move.From)
			if err != nil {
				res.Warnings = append(res.Warnings, fmt.Sprintf("Review saved but could not move artifact: read %s: %v", res.Artifact.Move.From, err))
			} else {
				w.move, w.content = res.Artifact.Move, content
				res.MovedTo = w.move.To
			}
		}
		if !res.Cached {
			w.files = s.files(*res, r.jobs[i])
		}
		w.result = *res
		out = append(out, w)
	}
	return out
}

// files are the review file and, if requests are saved, the request.
func (s *session) files(res workflow.Result, job review.Job) []change.Write {
	var out []change.Write
	if s.cfg.SaveReviews {
		out = append(out, change.Write{Path: res.ReviewPath, Content: record.Render(res)})
	}
	if path, content, ok := job.RequestFile(res); ok {
		out = append(out, change.Write{Path: path, Content: []byte(s.redactor.Text(string(content)))})
	}
	return out
}

// commitBack writes the reviews and moves of a round. A commit that fails with
// its moves is tried again without them: a failed move never loses a review.
func (s *session) commitBack(ctx context.Context, to Committer, branch string, r *round) error {
	ws := s.compose(r)
	cs := commits(ws, r.set.Head, s.env.Version, s.cfg.CommitErrors)
	err := s.write(ctx, to, branch, r, cs)
	if err == nil {
		return nil
	}
	if errors.Is(err, change.ErrHeadMoved) || errors.Is(err, change.ErrReadOnly) || !anyMove(ws) || ctx.Err() != nil {
		r.unmove("")
		return err
	}
	r.unmove(fmt.Sprintf("Review saved but could not move artifact: %v", err))
	for i := range ws {
		ws[i] = s.still(r, i)
	}
	return s.write(ctx, to, branch, r, commits(ws, r.set.Head, s.env.Version, s.cfg.CommitErrors))
}

// write commits, and notes in the round what was written.
func (s *session) write(ctx context.Context, to Committer, branch string, r *round, cs []change.Commit) error {
	if len(cs) == 0 {
		return nil
	}
	head, err := to.Commit(ctx, branch, r.set.Head, cs)
	if err != nil {
		return err
	}
	r.newHead = head
	for _, c := range cs {
		r.commits = append(r.commits, report.Commit{Subject: c.Subject})
	}
	r.commits[len(r.commits)-1].SHA = head
	return nil
}

// still is what is written for a result whose artifact stays where it is.
func (s *session) still(r *round, i int) written {
	w := written{result: r.results[i]}
	if !r.results[i].Cached {
		w.files = s.files(r.results[i], r.jobs[i])
	}
	return w
}

func anyMove(ws []written) bool {
	for _, w := range ws {
		if w.move != nil {
			return true
		}
	}
	return false
}

// unmove takes the moves back from the results, with a warning unless it is empty.
func (r *round) unmove(warning string) {
	for i := range r.results {
		if r.results[i].MovedTo == "" {
			continue
		}
		r.results[i].MovedTo = ""
		if warning != "" {
			r.results[i].Warnings = append(r.results[i].Warnings, warning)
		}
	}
}
