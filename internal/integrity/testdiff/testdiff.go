// Package testdiff compares approved test files with what a change makes of
// them. What is provably harmless passes: layout, comments, order, additions,
// stricter assertions, moves that are still collected. Everything else is a
// violation, of a kind that says what became of the test.
//
// It knows tests by their models (testmodel) and no language. A file that
// cannot be modelled, because it is data, too large, or not valid, is compared
// byte by byte.
package testdiff

import (
	"context"

	"workflow-reviewer/internal/workflow"
)

// Pair is an approved file and what the head has in its place.
type Pair struct {
	Path, Role            string // approval.Test, approval.Support, approval.Config
	Before, After         []byte // nil: absent
	BeforeMode, AfterMode string // as git writes them; "" is a regular file
	AfterPath             string // where a moved file stands, "" = Path
}

// Source is one file of the head.
type Source struct {
	Path   string
	Source []byte
}

// Input is one comparison.
type Input struct {
	Changed    []Pair                 // approved files that differ in the head or are gone from it
	Candidates []Source               // other new or changed test files of the head: tests may have moved there
	Approved   []Source               // approved files that did not change, for context
	Collected  func(path string) bool // whether the head's runner collects that file; nil: it collects all
	Strict     bool                   // every difference is a breach
}

// Result is what a comparison found.
type Result struct {
	Violations  []workflow.Violation // by file and line, at most 20 a file
	Harmless    []string             // one line each: what differs and why it is harmless
	NotAnalysed []string             // "path: why", the byte rule was applied
}

// Compare says what became of approved tests. The only error is the context's.
func Compare(ctx context.Context, in Input) (Result, error) {
	if in.Collected == nil {
		in.Collected = func(string) bool { return true }
	}
	c := &comparison{in: in}
	for _, p := range in.Changed {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		c.pair(ctx, p)
	}
	c.missing(ctx)
	c.focused(ctx)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return c.result(), nil
}
