// Package checks runs the deterministic checks: what can be said of an artifact without a model.
// They run beside every review and, as the engine "rules", decide alone. Each is a folder below
// this one; Catalog lists them all.
package checks

import (
	"context"
	"slices"

	"workflow-reviewer/internal/checks/bugfix"
	"workflow-reviewer/internal/checks/bundle"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/checks/conflict"
	"workflow-reviewer/internal/checks/coverage"
	"workflow-reviewer/internal/checks/criteria"
	"workflow-reviewer/internal/checks/debug"
	"workflow-reviewer/internal/checks/injection"
	"workflow-reviewer/internal/checks/links"
	"workflow-reviewer/internal/checks/placeholder"
	"workflow-reviewer/internal/checks/planning"
	"workflow-reviewer/internal/checks/red"
	"workflow-reviewer/internal/checks/results"
	"workflow-reviewer/internal/checks/scenario"
	"workflow-reviewer/internal/checks/score"
	"workflow-reviewer/internal/checks/secret"
	"workflow-reviewer/internal/checks/size"
	"workflow-reviewer/internal/checks/testcases"
	"workflow-reviewer/internal/checks/testcommand"
	"workflow-reviewer/internal/checks/testmode"
	"workflow-reviewer/internal/checks/ticks"
	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/checks/unreadable"
	"workflow-reviewer/internal/checks/untested"
	"workflow-reviewer/internal/checks/untyped"
	"workflow-reviewer/internal/workflow"
)

// Catalog lists all checks in the order in which reviews show them.
func Catalog() []check.Entry {
	return slices.Concat(
		results.Entries,
		[]check.Entry{coverage.Entry, unreadable.Entry, secret.Entry, testcommand.Entry},
		[]check.Entry{testmode.Entry, conflict.Entry},
		[]check.Entry{placeholder.Entry, criteria.Entry, scenario.Entry, bundle.Entry, links.Entry},
		[]check.Entry{planning.Entry},
		testcases.Entries,
		bugfix.Entries,
		red.Entries,
		injection.Entries,
		[]check.Entry{
			untested.Entry,
			size.Entry,
			untyped.Entry,
			debug.Entry,
			ticks.Entry,
			score.Entry,
		},
	)
}

// maxIssues limits the issues that one check lists; its summary counts them all.
const maxIssues = 25

// Run runs every check of the artifact's type, in the order of Catalog, and looks at what other
// tools found. It stops early when the context ends; the caller then discards the checks.
func Run(ctx context.Context, in check.Input) []workflow.Check {
	s := check.NewSubject(ctx, in)
	var out []workflow.Check
	for _, e := range Catalog() {
		if !slices.Contains(e.Types, in.Artifact.Type) || ctx.Err() != nil {
			continue
		}
		out = append(out, e.Check(s))
	}
	out = append(out, tools.Check(s)...)
	for i, c := range out {
		out[i].Issues = c.Issues[:min(len(c.Issues), maxIssues)]
	}
	return out
}

// Unmet says of an artifact's claims that work is done what is not there, "" if all is.
func Unmet(ctx context.Context, in check.Input) func(workflow.Artifact) string {
	return ticks.Unmet(ctx, in)
}

// Demands tells the changed files that a review must answer for even if no artifact holds them:
// those with a secret on an added line, and unless they are others' work, with a test command that
// is commented out, or with a result of another tool that blocks.
func Demands(ctx context.Context, in check.Input) func(file string, foreign bool) bool {
	s := check.NewSubject(ctx, in)
	return func(file string, foreign bool) bool {
		return secret.In(s, file, foreign) ||
			!foreign && (testcommand.In(s, file) || tools.Block(s, file))
	}
}
