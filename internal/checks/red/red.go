// Package red tells whether new and changed tests demand anything that was not there before.
package red

import (
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// Entries are the checks, one for each type of artifact that brings tests.
var Entries = []check.Entry{
	{
		ID:       "bug-fix/red",
		Types:    []workflow.Type{workflow.BugFix},
		Severity: workflow.Block,
		Category: workflow.Testing,
		Title:    "The regression test passes without the fix",
		Why: "Evidence of `prove --red` says whether the new and changed tests fail on the " +
			"sources without the change. One that passes there does not show the bug, and keeps " +
			"none from coming back.",
		Fix: "Have the test reproduce the bug, and run `prove --red` again.",
		Run: find,
	},
	{
		ID:       "tests/red",
		Types:    []workflow.Type{workflow.Tests},
		Severity: workflow.Note,
		Category: workflow.Testing,
		Title:    "The new tests pass without the change",
		Why: "Evidence of `prove --red` says whether the new and changed tests fail on the " +
			"sources without the change. Tests that pass there demand nothing new; that can be " +
			"meant, as of tests for code that is there already.",
		Fix: "Have the tests demand what the change is to bring.",
		Run: find,
	},
}

func find(s *check.Subject) check.Result {
	switch s.Red {
	case proof.Failed:
		return check.Result{Summary: "shown to fail without the change"}
	case proof.Passed:
		return check.Result{
			Summary: "passes without the change: it demands nothing new",
			Issues:  []workflow.Finding{{File: s.Artifact.Path()}},
		}
	default:
		return check.NotProvided("the new tests without the change: not run")
	}
}
