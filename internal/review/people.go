package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/workflow"
)

// Undecided begins the summary of a review that asked no model as there were enough of them.
const Undecided = "A person must decide"

// exhausted is the job of an artifact that was reviewed as often as is allowed.
func (p *planner) exhausted(j Job) Job {
	r, before := j.result, j.history
	r.Decision, r.Unasked = workflow.NeedsChanges, workflow.ByLimit
	r.Iteration = max(r.Iteration-1, 1) // it is no further round
	for _, i := range before.Open() {
		if i.Level != "" {
			r.Issues = append(r.Issues, before.Again(i))
		}
	}
	command := p.opts.Commands.Of
	r.Summary = fmt.Sprintf(
		"%s: %s without an approval, and no model was asked again. %s open.\n\n"+
			"Comment `%s %s` or set the re-review label for one round more; `%s %s:%s reason`, by "+
			"someone with write permission, has it count as approved; `%s ID reason` needs a round on "+
			"the present version.",
		Undecided,
		workflow.Count(before.Asked, "review"),
		countIs(len(r.Issues), "finding"),
		command(workflow.CommandReview),
		j.Artifact.Type,
		command(workflow.CommandOverride),
		j.Artifact.Type,
		foreign.Label(j.Artifact.Feature),
		command(workflow.CommandDismiss),
	)
	j.Kind, j.result = Ended, r
	return j
}

// confirmed is the job of an artifact where nothing is reviewed: the newest record of its files
// that is believed stands if the check of this head shows the same verdict, or the one that a
// person decided on. What this run measures is less than what that one had.
func (p *planner) confirmed(ctx context.Context, base workflow.Result) Job {
	why := "no review of it stands for this head"
	for _, rec := range slices.Backward(p.earlier[base.Artifact.Name()]) {
		if rec.Legacy || !history.SameFiles(p.Canonical, rec.Files, base.Artifact.Files) {
			continue
		}
		r, problem, ok := p.believe(ctx, base, rec)
		if !ok {
			why = cmp.Or(problem, "its recorded review cannot be used")
			break
		}
		d, known := p.Standing(ctx, base.Artifact)
		isAmended := r.Amends != "" && d == workflow.NeedsChanges
		if !known || d != r.Decision && !isAmended {
			why = "the check of this head does not show the recorded verdict"
			break
		}
		r.Checks, r.Integrity = rec.Result.Checks, rec.Result.Integrity
		r.Questions, r.Requirements = rec.Result.Questions, rec.Result.Requirements
		j := Job{
			Artifact: base.Artifact, Kind: Recorded, result: r, afresh: base,
			history: p.historyOf(ctx, base.Artifact), opts: p.opts, tree: p.Set.HeadTree,
		}
		j.addObstacles(p.material.Blind(base.Artifact))
		return j
	}
	j := p.failed(base, Internal, why, "Comment "+p.opts.Commands.Of(workflow.CommandReview)+".")
	j.absent = why
	return j
}

// withGatesOf is a job that takes a record, with the gates that this run measured of the same
// artifact for planned.
func (j Job) withGatesOf(planned Job) Job {
	j.gate, j.gateFindings = planned.gate, planned.gateFindings
	facts := checks.Facts(planned.history.Undismissed(planned.result.Checks))
	if len(facts) > 0 {
		j.gate, j.gateFindings = facts[0].Title, slices.Concat(j.gateFindings, facts)
	}
	return j
}

// Override has a person answer for what the review of an artifact, "type: feature", refused: its
// job then counts as approved. The error says in one line why that is not possible; jobs are as
// they were then.
func Override(jobs []Job, name string, o workflow.Override) error {
	k := slices.IndexFunc(jobs, func(j Job) bool { return j.Artifact.Name() == name })
	if k < 0 {
		return fmt.Errorf("this change has no artifact %s", foreign.Label(name))
	}
	j := jobs[k]
	if j.Kind == Carried && j.result.Override != nil {
		return nil // accepted already, before the branch moved
	}
	if err := overridable(jobs, j); err != nil {
		return err
	}
	for _, i := range j.result.Issues {
		if i.State != workflow.Advice {
			o.Findings = append(o.Findings, i.Key)
		}
	}
	j = j.amended()
	j.result.Decision, j.result.Override = workflow.Approved, &o
	j.result.Summary = "Overridden by " + o.By + ". The review refused:\n\n" + j.result.Summary
	jobs[k] = j
	return nil
}

// overridable says why a job cannot be overridden, nil if it can.
func overridable(jobs []Job, j Job) error {
	if err := decidable(j); err != nil {
		return err
	}
	if j.result.Decision == workflow.Approved {
		return errors.New("it is approved already")
	}
	isRefused := func(t Job) bool {
		return t.Artifact.Type == workflow.Tests && t.Artifact.Feature == j.Artifact.Feature &&
			t.result.Decision != workflow.Approved
	}
	if j.Artifact.Type == workflow.Implementation && slices.ContainsFunc(jobs, isRefused) {
		return errors.New("the tests of the same feature are not approved; settle these first")
	}
	return nil
}

