// Package ticks holds ticks, state lines, archives and moves against what is there: they say that
// work is done.
package ticks

import (
	"context"
	"fmt"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

const why = "A tick, a state line, an archive or a move says that work is done."

// Entry is the check.
var Entry = check.Entry{
	ID:       "work/not-there",
	Types:    workflow.Types(),
	Severity: workflow.Note,
	Category: workflow.Compliance,
	Fact:     true, Ask: true,
	Title: "Work that is called done is not there",
	Why: why + " Told where nothing that a ticked task names is in " +
		"the head, neither a file nor a function, and where a spec is called done without an " +
		"approved implementation, or with tests of its criteria that did not run or pass.",
	Fix: "Do the work, or take the tick or the state back. \"ticks\": \"block\" in a layout of " +
		"the config makes this block.",
	Run: find,
}

// Unmet says of an artifact's claims in one sentence what is not there, "" if all is.
func Unmet(ctx context.Context, in check.Input) func(workflow.Artifact) string {
	return func(a workflow.Artifact) string {
		in.Artifact = a
		r := find(check.NewSubject(ctx, in))
		if len(r.Issues) == 0 {
			return ""
		}
		return fmt.Sprintf("%s: %s", a.Feature, r.Issues[0].Title)
	}
}

// maxNamed is how many tasks an issue lists.
const maxNamed = 20

// unmet is one claim that nothing in the head meets.
type unmet struct {
	file string
	line int
	what string
}

func find(s *check.Subject) check.Result {
	if len(s.Artifact.Claims) == 0 {
		return check.NotLooked("nothing is called done")
	}
	var found []unmet
	severity := workflow.Note
	looked, said := 0, ""
	names, err := newIndex(s)
	if err != nil {
		return check.NotLooked("the files of the head cannot be listed")
	}
	for _, c := range s.Artifact.Claims {
		if c.Blocks {
			severity = workflow.Block
		}
		text, _ := s.Read(c.Path)
		tasks := names.ticked(c, string(text))
		looked += len(tasks)
		for _, t := range tasks {
			if what := names.unmet(t.Text); what != "" {
				found = append(found, unmet{c.Path, t.Line, "Ticked, and " + what})
			}
		}
		if c.Done != "" {
			looked++
			found = append(found, called(s, c)...)
		}
		if len(c.Tests) > 0 {
			open, passed := tested(s, c)
			found, said = append(found, open...), said+passed
		}
	}
	if len(found) == 0 {
		return check.Result{Looked: workflow.Count(looked, "claim") + said}
	}
	return check.Result{Issues: []workflow.Finding{issue(found, said, severity)}}
}

func issue(found []unmet, said string, severity workflow.Level) workflow.Finding {
	first := found[0]
	title := first.what
	if n := len(found) - 1; n > 0 {
		title += fmt.Sprintf(", and %d more", n)
	}
	var lines []string
	for _, u := range found[:min(len(found), maxNamed)] {
		lines = append(lines, fmt.Sprintf("- %s:%d: %s", u.file, u.line, u.what))
	}
	return workflow.Finding{
		Level: severity, File: first.file, Line: first.line, Title: markdown.Line(title, 200),
		Text: why + "\n\n" + strings.Join(lines, "\n") + said,
	}
}

// called says what is open of a feature that is called done: it has no approved implementation, and
// none is under review.
func called(s *check.Subject, c workflow.Claim) []unmet {
	underReview := s.Artifact.Type == workflow.Implementation || s.Artifact.Type == workflow.BugFix
	if underReview || c.Implemented {
		return nil
	}
	what := "no implementation of it was approved"
	list, omitted := criteria(s)
	if open := named(list, omitted); open != "" {
		what += "; open: " + open
	}
	return []unmet{{c.Path, 1, says(c) + ", and " + what}}
}
