package pipeline

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// keepRecorded keeps of the jobs that nobody asked for those with a recorded verdict,
// which the commit-back takes along; where nothing that was asked for is there,
// those that block. What has none is listed: the gate cannot be green without it.
func (p *Plan) keepRecorded(others []workflow.Artifact) {
	names := make(map[string]bool, len(others))
	for _, a := range others {
		names[a.Name()] = true
	}
	some := slices.ContainsFunc(
		p.Jobs, func(j review.Job) bool { return !names[j.Artifact.Name()] },
	)
	p.Jobs = slices.DeleteFunc(p.Jobs, func(j review.Job) bool {
		if !names[j.Artifact.Name()] {
			return false
		}
		decision, known := j.Standing()
		if !known {
			p.Unreviewed = append(p.Unreviewed, j.Artifact.Name())
		}
		return !known || decision == workflow.Approved && !some
	})
}

// incomplete is the failure of a run that was asked for a part of the change
// while others have no verdict, or for recorded verdicts that are not there.
func incomplete(names []string, gate bool, commands workflow.Commands) *workflow.Failure {
	if gate {
		return &workflow.Failure{
			Class:   "incomplete",
			Message: "without a valid recorded review: " + strings.Join(names, ", "),
			Action: "Have them reviewed on the pull request, with the same inputs as here; mode " +
				"gate reviews nothing itself.",
		}
	}
	return &workflow.Failure{
		Class:   "incomplete",
		Message: "not asked for, and without a verdict yet: " + strings.Join(names, ", "),
		Action:  "Comment " + commands.Of(workflow.CommandReview) + " to have everything reviewed.",
	}
}

// The gate stands for the whole change, whatever a request asks for. So what nobody asked for is
// not forgotten: it stands by a record, or keeps the gate from being green.

// dropUnasked keeps of the jobs beside the one that a tool's call means those that ask no model:
// what they came to counts for it as it does in CI, and whoever wants to know what a model says
// calls their own tool.
func (p *Plan) dropUnasked(others []workflow.Artifact) {
	p.Jobs = slices.DeleteFunc(p.Jobs, func(j review.Job) bool {
		name := j.Artifact.Name()
		beside := slices.ContainsFunc(
			others, func(a workflow.Artifact) bool { return a.Name() == name },
		)
		asks := beside && j.Kind == review.Asks
		if asks {
			p.Notices = append(
				p.Notices,
				workflow.Finding{Text: name + " differs from the base as well, and no " +
					"review of it stands: have it reviewed too, CI asks for both"},
			)
		}
		return asks
	})
}

// DropUnsettled takes out what has no verdict where nothing is reviewed: the gate cannot be green
// without it. Where recorded verdicts alone count, so does what is still to be reviewed.
func (p *Plan) DropUnsettled(recordedOnly bool) {
	p.Jobs = slices.DeleteFunc(p.Jobs, func(j review.Job) bool {
		absent := j.Absent() != "" || recordedOnly && !j.Settled()
		if absent {
			p.Unreviewed = append(p.Unreviewed, j.Artifact.Name())
		}
		return absent
	})
}
