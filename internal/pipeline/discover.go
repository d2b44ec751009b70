package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"workflow-reviewer/internal/change"
	builtin "workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/workflow"
)

// Discovery is what a change touches, named by what earlier reviews approved. It is a value of one
// plan; nothing of it is kept for the next.
type Discovery struct {
	Request   Request // with what a tool's call named
	found     detect.Result
	others    []workflow.Artifact // that nobody asked for
	records   []record.Record     // of the head
	canonical func(path string) string
	vouched   Voucher
	notices   []workflow.Finding
}

// Artifacts are all artifacts of the change.
func (d Discovery) Artifacts() []workflow.Artifact {
	return slices.Concat(d.found.Artifacts, d.others)
}

// recent is how long before the base a spec may have changed that counts as the one in work
// without being named.
const recent = 30 * 24 * time.Hour

// Discover finds what a change touches, in the features that earlier approvals, layouts, paths and
// the branch name. Records of the head count only if they can be believed; those of the base do.
func Discover(
	ctx context.Context, req Request, set change.Set,
) (d Discovery, err error) {
	d.Request = req
	roots, err := detect.Roots(set, req.Config.Roots, req.Config.Layouts)
	if err != nil {
		return d, err
	}
	var onBase []record.Record
	if d.records, onBase, d.notices, err = readRecords(set, roots, req.Target != nil); err != nil {
		return d, err
	}
	d.vouched = remembered(req.Vouched)
	options := req.DetectOptions()
	options.Recent = func(path string) bool {
		return req.Repo.ChangedWithin(ctx, set.Base, path, recent)
	}
	if d.canonical, err = detect.Canonical(set, options); err != nil {
		return d, fmt.Errorf("find the layouts of %s: %w", change.Short(set.Head), err)
	}
	options.Demands = builtin.Demands(ctx, check.Input{
		Set: set, Findings: req.Measured.Findings, Block: sarif.Level(req.Config.FindingsBlock),
	})
	options.Unmet = builtin.Unmet(ctx, check.Input{
		Set: set, Tests: req.Measured.Tests, Former: former(req.Repo, set),
	})
	options.Implemented = implemented(slices.Concat(d.records, onBase), set.BaseTree)
	approvals := record.Approvals(d.canonical, slices.Concat(d.records, onBase)...)
	options.Approved = approvedAs(ctx, d.vouched, approvals)
	if req.Target != nil {
		d.Request, d.found, err = req.Target.Detect(ctx, req, set, options)
	} else if d.found, err = detect.Artifacts(ctx, set, options); err != nil {
		err = fmt.Errorf("find the artifacts of %s: %w", change.Short(set.Head), err)
	}
	if err != nil {
		return d, err
	}
	d.others, err = otherArtifacts(ctx, d.Request, set, options, d.found.Artifacts)
	return d, err
}

// implemented tells of a feature whether an implementation or a bug fix of it was approved, and
// whether the base says so.
func implemented(
	records []record.Record, base change.Tree,
) func(feature string) (approved, before bool) {
	return func(feature string) (approved, before bool) {
		for _, r := range records {
			isCode := r.Type == workflow.Implementation || r.Type == workflow.BugFix
			if isCode && r.Decision == workflow.Approved && detect.SameFeature(r.Feature, feature) {
				approved, before = true, before || holdsBlob(base, r.Path, "")
			}
		}
		return approved, before
	}
}

// otherArtifacts are those of the change that a request for some types or paths leaves out. The
// gate stands for the whole change, so they count for it. For a tool's call those of the same
// feature count.
func otherArtifacts(
	ctx context.Context, req Request, set change.Set, opt detect.Options, asked []workflow.Artifact,
) ([]workflow.Artifact, error) {
	switch {
	case req.Target != nil:
		opt.Types, opt.Paths, opt.Features = workflow.Types(), nil, req.Config.Features
	case len(req.Types) == 0 && len(req.Event.Paths) == 0:
		return nil, nil
	default:
		opt.Types, opt.Paths = req.Config.Types, req.Config.Paths
	}
	all, err := detect.Artifacts(ctx, set, opt)
	if err != nil {
		return nil, fmt.Errorf("find the other artifacts of %s: %w", change.Short(set.Head), err)
	}
	return slices.DeleteFunc(all.Artifacts, func(a workflow.Artifact) bool {
		return slices.ContainsFunc(asked, func(b workflow.Artifact) bool {
			return a.Name() == b.Name() || req.Target != nil && a.Feature != b.Feature
		})
	}), nil
}
