package review

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// addObstacles notes what forbids an approval whatever the reviewer says.
func (j *Job) addObstacles(blind []workflow.Finding) {
	_, j.gate = checks.Gate(j.result.Checks)
	j.gateFindings = gateIssues(j.result.Checks)
	if n := len(blind); n > 0 {
		why := workflow.Count(n, "file") + " cannot be reviewed"
		j.gate = strings.TrimPrefix(j.gate+"; "+why, "; ")
		j.gateFindings = append(j.gateFindings, blind...)
	}
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
		result = lower(j, result, j.gate, j.gateFindings)
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
