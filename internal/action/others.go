package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// detect finds what is to be reviewed: what the change touches, or what a tool's call means.
func (s *session) detect(ctx context.Context, set change.Set, opt detect.Options) (detect.Result, error) {
	if s.serve != nil {
		return s.serve.detect(ctx, s, set, opt)
	}
	found, err := detect.Artifacts(ctx, set, opt)
	if err != nil {
		return found, fmt.Errorf("find the artifacts of %s: %w", short(set.Head), err)
	}
	return found, nil
}

// others are the artifacts of the change that a request for some types or paths
// leaves out. The gate stands for the whole change, so they count for it. For a tool's call those of the same feature count.
func (s *session) others(ctx context.Context, set change.Set, opt detect.Options, asked []workflow.Artifact) ([]workflow.Artifact, error) {
	switch {
	case s.serve != nil:
		opt.Types, opt.Paths, opt.Features = workflow.Types(), nil, s.cfg.Features
	case len(s.asked.types) == 0 && len(s.event.Paths) == 0:
		return nil, nil
	default:
		opt.Types, opt.Paths = s.cfg.Types, s.cfg.Paths
	}
	all, err := detect.Artifacts(ctx, set, opt)
	if err != nil {
		return nil, fmt.Errorf("find the other artifacts of %s: %w", short(set.Head), err)
	}
	return slices.DeleteFunc(all.Artifacts, func(a workflow.Artifact) bool {
		return slices.ContainsFunc(asked, func(b workflow.Artifact) bool {
			return a.Name() == b.Name() || s.serve != nil && a.Feature != b.Feature
		})
	}), nil
}

// leaveOut keeps of the jobs that nobody asked for those with a recorded verdict,
// which the commit-back takes along; where nothing that was asked for is there,
// those that block. What has none is listed: the gate cannot be green without it.
func (r *round) leaveOut(others []workflow.Artifact) {
	names := make(map[string]bool, len(others))
	for _, a := range others {
		names[a.Name()] = true
	}
	some := slices.ContainsFunc(r.jobs, func(j review.Job) bool { return !names[j.Artifact.Name()] })
	r.jobs = slices.DeleteFunc(r.jobs, func(j review.Job) bool {
		if !names[j.Artifact.Name()] {
			return false
		}
		decision, known := j.Standing()
		if !known {
			r.unreviewed = append(r.unreviewed, j.Artifact.Name())
		}
		return !known || decision == workflow.Approved && !some
	})
}

// incomplete is the failure of a run that was asked for a part of the change
// while others have no verdict, or for recorded verdicts that are not there.
func incomplete(names []string, gate bool, commands workflow.Commands) *workflow.Failure {
	if gate {
		return &workflow.Failure{
			Class: "incomplete", Message: "without a valid recorded review: " + strings.Join(names, ", "),
			Action: "Have them reviewed on the pull request, with the same inputs as here; mode gate reviews nothing itself.",
		}
	}
	return &workflow.Failure{
		Class: "incomplete", Message: "not asked for, and without a verdict yet: " + strings.Join(names, ", "),
		Action: "Comment " + commands.Of(workflow.CommandReview) + " to have everything reviewed.",
	}
}
