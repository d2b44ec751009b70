package ghaction

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/shard"
	"workflow-reviewer/internal/workflow"
)

// reviewShard is mode review: it has one shard's reviews made and writes what came back into the
// report's folder.
func (r *run) reviewShard(ctx context.Context) report.Report {
	m, src := r.main, r.sources(nil)
	plan, err := r.planOnly(ctx, src)
	if err != nil {
		return r.fail(ctx, err)
	}
	p, n := plan.Shards(m.req, src), m.req.Config.Shard
	if n > len(p.Shards) {
		err := fmt.Errorf(
			`input "shard": the plan has %s, and none of number %d`,
			workflow.Count(len(p.Shards), "shard"), n,
		)
		return r.fail(ctx, err)
	}
	in := r.in
	in.MaxTokens = p.Budget(n, in.MaxTokens)
	starting := engine.Start(ctx, r.env, in, m.work)
	r.later(starting.Stop)
	r.use(ctx, starting)
	own := p.Shards[n-1]
	if err := m.engine.Ready(r.env, r.ev, m.req.Config, own.Jobs); err != nil {
		return r.fail(ctx, err)
	}
	r.notice(
		workflow.Note,
		"Shard %d of %d: %s. The verdict on the whole change is told by mode report.", n,
		len(p.Shards), workflow.Count(len(own.Jobs), "review"),
	)
	plan.Jobs = jobsOf(own, plan.Jobs)
	answers := map[string]review.Exchange{}
	asker := r.asker(plan.Set.Head)
	asker.Told = func(artifact string, x review.Exchange) { answers[artifact] = x }
	o := pipeline.Review(ctx, plan, asker)
	o.Results = slices.DeleteFunc(
		o.Results, func(res workflow.Result) bool { return !own.Has(res.Artifact.Name()) },
	)
	// What is of the whole change is told by mode report.
	o.Integrity, o.Violations, o.Unreviewed = pipeline.Integrity{}, nil, nil
	r.last = o
	var failure *workflow.Failure
	if err := r.handOver(p, n, exchanges(own, o.Results, answers)); err != nil {
		failure = unsaved(err)
	}
	return r.account(ctx, o, failure)
}

// jobsOf are those of a shard among all, and what they are measured by.
func jobsOf(s shard.Shard, all []review.Job) []review.Job {
	return slices.DeleteFunc(all, func(j review.Job) bool {
		return !s.Has(j.Artifact.Name()) && !(j.Artifact.Type == workflow.Tests && j.Settled())
	})
}

// exchanges are what came back for the reviews of a shard.
func exchanges(
	own shard.Shard, results []workflow.Result, answers map[string]review.Exchange,
) []shard.Done {
	var done []shard.Done
	for _, job := range own.Jobs {
		name := job.Artifact.Name()
		i := slices.IndexFunc(
			results, func(res workflow.Result) bool { return res.Artifact.Name() == name },
		)
		if i < 0 {
			continue // report misses it
		}
		res := results[i]
		x, answered := answers[name]
		if !answered && res.Failure != nil { // it panicked
			x.Failure = &review.EngineError{Class: review.Internal, Message: res.Failure.Message}
		}
		x.Decision, x.Tokens, x.Date, x.Duration = res.Decision, res.Tokens, res.Date, res.Duration
		done = append(done, shard.Done{Artifact: job.Artifact, Request: job.Digest, Exchange: x})
	}
	return done
}

// handOver writes the file of a shard's results.
func (r *run) handOver(p shard.Plan, n int, done []shard.Done) error {
	from := shard.Origin{
		Version: r.env.Version, Engine: r.main.engine.Reviewer.Name(), Attempt: r.attempt(),
	}
	data, err := p.Encode(n, from, done, r.secrets.Text)
	if err != nil {
		return err
	}
	file := filepath.Join(r.dir.Here, shard.FileName(n))
	err = os.WriteFile(file, data, 0o644) //nolint:gosec // later steps of the job read it
	if err != nil {
		return fmt.Errorf("write the shard's results: %w", err)
	}
	return nil
}
