package writeback

import (
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/workflow"
)

// Failure says that reviews could not be committed, and what to do.
func Failure(err error) *workflow.Failure {
	f := &workflow.Failure{
		Class:   workflow.FailedCommit,
		Message: fmt.Sprintf("the reviews could not be committed: %v", err),
	}
	switch {
	case errors.Is(err, gitrepo.ErrNoBranch):
		f.Action = "Nothing can be committed to a branch that is gone. Restore it, or close the " +
			"pull request; " +
			"the reviews are saved in report-dir."
	case errors.Is(err, change.ErrReadOnly):
		f.Action = `Give the job "permissions: contents: write", or set the input "commit" to ` +
			"\"off\"; the reviews are saved in report-dir."
	default:
		f.Action = "Run again; the reviews are saved in report-dir."
	}
	return f
}
