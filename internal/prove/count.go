package prove

import (
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/testcount"
)

// Demand is how many tests approved files hold, by syntax. content reads a blob.
func Demand(
	ctx context.Context,
	files []approval.File,
	content func(blob string) ([]byte, error),
) (evidence.Demand, error) {
	var sum testcount.Count
	for _, f := range files {
		if f.Role != approval.Test || !change.IsFile(f.Mode) {
			continue
		}
		src, err := content(f.Blob)
		if errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrLFSPointer) {
			continue
		}
		if err != nil {
			return evidence.Demand{}, fmt.Errorf("approved %q: %w", f.Path, err)
		}
		sum = sum.Add(testcount.Of(ctx, f.Path, src))
	}
	return evidence.Demand{Tests: sum.Tests, Skipped: sum.Skips}, ctx.Err()
}
