package action

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
	"workflow-reviewer/internal/integrity/proof"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/prove"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// inspection is one check of test integrity with all that it needs from outside.
type inspection struct {
	repo      *gitrepo.Repo
	policy    config.IntegrityPolicy
	set       change.Set
	roots     []string // folders besides the repository's own that are projects of their own
	lookup    *detect.Lookup
	artifacts []workflow.Artifact // of the change
	asked     []string            // features that it has artifacts of
	only      string              // the one feature to look at, "" for all
	witness   baseline.Witness    // nil: there is nobody to ask
	permit    func(path string) string
	today     time.Time
	given     bool         // the base's tests are approved by word of the user
	proofs    []proof.File // what prove wrote
}

// run finds out what was approved and compares it with the head.
func (i inspection) run(ctx context.Context) (integrity.Outcome, error) {
	baselines, err := baseline.Find(ctx, i.features(), i.options())
	if err != nil {
		return integrity.Outcome{}, err
	}
	for n, b := range baselines {
		if !b.Unknown && reviewedNow(b.Feature, i.artifacts) {
			baselines[n].Strict = false // the review of the tests decides
		}
	}
	return i.check(ctx, baselines)
}

func (i inspection) features() []string {
	features := slices.Clone(i.asked)
	if i.only != "" {
		features = append(features, i.only)
	}
	return features
}

func (i inspection) options() baseline.Options {
	return baseline.Options{
		Set: i.set, Roots: i.roots, History: history{i.repo}, Witness: i.witness,
		Tests: i.lookup.Tests, Doing: i.lookup.Doing, Touched: i.touched(), Names: i.lookup.Names,
		Warn: i.policy.OnMissingBaseline == "warn", Protect: i.policy.Protect,
		Reviews: func() ([]record.Record, error) {
			records, _, err := record.Read(i.set.BaseTree, i.roots) // what cannot be read is told where the head's are read
			return readable(records, i.lookup.Stem), err
		},
	}
}

// touched are the tests that the change modifies or takes away.
func (i inspection) touched() []string {
	var out []string
	for _, f := range i.set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if r := i.lookup.Role(p); f.Status != change.Added && (r == detect.Test || r == detect.Helper) {
			out = append(out, p)
		}
	}
	return out
}

// check compares the head with baselines that are known.
func (i inspection) check(ctx context.Context, baselines []baseline.Baseline) (integrity.Outcome, error) {
	allow, err := allowances(i.set.BaseTree)
	if err != nil {
		return integrity.Outcome{}, err
	}
	var unapproved []approval.File
	before := i.tested(i.set.MergeBaseTree)
	if before {
		if unapproved, err = i.unapproved(ctx); err != nil {
			return integrity.Outcome{}, err
		}
	}
	return integrity.Check(ctx, integrity.Input{
		MergeBase: i.comparesMergeBase() && before, Untested: !before && !i.tested(i.set.HeadTree),
		Enforce: i.policy.Baseline == "enforce", Unapproved: unapproved,
		Set: i.set, Baselines: baselines, Asked: i.features(), Only: i.only, Role: i.lookup.Role,
		Strict: i.policy.Policy == "strict", Protect: i.policy.Protect,
		Names: i.lookup.Names, Workarounds: i.policy.Workarounds != "off", Allow: allow, Today: i.today, Permit: i.permit,
		Evidence: i.proofs, Doing: i.lookup.Doing, Demand: i.demand(ctx, baselines), Blob: i.repo.FetchBlob,
	})
}

// demand counts the approved tests of features as prove does; what cannot be read is not known.
func (i inspection) demand(ctx context.Context, baselines []baseline.Baseline) func([]string) evidence.Demand {
	return func(features []string) evidence.Demand {
		sets := slices.DeleteFunc(slices.Clone(baselines), func(b baseline.Baseline) bool { return !slices.Contains(features, b.Feature) })
		d, err := prove.Demand(ctx, prove.Choose(sets, i.set.BaseTree), i.repo.Blob)
		if err != nil {
			return evidence.Demand{}
		}
		return d
	}
}

