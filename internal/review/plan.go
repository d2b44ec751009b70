package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/bundle"
	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Plan decides for each artifact how it comes to its verdict: by a model, by the checks alone, from
// a record, or at once. It asks no model and writes nothing. Jobs are sorted by type, then feature;
// tests so stand before the implementation that is measured by them. What is wrong with one
// artifact ends its own job; the error is the context's.
func Plan(ctx context.Context, in Input, o Options) ([]Job, error) {
	p := newPlanner(in, o.withDefaults())
	var jobs []Job
	for _, m := range in.Missing {
		a := workflow.Artifact{
			Type: m.Type, Feature: m.Feature, Files: []workflow.File{{Path: m.Path}},
		}
		jobs = append(jobs, p.failed(
			p.base(ctx, a), Setup, prompt.NotFound(m.Type, m.Path), "Check the input paths."))
	}
	artifacts := slices.SortedStableFunc(slices.Values(in.Artifacts), compareArtifacts)
	documents := len(artifacts)
	isCode := func(a workflow.Artifact) bool { return !a.Type.Single() }
	if i := slices.IndexFunc(artifacts, isCode); i >= 0 {
		documents = i
	}
	// Tests and code are held against the specs, as these were decided.
	for _, group := range [][]workflow.Artifact{artifacts[:documents], artifacts[documents:]} {
		p.examineAll(ctx, group)
		for _, a := range group {
			j := p.job(ctx, a)
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("plan the reviews: %w", err)
			}
			p.planned[a.Name()] = j
			jobs = append(jobs, j)
		}
	}
	slices.SortStableFunc(jobs, func(a, b Job) int {
		return compareArtifacts(a.Artifact, b.Artifact)
	})
	return jobs, nil
}

// compareArtifacts orders by type, in the workflow's order, and then by feature.
func compareArtifacts(a, b workflow.Artifact) int {
	types := workflow.Types()
	return cmp.Or(
		slices.Index(types, a.Type)-slices.Index(types, b.Type),
		strings.Compare(a.Feature, b.Feature),
	)
}

// planner plans one run. What several artifacts need is looked up once; maps are by an artifact's
// name unless they say otherwise.
type planner struct {
	Input
	opts      Options
	material  *prompt.Material
	fixed     map[workflow.Type]fixedPart
	earlier   map[string][]record.Record // reviews, oldest first
	histories map[string]history.History
	planned   map[string]Job // so far
	examined  map[string]workflow.Result
	own       map[string][]workflow.Check // as examined, without what others of the run have
	former    map[string]change.File      // changed files of the merge base, by canonical path
	shared    check.Shared
}

func newPlanner(in Input, o Options) *planner {
	p := &planner{
		Input: in, opts: o,
		material: prompt.NewMaterial(
			in.Set, in.Canonical, in.Intent, o.Engine != EngineRules, o.ContextFiles),
		fixed:     map[workflow.Type]fixedPart{},
		earlier:   history.ByArtifact(in.Records),
		histories: map[string]history.History{},
		planned:   map[string]Job{},
		examined:  map[string]workflow.Result{},
		own:       map[string][]workflow.Check{},
		former:    map[string]change.File{},
	}
	for _, f := range in.Set.Files {
		if f.OldBlob != "" {
			p.former[in.Canonical(f.Path)] = f
		}
	}
	return p
}

// fixedPart is the part of the prompt that a type's reviews share.
type fixedPart struct {
	text     string
	template string
	rubric   prompt.Rubric
	warnings []string
	err      error
}

// base is what is known of a result from the start.
func (p *planner) base(ctx context.Context, a workflow.Artifact) workflow.Result {
	before := p.historyOf(ctx, a)
	r := workflow.Result{
		Artifact: a, Head: p.Set.Head, Base: p.Set.MergeBase, Engine: p.opts.EngineName,
		Iteration: before.Iteration, MaxIterations: p.opts.MaxIterations,
		Dismissed: before.Dismissed, Integrity: p.Integrity[a.Name()],
	}
	if p.opts.Engine != EngineRules {
		r.Model, r.Effort = p.opts.Model, p.opts.Effort
	}
	return r
}

func (p *planner) failed(base workflow.Result, c Class, message, action string) Job {
	return p.ended(failWith(base, failure(c, message, action)))
}

func (p *planner) ended(r workflow.Result) Job {
	return Job{Artifact: r.Artifact, Kind: Ended, result: r, opts: p.opts}
}

