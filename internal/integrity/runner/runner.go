// Package runner knows what decides which tests run and whether their failure
// counts: configuration of test runners, scripts, CI steps, and the files that
// a runner loads by itself. It compares two versions of such a file, and tells
// which files a runner would collect.
//
// What is written there may be hostile: nothing is executed, sizes are
// bounded, and what cannot be understood is reported, never passed over.
package runner

import "workflow-reviewer/internal/workflow"

// Result is what a comparison came to.
type Result struct {
	Violations  []workflow.Violation
	Harmless    []string // one line each: what differs and why it does not matter
	NotAnalysed []string // "path: why"; any difference of the file counts then
}
