// Package rules holds the deterministic checks: what can be said of an artifact without a model. They run beside every
// review and, as the engine "rules", decide alone. A rule is one small function; Catalog documents them all.
package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// Input is what the checks look at. Everything in it may be hostile.
type Input struct {
	Artifact           workflow.Artifact
	Set                change.Set
	Tests              *testresult.Summary // nil = not provided
	RequireTestResults bool                // not provided fails
	Coverage           *coverage.Report    // nil = not provided
	Thresholds         Thresholds
	Requirements       []workflow.Requirement // of code, with the places that name them
	Schema             string                 // the project's own for the artifact's type, "" if it has none
	Bundle             *workflow.Bundle       // of a spec in several documents; nil = it is none
}

// Thresholds are the least coverages that pass, in percent from 0 to 100; 0 asks for nothing.
type Thresholds struct {
	Line   float64
	Branch float64
}

// maxIssues is how many issues one check lists; its summary counts them all.
const maxIssues = 25

// Check runs every rule of the artifact's type, in the order of Catalog. It
// stops early when the context ends; the caller then discards the checks.
func Check(ctx context.Context, in Input) []workflow.Check {
	parts := documentsOf(ctx, in)
	whole := []*subject{newSubject(ctx, in)}
	var checks []workflow.Check
	for _, r := range all() {
		if !slices.Contains(r.Types, in.Artifact.Type) || !r.inLayout(in.Artifact) || ctx.Err() != nil {
			continue
		}
		of := parts
		if in.Bundle != nil && r.ofBundle() {
			of = whole
		}
		c := r.check(of[0])
		for _, s := range of[1:] {
			c = r.merge(c, r.check(s))
		}
		c.Issues = r.told(c.Issues)
		checks = append(checks, c)
	}
	return checks
}

// documentsOf is the artifact, or each of its documents where it has several:
// a change of OpenSpec has one for every capability, a bundle many.
func documentsOf(ctx context.Context, in Input) []*subject {
	if !in.Artifact.Type.Single() || len(in.Artifact.Files) < 2 {
		return []*subject{newSubject(ctx, in)}
	}
	var out []*subject
	for _, f := range in.Artifact.Files {
		if in.Bundle != nil && !isReport(f.Path) {
			continue // data of the bundle, which is looked at as a whole
		}
		one := in
		one.Artifact.Files = []workflow.File{f}
		out = append(out, newSubject(ctx, one))
	}
	if len(out) == 0 {
		out = append(out, newSubject(ctx, in))
	}
	return out
}

// merge is one check of two documents.
func (r rule) merge(a, b workflow.Check) workflow.Check {
	worst := a
	order := []workflow.Outcome{workflow.Failed, workflow.Noted, workflow.Absent, workflow.Passed}
	if slices.Index(order, b.Outcome) < slices.Index(order, a.Outcome) {
		worst = b
	}
	issues := slices.Concat(a.Issues, b.Issues)
	if len(a.Issues) > 0 && len(b.Issues) > 0 {
		worst.Summary = r.summary(issues)
	}
	worst.Issues = issues
	return worst
}

// check runs one rule and completes what it leaves open.
func (r rule) check(s *subject) workflow.Check {
	c := r.run(s)
	c.ID = r.ID
	s.found[r.ID] = len(c.Issues)
	s.dimensions[r.Dimension] += len(c.Issues)
	for i := range c.Issues {
		r.complete(&c.Issues[i])
	}
	c.Outcome = cmp.Or(c.Outcome, outcome(c.Issues))
	c.Summary = cmp.Or(c.Summary, r.summary(c.Issues))
	s.failed = s.failed || c.Outcome == workflow.Failed
	return c
}

func (r rule) complete(i *workflow.Issue) {
	i.Rule = r.ID
	if i.Severity == milder {
		i.Severity = r.Milder
	}
	i.Severity = cmp.Or(i.Severity, r.Severity)
	i.Category = cmp.Or(i.Category, r.Category)
	i.Title = cmp.Or(i.Title, r.Title)
	i.Description = cmp.Or(i.Description, firstSentence(r.Explanation))
	i.Recommendation = cmp.Or(i.Recommendation, r.Fix)
}

// firstSentence is what an issue says of its rule; the rest of the explanation
// is about the rule's own ways and stands in the documentation.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}

func outcome(issues []workflow.Issue) workflow.Outcome {
	for _, i := range issues {
		if i.Severity == workflow.High {
			return workflow.Failed
		}
	}
	if len(issues) > 0 {
		return workflow.Noted
	}
	return workflow.Passed
}

func (r rule) summary(issues []workflow.Issue) string {
	switch n := len(issues); {
	case n == 0:
		return r.Pass
	case r.Severity == counted:
		return issues[0].Title + " (" + some(placesOf(issues)) + ")"
	case n == 1:
		return issues[0].Title
	case n > maxIssues:
		return fmt.Sprintf("%s, and %d more; the first %d are listed", issues[0].Title, n-1, maxIssues)
	default:
		return fmt.Sprintf("%s, and %d more", issues[0].Title, n-1)
	}
}
