package soundnesstest_test

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/testdiff"
)

// verdict asks the comparison what became of one approved test file. It is
// the only place that knows which comparison is measured.
func verdict(path string, before, after []byte) (clean bool, why []string) {
	r, err := testdiff.Compare(context.Background(), testdiff.Input{
		Changed: []testdiff.Pair{{Path: path, Role: approval.Test, Before: before, After: after}},
	})
	if err != nil {
		return false, []string{err.Error()}
	}
	for _, v := range r.Violations {
		why = append(why, fmt.Sprintf("%s %s:%d", v.Kind, v.File, v.Line))
	}
	return len(r.Violations) == 0, append(why, r.NotAnalysed...)
}
