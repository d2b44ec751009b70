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
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// decide makes the job of an artifact whose context is gathered.
func (p *planner) decide(ctx context.Context, base workflow.Result, fixed fixedPart, rel prompt.Related) Job {
	a, h, past := base.Artifact, history(p.Records, base.Artifact), p.pastOf(ctx, base.Artifact)
	if p.opts.Engine != EngineRules {
		base.Questions = checkQuestions(base)
	}
	v := prompt.Look(ctx, p.Set, a, prompt.MaxArtifact)
	near := prompt.Search{
		Set: p.Set, Index: p.index, Canonical: p.Canonical, Model: p.opts.Engine != EngineRules,
	}.Surround(ctx, a, v)
	base.Warnings = append(base.Warnings, near.Warnings...)
	shown := prompt.Parts{
		Artifact: a, Project: p.project, Related: rel.Docs, Formerly: rel.Formerly,
		Near: near.Docs, Deciding: near.Facts, View: v, Checks: base.Checks, Own: p.known[a.Name()].own,
		Ledger:    ledgerDocuments(base.Requirements),
		Integrity: prompt.IntegrityDocuments(base.Integrity), Questions: prompt.CheckDocuments(base.Questions),
		Intent:   prompt.IntentDocuments(p.Intent, p.Set, a),
		Facts:    base,
		Template: fixed.template, Said: p.Intent,
	}
	var before []string // a diff from another version is another change
	for _, f := range a.Files {
		before = append(before, p.former[p.Canonical(f.Path)])
	}
	digestOf := func(h []record.Record) (now, former string) {
		shown.Earlier = earlierDocuments(h)
		return contextDigests(p.Canonical, fixed.text+fixed.template, shown, slices.Concat(p.policy(a.Type), before)...)
	}
	base.ContextDigest, _ = digestOf(h)
	j := Job{
		Artifact: a,
		Kind:     Computes,
		result:   base,
		past:     past,
		rubric:   fixed.rubric,
		tree:     p.Set.HeadTree,
		opts:     p.opts,
	}
	blind := gates(&j, v)
	over, summary := checks.Gate(base.Checks)
	switch model := p.opts.Engine != EngineRules; {
	case over:
		j = p.ended(rejected(base, summary, gateIssues(base.Checks)))
	case blind:
		j = p.ended(
			rejected(base, "Nothing of the "+prompt.Noun(a.Type)+" can be reviewed: "+v.Blind[0].Description, v.Blind),
		)
	case model && past.asked >= p.opts.MaxIterations && !p.opts.Fresh(a.Type):
		j = p.exhausted(j, past)
	case model:
		shown.Earlier = slices.Concat(earlierDocuments(h), lapsedDocuments(past.lapsed))
		j.result.Warnings = slices.Concat(j.result.Warnings, past.unread)
		shown.Omitted = slices.Concat(p.projectOmitted, rel.Omitted, near.Omitted, v.Omitted)
		p.ask(&j, fixed.text, shown)
	}
	j.past = past
	return p.settle(ctx, j.result, h, digestOf, j)
}

// gates notes what forbids an approval whatever the reviewer says, and reports
// whether nothing of the artifact can be seen.
func gates(j *Job, v prompt.View) (blind bool) {
	_, j.gate = checks.Gate(j.result.Checks)
	j.gateward = gateIssues(j.result.Checks)
	if n := len(v.Blind); n > 0 {
		j.gate = strings.TrimPrefix(j.gate+"; "+workflow.Count(n, "file")+" cannot be reviewed", "; ")
		j.gateward = append(j.gateward, v.Blind...)
	}
	return len(v.Blind) > 0 && !v.Shown
}

// ask makes a job that a model has to answer: its request, the digest that a shard's answer must
// name, and its size in characters.
func (p *planner) ask(j *Job, fixed string, shown prompt.Parts) {
	prompt, omitted := prompt.Compose(fixed, shown)
	j.Kind = Asks
	j.result.Omitted = omitted
	j.Request = Request{
		Name: j.Artifact.Name(), Instructions: fixed, Prompt: prompt, Schema: j.asked().Schema(),
		Model: p.opts.Model, Effort: p.opts.Effort, MergeBase: p.Set.MergeBase, Head: p.Set.Head,
	}
	q := j.Request
	j.Digest = extended(
		"asked",
		q.Name,
		q.Instructions,
		q.Prompt,
		string(q.Schema),
		q.Model,
		q.Effort,
		q.MergeBase,
		q.Head,
	)
	j.Size = utf8.RuneCountInString(q.Instructions) + utf8.RuneCountInString(q.Prompt)
	if p.opts.Brief && !p.opts.SaveRequests {
		j.Request = Request{Name: q.Name}
	}
}

