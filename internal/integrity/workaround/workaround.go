// Package workaround looks for tricks by which an implementation satisfies its
// tests without doing what they ask: equality that is always true, answers
// counted off call by call, the tests' inputs recognised one by one, and so on.
//
// It reads the changed lines of implementation files only. An honest change is
// the normal case, so a rule fires only where the trick is evident from the
// code: what looks similar and has an honest use is spared.
package workaround

import (
	"context"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// Changed is one implementation file of a change.
type Changed struct {
	Path   string
	Before []byte       // nil: the file is new
	After  []byte       // nil: the file is gone
	Added  map[int]bool // lines of After, from 1, that are new; nil for a new file means all of them
}

// Source is one approved test file.
type Source struct {
	Path   string
	Source []byte
}

// Input is what is checked.
type Input struct {
	Files  []Changed
	Tests  []Source               // approved test files, for the literals in them
	IsTest func(path string) bool // whether a path is a test file; nil: by the tests' paths alone
}

// Result is what was found.
type Result struct {
	Violations []workflow.Violation // sorted by file and line
	// NotAnalysed lists files that could not be read as code, "path: why".
	NotAnalysed []string
}

// Rule is one trick that is looked for.
type Rule struct {
	ID          string // as the allow file names it: the kind with dashes
	Kind        violation.Kind
	Name        string // a few words
	Explanation string // why it is a trick, and what is spared
	Example     Example
}

// Example shows a rule at work.
type Example struct {
	Language string // for the fence of a code block
	Bad      string // is reported
	Fine     string // looks similar and is spared
}

// Rules lists the rules in the order of the documentation.
func Rules() []Rule {
	var out []Rule
	for _, r := range catalogue() {
		out = append(out, r.Rule)
	}
	return out
}

// Check runs all rules. Its error is the context's.
func Check(ctx context.Context, in Input) (Result, error) {
	k, err := newKnowledge(ctx, in)
	if err != nil {
		return Result{}, err
	}
	return run(ctx, in, k)
}
