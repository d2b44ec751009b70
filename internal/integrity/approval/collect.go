package approval

import (
	"context"
	"errors"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/workflow"
)

// Options say what to collect.
type Options struct {
	Tests   []string // paths of the feature's test files
	Protect []string // doublestar globs of further files that the tests are run by
}

// Collect lists the feature's tests with everything that they load or are run
// by, sorted by path. Notices say what could not be followed. Errors are those
// of the tree and the context.
func Collect(ctx context.Context, tree change.Tree, o Options) ([]File, []workflow.Notice, error) {
	return nil, nil, errors.New("not implemented")
}
