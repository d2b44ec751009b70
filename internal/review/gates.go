package review

import (
	"fmt"
	"time"

	"workflow-reviewer/internal/workflow"
)

// gated lowers an approval that a gate forbids.
func gated(j Job, result workflow.Result) workflow.Result {
	if j.gate == "" || result.Decision != workflow.Approved {
		return result
	}
	return lowered(j, result, j.gate, j.gateward)
}

// measuredBy lowers the approval of an implementation whose tests were reviewed
// in the same run and not approved.
func measuredBy(j Job, result, tests workflow.Result) workflow.Result {
	if result.Decision != workflow.Approved || tests.Decision == workflow.Approved {
		return result
	}
	why := fmt.Sprintf("An implementation is approved only against approved tests: those of %s were reviewed in this run and stand at %s",
		line(result.Artifact.Feature, 200), tests.Decision)
	result = lowered(j, result, why, nil)
	result.ContextDigest = withoutTests(result.ContextDigest, tests.Decision)
	return result
}

// lowered turns an approval into NEEDS-CHANGES for a reason. What was recorded
// before is then no longer what was decided, so the result counts as new.
func lowered(j Job, result workflow.Result, why string, issues []workflow.Issue) workflow.Result {
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
