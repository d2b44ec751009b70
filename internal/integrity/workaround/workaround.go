// Package workaround looks for tricks by which an implementation satisfies its tests without doing what they ask:
// equality that is always true, answers counted off call by call, the tests' inputs recognised one by one, and so on.
//
// It reads the changed lines of implementation files only. A rule blocks, so it knows one shape of a trick that
// honest code does not have, and no weights. What only may be a trick is asked about: see package question.
package workaround

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/workflow"
)

// Changed is one implementation file of a change.
type Changed struct {
	Path   string
	Before []byte       // nil: the file is new
	After  []byte       // nil: the file is gone
	Added  map[int]bool // lines of After, from 1, that are new; nil for a new file means all of them
}

// IsNew reports whether a line is new.
func (c Changed) IsNew(line int) bool {
	return c.Before == nil && c.Added == nil || c.Added[line]
}

// Input is what is checked.
type Input struct {
	Files  []Changed
	Tests  *literal.Tests            // what the approved tests hold
	IsTest func(path string) bool    // whether a path is a test file; nil: none is
	Each   func(Changed, *code.File) // is shown each file that was read, nil for none
}

// isTest reports whether a path is a test file.
func (in *Input) isTest(path string) bool { return in.IsTest != nil && in.IsTest(path) }

// Unread is a file that could not be read as code, or not whole.
type Unread struct {
	Path, Why string
	Old       bool // what could not be read is no part of the change, or no code
}

func (u Unread) String() string { return u.Path + ": " + u.Why }

// Result is what was found.
type Result struct {
	Violations  []workflow.Violation // sorted by file and line
	NotAnalysed []Unread
}

// Rule is one trick that is looked for. docs/integrity-rules.md explains each and has an example, which is a test.
type Rule struct {
	Kind  violation.Kind
	check func(*pass)
}

// ID is the rule's name in the allow file: the kind with dashes.
func (r Rule) ID() string { return strings.ReplaceAll(string(r.Kind), "_", "-") }

// Rules lists the rules in the order of the documentation.
func Rules() []Rule {
	return []Rule{
		{violation.OperatorOverload, operatorOverload},
		{violation.StateRecording, stateRecording},
		{violation.SpecialCasing, specialCasing},
		{violation.TestEnvDetection, testEnvDetection},
		{violation.ReadsTestFile, readsTestFile},
		{violation.StackInspection, stackInspection},
		{violation.BuiltinPatch, builtinPatch},
		{violation.FrameworkMonkeypatch, frameworkMonkeypatch},
		{violation.OutcomeHook, outcomeHook},
		{violation.ProcessExit, processExit},
	}
}

// Check runs all rules. Its error is the context's.
func Check(ctx context.Context, in Input) (Result, error) {
	var out Result
	for _, c := range in.Files {
		if c.After == nil || in.isTest(c.Path) {
			continue
		}
		found, why, err := check(ctx, c, &in)
		if err != nil {
			return Result{}, err
		}
		if why.Path != "" {
			out.NotAnalysed = append(out.NotAnalysed, why)
		}
		out.Violations = append(out.Violations, found...)
	}
	slices.SortStableFunc(out.Violations, func(a, b workflow.Violation) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return out, nil
}