// policy is what else decides a verdict.
func (p *planner) policy(t workflow.Type) []string {
	policy := []string{
		p.opts.Engine,
		p.opts.Policy,
		fmt.Sprint(p.opts.Thresholds),
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
func rejected(base workflow.Result, summary string, issues []workflow.Issue) workflow.Result {
	base.Decision, base.Summary, base.Issues, base.Requirements, base.Unasked = workflow.NeedsChanges, summary,
		issues, nil, workflow.ByChecks
	return base
}

// gateIssues are the issues of checks that decide whatever a model says.
func gateIssues(checks []workflow.Check) []workflow.Issue {
	var issues []workflow.Issue
	for _, c := range checks {
		if c.Gate && c.Outcome == workflow.Failed {
			issues = append(issues, c.Issues...)
		}
	}
	return issues
}

// applyGates lowers an approval that a gate forbids.
func applyGates(j Job, result workflow.Result) workflow.Result {
	if j.gate == "" || result.Decision != workflow.Approved {
		return result
	}
	return lower(j, result, j.gate, j.gateward)
}

// applyFacts lowers an approval beside facts that block whatever the reviewer says; people may
// dismiss them.
func applyFacts(j Job, result workflow.Result) workflow.Result {
	facts := checks.Facts(j.past.undismissed(result.Checks))
	if len(facts) == 0 || result.Decision != workflow.Approved || j.opts.Engine == EngineRules {
		return result
	}
	return lower(j, result, facts[0].Title, facts)
}

// addToolFindings has a review list what other tools found, as far as it does not yet and people
// did not set it aside.
func addToolFindings(j Job, result workflow.Result) workflow.Result {
	if result.Decision == workflow.Error {
		return result
	}
	result.Issues = slices.Clone(result.Issues)
	for _, c := range j.past.undismissed(result.Checks) {
		for _, i := range c.Issues {
			same := func(o workflow.Issue) bool { return o.Rule == i.Rule && o.File == i.File && o.Line == i.Line }
			if tools.Is(c.ID) && !slices.ContainsFunc(result.Issues, same) {
				result.Issues = append(result.Issues, i)
			}
		}
	}
	return result
}

// requireReader lowers an approval by less than who must have read the artifact.
func requireReader(j Job, result workflow.Result) workflow.Result {
	if j.opts.Reader == nil || result.Decision != workflow.Approved {
		return result
	}
	demanded := j.opts.Reader(result.Artifact.Type)
	if !result.ReviewedBy().Less(demanded) {
		return result
	}
	result = lower(
		j,
		result,
		fmt.Sprintf("%s must be read by a %s", markdown.Line(result.Artifact.Name(), 200), demanded),
		nil,
	)
	result.MustBeReadBy = demanded
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
	why := fmt.Sprintf(
		"An implementation is approved only against approved tests: those of %s were reviewed in this run and stand at %s",
		markdown.Line(result.Artifact.Feature, 200),
		tests.Decision,
	)
	if stopped {
		tokens := result.Tokens
		result = rejected(
			j.result,
			why+".\n\nIts own review ended with theirs, as it could approve nothing any more.",
			nil,
		)
		result.Tokens = tokens
	} else {
		result = lower(j, result, why, nil)
	}
	result.ContextDigest = withoutTests(result.ContextDigest, tests.Decision)
	return result
}

// lower turns an approval into NEEDS-CHANGES for a reason. What was recorded
// before is then no longer what was decided, so the result counts as new.
func lower(j Job, result workflow.Result, why string, issues []workflow.Issue) workflow.Result {
	result.Decision, result.Override = workflow.NeedsChanges, nil
	result.Summary = why + ".\n\nThe reviewer itself found nothing that blocks: " + result.Summary
	result.Issues = append(append([]workflow.Issue{}, issues...), result.Issues...)
	if result.Cached {
		result.Cached, result.ReviewPath, result.Date = false, "", time.Time{}
		result.ContextDigest, result.Iteration = j.afresh.ContextDigest, j.afresh.Iteration
		result.Head, result.Base = j.afresh.Head, j.afresh.Base
	}
	return result
}
