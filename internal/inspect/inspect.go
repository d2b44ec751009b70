// Package inspect finds out which tests were approved and compares them with a head: for CI,
// the commands and the tools alike.
//
// What was approved stands in records on the base, and on the branch where somebody vouches for
// them; where nothing is recorded the merge base's tests count as far as the config says. The
// comparison itself is integrity's: this package reads, integrity decides.
package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/prove"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Inspection is one check of test integrity with all that it needs from outside.
type Inspection struct {
	Repo      *gitrepo.Repo
	Policy    config.IntegrityPolicy
	Set       change.Set
	Roots     []string // folders besides the repository's own that are projects of their own
	Lookup    *detect.Lookup
	Artifacts []workflow.Artifact // of the change
	Asked     []string            // features that it has artifacts of
	Only      string              // the one feature to look at, "" for all
	Witness   baseline.Witness    // nil: there is nobody to ask
	Permit    func(path string) string
	Today     time.Time
	Given     bool         // the base's tests are approved by word of the user
	Proofs    []proof.File // what prove wrote
}

// Run finds out what was approved and compares it with the head, as in CI. A feature whose tests
// are all under review has no baseline that must be there: that review decides.
func (i Inspection) Run(ctx context.Context) (integrity.Outcome, error) {
	baselines, err := baseline.Find(ctx, i.features(), i.options())
	if err != nil {
		return integrity.Outcome{}, err
	}
	for n, b := range baselines {
		if !b.Unknown && reviewsAllTests(b.Feature, i.Artifacts) {
			baselines[n].Strict = false // the review of the tests decides
		}
	}
	return i.Compare(ctx, baselines)
}

// features are the features that are asked about beside those of the change.
func (i Inspection) features() []string {
	features := slices.Clone(i.Asked)
	if i.Only != "" {
		features = append(features, i.Only)
	}
	return features
}

// options are what the search for approved tests needs. Reviews are read only where no record
// answers.
func (i Inspection) options() baseline.Options {
	return baseline.Options{
		Set: i.Set, Roots: i.Roots, History: history{i.Repo}, Witness: i.Witness,
		Tests: i.Lookup.Tests, Doing: i.Lookup.Doing, Touched: i.touched(), Names: i.Lookup.Names,
		Warn: i.Policy.OnMissingBaseline == "warn", Protect: i.Policy.Protect,
		Reviews: func() ([]record.Record, error) {
			records, _, err := record.Read(
				i.Set.BaseTree, i.Roots,
			) // what cannot be read is told where the head's are read
			return RenameLegacy(records, i.Lookup.Stem), err
		},
	}
}

// touched are the tests that the change modifies or takes away.
func (i Inspection) touched() []string {
	var out []string
	for _, f := range i.Set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if r := i.Lookup.Role(p); f.Status != change.Added &&
			(r == detect.Test || r == detect.Helper) {
			out = append(out, p)
		}
	}
	return out
}

// Compare compares the head with baselines that are known. Where neither side has tests there is
// nothing to compare or to work around.
func (i Inspection) Compare(
	ctx context.Context, baselines []baseline.Baseline,
) (integrity.Outcome, error) {
	allow, err := Allowances(i.Set.BaseTree)
	if err != nil {
		return integrity.Outcome{}, err
	}
	var unapproved []approval.File
	before := i.tested(i.Set.MergeBaseTree)
	if before {
		if unapproved, err = i.unapproved(ctx); err != nil {
			return integrity.Outcome{}, err
		}
	}
	return integrity.Check(ctx, integrity.Input{
		MergeBase: i.comparesMergeBase() && before, Untested: !before && !i.tested(i.Set.HeadTree),
		Enforce: i.Policy.Baseline == "enforce", Unapproved: unapproved,
		Set: i.Set, Baselines: baselines, Asked: i.features(), Only: i.Only, Role: i.Lookup.Role,
		Strict: i.Policy.Policy == "strict", Protect: i.Policy.Protect,
		Names: i.Lookup.Names, Workarounds: i.Policy.Workarounds != "off", Allow: allow,
		Today: i.Today, Permit: i.Permit,
		Evidence: i.Proofs, Doing: i.Lookup.Doing, Demand: i.demand(ctx, baselines),
		Blob: i.Repo.FetchBlob,
	})
}

// demand counts the approved tests of features as prove does; what cannot be read is not known.
func (i Inspection) demand(
	ctx context.Context, baselines []baseline.Baseline,
) func([]string) evidence.Demand {
	return func(features []string) evidence.Demand {
		sets := slices.DeleteFunc(
			slices.Clone(baselines),
			func(b baseline.Baseline) bool { return !slices.Contains(features, b.Feature) },
		)
		d, err := prove.Demand(ctx, prove.Choose(sets, i.Set.BaseTree), i.Repo.Blob)
		if err != nil {
			return evidence.Demand{}
		}
		return d
	}
}

// Allowances are the exceptions that the base grants.
func Allowances(base change.Tree) ([]trick.Allowance, error) {
	data, err := base.ReadFile(trick.AllowPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []trick.Allowance
	if err == nil {
		list, err = trick.ParseAllow(data)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s of the base commit: %w", trick.AllowPath, err)
	}
	return list, nil
}

// Types are the artifacts whose verdict hangs on approved tests.
func Types() []workflow.Type {
	return []workflow.Type{
		workflow.Skeleton, workflow.Tests, workflow.Implementation, workflow.BugFix,
	}
}

// AskedFeatures are the features of artifacts that approved tests matter to.
func AskedFeatures(artifacts []workflow.Artifact) []string {
	var out []string
	for _, a := range artifacts {
		if slices.Contains(Types(), a.Type) && !slices.Contains(out, a.Feature) {
			out = append(out, a.Feature)
		}
	}
	slices.Sort(out)
	return out
}

// RenameLegacy gives reviews of other tools and of former versions the features that
// their names mean: an approval named login-mcp is one of login.
func RenameLegacy(records []record.Record, stem func(string) string) []record.Record {
	records = slices.Clone(records)
	for i, r := range records {
		if r.Legacy && r.Feature != "" {
			records[i].Feature = stem(r.Feature)
		}
	}
	return records
}

// reviewsAllTests reports whether all tests of a feature are under review as part of the change.
func reviewsAllTests(feature string, all []workflow.Artifact) bool {
	return slices.ContainsFunc(all, func(t workflow.Artifact) bool {
		return t.Type == workflow.Tests && t.Feature == feature && len(t.Tests) == 0
	})
}
