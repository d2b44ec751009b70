package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
)

// FeatureNamed is the feature that a name means; an error lists those that there are.
func (i Inspection) FeatureNamed(name string) (string, error) {
	features := slices.Concat(i.Lookup.Features(), i.Asked)
	for _, tree := range []change.Tree{i.Set.BaseTree, i.Set.HeadTree} {
		recorded, err := baseline.Recorded(tree, i.Roots)
		if err != nil {
			return "", err
		}
		features = append(features, recorded...)
		if tests, err := i.Lookup.Tests(tree, name); err != nil || len(tests) > 0 {
			features = append(features, name)
		}
	}
	same := func(f string) bool { return detect.SameFeature(f, name) }
	if k := slices.IndexFunc(features, same); k >= 0 {
		return features[k], nil
	}
	slices.Sort(features)
	there := "there are none here"
	if len(features) > 0 {
		there = "there are " + strings.Join(slices.Compact(features), ", ")
	}
	return "", fmt.Errorf("unknown feature %q: %s", name, there)
}

// RunAsGiven is the check of the command line: with a revision that the user
// vouches for, or with what is on record, as in CI.
func (i Inspection) RunAsGiven(ctx context.Context) (integrity.Outcome, error) {
	if !i.Given {
		return i.Run(ctx)
	}
	b, err := i.GivenBaseline(ctx, i.Only)
	if err != nil {
		return integrity.Outcome{}, err
	}
	i.Asked = []string{b.Feature}
	return i.Compare(ctx, []baseline.Baseline{b})
}

// ApprovedBaselines are the baselines that were approved. It is an error if there is
// none, or if it cannot be found out what was approved.
func (i Inspection) ApprovedBaselines(ctx context.Context) ([]baseline.Baseline, error) {
	if i.Only == "" {
		i.Asked = nil // what is on record, whatever the change touches
	}
	found, err := baseline.Find(ctx, i.features(), i.options())
	if err != nil {
		return nil, err
	}
	var out []baseline.Baseline
	for _, b := range found {
		switch {
		case i.Only != "" && b.Feature != i.Only:
		case b.Unknown:
			return nil, fmt.Errorf(
				"it cannot be found out which tests of %s were approved: %s", b.Feature, b.Missing,
			)
		case b.Known():
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf(
			"no approved tests were found%s: the base %s has no approval record, nor has the "+
				"branch",
			map[bool]string{true: " of " + i.Only}[i.Only != ""],
			change.Short(i.Set.Base),
		)
	}
	return out, nil
}

// GivenBaseline is the baseline of a revision whose tests a user takes as approved: a feature's, or
// all that it holds.
func (i Inspection) GivenBaseline(ctx context.Context, feature string) (baseline.Baseline, error) {
	tree := i.Set.BaseTree
	b := baseline.Baseline{
		Feature: feature, Source: baseline.Given, Commit: tree.Commit(),
		Trust:           "taken as approved on your word",
		Unauthenticated: "the revision was given on the command line",
	}
	tests, helpers, err := i.Lookup.AllTests(tree)
	if feature != "" {
		helpers = nil
		tests, err = i.Lookup.Tests(tree, feature)
	}
	if err != nil {
		return b, err
	}
	inline, err := i.inline(ctx)
	if err != nil {
		return b, err
	}
	if len(tests)+len(helpers)+len(inline) == 0 {
		b.Source, b.Strict, b.Missing = baseline.None, true, fmt.Sprintf(
			"%s holds no test file", change.Short(b.Commit),
		)
		return b, nil
	}
	b.Files, b.Notices, err = approval.Collect(
		ctx, tree, approval.Options{Tests: tests, Protect: i.Policy.Protect},
	)
	if err != nil {
		return b, fmt.Errorf("collect the tests of %s: %w", change.Short(b.Commit), err)
	}
	if b.Files, err = WithFiles(tree, b.Files, approval.Test, inline); err != nil {
		return b, err
	}
	b.Files, err = WithFiles(tree, b.Files, approval.Support, helpers)
	return b, err
}

// WithFiles adds files of a tree in a role, those that are not among others. Submodules are left
// out, as they have no content here.
func WithFiles(
	tree change.Tree, files []approval.File, role approval.Role, paths []string,
) ([]approval.File, error) {
	known := make(map[string]bool, len(files))
	for _, f := range files {
		known[f.Path] = true
	}
	for _, p := range paths {
		if known[p] {
			continue
		}
		e, err := tree.Stat(p)
		if err != nil {
			return nil, err
		}
		if e.Mode == change.ModeSubmodule {
			continue
		}
		f, err := approval.FileOf(tree, e, role)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
