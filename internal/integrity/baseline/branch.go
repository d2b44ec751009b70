package baseline

import (
	"cmp"
	"context"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/violation"
)

// Trailer names the record that a commit approves tests with.
const Trailer = "Approved-Tests"

// BaseTrailer names the branch that a commit's approvals are for. What was approved beside the
// records of one base says nothing of another, whose records may be another's word.
const BaseTrailer = "Reviewed-Base"

// branch judges what the change itself does to a record. What this action wrote on the branch is
// the newer baseline; anything else is tampering, and what the base says stays.
func (f *finder) branch(ctx context.Context, b *Baseline, at string, onBase stored) error {
	was, hadOne := f.mergeBase[at]
	is, hasOne := f.head[at]
	here := f.own[b.Feature]
	switch {
	case f.unsure[b.Feature] != "":
		b.unknown(f.unsure[b.Feature])
		return nil
	case here != nil && (onBase.Path == "" || onBase.err != nil ||
		here.record.Revision > onBase.record.Revision):
		return f.hold(b, at, here)
	case hadOne == hasOne && was.Blob == is.Blob && was.Mode == is.Mode:
		return nil // not touched
	case hasOne && onBase.Blob == is.Blob && onBase.Mode == is.Mode:
		return nil // brought from the base
	case !hasOne && onBase.Path == "":
		return nil // removed there too
	case !hasOne:
		b.tampered(
			violation.Removed(
				violation.RecordRemoved,
				place(at, "approval record of "+b.Feature),
				"Approval record removed: the record of the approved tests of "+b.Feature+" is not in the head",
			),
		)
		return nil
	}
	why, err := f.believe(ctx, b, at, is, onBase)
	if err != nil || why == "" {
		return err
	}
	kind, what := violation.RecordForged, "added"
	if onBase.Path != "" || hadOne {
		kind, what = violation.RecordChanged, "changed"
	}
	if is.err != nil && kind == violation.RecordForged {
		kind = violation.RecordInvalid
	}
	b.tampered(
		violation.Added(kind, place(at, summary(is)),
			fmt.Sprintf("Approval record %s by the change itself: %s", what, why)),
	)
	return nil
}

// believe takes a record that no commit of the branch names, as after a squash,
// as the baseline if somebody vouches for it; why says why not.
func (f *finder) believe(ctx context.Context, b *Baseline, at string,
	is, onBase stored,
) (why string, err error) {
	if is.err != nil {
		return is.err.Error(), nil
	}
	if onBase.err == nil && is.record.Revision <= onBase.record.Revision {
		return fmt.Sprintf("it is revision %d, and the base has revision %d", is.record.Revision,
			onBase.record.Revision), nil
	}
	if is.Mode != change.ModeRegular {
		return "it is not a plain file", nil
	}
	if f.Witness == nil && f.gap != nil {
		b.unknown(fmt.Sprintf("it cannot be found out which commit carries %s: %v", at, f.gap))
		return "", nil
	}
	_, reviewed := ReviewOf(f.Set.HeadTree, is.record, is.Blob)
	switch {
	case f.Witness == nil && !reviewed:
		return "neither a commit that carries it names it in the trailer " + Trailer +
			", nor does a review", nil
	case f.Witness == nil:
		b.use(is, BranchRecord, is.record.Head, "record on the branch, named by its review")
		b.Unauthenticated = nobodyToAsk
		return "", nil
	}
	ok, by, err := f.Witness(ctx, is.record, is.Blob, Commit{}, f.Set.HeadTree)
	switch {
	case err != nil:
		b.unknown(fmt.Sprintf("it cannot be found out who wrote %s: %v", at, err))
		return "", ctx.Err()
	case !ok:
		return cmp.Or(f.doubts[is.Blob], by), nil
	}
	b.use(is, BranchRecord, is.record.Head, "record on the branch, "+by)
	return "", nil
}
