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
	end := &part{run: r, answers: map[string]review.Exchange{}}
	nothing := func(context.Context, *pipeline.Outcome) error { return nil }
	o, err := r.Round(
		ctx, r.request(nil), nil,
		pipeline.End{Planned: end.planned, Save: end.save, Write: nothing},
	)
	if err != nil {
		return r.fail(ctx, err)
	}
	o.Results = slices.DeleteFunc(
		o.Results, func(res workflow.Result) bool { return !end.own.Has(res.Artifact.Name()) },
	)
	// What is of the whole change is told by mode report.
	o.Integrity, o.Violations, o.Unreviewed = pipeline.Integrity{}, nil, nil
	r.last = o
	return r.account(ctx, o, end.unsaved)
}

// part is the end of a process that has one shard reviewed.
type part struct {
	*run
	plan    shard.Plan
	own     shard.Shard
	answers map[string]review.Exchange // by the artifact's name
	unsaved *workflow.Failure          // what kept the results from being written
}

// planned is of pipeline.End: it leaves the shard's jobs in the plan, and starts the engine for
// them.
func (p *part) planned(ctx context.Context, plan *pipeline.Plan) (by pipeline.Asker, err error) {
	p.tellPlan(*plan)
	m, n := p.main, p.in.Shard
	p.plan = plan.Shards(m.req)
	if n > len(p.plan.Shards) {
		return by, fmt.Errorf(
			`input "shard": the plan has %s, and none of number %d`,
			workflow.Count(len(p.plan.Shards), "shard"), n,
		)
	}
	p.own = p.plan.Shards[n-1]
	in := p.in
	in.MaxTokens = p.plan.Budget(n, in.MaxTokens)
	starting := engine.Start(ctx, p.Env, in, m.work)
	p.later(starting.Stop)
	p.use(ctx, starting)
	if err := m.engine.Ready(p.Env, p.ev, m.req.Config, p.own.Jobs); err != nil {
		return by, err
	}
	p.notice(
		workflow.Note,
		"Shard %d of %d: %s. The verdict on the whole change is told by mode report.", n,
		len(p.plan.Shards), workflow.Count(len(p.own.Jobs), "review"),
	)
	plan.Jobs = slices.DeleteFunc(plan.Jobs, func(j review.Job) bool {
		measures := j.Artifact.Type == workflow.Tests && j.Settled()
		return !p.own.Has(j.Artifact.Name()) && !measures
	})
	by.Reviewer = m.engine.Reviewer
	by.Told = func(artifact string, x review.Exchange) { p.answers[artifact] = x }
	return by, nil
}

// save is of pipeline.End: it writes the file of the shard's results.
func (p *part) save(_ context.Context, o pipeline.Outcome) error {
	from := shard.Origin{
		Version: p.Env.Version, Engine: p.main.engine.Reviewer.Name(), Attempt: p.attempt(),
	}
	data, err := p.plan.Encode(p.own.Number, from, p.exchanges(o.Results), p.Redactor.Text)
	if err == nil {
		file := filepath.Join(p.Dir.Here, shard.FileName(p.own.Number))
		err = os.WriteFile(file, data, 0o644) //nolint:gosec // later steps of the job read it
	}
	if err != nil {
		p.unsaved = unsaved(fmt.Errorf("write the shard's results: %w", err))
	}
	return nil
}

// exchanges are what came back for the reviews of the shard.
func (p *part) exchanges(results []workflow.Result) []shard.Done {
	var done []shard.Done
	for _, job := range p.own.Jobs {
		name := job.Artifact.Name()
		i := slices.IndexFunc(
			results, func(res workflow.Result) bool { return res.Artifact.Name() == name },
		)
		if i < 0 {
			continue // report misses it
		}
		res := results[i]
		x, answered := p.answers[name]
		if !answered && res.Failure != nil { // it panicked
			x.Failure = &review.EngineError{Class: review.Internal, Message: res.Failure.Message}
		}
		x.Decision, x.Tokens, x.Date, x.Duration = res.Decision, res.Tokens, res.Date, res.Duration
		done = append(done, shard.Done{Artifact: job.Artifact, Request: job.Digest, Exchange: x})
	}
	return done
}
