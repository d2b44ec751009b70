package redact

import (
	"slices"

	"workflow-reviewer/internal/workflow"
)

// Result returns a deep copy of res in which every text that a model, a
// repository or a network wrote went through Text. Paths, commit ids, digests
// and the feature stay as they are: files are found by them.
func (r *Redactor) Result(res workflow.Result) workflow.Result {
	out := res
	out.Artifact = copyArtifact(res.Artifact)
	out.Artifact.Why = r.texts(res.Artifact.Why)
	out.Warnings = r.texts(res.Warnings)
	out.Summary = r.Text(res.Summary)
	out.Omitted = r.texts(res.Omitted)
	out.Engine = r.known.Replace(res.Engine)
	out.Model = r.known.Replace(res.Model)
	out.Issues = r.issues(res.Issues)
	out.Criteria = each(res.Criteria, r.criterion)
	out.Previous = each(res.Previous, r.previous)
	out.Checks = each(res.Checks, r.check)
	out.Violations = each(res.Violations, r.Violation)
	out.Integrity = r.integrity(res.Integrity)
	out.Questions = each(res.Questions, r.question)
	out.Requirements = each(res.Requirements, func(q workflow.Requirement) workflow.Requirement {
		q.Text, q.Changed, q.Reason = r.Text(q.Text), r.Text(q.Changed), r.Text(q.Reason)
		q.Tests, q.Code = slices.Clone(q.Tests), slices.Clone(q.Code)
		return q
	})
	out.Bundle = r.bundle(res.Bundle)
	if res.Override != nil {
		o := *res.Override
		o.Reason = r.Text(o.Reason)
		out.Override = &o
	}
	out.Dismissed = each(res.Dismissed, func(d workflow.Dismissal) workflow.Dismissal {
		d.Issue, d.Reason = r.issues([]workflow.Issue{d.Issue})[0], r.Text(d.Reason)
		return d
	})
	if res.Failure != nil {
		f := r.Failure(*res.Failure)
		out.Failure = &f
	}
	return out
}

// Failure returns f with its texts redacted.
func (r *Redactor) Failure(f workflow.Failure) workflow.Failure {
	f.Message, f.Action = r.Text(f.Message), r.Text(f.Action)
	return f
}

// Violation returns v with its texts redacted.
func (r *Redactor) Violation(v workflow.Violation) workflow.Violation {
	v.Description, v.Evidence = r.Text(v.Description), r.Text(v.Evidence)
	return v
}

// integrity returns a copy with its texts redacted.
func (r *Redactor) integrity(in *workflow.Integrity) *workflow.Integrity {
	if in == nil {
		return nil
	}
	out := *in
	out.Compared, out.Harmless, out.NotAnalysed = each(in.Compared, r.Text), each(in.Harmless, r.Text), each(in.NotAnalysed, r.Text)
	out.Excused = each(in.Excused, r.Violation)
	out.Findings = each(in.Findings, func(f workflow.Finding) workflow.Finding {
		return workflow.Finding{Violation: r.Violation(f.Violation), Why: r.Text(f.Why)}
	})
	out.Questions = each(in.Questions, r.question)
	return &out
}

// bundle returns a copy with its texts redacted; the folder and
// files are paths.
func (r *Redactor) bundle(in *workflow.Bundle) *workflow.Bundle {
	if in == nil {
		return nil
	}
	out, known := *in, r.known.Replace // ids and our own words hold no secret but one that is known
	out.Session, out.Topic, out.Complexity = r.Text(in.Session), r.Text(in.Topic), r.Text(in.Complexity)
	out.Documents = each(in.Documents, func(d workflow.BundleDocument) workflow.BundleDocument {
		d.Name = known(d.Name)
		return d
	})
	out.Dimensions = each(in.Dimensions, func(d workflow.BundleDimension) workflow.BundleDimension {
		d.Name, d.Issues = known(d.Name), each(d.Issues, known)
		return d
	})
	out.Chain.Stages = each(in.Chain.Stages, func(s workflow.ChainStage) workflow.ChainStage {
		s.Name = known(s.Name)
		return s
	})
	out.Chain.Requirements = each(in.Chain.Requirements, func(q workflow.ChainRequirement) workflow.ChainRequirement {
		q.ID, q.Title = known(q.ID), r.Text(q.Title)
		q.Goals, q.Decisions, q.Stories = each(q.Goals, known), each(q.Decisions, known), each(q.Stories, known)
		return q
	})
	out.Chain.Gaps = each(in.Chain.Gaps, func(g workflow.ChainGap) workflow.ChainGap {
		g.Kind, g.IDs = known(g.Kind), each(g.IDs, known)
		return g
	})
	return &out
}

func (r *Redactor) question(q workflow.Question) workflow.Question {
	q.Question, q.Evidence, q.Reason = r.Text(q.Question), r.Text(q.Evidence), r.Text(q.Reason)
	return q
}

// Notice returns n with its text redacted.
func (r *Redactor) Notice(n workflow.Notice) workflow.Notice {
	n.Text = r.Text(n.Text)
	return n
}

func (r *Redactor) issues(in []workflow.Issue) []workflow.Issue {
	return each(in, func(i workflow.Issue) workflow.Issue {
		i.Title = r.Text(i.Title)
		i.File = r.known.Replace(i.File)
		i.Description, i.Recommendation = r.Text(i.Description), r.Text(i.Recommendation)
		if i.Suggestion != nil {
			s := r.Text(*i.Suggestion)
			i.Suggestion = &s
		}
		return i
	})
}

func (r *Redactor) criterion(c workflow.Criterion) workflow.Criterion {
	c.Name, c.Finding = r.Text(c.Name), r.Text(c.Finding)
	c.Evidence, c.Impact = r.Text(c.Evidence), r.Text(c.Impact)
	return c
}

func (r *Redactor) previous(p workflow.Previous) workflow.Previous {
	p.Title, p.Note = r.Text(p.Title), r.Text(p.Note)
	return p
}

func (r *Redactor) check(c workflow.Check) workflow.Check {
	c.Summary, c.Issues = r.Text(c.Summary), r.issues(c.Issues)
	return c
}

func (r *Redactor) texts(in []string) []string { return each(in, r.Text) }

func copyArtifact(a workflow.Artifact) workflow.Artifact {
	a.Files = slices.Clone(a.Files)
	a.Tests = slices.Clone(a.Tests)
	if a.Move != nil {
		m := *a.Move
		a.Move = &m
	}
	return a
}

// each maps f over a copy and keeps nil nil.
func each[T any](in []T, f func(T) T) []T {
	if in == nil {
		return nil
	}
	out := make([]T, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}
