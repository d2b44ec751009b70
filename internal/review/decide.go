package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/markdown"
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
	j.close(parts.View.Blind)
	over, summary := checks.Gate(base.Checks)
	switch {
	case over:
		j = p.ended(rejected(base, summary, gateIssues(base.Checks)))
	case len(parts.View.Blind) > 0 && !parts.View.Shown:
		summary := fmt.Sprintf("Nothing of the %s can be reviewed: %s",
			prompt.Noun(a.Type), parts.View.Blind[0].Text)
		j = p.ended(rejected(base, summary, parts.View.Blind))
	case isAsked && before.Asked >= p.opts.MaxIterations && !p.opts.Fresh(a.Type):
		j = p.exhausted(j, before)
	case isAsked:
		parts.Earlier = slices.Concat(history.Documents(h), before.Lapsed())
		parts.Files, parts.Known = p.material.Files(a), base
		j.result.Warnings = slices.Concat(j.result.Warnings, before.Unread)
		p.ask(&j, fixed.text, parts)
	}
	j.history = before
	return p.settle(ctx, j.result, digestOf, j)
}

// close notes what forbids an approval whatever the reviewer says.
func (j *Job) close(blind []workflow.Finding) {
	_, j.gate = checks.Gate(j.result.Checks)
	j.gateward = gateIssues(j.result.Checks)
	if n := len(blind); n > 0 {
		why := workflow.Count(n, "file") + " cannot be reviewed"
		j.gate = strings.TrimPrefix(j.gate+"; "+why, "; ")
		j.gateward = append(j.gateward, blind...)
	}
}

// ask makes a job that a model has to answer: its request, the digest that a shard's answer must
// name, and its size in characters.
func (p *planner) ask(j *Job, fixed string, shown prompt.Parts) {
	text, omitted := prompt.Compose(fixed, shown)
	j.Kind, j.result.Omitted = Asks, omitted
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

// rejected is a review that ended without a reviewer.
func rejected(base workflow.Result, summary string, issues []workflow.Finding) workflow.Result {
	base.Decision, base.Unasked = workflow.NeedsChanges, workflow.ByChecks
	base.Summary, base.Issues, base.Requirements = summary, issues, nil
	return base
}

// gateIssues are the issues of checks that decide whatever a model says.
func gateIssues(checks []workflow.Check) []workflow.Finding {
	var issues []workflow.Finding
	for _, c := range checks {
		if c.Gate && c.Outcome == workflow.Failed {
			issues = append(issues, c.Issues...)
		}
	}
	return issues
}

// restrict lowers an approval that something forbids: a gate, facts that block whatever the
// reviewer says unless people dismissed them, and a reader of less standing than is demanded. What
// other tools found is listed in any case.
func restrict(j Job, result workflow.Result) workflow.Result {
	if result.Decision == workflow.Error {
		return result
	}
	if j.gate != "" {
		result = lower(j, result, j.gate, j.gateward)
	}
	found := j.history.Undismissed(result.Checks)
	if facts := checks.Facts(found); len(facts) > 0 && j.opts.Engine != EngineRules {
		result = lower(j, result, facts[0].Title, facts)
	}
	result.Issues = slices.Clone(result.Issues)
	for _, c := range found {
		for _, i := range c.Issues {
			isSame := func(o workflow.Finding) bool {
				return o.Kind == i.Kind && o.File == i.File && o.Line == i.Line
			}
			if tools.Is(c.ID) && !slices.ContainsFunc(result.Issues, isSame) {
				result.Issues = append(result.Issues, i)
			}
		}
	}
	if j.opts.Reader == nil || result.Decision != workflow.Approved {
		return result
	}
	if demanded := j.opts.Reader(result.Artifact.Type); result.ReviewedBy().Less(demanded) {
		name := markdown.Line(result.Artifact.Name(), 200)
		result = lower(j, result, fmt.Sprintf("%s must be read by a %s", name, demanded), nil)
		result.MustBeReadBy = demanded
	}
	return result
}

// requireApprovedTests lowers the approval of an implementation whose tests were reviewed in the
// same run and not approved. A review that ended because its tests were refused stands as refused
// too, if they were.
func requireApprovedTests(j Job, result, tests workflow.Result) workflow.Result {
	stopped := result.Failure != nil && result.Failure.Class == string(TestsRefused) &&
		tests.Decision == workflow.NeedsChanges
	if result.Decision != workflow.Approved && !stopped || tests.Decision == workflow.Approved {
		return result
	}
	why := fmt.Sprintf("An implementation is approved only against approved tests: those of %s "+
		"were reviewed in this run and stand at %s",
		markdown.Line(result.Artifact.Feature, 200), tests.Decision)
	if stopped {
		tokens := result.Tokens
		why += ".\n\nIts own review ended with theirs, as it could approve nothing any more."
		result = rejected(j.result, why, nil)
		result.Tokens = tokens
	} else {
		result = lower(j, result, why, nil)
	}
	result.ContextDigest = withoutTests(result.ContextDigest, tests.Decision)
	return result
}

// lower turns an approval into NEEDS-CHANGES for a reason; any other decision stays. What was
// recorded before is then no longer what was decided, so the result counts as new.
func lower(j Job, result workflow.Result, why string, issues []workflow.Finding) workflow.Result {
	if result.Decision != workflow.Approved {
		return result
	}
	result.Decision, result.Override = workflow.NeedsChanges, nil
	result.Summary = why + ".\n\nThe reviewer itself found nothing that blocks: " + result.Summary
	result.Issues = slices.Concat(issues, result.Issues)
	if result.Cached {
		result.Cached, result.ReviewPath, result.Date = false, "", time.Time{}
		result.ContextDigest, result.Iteration = j.afresh.ContextDigest, j.afresh.Iteration
		result.Head, result.Base = j.afresh.Head, j.afresh.Base
	}
	return result
}
