package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/shard"
	"workflow-reviewer/internal/workflow"
)

// Plan is what a change asks for: the reviews that are due, and what was found before any of them.
type Plan struct {
	Set        change.Set
	Records    []record.Record
	Notices    []workflow.Finding
	Jobs       []review.Job
	Integrity  Integrity
	Violations []workflow.Finding // that close the gate whatever the reviews say
	Unreviewed []string           // artifacts that were not asked for and have no verdict
}

// Prepare makes the plan of the change between the event's base and its head. It asks no model and
// writes nothing. carried are results of an earlier round that may still stand. With an error the
// plan holds what was found out so far.
func Prepare(ctx context.Context, req Request, carried []workflow.Result) (Plan, error) {
	set, err := Compare(ctx, req)
	if err != nil {
		return Plan{}, err
	}
	d, err := Discover(ctx, req, set)
	if err != nil {
		return Plan{}, err
	}
	req = d.Request
	checked, err := verify(ctx, req, set, d.Artifacts())
	if err != nil {
		return Plan{}, err
	}
	ignored, err := ignoredSettings(req, set)
	if err != nil {
		return Plan{}, err
	}
	unmeasured, err := checkMeasured(req, slices.Concat(d.found.Artifacts, checked.added))
	p := Plan{
		Set: set, Records: checked.named(d.records), Integrity: checked,
		Violations: checked.violations(req.Config.Integrity.Workarounds),
		Notices:    slices.Concat(d.found.Notices, d.notices, checked.notices, ignored, unmeasured),
	}
	if err != nil {
		return p, err
	}
	p.Jobs, err = review.Plan(ctx, review.Input{
		Set: set, Intent: intent(req.Event, req.Repo, set), Missing: missing(d.found.Missing),
		Artifacts: slices.Concat(d.found.Artifacts, checked.added, d.others),
		Records:   p.Records, Canonical: d.canonical, Vouched: d.vouched, Carried: carried,
		Tests: req.Measured.Tests, Coverage: req.Measured.Coverage, Red: checked.Outcome.Run.Red(),
		Findings: req.Measured.Findings, Proof: checked.Outcome.Run, Former: former(req.Repo, set),
		Integrity: checked.details, Ended: checked.ended, Blob: formerBlob(req.Repo),
		Standing: req.Standing, Anew: req.recordedOnly(),
	}, reviewOptions(req, d.found.Context))
	if err != nil {
		return p, fmt.Errorf("plan the reviews: %w", err)
	}
	if req.Target != nil {
		p.dropUnasked(d.others)
	} else {
		p.keepRecorded(d.others)
	}
	return p, nil
}

// Compare is the change between the event's base and its head.
func Compare(ctx context.Context, req Request) (change.Set, error) {
	base, head := req.Event.Base.SHA, req.Event.Head.SHA
	set, err := req.Repo.Set(ctx, base, head)
	if err != nil {
		err = fmt.Errorf("compare %s with %s: %w", change.Short(base), change.Short(head), err)
	}
	return set, err
}

// Shards spread the plan's reviews over several processes. The same plan is always spread the same
// way, so that each process can work it out for itself.
func (p Plan) Shards(req Request) shard.Plan {
	return shard.New(p.Set.Head, p.Set.MergeBase, req.Measured.Digest, p.Jobs, req.Config.MaxShards)
}

// maxSubjects is how many commits of a branch tell a reviewer what was meant.
const maxSubjects = 30

// intent is what the author says of the change. Where the history ends early, or cannot be read,
// it ends there too.
func intent(ev change.Event, repo *gitrepo.Repo, set change.Set) prompt.Intent {
	in := prompt.Intent{Title: ev.Title, Body: ev.Body}
	for sha := set.Head; sha != "" && sha != set.MergeBase && len(in.Commits) < maxSubjects; {
		c, err := repo.Commit(sha)
		if err != nil {
			break
		}
		if c.Trailer("Workflow-Reviewer") == "" {
			in.Commits = append(in.Commits, c.Subject)
		}
		sha = ""
		if len(c.Parents) > 0 {
			sha = c.Parents[0]
		}
	}
	return in
}

// former lists the files that were there while a file of the merge base came to be.
func former(repo *gitrepo.Repo, set change.Set) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, path string) ([]string, error) {
		return repo.Former(ctx, path, set.MergeBase)
	}
}

// formerBlob reads what an earlier review saw, fetching the commit that it was of where a shallow
// checkout lacks it.
func formerBlob(repo *gitrepo.Repo) func(ctx context.Context, head, blob string) ([]byte, error) {
	return func(ctx context.Context, head, blob string) ([]byte, error) {
		data, err := repo.Blob(blob)
		if err == nil {
			return data, nil
		}
		if err := repo.Fetch(ctx, head); err != nil {
			return nil, fmt.Errorf("fetch the commit that was reviewed: %w", err)
		}
		return repo.Blob(blob)
	}
}

// checkMeasured refuses a run whose results, coverage, evidence or other tools' files are missing
// while a review is due that they were given for: their gate would silently be off. Where nothing
// is measured anew, evidence still decides. Without such a review what is missing is told.
func checkMeasured(
	req Request, artifacts []workflow.Artifact,
) (notices []workflow.Finding, err error) {
	missing := req.Measured.Unproven
	if req.Standing == nil {
		missing = slices.Concat(req.Measured.Missing, missing)
	}
	if slices.ContainsFunc(
		artifacts, func(a workflow.Artifact) bool { return isCode(a) || a.Type == workflow.Tests },
	) {
		return nil, errors.Join(missing...)
	}
	for _, err := range missing {
		notices = append(notices, workflow.Finding{Text: err.Error()})
	}
	return notices, nil
}

// reviewOptions are the options of reviews of a request; context are documents that layouts show
// every reviewer.
func reviewOptions(req Request, context []string) review.Options {
	c := req.Config
	return review.Options{
		Engine: string(c.Engine), EngineName: req.Engine, Model: c.Model, Effort: c.Effort,
		MaxParallel: c.MaxParallel, Timeout: c.Timeout, RetryDelay: c.RetryDelay,
		MaxIterations: c.MaxIterations, OverrideDays: c.OverrideDays, Now: req.Now,
		Prompts: prompts(c.Prompts), ContextFiles: slices.Concat(c.Context, context),
		Fresh: req.ignoresRecords, Reader: c.Reader, Policy: c.Policy(),
		SaveRequests: c.SaveRequests, Brief: !asksHere(c.Mode), Commands: c.Commands,
		Thresholds:         check.Thresholds{Line: c.Thresholds.Line, Branch: c.Thresholds.Branch},
		RequireTestResults: c.RequireTestResults, Block: sarif.Level(c.FindingsBlock),
	}
}

// asksHere reports whether a process in this mode asks a model itself.
func asksHere(m config.Mode) bool { return m == config.All || m == config.Review }
