package record

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// limit bounds a result: the bytes of one text and the entries of one list.
type limit struct{ text, items int }

// limits are tried one after the other until the file fits.
var limits = []limit{{64 << 10, 500}, {16 << 10, 200}, {4 << 10, 100}, {1 << 10, 50}, {300, 25}}

// Fit returns r with its texts and lists cut until they have about most bytes, and says so in
// Omitted. What is short enough stays as it is, and what cannot be cut so far is as short as can
// be.
func Fit(r workflow.Result, most int) workflow.Result {
	out := r
	for _, l := range limits {
		if out = l.apply(r); size(out) <= most {
			break
		}
	}
	return out
}

// size is the length of a result's data in bytes.
func size(r workflow.Result) int { return len(dataLine(r)) }

const maxArtifacts = 4000

// apply returns a copy of r within the limit, in valid UTF-8, and says in Omitted what was cut.
func (l limit) apply(r workflow.Result) workflow.Result {
	cut := false
	text := func(s string) string {
		if len(s) > 2*l.text {
			s, cut = s[:2*l.text], true // spares the cleaning of what will go
		}
		clean := markdown.Clean(s)
		out := markdown.Clip(clean, l.text)
		cut = cut || out != clean
		return out
	}
	r.Summary = text(r.Summary)
	r.Warnings = bound(r.Warnings, l.items, &cut, text)
	r.Omitted = bound(r.Omitted, l.items, &cut, text)
	r.Artifact.Files = bound(r.Artifact.Files, maxArtifacts, &cut, func(f workflow.File) workflow.File { return f })
	r.Issues = bound(r.Issues, l.items, &cut, func(i workflow.Issue) workflow.Issue { return boundIssue(i, text) })
	r.Requirements = bound(r.Requirements, l.items, &cut, func(q workflow.Requirement) workflow.Requirement {
		q.Text, q.Changed, q.Reason, q.File, q.Spec = text(q.Text), text(q.Changed), text(q.Reason), text(q.File), text(q.Spec)
		q.Tests, q.Code = bound(q.Tests, l.items, &cut, text), bound(q.Code, l.items, &cut, text)
		return q
	})
	r.Questions = bound(r.Questions, l.items, &cut, func(q workflow.Question) workflow.Question { return boundQuestion(q, text) })
	r.Criteria = bound(r.Criteria, l.items, &cut, func(c workflow.Criterion) workflow.Criterion {
		return workflow.Criterion{
			Name: text(c.Name), Grade: c.Grade, Finding: text(c.Finding), Evidence: text(c.Evidence),
			Impact: text(c.Impact),
		}
	})
	r.Previous = bound(r.Previous, l.items, &cut, func(p workflow.Previous) workflow.Previous {
		p.Title, p.Note = text(p.Title), text(p.Note)
		return p
	})
	r.Violations = bound(r.Violations, l.items, &cut, func(v workflow.Violation) workflow.Violation { return boundViolation(v, text) })
	r.Integrity = l.integrity(r.Integrity, &cut, text)
	r.Checks = bound(r.Checks, l.items, &cut, func(c workflow.Check) workflow.Check {
		c.ID, c.Summary = text(c.ID), text(c.Summary)
		c.Issues = bound(c.Issues, l.items, &cut, func(i workflow.Issue) workflow.Issue { return boundIssue(i, text) })
		return c
	})
	if r.Failure != nil {
		r.Failure = &workflow.Failure{Class: r.Failure.Class, Message: text(r.Failure.Message), Action: text(r.Failure.Action)}
	}
	r.Dismissed = bound(r.Dismissed, l.items, &cut, func(d workflow.Dismissal) workflow.Dismissal {
		d.Issue, d.Reason = boundIssue(d.Issue, text), text(d.Reason)
		return d
	})
	if cut {
		r.Omitted = append(r.Omitted, fmt.Sprintf("Of this review itself: it is too long to be shown here whole, texts were cut to %d "+
			"bytes, lists to %d entries.", l.text, l.items))
	}
	return r
}

// boundViolation applies text to every text of a violation.
func boundViolation(v workflow.Violation, text func(string) string) workflow.Violation {
	v.Kind, v.File, v.Feature = text(v.Kind), text(v.File), text(v.Feature)
	v.Description, v.Evidence = text(v.Description), text(v.Evidence)
	return v
}

// integrity is a copy within the limit.
func (l limit) integrity(in *workflow.Integrity, cut *bool, text func(string) string) *workflow.Integrity {
	if in == nil {
		return nil
	}
	out := *in
	out.Compared = bound(in.Compared, l.items, cut, text)
	out.Harmless = bound(in.Harmless, l.items, cut, text)
	out.NotAnalysed = bound(in.NotAnalysed, l.items, cut, text)
	out.Approves = bound(in.Approves, l.items, cut, text)
	out.TakenOver = bound(in.TakenOver, l.items, cut, text)
	out.NotRecorded = text(in.NotRecorded)
	out.Excused = bound(in.Excused, l.items, cut, func(v workflow.Violation) workflow.Violation { return boundViolation(v, text) })
	out.Findings = bound(in.Findings, l.items, cut, func(f workflow.Finding) workflow.Finding {
		return workflow.Finding{Violation: boundViolation(f.Violation, text), Why: text(f.Why)}
	})
	out.Questions = bound(in.Questions, l.items, cut, func(q workflow.Question) workflow.Question { return boundQuestion(q, text) })
	return &out
}

// boundQuestion applies text to every text of a question.
func boundQuestion(q workflow.Question, text func(string) string) workflow.Question {
	q.File, q.Question, q.Evidence, q.Reason = text(q.File), text(q.Question), text(q.Evidence), text(q.Reason)
	return q
}

// boundIssue applies text to every text of an issue. A suggestion that this changes is dropped.
func boundIssue(i workflow.Issue, text func(string) string) workflow.Issue {
	i.Title, i.File = text(i.Title), text(i.File)
	i.Description, i.Trigger, i.Recommendation = text(i.Description), text(i.Trigger), text(i.Recommendation)
	if i.Suggestion != nil {
		// A suggestion that had to be cut would replace code by a part of it.
		if s := text(*i.Suggestion); s == *i.Suggestion {
			i.Suggestion = &s
		} else {
			i.Suggestion = nil
		}
	}
	return i
}

// bound applies f to the first items of a list, and reports in cut whether there were more. The
// list itself is left as it is.
func bound[T any](in []T, items int, cut *bool, f func(T) T) []T {
	if len(in) > items {
		in, *cut = in[:items], true
	}
	out := slices.Clone(in)
	for i := range out {
		out[i] = f(out[i])
	}
	return out
}

// bare strips a result to the verdict without its reasons, which always fits.
func bare(r workflow.Result) workflow.Result {
	l := limits[len(limits)-1]
	out := workflow.Result{
		Artifact: workflow.Artifact{Type: r.Artifact.Type, Feature: markdown.Clip(r.Artifact.Feature, 200)},
		Decision: r.Decision, Summary: r.Summary, Failure: r.Failure, Override: r.Override, Amends: r.Amends, Unasked: r.Unasked,
		Head: r.Head, Base: r.Base, Engine: r.Engine, Model: r.Model, Effort: r.Effort,
		Iteration: r.Iteration, MaxIterations: r.MaxIterations, Tokens: r.Tokens, Duration: r.Duration, Date: r.Date,
		Omitted: []string{"This review was too long for a file; only its verdict is recorded."},
	}
	return l.apply(out)
}
