package pipeline

import (
	"cmp"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/workflow"
)

// renewals are the tests reviews that an allowed change of approved tests, or
// the request for a first baseline, asks for where the change has none itself.
func renewals(
	req Request, set change.Set, lookup *detect.Lookup, o integrity.Outcome,
	artifacts []workflow.Artifact,
) ([]workflow.Artifact, error) {
	if !slices.Contains(req.types(), workflow.Tests) {
		return nil, nil
	}
	var out []workflow.Artifact
	for _, f := range o.Features {
		has := slices.ContainsFunc(
			artifacts,
			func(a workflow.Artifact) bool {
				return a.Type == workflow.Tests && a.Feature == f.Feature
			},
		)
		asked := slices.ContainsFunc(
			o.Asks, func(q integrity.Ask) bool { return q.Open && q.Feature == f.Feature },
		)
		wanted := len(f.Permitted) > 0 || asked ||
			req.Permit != "" && f.Asked && f.Source == baseline.None
		if has || !wanted || f.Source == baseline.MergeBase {
			continue
		}
		a, err := testsArtifact(set, lookup, f.Feature, artifacts)
		if err != nil {
			return nil, err
		}
		if len(a.Files) > 0 {
			out = append(out, a)
		}
	}
	return out, nil
}

// testsArtifact is all tests of a feature on the head, as one artifact. It has no files where the
// feature has no tests there.
func testsArtifact(
	set change.Set, lookup *detect.Lookup, feature string, artifacts []workflow.Artifact,
) (workflow.Artifact, error) {
	a := workflow.Artifact{
		Type: workflow.Tests, Feature: feature,
		Why: []string{"the approval of these tests is to be renewed"},
	}
	paths, err := lookup.Tests(set.HeadTree, feature)
	if err != nil {
		return a, err
	}
	for _, p := range paths {
		e, err := set.HeadTree.Stat(p)
		if err != nil {
			return a, err
		}
		a.Files = append(a.Files, workflow.File{Path: p, Blob: e.Blob})
	}
	for _, other := range artifacts {
		if other.Feature == feature {
			a.SpecPath = cmp.Or(a.SpecPath, other.SpecPath)
		}
	}
	return a, nil
}
