package action

import (
	"context"
	"fmt"
	"strings"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/shard"
	"workflow-reviewer/internal/workflow"
)

// within is what an event asks for in the mode of this process: mode gate takes the whole change as it is recorded.
func (j *job) within(asked triage) triage {
	if j.in.Mode == config.Gate {
		j.ev.Paths = nil
		asked.fresh, asked.again, asked.types, asked.commands, asked.testBugs, asked.label = false, nil, nil, nil, nil, ""
	}
	return asked
}

// speaks reports whether this process tells the verdict to people, and writes to the branch.
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

// underWay reports whether the gate's check is to stay open: a plan was made, and mode report will complete it.
func (j *job) underWay(rep report.Report) bool {
	return j.in.Mode == config.Plan && rep.Failure == nil && !rep.Cancelled
}

// shards is the plan of a round's shards.
func (s *session) shards(r round) shard.Plan {
	return shard.New(r.set.Head, r.set.MergeBase, s.measured.digest, r.jobs, s.cfg.MaxShards)
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

// plan is mode plan: it says in the gate's check what is under way, and in the output which shards there are.
func (j *job) plan(ctx context.Context) report.Report {
	r, err := j.planRound(ctx)
	if err != nil {
		return j.failed(ctx, cause(ctx, err))
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
		fmt.Fprintf(&b, "Of %d artifacts %d asked of no model: recorded earlier, decided, or ended by the checks.\n\n", all, rest)
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
