package pipeline

import (
	"context"
	"slices"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// Outcome is a plan with what its reviews came to.
type Outcome struct {
	Plan
	Results   []workflow.Result          // of the plan's jobs, in their order
	Materials map[string]report.Material // for fix prompts, by the artifact's name
	NewHead   string                     // after the commit-back, "" if nothing was written
	Commits   []report.Commit            // that were written back
	Skipped   string                     // why nothing was reviewed, "" if something was
}

// Asker is who answers the reviews of a plan that ask a model.
type Asker struct {
	Reviewer review.Reviewer // nil if nobody is asked in this process
	// Given is what came back when other processes asked; nil where this one asks.
	Given map[string]review.Exchange
	Told  func(artifact string, x review.Exchange) // learns what came back; nil for nobody
}

// Review has the plan's jobs reviewed. It returns a result for each job, whatever became of it:
// what did not run is an ERROR. A cancelled context ends it soon.
func (f Frame) Review(ctx context.Context, p Plan, by Asker) Outcome {
	go f.Redactor.Prepare() // while the first answer is awaited
	o := Outcome{Plan: p}
	o.Results = review.Run(ctx, p.Jobs, by.Reviewer, review.RunOptions{
		Progress: func(e review.ProgressEvent) { f.Events.Tell(progressOf(e, p.Set.Head)) },
		Now:      f.Env.Now, Redact: f.Redactor.Result, Told: by.Told, Given: by.Given,
	})
	o.keepRefusedSpecs()
	for i := range o.Results {
		if !o.Results[i].Cached {
			NameReview(p.Set.HeadTree, &o.Results[i])
		}
		if a := o.Results[i].Artifact; a.Advice != "" &&
			o.Results[i].Decision == workflow.Approved {
			text := "what is left to do for " + a.Feature + ": " + a.Advice
			o.Notices = append(o.Notices, workflow.Finding{File: a.SpecPath, Text: text})
		}
	}
	o.Materials = o.fixMaterials(f.Redactor)
	return o
}

// keepRefusedSpecs takes from the approval of an implementation what it does to a spec whose own
// review is in this run, and did not approve it.
func (o *Outcome) keepRefusedSpecs() {
	refused := slices.Clone(o.Unreviewed)
	for _, res := range o.Results {
		if res.Decision != workflow.Approved {
			refused = append(refused, res.Artifact.Name())
		}
	}
	for i := range o.Results {
		a := &o.Results[i].Artifact
		spec := workflow.Artifact{Type: workflow.Spec, Feature: a.Feature}
		if a.Type != workflow.Implementation || !slices.Contains(refused, spec.Name()) {
			continue
		}
		if o.Results[i].Decision == workflow.Approved && (a.Move != nil || a.Mark != nil) {
			const text = "stays as it is: its own review did not approve it"
			o.Notices = append(o.Notices, workflow.Finding{File: a.SpecPath, Text: text})
		}
		a.Move, a.Mark, a.Advice = nil, nil, ""
	}
}

// fixMaterials are what the fix prompts quote beside the reviews.
func (o *Outcome) fixMaterials(secrets *redact.Redactor) map[string]report.Material {
	out := map[string]report.Material{}
	for i, res := range o.Results {
		if res.Decision != workflow.NeedsChanges {
			continue
		}
		m := report.Material{
			Earlier: secrets.Result(workflow.Result{Issues: o.Jobs[i].Earlier()}).Issues,
		}
		if a := res.Artifact; a.SpecPath != "" && a.SpecPath != a.Path() {
			if text, err := o.Set.HeadTree.ReadFile(a.SpecPath); err == nil {
				m.Spec = secrets.Text(string(text))
			}
		}
		out[res.Artifact.Name()] = m
	}
	return out
}

// NameReview gives a result its review file. A name that the head holds already, of a review in
// the same second, is not taken again: no review is rewritten.
func NameReview(head change.Tree, res *workflow.Result) {
	path := record.Path(*res)
	for path != res.ReviewPath {
		if _, err := head.Stat(path); err != nil {
			res.ReviewPath = path
			return
		}
		res.Date = res.Date.Add(time.Second)
		path = record.Path(*res)
	}
}