// allowances are the exceptions that the base grants.
func allowances(base change.Tree) ([]trick.Allowance, error) {
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

// word is the baseline of a revision whose tests a user takes as approved: a feature's, or all that it holds.
func (i inspection) word(ctx context.Context, feature string) (baseline.Baseline, error) {
	tree := i.set.BaseTree
	b := baseline.Baseline{
		Feature: feature, Source: baseline.Given, Commit: tree.Commit(),
		Trust: "taken as approved on your word", Unauthenticated: "the revision was given on the command line",
	}
	tests, helpers, err := i.lookup.AllTests(tree)
	if feature != "" {
		helpers = nil
		tests, err = i.lookup.Tests(tree, feature)
	}
	if err != nil {
		return b, err
	}
	inline, err := i.inline(ctx)
	if err != nil {
		return b, err
	}
	if len(tests)+len(helpers)+len(inline) == 0 {
		b.Source, b.Strict, b.Missing = baseline.None, true, fmt.Sprintf("%s holds no test file", short(b.Commit))
		return b, nil
	}
	b.Files, b.Notices, err = approval.Collect(ctx, tree, approval.Options{Tests: tests, Protect: i.policy.Protect})
	if err != nil {
		return b, fmt.Errorf("collect the tests of %s: %w", short(b.Commit), err)
	}
	if b.Files, err = withFiles(tree, b.Files, approval.Test, inline); err != nil {
		return b, err
	}
	b.Files, err = withFiles(tree, b.Files, approval.Support, helpers)
	return b, err
}

// inline are the implementation files that the change touches and that hold tests themselves.
func (i inspection) inline(ctx context.Context) ([]string, error) {
	var out []string
	for _, f := range i.set.Files {
		p := cmp.Or(f.OldPath, f.Path)
		if f.OldBlob == "" || i.lookup.Role(p) != detect.Source || f.OldMode == change.ModeSymlink {
			continue
		}
		src, err := i.set.MergeBaseTree.ReadFile(p)
		if errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrNotRegular) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if integrity.HasInlineTests(ctx, p, src) {
			out = append(out, p)
		}
	}
	return out, ctx.Err()
}

// withFiles adds files of a tree in a role, those that are not among others.
func withFiles(tree change.Tree, files []approval.File, role approval.Role, paths []string) ([]approval.File, error) {
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

// history answers the baseline's questions from the repository.
type history struct{ repo *gitrepo.Repo }

func (h history) Brought(ctx context.Context, path, blob, head string) (baseline.Commit, bool, error) {
	c, ok, err := h.repo.Brought(ctx, path, blob, head)
	return commitOf(c), ok, err
}

func (h history) Approving(ctx context.Context, base, head string) ([]baseline.Commit, error) {
	found, err := h.repo.Trailed(ctx, baseline.Trailer, base, head)
	out := make([]baseline.Commit, 0, len(found))
	for _, c := range found {
		out = append(out, commitOf(c))
	}
	return out, err
}

func (h history) Subjected(ctx context.Context, prefix, head string) (map[string]baseline.Commit, error) {
	found, err := h.repo.Subjected(ctx, prefix, head)
	out := make(map[string]baseline.Commit, len(found))
	for rest, c := range found {
		out[rest] = commitOf(c)
	}
	return out, err
}

func (h history) Tree(ctx context.Context, sha string) (change.Tree, error) {
	if err := h.repo.Fetch(ctx, gitrepo.Want{SHA: sha}); err != nil {
		return nil, err
	}
	return h.repo.Tree(sha)
}

func commitOf(c gitrepo.CommitInfo) baseline.Commit {
	return baseline.Commit{SHA: c.SHA, Approvals: c.Trailers[baseline.Trailer], Reviewed: c.Trailer("Workflow-Reviewer") != ""}
}

// integrityTypes are the artifacts whose verdict hangs on approved tests.
func integrityTypes() []workflow.Type {
	return []workflow.Type{workflow.Skeleton, workflow.Tests, workflow.Implementation, workflow.BugFix}
}

// askedFeatures are the features of artifacts that approved tests matter to.
func askedFeatures(artifacts []workflow.Artifact) []string {
	var out []string
	for _, a := range artifacts {
		if slices.Contains(integrityTypes(), a.Type) && !slices.Contains(out, a.Feature) {
			out = append(out, a.Feature)
		}
	}
	slices.Sort(out)
	return out
}

// readable gives reviews of other tools and of former versions the features that
// their names mean: an approval named login-mcp is one of login.
func readable(records []record.Record, stem func(string) string) []record.Record {
	records = slices.Clone(records)
	for i, r := range records {
		if r.Legacy && r.Feature != "" {
			records[i].Feature = stem(r.Feature)
		}
	}
	return records
}
