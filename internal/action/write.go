package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// Committer writes commits on top of a branch whose head is known. Errors: change.ErrHeadMoved,
// change.ErrReadOnly, or what else went wrong; none of the commits is lost to the caller then.
type Committer interface {
	Commit(ctx context.Context, branch, head string, commits []change.Commit) (newHead string, err error)
}

// committerFunc makes a Committer of a function.
type committerFunc func(ctx context.Context, branch, head string, commits []change.Commit) (string, error)

func (f committerFunc) Commit(ctx context.Context, branch, head string, commits []change.Commit) (string, error) {
	return f(ctx, branch, head, commits)
}

// compose gathers what the commit-back writes for a round: nothing for a re-used verdict but a move that is still due.
// It notes the moves in the results; one whose file cannot be read is a warning there, not a lost review.
func (s *session) compose(ctx context.Context, r *round) []written {
	s.approve(ctx, r)
	var out []written
	for i := range r.results {
		res := &r.results[i]
		w := written{result: *res}
		if res.Decision == workflow.Approved {
			if err := w.effect(r.set.HeadTree, res.Artifact); err != nil {
				res.Warnings = append(res.Warnings, fmt.Sprintf("Review saved but could not move artifact: %v", err))
			} else if w.move != nil {
				res.MovedTo = w.move.To
			}
		}
		w.files, w.approval = s.files(r, i)
		w.result = *res
		out = append(out, w)
	}
	return out
}

// effect adds what the approval does to the artifact's documents.
func (w *written) effect(head change.Tree, a workflow.Artifact) error {
	if a.Move != nil {
		content, err := head.ReadFile(a.Move.From)
		if err != nil {
			return fmt.Errorf("read %s: %w", a.Move.From, err)
		}
		w.move, w.content = a.Move, content
	}
	if a.Mark != nil {
		content, err := head.ReadFile(a.Mark.Path)
		if err != nil {
			return fmt.Errorf("read %s: %w", a.Mark.Path, err)
		}
		if text, changed := layout.SetLine(string(content), a.Mark.Line, a.Mark.Word); changed {
			w.mark, w.content = a.Mark, []byte(text)
		}
	}
	return nil
}

// files are the review file and, if requests are saved, the request; and the approval record with what its
// trailer says. Of a re-used verdict there is no more than a record that is still due.
func (s *session) files(r *round, i int) (out []change.Write, trailer string) {
	res, job := r.results[i], r.jobs[i]
	if w, ok := r.approvals[res.Artifact.Name()]; ok && res.Decision == workflow.Approved {
		out, trailer = append(out, w), res.Artifact.Feature+" "+gitrepo.BlobID(w.Content)
	}
	if res.Cached {
		return out, trailer
	}
	if s.cfg.SaveReviews {
		out = append(out, change.Write{Path: res.ReviewPath, Render: func() []byte { return record.Render(res) }})
	}
	if path, content, ok := job.RequestFile(res); ok {
		out = append(out, change.Write{Path: path, Content: []byte(s.redactor.Text(string(content)))})
	}
	return out, trailer
}

// commitBack writes the reviews and moves of a round. A commit that fails with a move is tried again without it: a
// failed move never loses a review. What a writer wrote before it failed stays written and is not written again.
func (s *session) commitBack(ctx context.Context, to Committer, branch string, r *round) error {
	ws := s.compose(ctx, r)
	todo := s.commits(ws, r.set.Head)
	for {
		n, known, err := s.write(ctx, to, branch, r, todo)
		if todo = todo[n:]; err == nil || len(todo) == 0 {
			return err
		}
		failed := todo
		if known {
			failed = todo[:1]
		}
		if final := errors.Is(err, change.ErrHeadMoved) || errors.Is(err, change.ErrReadOnly) ||
			ctx.Err() != nil; final || !moves(ws, failed) {
			r.unmove(todo, "")
			return err
		}
		r.unmove(failed, fmt.Sprintf("Review saved but could not move artifact: %v", err))
		left := indexes(todo)
		for _, i := range indexes(failed) {
			ws[i] = s.still(r, i)
		}
		todo = s.commits(only(ws, left), r.set.Head)
	}
}

// write commits on top of what the round has written, and notes in it what was
// added: n commits. known tells that it is the next one that failed.
func (s *session) write(ctx context.Context, to Committer, branch string, r *round, bs []batch) (n int, known bool, err error) {
	if len(bs) == 0 {
		return 0, false, nil
	}
	cs := make([]change.Commit, 0, len(bs))
	for _, b := range bs {
		cs = append(cs, b.Commit)
	}
	head, err := to.Commit(ctx, branch, cmp.Or(r.newHead, r.set.Head), cs)
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
	r.newHead = head
	for _, c := range cs[:n] {
		r.commits = append(r.commits, report.Commit{Subject: c.Subject})
	}
	r.commits[len(r.commits)-1].SHA = head
	s.tellCommits(cs[:n], head)
	return n, known, err
}

// still is what is written for a result whose artifact stays where it is.
func (s *session) still(r *round, i int) written {
	w := written{result: r.results[i]}
	w.files, w.approval = s.files(r, i)
	return w
}

// moves reports whether one of the commits moves or marks a document.
func moves(ws []written, bs []batch) bool {
	return slices.ContainsFunc(indexes(bs), func(i int) bool { return ws[i].move != nil || ws[i].mark != nil })
}

// indexes are the results that the commits are for.
func indexes(bs []batch) []int {
	var out []int
	for _, b := range bs {
		out = append(out, b.of...)
	}
	return out
}

// only empties what is not among the indexes.
func only(ws []written, among []int) []written {
	out := slices.Clone(ws)
	for i := range out {
		if !slices.Contains(among, i) {
			out[i] = written{}
		}
	}
	return out
}

// unmove takes the moves of commits that were not written back from the results, with a warning unless it is empty.
func (r *round) unmove(bs []batch, warning string) {
	for _, i := range indexes(bs) {
		if r.results[i].MovedTo == "" {
			continue
		}
		r.results[i].MovedTo = ""
		if warning != "" {
			r.results[i].Warnings = append(r.results[i].Warnings, warning)
		}
	}
}
