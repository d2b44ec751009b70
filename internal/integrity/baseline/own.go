package baseline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// maxRefused is how many records that nobody vouches for end the search: each costs a question to
// GitHub.
const maxRefused = 100

var errForged = fmt.Errorf(
	"%d commits of the branch claim to have approved tests, and nobody vouches for them",
	maxRefused,
)

// own is a record that a genuine commit of the branch wrote.
type own struct {
	stored
	commit string
	tree   change.Tree
	by     string // who vouches for it, "" where there is nobody to ask
}

// approvedHere finds, by feature, the newest record that a genuine commit of the branch wrote.
// Without a witness a history that is not at hand holds none: what the head holds is judged alone
// then.
func (f *finder) approvedHere(ctx context.Context) error {
	f.own, f.unsure, f.doubts = map[string]*own{}, map[string]string{}, map[string]string{}
	if f.Set.MergeBase == "" {
		return nil
	}
	commits, err := f.History.Approving(ctx, f.Set.MergeBase, f.Set.Head)
	if err != nil && f.Witness == nil && ctx.Err() == nil {
		f.gap = err
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the approvals among the branch's own commits: %w", err)
	}
	for _, c := range commits {
		for _, value := range c.Approvals {
			feature, blob, _ := strings.Cut(value, " ")
			if f.own[feature] != nil || f.unsure[feature] != "" {
				continue
			}
			o, err := f.claim(ctx, c, feature, blob)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, errForged):
				return err
			case err != nil:
				f.unsure[feature] = fmt.Sprintf(
					"it cannot be found out whether %s approved them: %v",
					change.Short(c.SHA),
					err,
				)
			case o != nil:
				f.own[feature] = o
			}
		}
	}
	return nil
}

// claim is the record of a feature in a commit that names it; nil if the commit
// does not hold it, or nobody vouches for that.
func (f *finder) claim(ctx context.Context, c Commit, feature, blob string) (*own, error) {
	tree, err := f.History.Tree(ctx, c.SHA)
	if err != nil {
		return nil, err
	}
	e, err := Stat(tree, approval.Path(feature))
	if err != nil || e.Blob != blob || e.Mode != change.ModeRegular {
		return nil, err
	}
	o := &own{stored: readRecord(tree, e), commit: c.SHA, tree: tree}
	switch {
	case o.err != nil:
		return nil, nil
	case f.Witness == nil:
		return o, nil
	}
	var ok bool
	if ok, o.by, err = f.Witness(ctx, o.record, blob, c, tree); err != nil || ok {
		return o, err
	}
	f.doubts[blob] = o.by
	if f.refused++; f.refused == maxRefused {
		return nil, errForged
	}
	return nil, nil
}

// hold takes what a genuine commit of the branch approved as the baseline, and
// finds what was done to its record and its review since.
func (f *finder) hold(b *Baseline, at string, o *own) error {
	if o.by == "" {
		b.use(o.stored, BranchRecord, o.commit,
			"record on the branch, named by the trailer of its commit")
		b.Unauthenticated = nobodyToAsk
	} else {
		b.use(o.stored, BranchRecord, o.commit, "record on the branch, "+o.by)
	}
	since := "approved on this branch in " + change.Short(o.commit)
	b.kept(o.Entry, f.head[at].Entry, since, "Approval record", violation.RecordRemoved,
		violation.RecordChanged)
	review := o.record.Review
	was, err := Stat(o.tree, review)
	if err != nil || was.Path == "" {
		return err // reviews are not saved
	}
	is, err := Stat(f.Set.HeadTree, review)
	b.kept(was, is, since, "Review", violation.ReviewRemoved, violation.ReviewChanged)
	return err
}

// kept finds that a record, or the review that it names, went or was rewritten since its approval.
func (b *Baseline) kept(was, is change.Entry, since, what string,
	removed, changed violation.Kind,
) {
	before := place(was.Path, "blob "+change.Short(was.Blob))
	of := fmt.Sprintf("the one of the tests of %s, %s", b.Feature, since)
	switch {
	case is.Path == "":
		b.tampered(violation.Removed(removed, before,
			what+" removed: "+of+", is not in the head"))
	case is.Blob != was.Blob || is.Mode != was.Mode:
		after := place(was.Path, "blob "+change.Short(is.Blob))
		b.tampered(violation.Changed(changed, before, after,
			what+" changed by the change itself: it is not "+of))
	}
}

const nobodyToAsk = "there is no GitHub to ask who wrote the record's commit"

// ReviewOf is the review that approved a record, of a tree that holds both; ok is false if none
// does.
func ReviewOf(tree change.Tree, r approval.Record, blob string) (review record.Record, ok bool) {
	data, err := tree.ReadFile(r.Review)
	if err != nil {
		return review, false
	}
	review, err = record.Parse(r.Review, data)
	if err != nil || review.Result == nil || review.Result.Integrity == nil {
		return review, false
	}
	approves := review.Type == workflow.Tests && review.Feature == r.Feature &&
		review.Decision == workflow.Approved
	review.Digest = record.Digest(data)
	return review, approves && review.Result.Integrity.Approval == blob
}
