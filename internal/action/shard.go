package action

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/shard"
	"workflow-reviewer/internal/workflow"
)

// shard is mode review: it has one shard's reviews made and writes what came back into the report's folder.
func (j *job) shard(ctx context.Context, work string) report.Report {
	s := j.session
	r, err := j.planRound(ctx)
	if err != nil {
		return j.failed(ctx, cause(ctx, err))
	}
	p, n := s.shards(r), s.cfg.Shard
	if n > len(p.Shards) {
		err := fmt.Errorf(`input "shard": the plan has %s, and none of number %d`, workflow.Count(len(p.Shards), "shard"), n)
		return j.failed(ctx, misconfigured(err))
	}
	in := j.in
	in.MaxTokens = p.Budget(n, in.MaxTokens)
	starting := startEngine(ctx, j.env, in, work)
	j.later(starting.stop)
	j.use(ctx, starting)
	own := p.Shards[n-1]
	if err := s.ready(own.Jobs); err != nil {
		return j.failed(ctx, cause(ctx, err))
	}
	j.notice(false, "Shard %d of %d: %s. The verdict on the whole change is told by mode report.",
		n, len(p.Shards), workflow.Count(len(own.Jobs), "review"))
	r.narrow(own)
	r.told = map[string]review.Exchange{}
	s.run(ctx, &r)
	r.results = slices.DeleteFunc(r.results, func(res workflow.Result) bool { return !own.Has(res.Artifact.Name()) })
	r.integrity, r.violations, r.unreviewed = verified{}, nil, nil // of the whole change: report tells
	j.last = r
	var failure *workflow.Failure
	if err := j.handOver(r, p); err != nil {
		failure = unsaved(err)
	}
	return j.account(ctx, r, failure)
}

// narrow leaves of a round's jobs those of a shard, and what they are measured by.
func (r *round) narrow(s shard.Shard) {
	r.jobs = slices.DeleteFunc(r.jobs, func(j review.Job) bool {
		return !s.Has(j.Artifact.Name()) && !(j.Artifact.Type == workflow.Tests && j.Settled())
	})
}

// handOver writes the file of a shard's results.
func (j *job) handOver(r round, p shard.Plan) error {
	s := j.session
	var done []shard.Done
	for _, job := range p.Shards[s.cfg.Shard-1].Jobs {
		i := slices.IndexFunc(r.results, func(res workflow.Result) bool {
			return res.Artifact.Name() == job.Artifact.Name()
		})
		if i < 0 {
			continue // report misses it
		}
		res := r.results[i]
		x, told := r.told[job.Artifact.Name()]
		if !told && res.Failure != nil { // it panicked
			x.Failure = &review.EngineError{Class: review.Internal, Message: res.Failure.Message}
		}
		x.Decision, x.Tokens, x.Date, x.Duration = res.Decision, res.Tokens, res.Date, res.Duration
		done = append(done, shard.Done{Artifact: job.Artifact, Request: job.Digest, Exchange: x})
	}
	attempt, _ := strconv.Atoi(j.env.get("GITHUB_RUN_ATTEMPT")) // 0 counts as 1
	from := shard.Origin{Version: j.env.Version, Engine: s.reviewer.Name(), Attempt: attempt}
	data, err := p.Encode(s.cfg.Shard, from, done, s.redactor.Text)
	if err != nil {
		return err
	}
	file := filepath.Join(j.dir.here, shard.FileName(s.cfg.Shard))
	if err := os.WriteFile(file, data, 0o644); err != nil { //nolint:gosec // later steps of the job read it
		return fmt.Errorf("write the shard's results: %w", err)
	}
	return nil
}
