package baseline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/record"
)

// Witness vouches for a record that a branch carries, in the tree of the commit c that names it, or
// in the head's; c is the zero Commit where no commit names the record. by says in words how; if ok
// is false it says why not. An error is no answer.
type Witness func(ctx context.Context, r approval.Record, blob string, c Commit,
	tree change.Tree) (ok bool, by string, err error)

// Options say where to look.
type Options struct {
	Set     change.Set
	History History
	// Witness is nil where there is nobody to ask: the trailer of the commit
	// alone counts then, and the baseline says that it is not authenticated.
	Witness Witness
	// Roots are folders besides the repository's own that hold records.
	Roots []string
	// Tests lists a feature's test files in a tree.
	Tests func(tree change.Tree, feature string) ([]string, error)
	// Touched are the tests, and what helps them, that the change modifies or takes away; Names
	// tells whether a path is a feature's by its name.
	Touched []string
	Names   func(path, feature string) bool
	// Doing reports whether a feature is being worked on.
	Doing func(feature string) bool
	// Warn lets approvals that cannot be found pass with a warning.
	Warn    bool
	Protect []string // globs for approval.Collect
	// Reviews are those of the base, oldest first.
	Reviews func() ([]record.Record, error)
}

// Find returns the baselines of the named features and of every feature that has a record, by
// feature. Errors are those of the trees and the context; what cannot be found out of a feature is
// said in its baseline.
func Find(ctx context.Context, features []string, o Options) ([]Baseline, error) {
	f := &finder{Options: o}
	var err error
	for _, t := range []struct {
		tree change.Tree
		to   *map[string]stored
	}{{o.Set.BaseTree, &f.base}, {o.Set.MergeBaseTree, &f.mergeBase}, {o.Set.HeadTree, &f.head}} {
		if *t.to, err = records(t.tree, o.Roots); err != nil {
			return nil, err
		}
	}
	if err = f.approvedHere(ctx); err != nil {
		return nil, err
	}
	more, err := f.approvedBefore(ctx)
	if err != nil {
		return nil, err
	}
	var out []Baseline
	for _, feature := range f.names(append(slices.Clone(features), more...)) {
		b, err := f.feature(ctx, feature)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("find the approved tests of %s: %w", feature, err)
		}
		out = append(out, b)
	}
	return out, nil
}

// finder finds baselines; its records are by path.
type finder struct {
	Options
	base, mergeBase, head map[string]stored

	own     map[string]*own   // what genuine commits of the branch approved, by feature
	unsure  map[string]string // why that is not known of a feature
	doubts  map[string]string // why nobody vouches for a record that a commit names, by blob
	refused int               // how many there are
	gap     error             // why it is not known at all

	subjects   map[string]Commit // of the base, by feature; nil until asked for
	subjectGap error             // why they are not known
}

// names are the features to look for: those asked for, and all that have a record in one of the
// trees.
func (f *finder) names(asked []string) []string {
	names := slices.Concat(asked, slices.Collect(maps.Keys(f.own)),
		slices.Collect(maps.Keys(f.unsure)))
	for _, side := range []map[string]stored{f.base, f.head} {
		for p := range side {
			names = append(names, approval.FeatureOf(p))
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return n == "" })
}

// recordOf is where the record of a feature is; one in a folder where none
// belongs is looked at there, as what cannot be used.
func (f *finder) recordOf(feature string) string {
	at := approval.Path(feature)
	for _, side := range []map[string]stored{f.base, f.head} {
		for p := range side {
			if p != at && approval.FeatureOf(p) == feature {
				return p
			}
		}
	}
	return at
}

// feature finds one baseline: the record on the base, one that this action
// wrote on the branch, or what older approvals left behind.
func (f *finder) feature(ctx context.Context, feature string) (Baseline, error) {
	b := Baseline{Feature: feature}
	at := f.recordOf(feature)
	onBase, isOnBase := f.base[at]
	if former, ok := f.mergeBase[at]; ok && former.err == nil {
		b.Former = former.record.Files
	}
	switch {
	case isOnBase && onBase.err != nil:
		b.Source, b.Path, b.Strict, b.Unknown = None, at, true, true
		b.Missing = fmt.Sprintf("the record %s of the base cannot be used: %v", at, onBase.err)
	case isOnBase:
		b.use(onBase, BaseRecord, f.Set.Base, "record on the base branch")
	}
	if err := f.branch(ctx, &b, at, onBase); err != nil {
		return b, err
	}
	if b.Known() || b.Missing != "" {
		return b, nil
	}
	return b, f.without(ctx, &b)
}

// without is what to do where no approval was found.
func (f *finder) without(ctx context.Context, b *Baseline) error {
	old, err := f.Tests(f.Set.MergeBaseTree, b.Feature)
	if err != nil {
		return err
	}
	now, err := f.Tests(f.Set.HeadTree, b.Feature)
	if err != nil {
		return err
	}
	missing, err := f.older(ctx, b)
	if err != nil || b.Known() {
		return err
	}
	switch {
	case missing == "" && len(old) == 0 && len(now) > 0:
		b.Source = New
	case missing == "" && len(old) == 0:
		b.Source = NoTests
	default:
		b.Source = None
		b.Unknown = missing != ""
		b.Missing = cmp.Or(
			missing,
			"the base has neither a record, nor an approving review, nor a commit \"Approve tests: "+b.Feature+"\"",
		)
		b.Strict = !f.Warn && f.Doing(b.Feature)
	}
	return nil
}
