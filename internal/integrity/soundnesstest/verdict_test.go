package soundnesstest_test

import (
	"context"
	"fmt"
	"slices"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/proof"
)

// verdict asks the comparison what became of one approved test file, and why it
// is no better. It is the only place that knows which comparison is measured.
func verdict(path string, before, after []byte) (proof.Standing, []string) {
	r, err := testdiff.Compare(context.Background(), testdiff.Input{
		Changed: slices.Values([]testdiff.Pair{{Path: path, Role: approval.Test, Before: before, After: after}}),
	})
	if err != nil {
		return proof.Changed, []string{err.Error()}
	}
	standing, why := proof.Same, r.NotAnalysed
	if len(r.Gains) > 0 {
		standing = proof.Gained
	}
	for _, v := range r.Violations {
		why = append(why, fmt.Sprintf("%s %s:%d", v.Kind, v.File, v.Line))
		if violation.Kind(v.Kind) != violation.ActsOnOthers {
			standing = proof.Changed
		}
		standing = min(standing, proof.Acts)
	}
	return standing, why
}
