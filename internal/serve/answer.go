package serve

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
	"workflow-reviewer/internal/writeback"
)

// Save writes the review into the work tree as a draft, and moves what was approved if the call
// asks for it. A failed move loses no review. Calls that end at once write one after another.
func (c *reviewCall) Save(repo *gitrepo.Repo, cfg config.Config, o *pipeline.Outcome) error {
	c.writers.writing.Lock()
	defer c.writers.writing.Unlock()
	for i := range o.Results {
		res := &o.Results[i]
		if res.Decision == workflow.Error || !c.isMeant(res.Artifact) {
			continue
		}
		if res.Decision == workflow.Approved && c.moves() {
			err := unmovable(o.Plan, res.Artifact)
			if err == nil {
				err = move(repo, o.Set, res)
			}
			if err != nil {
				res.Warnings = append(
					res.Warnings, fmt.Sprintf("Review saved but could not move artifact: %v", err),
				)
			}
		}
		c.saved = res.ReviewPath
		if res.Cached || !cfg.SaveReviews {
			continue
		}
		for repo.Exists(res.ReviewPath) { // of another call in the same second
			res.Date = res.Date.Add(time.Second)
			res.ReviewPath = record.Path(*res)
		}
		c.saved = res.ReviewPath
		if err := repo.WriteFile(res.ReviewPath, record.RenderDraft(*res)); err != nil {
			return fmt.Errorf("the review could not be saved: %w", err)
		}
	}
	return nil
}

// unmovable says what keeps an approved artifact where it is, nil for nothing: a violation, or the
// newest review of the tests or the spec that it stands on, of whatever version.
func unmovable(p pipeline.Plan, a workflow.Artifact) error {
	if n := len(p.Violations); n > 0 {
		return errors.New(workflow.Count(n, "violation") + " of test integrity stand against it")
	}
	if a.Type != workflow.Implementation && a.Type != workflow.BugFix {
		return nil
	}
	for _, t := range []workflow.Type{workflow.Spec, workflow.Tests} {
		var newest record.Record
		for _, rec := range p.Records {
			if rec.Type == t && rec.Feature == a.Feature && !rec.Legacy &&
				!rec.Time.Before(newest.Time) {
				newest = rec
			}
		}
		if newest.Path != "" && newest.Decision == workflow.NeedsChanges {
			return fmt.Errorf(
				"the review of its %s needs changes (%s); have them reviewed again", t, newest.Path,
			)
		}
	}
	return nil
}

// move does to the work tree what the approval does to a branch. A file that differs from what was
// reviewed is left where it is, with an error.
func move(repo *gitrepo.Repo, set change.Set, res *workflow.Result) error {
	e, err := writeback.EffectOf(set.HeadTree, res.Artifact)
	if err != nil || e.Move == nil && e.Mark == nil {
		return err
	}
	from := ""
	if e.Mark != nil {
		from = e.Mark.Path
	}
	if e.Move != nil {
		from = e.Move.From
	}
	former, err := set.HeadTree.ReadFile(from)
	if err != nil {
		return err
	}
	if e.Move == nil {
		return repo.WriteFile(from, e.Content)
	}
	if err := repo.Move(e.Move.From, e.Move.To, former, e.Content); err != nil {
		return err
	}
	res.MovedTo = e.Move.To
	return nil
}

// answer is what the call came to. A review that did not run is an error. A review that found
// nothing beside a violation of test integrity is none that approves.
func (c *reviewCall) answer(rep report.Report) (mcpserver.ReviewAnswer, error) {
	k := slices.IndexFunc(
		rep.Results, func(r workflow.Result) bool { return c.isMeant(r.Artifact) },
	)
	switch {
	case rep.Failure != nil:
		return mcpserver.ReviewAnswer{}, failed(*rep.Failure)
	case k < 0:
		return mcpserver.ReviewAnswer{}, errors.New("nothing was reviewed: " + rep.Skipped)
	case rep.Results[k].Failure != nil:
		return mcpserver.ReviewAnswer{}, failed(*rep.Results[k].Failure)
	}
	res := rep.Results[k]
	if len(rep.Violations) > 0 && res.Decision == workflow.Approved {
		res.Decision = workflow.NeedsChanges
		res.Warnings = append(
			res.Warnings,
			"Nothing was found in it, and it is not approved beside a violation of test integrity.",
		)
	}
	out := mcpserver.ReviewAnswer{
		Decision: res.Decision.String(), ReviewPath: c.saved, ArtifactMovedTo: res.MovedTo,
		Summary: res.Summary, Type: string(res.Artifact.Type), Feature: res.Artifact.Feature,
		Requirements: list(res.Requirements), Issues: list(res.Issues),
		Violations: list(rep.AllViolations()), Weakened: list(rep.Weakened),
		Coverage: coverageOf(res), Verdict: res.Verdict(), Warnings: res.Warnings,
		Engine: res.Engine, Iteration: res.Iteration, Cached: res.Cached, Tokens: res.Tokens,
	}
	for _, n := range rep.Notices {
		out.Notices = append(out.Notices, strings.TrimPrefix(n.File+": ", ": ")+n.Text)
	}
	return out, nil
}

// list is a copy that is no null as JSON.
func list[T any](in []T) []T { return append([]T{}, in...) }

func failed(f workflow.Failure) error {
	return fmt.Errorf("%s. %s", strings.TrimSuffix(f.Message, "."), f.Action)
}

// coverageOf is what a review's coverage report came to, nil without one.
func coverageOf(res workflow.Result) *mcpserver.Coverage {
	k := slices.IndexFunc(
		res.Checks, func(c workflow.Check) bool { return c.ID == workflow.CoverageCheck },
	)
	if k < 0 || res.Checks[k].Outcome == workflow.NotLooked {
		return nil
	}
	line, _ := res.Figure(workflow.CoverageCheck, "line")
	branch, _ := res.Figure(workflow.CoverageCheck, "branch")
	return &mcpserver.Coverage{
		Line: line, Branch: branch,
		MeetsThreshold: res.Checks[k].Outcome == workflow.Passed,
	}
}
