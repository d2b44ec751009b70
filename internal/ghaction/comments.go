package ghaction

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/textdiff"
	"workflow-reviewer/internal/workflow"
)

// mayComment reports whether the report is to be told on the pull request. A run that failed before
// it knew its config replaces the sticky comment too, with a token that may make no check runs as
// well: an older one may say that all is well. A refused command leaves what stood before.
func (r *run) mayComment(ctx context.Context, rep report.Report) bool {
	switch {
	case r.client == nil || r.ev.Number == 0 || r.asked.onlyAsks():
		return false
	case r.Env.IsAct() && !r.checks.active():
		return false
	case rep.Failure == nil && (r.main == nil || r.asked.skip != ""):
		return false
	}
	return !r.outdated(ctx, rep)
}

// beginTelling reads what stands on the pull request beside the run. The first call of tell writes
// there what people read of the verdict, in the sticky comment and in threads of resolved findings.
// end returns when that is done, and writes the comment again where the verdict became another. A
// failure is a warning: the verdict is in the check already.
func (r *run) beginTelling(ctx context.Context, rep report.Report) (tell, end func(report.Report)) {
	number, client, verdict := r.ev.Number, r.client, make(chan struct{})
	threads, comment := nothingBegun, nothingBegun
	if r.commentsInline() {
		threads = doBeside(func() error {
			_, err := client.CloseThreads(ctx, number, func(body string) bool {
				<-verdict
				return rep.Settled(body)
			})
			return err
		})
	}
	write := func() error {
		return client.UpsertComment(ctx, number, rep.Marker(), func(former string) string {
			<-verdict
			return rep.Comment(former)
		})
	}
	sticky := r.in.Comment
	if r.main != nil {
		sticky = r.main.req.Config.Comment
	}
	if sticky {
		comment = doBeside(func() error {
			if r.announced != nil {
				_ = r.announced() // else there would be two
			}
			return write()
		})
	}
	var once sync.Once
	tell = func(now report.Report) {
		once.Do(func() {
			rep = now
			close(verdict)
		})
	}
	return tell, func(last report.Report) {
		tell(last)
		if err := threads(); err != nil {
			r.notice(workflow.Note, "threads of resolved findings could not be closed: %v", err)
		}
		err := comment()
		if sticky && rep.Comment("") != last.Comment("") {
			rep = last
			err = write()
		}
		if err != nil && (r.checks.active() || !errors.Is(err, github.ErrForbidden)) {
			r.notice(workflow.Warn, "the comment could not be posted: %v", err)
		}
	}
}

// announce has the sticky comment say that reviews are under way, beside them, where a model is
// asked for some. That it cannot be written is told with the verdict.
func (r *run) announce(ctx context.Context, p pipeline.Plan) {
	asks := slices.ContainsFunc(p.Jobs, func(j review.Job) bool { return j.Kind == review.Asks })
	if !asks || r.in.Mode != config.All || r.client == nil || r.ev.Number == 0 ||
		!r.main.req.Config.Comment || r.Env.IsAct() {
		return
	}
	var names []string
	for _, job := range p.Jobs {
		names = append(names, job.Artifact.Name())
	}
	rep := r.account(ctx, pipeline.Outcome{Plan: p}, nil)
	before := r.announced
	r.announced = doBeside(func() error {
		if before != nil {
			_ = before()
		}
		return r.client.UpsertComment(ctx, r.ev.Number, rep.Marker(), func(former string) string {
			return rep.UnderWay(former, names)
		})
	})
}

// commentsInline reports whether findings are commented on in the diff.
func (r *run) commentsInline() bool {
	return r.main != nil && r.main.req.Config.InlineComments != "" && r.checks.active()
}

// postInline comments on lines of the diff and returns the findings that have a comment there: the
// others become annotations.
func (r *run) postInline(ctx context.Context, rep report.Report) []change.LineComment {
	if !r.commentsInline() || rep.Cancelled {
		return nil
	}
	set := r.last.Set
	found := rep.InDiff(r.main.req.Config.InlineComments, func(path string) []change.Hunk {
		return hunksOf(set, path)
	})
	_, refused := r.client.PostReview(ctx, r.ev.Number, rep.Head, found)
	places := map[string][]string{}
	for _, u := range refused {
		places[u.Why.Error()] = append(places[u.Why.Error()], fmt.Sprintf("%s:%d", u.Path, u.Line))
		found = slices.DeleteFunc(found, func(i change.LineComment) bool { return i.Key == u.Key })
	}
	for _, why := range slices.Sorted(maps.Keys(places)) {
		r.notice(
			workflow.Warn, "annotated in place of an inline comment: %s; %s",
			strings.Join(places[why], ", "), why,
		)
	}
	return found
}

// hunksOf is the diff of one file as GitHub shows it, with three lines around.
func hunksOf(set change.Set, path string) []change.Hunk {
	i := slices.IndexFunc(set.Files, func(f change.File) bool { return f.Path == path })
	if i < 0 || set.Files[i].Binary || set.Files[i].Status == change.Deleted {
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

// outdated reports whether a run without a verdict is about a head that the pull
// request has left: what people read is of the new one.
func (r *run) outdated(ctx context.Context, rep report.Report) bool {
	if r.superseded || r.in.Mode != config.Report || rep.Decision != workflow.Error ||
		r.ev.Number == 0 {
		return r.superseded
	}
	pr, err := r.client.PullRequest(ctx, r.ev.Number)
	return err == nil && pr.Head.SHA != rep.Head && pr.Head.SHA != rep.NewHead
}
