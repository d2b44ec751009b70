// Package check is what a deterministic check is made of: its entry in the catalogue, what it may
// look at, and what it answers. Each check is a folder beside this one; package checks lists and
// runs them.
package check

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// Entry is one check.
type Entry struct {
	ID       string          // stable, "spec/no-acceptance-criteria"
	Types    []workflow.Type // of the artifacts that it looks at
	Severity workflow.Level  // of its issues, unless they say another one; High forbids approval
	Category workflow.Category
	Gate     bool   // its failure decides whatever a model says
	Fact     bool   // its High issues block beside a model's approval too, until dismissed
	Ask      bool   // a model is asked about its findings, whatever their severity
	Advice   bool   // told once a run, on one line, and never blocks
	Title    string // of its issues, unless they say another one
	Why      string // what it looks for and why, in sentences: the first is an issue's description
	Fix      string // what to do about an issue
	Run      func(*Subject) Result
}

// Of names the types of artifacts that the check looks at.
func (e Entry) Of() string {
	if len(e.Types) == len(workflow.Types()) {
		return "all"
	}
	names := make([]string, len(e.Types))
	for i, t := range e.Types {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// Weight says what follows from a finding.
func (e Entry) Weight() string {
	switch {
	case e.Advice:
		return "advice"
	case e.Gate:
		return string(e.Severity) + ", decides"
	case e.Fact:
		return string(e.Severity) + ", also beside a model's approval"
	case e.Severity == "":
		return "a number"
	default:
		return string(e.Severity)
	}
}

// First is the first sentence of what the check looks for.
func (e Entry) First() string {
	first, _, _ := strings.Cut(e.Why, ". ")
	return strings.TrimSuffix(first, ".") + "."
}

// Aside says how to keep a finding from blocking.
func (e Entry) Aside() string {
	switch {
	case e.Advice, e.Severity == "", e.Severity == workflow.Note, e.Severity == workflow.Warn:
		return "it never blocks"
	case e.Gate:
		return "it was measured: nobody can set it aside"
	default:
		return "somebody with write permission comments /dismiss ID REASON"
	}
}

// Input holds the material of one artifact's checks. Everything in it may be hostile.
type Input struct {
	Artifact           workflow.Artifact
	Set                change.Set
	Tests              *testresult.Summary // nil = not provided
	RequireTestResults bool                // not provided fails
	Coverage           *coverage.Report    // nil = not provided
	// of new and changed tests on the sources without the change
	Red        proof.Outcome
	Proof      proof.Run // of the approved tests on the head
	Thresholds Thresholds
	Findings   sarif.Log        // what other tools found, anywhere
	Block      sarif.Level      // from which on their results block; None for none
	Bundle     *workflow.Bundle // of a spec in several documents; nil = it is none
	// Former lists what was there while a file of the merge base came to be; nil is an error.
	Former func(ctx context.Context, path string) ([]string, error)
	Shared *Shared // by all artifacts of the change; nil = nothing is
}

// Thresholds are the least coverages that pass, in percent from 0 to 100; 0 asks for nothing.
type Thresholds struct {
	Line   float64
	Branch float64
}

// Result is the answer of a check: what it found, or what it looked at, or why it did not look.
type Result struct {
	Issues  []workflow.Finding // found
	Looked  string             // at what, "12 added lines of 3 files"
	Not     string             // why it did not look; not empty only if it did not
	Lacks   bool               // it did not look because of what could be given to it
	Summary string             // in place of the summary that is made of the rest
	Figures map[string]float64
	Failed  bool // without an issue: see Entry.Gate
}

// NotLooked is the answer of a check that had nothing to look at.
func NotLooked(why string) Result { return Result{Not: why} }

// NotProvided is the answer of a check that lacks what it would look at.
func NotProvided(why string) Result { return Result{Not: why, Lacks: true} }

// Lines is the answer of a check that looked at the lines which the change adds to files.
func Lines(issues []workflow.Finding, sources []*Source) Result {
	if len(sources) == 0 && len(issues) == 0 {
		return NotLooked("no file in a language that it reads")
	}
	lines := 0
	for _, f := range sources {
		lines += f.Adds()
	}
	return Result{
		Issues: issues,
		Looked: workflow.Count(lines, "added line") + " of " + workflow.Count(len(sources), "file"),
	}
}

// InDocuments is the answer of a check that looks into each document by itself; find also counts
// what it looked at.
func InDocuments(s *Subject, what string, find func(*Document) ([]workflow.Finding, int)) Result {
	documents := s.Documents()
	if len(documents) == 0 {
		return NotProvided("no document that can be read")
	}
	var issues []workflow.Finding
	looked := 0
	for _, d := range documents {
		found, n := find(d)
		issues, looked = append(issues, found...), looked+n
	}
	return Result{Issues: issues, Looked: workflow.Count(looked, what)}
}

// Check runs the entry for an artifact and puts its answer into the form of reports.
func (e Entry) Check(s *Subject) workflow.Check {
	r := e.Run(s)
	c := workflow.Check{ID: e.ID, Issues: r.Issues, Summary: r.Summary, Figures: r.Figures}
	c.Gate = e.Gate && r.Not == ""
	for i := range c.Issues {
		e.complete(&c.Issues[i])
		if i := &c.Issues[i]; i.Subject == "" {
			i.Subject = s.lineOf(i.File, i.Line)
		}
	}
	switch {
	case r.Not != "":
		c.Outcome, c.Inapplicable = workflow.NotLooked, !r.Lacks
		c.Summary = cmp.Or(c.Summary, r.Not)
	case r.Failed || blocks(c.Issues):
		c.Outcome = workflow.Failed
	case len(c.Issues) > 0:
		c.Outcome = workflow.Noted
	default:
		c.Outcome = workflow.Passed
		c.Summary = cmp.Or(c.Summary, "nothing found in "+r.Looked)
	}
	c.Summary = cmp.Or(c.Summary, summary(c.Issues))
	return c
}

// complete fills in what an issue does not say itself: rule, category, severity, title, the first
// sentence of Why, and Fix.
func (e Entry) complete(i *workflow.Finding) {
	i.Kind, i.Category = e.ID, e.Category
	if i.Level == "" {
		i.Level = e.Severity
	}
	i.Title = cmp.Or(i.Title, e.Title)
	i.Text = cmp.Or(i.Text, e.First())
	i.Fix = cmp.Or(i.Fix, e.Fix)
}

// blocks reports whether an issue is High.
func blocks(issues []workflow.Finding) bool {
	for _, i := range issues {
		if i.Level == workflow.Block {
			return true
		}
	}
	return false
}

// summary is the first issue's title with the number of the others.
func summary(issues []workflow.Finding) string {
	switch len(issues) {
	case 0:
		return ""
	case 1:
		return issues[0].Title
	default:
		return fmt.Sprintf("%s, and %d more", issues[0].Title, len(issues)-1)
	}
}
