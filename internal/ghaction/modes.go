package ghaction

import (
	"context"
	"fmt"
	"strings"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/shard"
	"workflow-reviewer/internal/workflow"
)

// The modes of a run differ in how far they go:
//
//	plan    opens the gate and leaves it open; ends before the first review
//	review  has one shard reviewed; touches nothing on GitHub
//	report  is given what the shards came to; does the rest of a run
//	gate    takes recorded verdicts alone; writes nothing to the branch
//	all     is plan, review and report in one process

// status is the exit status of a report. Modes that come to no verdict of the
// whole change tell only whether they did their part.
func (s subject) status(rep report.Report) int {
	if s.in.Mode != config.Plan && s.in.Mode != config.Review {
		return rep.Decision.ExitCode()
	}
	if rep.Failure != nil || rep.Cancelled {
		return cli.NotRun
	}
	return 0
}

// underWay reports whether the gate's check is to stay open: a plan was made, and mode report will
// complete it.
func (s subject) underWay(rep report.Report) bool {
	return s.in.Mode == config.Plan && rep.Failure == nil && !rep.Cancelled
}

// plan is mode plan: it says in the gate's check what is under way, and in the output which shards
// there are.
func (r *run) plan(ctx context.Context) report.Report {
	req := r.request(nil)
	plan, err := pipeline.Prepare(ctx, req, nil)
	if err != nil {
		return r.fail(ctx, err)
	}
	r.tellPlan(plan)
	p := plan.Shards(req)
	title := "No review needs a model"
	if n := len(p.Shards); n > 0 {
		title = workflow.Count(p.Reviews(), "review") + " in " + workflow.Count(n, "shard")
	}
	r.planned = planned(title, p, len(plan.Jobs), r.Env.RunURL())
	if err := r.checks.show(ctx, r.ev.Head.SHA, report.CheckName, title, r.planned); err != nil {
		r.degrade(err)
	}
	rep := r.failed(ctx, nil)
	rep.Matrix, rep.Skipped = p.Matrix(), title
	return rep
}

// planned tells people of a plan, in Markdown.
func planned(title string, p shard.Plan, all int, url string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", title)
	if rest := all - p.Reviews(); rest > 0 {
		fmt.Fprintf(
			&b,
			"Of %d artifacts %d asked of no model: recorded earlier, decided, or ended by the "+
				"checks.\n\n",
			all,
			rest,
		)
	}
	if url != "" {
		fmt.Fprintf(&b, "The verdict follows when the [run](%s) has ended.\n\n", url)
	}
	if len(p.Shards) > 0 {
		b.WriteString("| Shard | Reviews | Estimated tokens | |\n|---|---|---|---|\n")
	}
	for _, s := range p.Shards {
		fmt.Fprintf(
			&b, "| %d | %d | %d | %s |\n", s.Number, len(s.Jobs), s.Tokens,
			markdown.Inline(s.Name()),
		)
	}
	return b.String()
}
