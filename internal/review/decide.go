package review

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// decide makes the job of an artifact whose context is gathered.
func (p *planner) decide(
	ctx context.Context,
	base workflow.Result,
	fixed fixedPart,
	parts prompt.Parts,
) Job {
	a, before := base.Artifact, p.historyOf(ctx, base.Artifact)
	h, isAsked := p.earlier[a.Name()], p.opts.Engine != EngineRules
	if isAsked {
		base.Questions = checkQuestions(base)
	}
	parts.Template = fixed.template
	policy := p.policy(a.Type)
	for _, f := range a.Files { // a diff from another version is another change
		policy = append(policy, p.former[p.Canonical(f.Path)].OldBlob)
	}
	digestOf := func(h []record.Record) string {
		shown := parts
		shown.Earlier = history.Documents(h)
		return contextDigest(p.Canonical, grounds{
			fixed: fixed.text + fixed.template, policy: policy, shown: shown,
			checks: p.own[a.Name()], result: base,
		})
	}
	base.ContextDigest = digestOf(h)
	j := Job{
		Artifact: a, Kind: Computes, result: base, history: before, rubric: fixed.rubric,
		tree: p.Set.HeadTree, opts: p.opts,
	}
	if isAsked {
		j.Kind = Asks
	}
	j.addObstacles(parts.View.Blind)
	over, summary := checks.Gate(base.Checks)
	switch {
	case over:
		j = p.ended(rejected(base, summary, gateIssues(base.Checks)))
	case len(parts.View.Blind) > 0 && !parts.View.Shown:
		summary := fmt.Sprintf("Nothing of the %s can be reviewed: %s",
			prompt.Noun(a.Type), parts.View.Blind[0].Text)
		j = p.ended(rejected(base, summary, parts.View.Blind))
	}
	j.history = before
	j = p.settle(ctx, j, digestOf)
	switch {
	case j.Kind != Asks:
		return j
	case before.Asked >= p.opts.MaxIterations && !p.opts.Fresh(a.Type):
		return p.exhausted(j)
	}
	parts.Earlier = slices.Concat(history.Documents(h), before.Lapsed())
	parts.Files, parts.Known = p.material.Files(a), base
	j.result.Warnings = slices.Concat(j.result.Warnings, before.Unread)
	return p.ask(j, fixed.text, parts)
}

// ask makes a job that a model has to answer: its request, the digest that a shard's answer must
// name, and its size in characters.
func (p *planner) ask(j Job, fixed string, shown prompt.Parts) Job {
	text, omitted := prompt.Compose(fixed, shown)
	j.result.Omitted = omitted
	q := Request{
		Name: j.Artifact.Name(), Instructions: fixed, Prompt: text, Schema: j.asked().Schema(),
		Model: p.opts.Model, Effort: p.opts.Effort, MergeBase: p.Set.MergeBase, Head: p.Set.Head,
	}
	j.Digest = extended("asked", q.Name, q.Instructions, q.Prompt, string(q.Schema), q.Model,
		q.Effort, q.MergeBase, q.Head)
	j.Size = utf8.RuneCountInString(q.Instructions) + utf8.RuneCountInString(q.Prompt)
	if j.Request = q; p.opts.Brief && !p.opts.SaveRequests {
		j.Request = Request{Name: q.Name}
	}
	return j
}

// policy is what else decides a verdict.
func (p *planner) policy(t workflow.Type) []string {
	policy := []string{
		p.opts.Engine, p.opts.Policy, fmt.Sprint(p.opts.Thresholds),
		fmt.Sprint(p.opts.RequireTestResults),
	}
	if p.opts.Engine != EngineRules {
		policy = append(policy, p.opts.Model, p.opts.Effort)
	}
	if p.opts.Reader != nil && p.opts.Reader(t) != workflow.ReaderOf(p.opts.Engine) {
		policy = append(policy, string(p.opts.Reader(t)))
	}
	return policy
}