// job decides what becomes of an artifact: ended by another step, recorded, decided by its checks,
// or to be asked. A panic over one hostile artifact is kept from the others.
func (p *planner) job(ctx context.Context, a workflow.Artifact) (j Job) {
	defer func() {
		if v := recover(); v != nil {
			if _, known := p.histories[a.Name()]; !known { // reading it may panic again
				p.histories[a.Name()] = history.History{Iteration: 1}
			}
			message := fmt.Sprintf("planning the review panicked: %v", v)
			j = p.failed(p.base(ctx, a), Internal, message, "")
		}
	}()
	base, ok := p.examined[a.Name()]
	if !ok {
		base = p.examine(ctx, a)
	}
	if e, ok := p.endedBefore(a); ok {
		return p.decidedBefore(ctx, base, e)
	}
	if p.Standing != nil && !p.Anew {
		return p.confirmed(ctx, base)
	}
	parts, err := p.material.Collect(ctx, a)
	if err != nil {
		return p.failed(
			base, Setup, err.Error(), "Commit the spec as text, or correct the feature.",
		)
	}
	fixed := p.fixedPart(a.Type)
	if fixed.err != nil {
		const do = "Correct the config's prompts in the base branch."
		return p.failed(base, Setup, fixed.err.Error(), do)
	}
	base.Warnings = slices.Concat(
		base.Warnings, parts.Warnings, fixed.warnings, prompt.Unverified(base.Integrity))
	j = p.decide(ctx, base, fixed, parts)
	if p.Standing != nil && !j.Settled() {
		if standing := p.confirmed(ctx, base); standing.absent == "" {
			return standing.withGatesOf(j)
		}
	}
	return j
}

// endedBefore is the verdict that another step reached; an approval is none.
func (p *planner) endedBefore(a workflow.Artifact) (workflow.Result, bool) {
	e, ok := p.Ended[a.Name()]
	return e, ok && e.Decision < workflow.Approved
}

// examineAll examines documents, or tests and code, so that what is told once a run is. An artifact
// over which that panics is left to its own job.
func (p *planner) examineAll(ctx context.Context, artifacts []workflow.Artifact) {
	var found [][]workflow.Check
	for _, a := range artifacts {
		if _, ok := p.endedBefore(a); ok {
			continue
		}
		func() {
			defer func() { _ = recover() }() // told by the artifact's job
			found = append(found, p.examine(ctx, a).Checks)
		}()
	}
	checks.GatherAdvice(found) // writes into the checks of examined
}

// examine is what is known of an artifact before anybody reviews it: what its checks found, and the
// requirements that it is held against. It asks no model.
func (p *planner) examine(ctx context.Context, a workflow.Artifact) workflow.Result {
	r := p.base(ctx, a)
	r.Requirements, r.Warnings = p.ledger(a)
	if a.Type == workflow.Spec && a.Layout == layout.BundleName {
		found := bundle.Read(p.Set.HeadTree, bundle.Folder(a.SpecPath)).Assess()
		r.Bundle = &found
	}
	r.Checks = checks.Run(ctx, check.Input{
		Artifact: a, Set: p.Set, Tests: p.Tests, RequireTestResults: p.opts.RequireTestResults,
		Coverage: p.Coverage, Red: p.Red, Proof: p.Proof, Thresholds: p.opts.Thresholds,
		Bundle: r.Bundle, Findings: p.Findings, Block: p.opts.Block, Shared: &p.shared,
		Former: p.Former,
	})
	p.examined[a.Name()], p.own[a.Name()] = r, slices.Clone(r.Checks)
	return r
}

// fixedPart is the part of the prompt that all reviews of a type share, read once. With engine
// rules it is empty.
func (p *planner) fixedPart(t workflow.Type) fixedPart {
	f, ok := p.fixed[t]
	if ok || p.opts.Engine == EngineRules {
		return f
	}
	f.text, f.rubric, f.warnings, f.err = prompt.Instructions(p.Set.BaseTree, t, p.opts.Prompts[t])
	if f.err == nil {
		f.template, f.err = prompt.Template(p.Set.BaseTree, p.opts.Prompts[t].Template)
	}
	p.fixed[t] = f
	return f
}

// decidedBefore takes over a verdict that was reached before any review.
func (p *planner) decidedBefore(ctx context.Context, base, e workflow.Result) Job {
	circumstances := []string{p.opts.Policy, e.Decision.String()}
	for _, v := range e.Violations {
		circumstances = append(circumstances, v.Identity())
	}
	r := base
	r.Requirements = nil // nothing was held against them
	r.Decision, r.Summary, r.Failure = e.Decision, e.Summary, e.Failure
	r.Criteria, r.Issues, r.Violations = e.Criteria, e.Issues, e.Violations
	r.Checks = slices.Concat(e.Checks, base.Checks)
	r.Warnings, r.Unasked = e.Warnings, workflow.ByIntegrity
	r.ContextDigest = extended("ended", circumstances...)
	if r.Decision == workflow.Error && r.Failure == nil {
		return p.failed(r, Internal, "the verdict before the review gave no reason", "")
	}
	digest := func([]record.Record) string { return r.ContextDigest }
	return p.settle(ctx, p.ended(r), digest)
}
