package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/shard"
	"workflow-reviewer/internal/workflow"
)

// within is what an event asks for in the mode of this process: mode gate takes
// the whole change as it is recorded.
func (j *job) within(asked triage) triage {
	if j.in.Mode == config.Gate {
		asked.fresh, asked.again, asked.types, asked.commands, asked.label = false, nil, nil, nil, ""
	}
	return asked
}

// speaks reports whether this process tells the verdict to people, and writes to
// the branch.
func (j *job) speaks() bool {
	return j.in.Mode != config.Plan && j.in.Mode != config.Review && j.in.Mode != config.Gate
}

// status is the exit status of a report. Modes that come to no verdict of the
// whole change tell only whether they did their part.
func (j *job) status(rep report.Report) int {
	if j.in.Mode != config.Plan && j.in.Mode != config.Review {
		return rep.Decision.ExitCode()
	}
	if rep.Failure != nil || rep.Cancelled {
		return exitNotRun
	}
	return 0
}

// underWay reports whether the gate's check is to stay open: a plan was made, and
// mode report will complete it.
func (j *job) underWay(rep report.Report) bool {
	return j.in.Mode == config.Plan && rep.Failure == nil && !rep.Cancelled
}

// shards is the plan of a round's shards.
func (s *session) shards(r round) shard.Plan {
	return shard.New(r.set.Head, r.set.MergeBase, r.jobs, s.cfg.MaxShards)
}

// planRound is the plan that every mode makes for itself.
func (j *job) planRound(ctx context.Context) (round, error) {
	r, err := j.session.plan(ctx, j.ev.Base.SHA, j.ev.Head.SHA, nil)
	if err == nil {
		j.session.tellPlan(r)
		j.explain(r)
	}
	return r, err
}

// plan is mode plan: it says in the gate's check what is under way, and in the
// output which shards there are.
func (j *job) plan(ctx context.Context) report.Report {
	r, err := j.planRound(ctx)
	if err != nil {
		return j.failed(ctx, j.cause(ctx, err))
	}
	p := j.session.shards(r)
	title := "No review needs a model"
	if n := len(p.Shards); n > 0 {
		title = workflow.Count(p.Reviews(), "review") + " in " + workflow.Count(n, "shard")
	}
	j.planned = planned(title, p, len(r.jobs), runURL(j.env))
	if err := j.checks.show(ctx, j.ev.Head.SHA, report.CheckName, title, j.planned); err != nil {
		j.degrade(err)
	}
	rep := j.report(ctx, nil)
	rep.Matrix, rep.Skipped = p.Matrix(), title
	return rep
}

// planned tells people of a plan, in Markdown.
func planned(title string, p shard.Plan, all int, url string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", title)
	if rest := all - p.Reviews(); rest > 0 {
		fmt.Fprintf(&b, "%s of %d %s no model: recorded earlier, decided, or ended by the checks.\n\n", workflow.Count(rest, "review"), all, map[bool]string{true: "needs", false: "need"}[rest == 1])
	}
	if url != "" {
		fmt.Fprintf(&b, "The verdict follows when the [run](%s) has ended.\n\n", url)
	}
	if len(p.Shards) > 0 {
		b.WriteString("| Shard | Reviews | Estimated tokens | |\n|---|---|---|---|\n")
	}
	for _, s := range p.Shards {
		fmt.Fprintf(&b, "| %d | %d | %d | %s |\n", s.Number, len(s.Jobs), s.Tokens, markdown.Inline(s.Name()))
	}
	return b.String()
}

// shard is mode review: it has one shard's reviews made and writes what came back
// into the report's folder.
func (j *job) shard(ctx context.Context, work string) report.Report {
	s := j.session
	r, err := j.planRound(ctx)
	if err != nil {
		return j.failed(ctx, j.cause(ctx, err))
	}
	p, n := s.shards(r), s.cfg.Shard
	if n > len(p.Shards) {
		return j.failed(ctx, misconfigured(fmt.Errorf(`input "shard": the plan has %s, and none of number %d`, workflow.Count(len(p.Shards), "shard"), n)))
	}
	in := j.in
	in.MaxTokens = p.Budget(n, in.MaxTokens)
	starting := startEngine(ctx, j.env, in, work)
	j.later(starting.stop)
	if err := j.use(starting); err != nil {
		return j.failed(ctx, j.cause(ctx, err))
	}
	j.notice(false, "Shard %d of %d: %s. The verdict on the whole change is told by mode report.", n, len(p.Shards), workflow.Count(len(p.Shards[n-1].Jobs), "review"))
	r.narrow(p.Shards[n-1])
	r.told = map[string]review.Exchange{}
	s.run(ctx, &r)
	r.results = slices.DeleteFunc(r.results, func(res workflow.Result) bool { return !p.Shards[n-1].Has(res.Artifact.Name()) })
	r.integrity, r.violations, r.unreviewed = verified{}, nil, nil // of the whole change: report tells
	j.last = r
	var failure *workflow.Failure
	if err := j.handOver(r, p); err != nil {
		failure = &workflow.Failure{Class: "internal", Message: err.Error(), Action: "See that the runner's temp folder has room and is writable."}
	}
	return j.account(ctx, r, failure)
}

// narrow leaves of a round's jobs those of a shard, and what they are measured
// by.
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
		i := slices.IndexFunc(r.results, func(res workflow.Result) bool { return res.Artifact.Name() == job.Artifact.Name() })
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
	data, err := p.Encode(s.cfg.Shard, shard.Origin{Version: j.env.Version, Engine: s.reviewer.Name(), Attempt: attempt}, done, s.redactor.Text)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(j.dir.here, shard.FileName(s.cfg.Shard)), data, 0o644); err != nil { //nolint:gosec // later steps of the job read it
		return fmt.Errorf("write the shard's results: %w", err)
	}
	return nil
}

// collect reads what the shards of a round's plan wrote.
func (j *job) collect(r *round) map[string]review.Exchange {
	p := j.session.shards(*r)
	if len(p.Shards) == 0 {
		return map[string]review.Exchange{}
	}
	root, why := j.openResults()
	if root != nil {
		defer root.Close() //nolint:errcheck // read only
	}
	given, notices := p.Collect(root, why, j.env.Now())
	r.notices = append(r.notices, notices...)
	return given
}

// openResults opens the folder with the results, or says why there is none. A
// relative path is one below the workspace, and leads nowhere else.
func (j *job) openResults() (*os.Root, string) {
	dir := j.session.cfg.Results
	if dir == "" {
		return nil, `the input "results" is empty`
	}
	parent, name := j.env.get("GITHUB_WORKSPACE"), filepath.Clean(dir)
	if filepath.IsAbs(name) {
		parent, name = filepath.Split(j.env.inside(name))
	}
	above, err := os.OpenRoot(parent)
	if err != nil {
		return nil, fmt.Sprintf("the folder of the input \"results\" cannot be opened: %v", err)
	}
	defer above.Close() //nolint:errcheck // read only
	info, err := above.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Sprintf("the folder %q of the input \"results\" does not exist", dir)
	case err == nil && !info.IsDir():
		return nil, fmt.Sprintf("the input \"results\" names %q, which is not a folder", dir)
	}
	root, err := above.OpenRoot(name)
	if err != nil {
		return nil, fmt.Sprintf("the folder %q of the input \"results\" cannot be opened: %v", dir, err)
	}
	return root, ""
}
