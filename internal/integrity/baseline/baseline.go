// Package baseline finds out which tests of a feature were approved, and how far that can be
// trusted. A pull request can carry any file and any commit message, so a record counts only where
// its author could not have written it: on the base, or in a commit that GitHub signed for this
// action.
package baseline

import (
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/workflow"
)

// Source says where a baseline was found.
type Source string

// The sources, the most reliable first.
const (
	BaseRecord   Source = "record-on-base"   // .workflow/approvals/<feature>.json of the base
	BranchRecord Source = "record-on-branch" // the same, written on the branch by this action
	// an approving review file, from before there were records
	Review  Source = "review-on-base"
	Message Source = "commit-subject" // a commit "Approve tests: <feature>" on the base
	Given   Source = "given"          // a revision that the user named
	// what the change started from, which nobody is known to have approved
	MergeBase Source = "merge-base"
	New       Source = "new-tests" // all tests of the feature are new in the change
	NoTests   Source = "no-tests"  // the feature has no tests
	None      Source = "none"      // there are tests, and no approval was found
)

// Baseline is what was approved of one feature's tests.
type Baseline struct {
	Feature string
	Source  Source
	Commit  string // that the approval was found in
	Path    string // of the record or review file, "" without one
	Blob    string // blob id of the record, "" without one
	Head    string // the commit whose files the record approves, "" without one
	// Revision counts the approvals; 0 without a record.
	Revision int
	Files    []approval.File
	// Former are the files by the record that the merge base holds: what the
	// change started from, where the tests were approved again since.
	Former []approval.File
	// Unauthenticated says why nobody vouches for the baseline, "" if it is vouched for.
	Unauthenticated string
	// Trust says in words how the baseline is trusted.
	Trust string
	// Missing says why there is no baseline, "" if there is one or none is needed. Strict marks one
	// that cannot be found out, or that must be there by the policy: nothing is approved without
	// it.
	Missing string
	Strict  bool
	Unknown bool // it cannot be found out whether there is a baseline
	// Tampered are changes of the record that the branch makes itself.
	Tampered []workflow.Finding
	Notices  []workflow.Finding
}

// Known reports whether there is something to compare with.
func (b Baseline) Known() bool { return len(b.Files) > 0 }

// String is the baseline in one sentence.
func (b Baseline) String() string {
	switch b.Source {
	case New:
		return fmt.Sprintf(
			"All tests of %s are new in this change: there is nothing approved to compare them with.",
			b.Feature,
		)
	case NoTests:
		return fmt.Sprintf("%s has no tests that could have been approved.", b.Feature)
	case None:
		return fmt.Sprintf("No approved tests of %s were found: %s.", b.Feature, b.Missing)
	}
	files := "1 file"
	if n := len(b.Files); n != 1 {
		files = fmt.Sprintf("%d files", n)
	}
	if b.Source == MergeBase {
		base := change.Short(b.Commit)
		return fmt.Sprintf("%s as in the merge base %s: %s.", files, base, b.Trust)
	}
	return fmt.Sprintf("%s as approved in %s (%s).", files, change.Short(b.Commit), b.Trust)
}