// decidable says why no person may overrule a job's verdict, nil if one may.
func decidable(j Job) error {
	r := j.result
	again := "comment " + j.opts.Commands.Of(workflow.CommandReview)
	switch {
	case j.Kind != Recorded && j.Kind != Decided:
		return fmt.Errorf("no review that came to a verdict stands for this head (%s)",
			cmp.Or(j.absent, again))
	case r.Decision != workflow.NeedsChanges && r.Decision != workflow.Approved:
		return errors.New("its review did not run to its end; " + again)
	case len(r.Violations) > 0 || r.Unasked == workflow.ByIntegrity:
		return errors.New("approved tests or their record were changed; no comment allows that")
	case r.Unasked == workflow.ByChecks || j.gate != "":
		return errors.New(
			"failing tests, missing results, coverage below its threshold and files " +
				"that cannot be read cannot be overruled",
		)
	}
	return nil
}

// amended is a job whose verdict a person is about to change.
func (j Job) amended() Job {
	r := j.result
	r.Amends = cmp.Or(r.Amends, r.ReviewPath)
	r.Cached, r.ReviewPath, r.Date = false, "", time.Time{}
	r.Head, r.Base = j.afresh.Head, j.afresh.Base
	r.Issues, r.Previous = slices.Clone(r.Issues), slices.Clone(r.Previous)
	j.Kind, j.result = Decided, r
	return j
}

// Dismiss sets one finding aside, by its id. If nothing else blocks, its review is approved by
// that. The error says in one line why it is not possible; jobs are as they were then.
func Dismiss(jobs []Job, id string, d workflow.Dismissal) error {
	isIt := func(i workflow.Finding) bool { return i.Key == id }
	k, n, isDone := -1, 0, false
	for i, j := range jobs {
		if found := count(j.result.Issues, isIt); found > 0 {
			k, n = i, n+found
		}
		isDone = isDone || slices.ContainsFunc(j.result.Dismissed, func(d workflow.Dismissal) bool {
			return isIt(d.Issue)
		})
	}
	switch {
	case n == 0 && isDone:
		return nil // by somebody else, or before the branch moved
	case n == 0:
		return errors.New("no review of this head has an open finding of this id")
	case n > 1:
		return fmt.Errorf("%d findings have this id; override the review instead", n)
	}
	j := jobs[k]
	if err := decidable(j); err != nil {
		return err
	}
	if j.result.Unasked != "" {
		return fmt.Errorf("no reviewer has seen this version; comment %s, or override the review",
			j.opts.Commands.Of(workflow.CommandReview))
	}
	at := slices.IndexFunc(j.result.Issues, isIt)
	d.Issue = j.result.Issues[at]
	var ok bool
	if d.Text, d.Lines, ok = j.history.Passage(d.Issue); !ok {
		return errors.New("the lines that it is about cannot be read or are too many")
	}
	j = j.amended()
	j.history.Dismiss(d)
	j.result = withoutIssue(j, at, d)
	jobs[k] = j
	return nil
}

// withoutIssue moves an issue to the dismissed ones, and approves if nothing is left that blocks.
func withoutIssue(j Job, at int, d workflow.Dismissal) workflow.Result {
	r := j.result
	r.Issues = slices.Delete(r.Issues, at, at+1)
	r.Dismissed = append(slices.Clone(r.Dismissed), d)
	for i := range r.Previous {
		q := &r.Previous[i]
		isLeft := func(o workflow.Finding) bool { return o.Key == q.ID } // another of the title
		if q.IsAbout(d.Issue) && !slices.ContainsFunc(r.Issues, isLeft) {
			q.Resolved, q.Dismissed, q.Note = false, true, d.By+": "+d.Reason
		}
	}
	if r.Engine == EngineRules {
		v := checks.Decide(r.Artifact, j.history.Undismissed(r.Checks))
		r.Decision, r.Criteria = v.Decision, v.Criteria
	} else if r.Decision == workflow.NeedsChanges && !hasBlocker(r) {
		r.Decision = workflow.Approved
	}
	if r.Decision == workflow.Approved {
		r.Summary = "Approved, as what blocked was dismissed.\n\n" + r.Summary
	}
	return r
}

// hasBlocker reports whether something is left that may have made a model refuse. Low issues and
// advice never do.
func hasBlocker(r workflow.Result) bool {
	return objections(r) != nil || countStatus(r, workflow.CannotTell) > 0 ||
		slices.ContainsFunc(r.Previous, workflow.Previous.IsOpen) ||
		slices.ContainsFunc(r.Issues, r.Blocks)
}
