// Package pipeline is one run as values: a request and two commits become artifacts, these a
// plan, the plan results, and the results a report. It knows neither GitHub nor a terminal; the
// ends that bring a request and publish a report are packages of their own.
//
// Discover finds what a change touches. Prepare adds what the check of approved tests says and
// which recorded verdicts stand, and comes to one job for each artifact. Review has the jobs
// answered. Frame.Report makes the report. Each step takes what the one before it returned, and
// changes none of it but its own result.
//
// An error means that the run broke and has no verdict. What is wrong with the change is a
// finding, a violation or a failed review, and never an error.
package pipeline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Request is what a run is to review, settled before its first step.
type Request struct {
	Sources
	Event  change.Event
	Config config.Config
	Types  []workflow.Type // that the event asks for, nil = as configured
	Fresh  bool            // records are ignored
	Again  []workflow.Type // of which types they are ignored, nil = of Types
	Permit string          // who allows approved tests to change, "" = the RFCs of the base alone
	Target Target          // the one artifact that is meant, nil = all that the change touches
}

// Target finds the one artifact that a tool's call means. The request comes back with the paths
// and features that the call names.
type Target interface {
	Detect(
		ctx context.Context, req Request, set change.Set, opt detect.Options,
	) (Request, detect.Result, error)
}

// Sources are what the steps read and ask.
type Sources struct {
	Engine   string // name of whoever answers reviews
	Repo     *gitrepo.Repo
	Measured measured.Data
	Vouched  Voucher          // nil: records are believed by nobody
	Witness  baseline.Witness // nil: nobody vouches for approval records on a branch
	// Standing is the verdict that is shown for an artifact, where nothing is reviewed; else nil.
	Standing func(context.Context, workflow.Artifact) (workflow.Decision, bool)
	Now      func() time.Time
}

// Voucher tells whether a recorded verdict may be believed, and if not, why.
type Voucher func(ctx context.Context, r record.Record) (bool, string, error)

// types are the types to review: what the event asks for, else what is configured.
func (r Request) types() []workflow.Type {
	if len(r.Types) > 0 {
		return r.Types
	}
	return r.Config.Types
}

// ignoresRecords reports whether records of a type do not count.
func (r Request) ignoresRecords(t workflow.Type) bool {
	types := r.Types
	if len(r.Again) > 0 {
		types = r.Again
	}
	return r.Fresh && (len(types) == 0 || slices.Contains(types, t))
}

// recordedOnly reports whether nothing but recorded verdicts counts.
func (r Request) recordedOnly() bool { return r.Config.Mode == config.Gate }

// DetectOptions are how artifacts are found for the request. A trunk's name says nothing of a
// feature, nor does that of a merge group whose pull request is not known.
func (r Request) DetectOptions() detect.Options {
	trunks := append(DefaultBranches(), r.Event.DefaultBranch)
	if r.Event.Name == "merge_group" && r.Event.Topic == "" {
		trunks = append(trunks, r.Event.Head.Branch)
	}
	c := r.Config
	return detect.Options{
		Types: r.types(), Paths: slices.Concat(c.Paths, r.Event.Paths), Globs: c.Globs,
		Features: c.Features,
		Ignore:   c.Ignore, Layouts: c.Layouts, Roots: c.Roots,
		Branch: cmp.Or(r.Event.Topic, r.Event.Head.Branch),
		Trunks: trunks, Labels: r.Event.Labels, AutoMove: c.AutoMove,
	}
}

// DefaultBranches are what git and its forges call the first branch of a repository.
func DefaultBranches() []string { return []string{"main", "master"} }
