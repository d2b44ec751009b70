package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// unanswered are the questions that decide and that no review of the run can answer.
func unanswered(c config.Config, o integrity.Outcome, all []workflow.Artifact) []integrity.Ask {
	return slices.DeleteFunc(slices.Clone(o.Asks), func(a integrity.Ask) bool {
		return !a.Open || c.Engine != config.Rules && hasTests(all, a.Feature)
	})
}

// hasTests reports whether tests of a feature are among the artifacts.
func hasTests(all []workflow.Artifact, feature string) bool {
	return slices.ContainsFunc(all, func(a workflow.Artifact) bool {
		return a.Type == workflow.Tests && a.Feature == feature
	})
}

// endedByProof is the verdict of a review that running the approved tests decides.
func endedByProof(
	c config.Config, v *Integrity, a workflow.Artifact,
) (r workflow.Result, ended bool) {
	run := v.Outcome.Run
	open := v.open
	if a.Type == workflow.Tests {
		open = slices.DeleteFunc(
			slices.Clone(open), func(q integrity.Ask) bool { return q.Feature != a.Feature },
		)
	}
	switch {
	case isCode(a) && v.Outcome.Failing != nil:
		return failingResult(*v.Outcome.Failing), true
	case isCode(a) && len(run.Before(a.Feature)) > 0:
		return failingBefore(a, run), true
	case len(open) > 0 && (isCode(a) || a.Type == workflow.Tests):
		return undecided(open, c.ReReviewLabel), true
	case isCode(a) && c.Integrity.RequireEvidence && !run.Complete():
		return workflow.Result{
			Decision: workflow.NeedsChanges,
			Summary: "No evidence counts that the approved tests pass on this head, and the " +
				"config requires it." +
				"\n\nRun `workflow-reviewer prove` in the job that runs the tests, and name its " +
				"file in the input " +
				"evidence. It needs approved tests: have them approved first.",
		}, true
	}
	return r, false
}

// failingResult ends the review of code that does not pass the approved tests.
func failingResult(f proof.Failing) workflow.Result {
	return workflow.Result{
		Decision: workflow.NeedsChanges, Issues: failingIssues(f),
		Summary: f.String() + ".\n\nNo reviewer was asked. Correct the code; the tests were run " +
			"as they were approved.",
	}
}

// maxMessage bounds what a finding repeats of a failing test, in bytes.
const maxMessage = 4000

// failingIssues are the first failing tests, each a finding.
func failingIssues(f proof.Failing) []workflow.Finding {
	issue := func(test, title, file, description string) workflow.Finding {
		return workflow.Finding{
			Subject: test,
			Level:   workflow.Block, Category: workflow.Testing, Title: title, File: file,
			Text: description,
			Kind: proof.Rule, Fix: "Correct the code so that the approved tests pass.",
		}
	}
	if len(f.Tests) == 0 {
		return []workflow.Finding{issue("", "The approved tests do not pass", "", f.String()+".")}
	}
	var out []workflow.Finding
	for _, t := range f.Tests[:min(len(f.Tests), proof.Named)] {
		title := "Approved test fails: " + proof.Names([]evidence.Failure{t})
		out = append(
			out,
			issue(
				t.Name, title, t.File, cmp.Or(markdown.Clip(t.Message, maxMessage), "No message."),
			),
		)
	}
	return out
}

// failingBefore ends the review of code whose approved tests fail, with it and without.
func failingBefore(a workflow.Artifact, run proof.Run) workflow.Result {
	tests := run.Before(a.Feature)
	what := strings.ReplaceAll(string(a.Type), "-", " ")
	return workflow.Result{
		Decision: workflow.NeedsChanges, Issues: failingIssues(proof.Failing{Tests: tests}),
		Summary: fmt.Sprintf(
			"Cannot review %s with failing tests: %s of %s failed, with the change and without "+
				"it: %s."+
				"\n\nNo reviewer was asked.",
			what,
			workflow.Count(len(tests), "approved test"),
			a.Feature,
			proof.Names(tests),
		),
	}
}

// undecided ends a review over changes that only a person can decide, as no review of the run is
// asked about them.
func undecided(open []integrity.Ask, label string) workflow.Result {
	more := ""
	if n := len(open) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return workflow.Result{
		Decision: workflow.NeedsChanges, Issues: undecidedIssues(open),
		Summary: fmt.Sprintf(
			"A person must decide: %s%s\n\nNo reviewer was asked. If it is meant, somebody with "+
				"write "+
				"permission sets the label %s:tests; else put the approved tests back.",
			open[0].Finding.Text,
			more,
			label,
		),
	}
}

// undecidedIssues are the questions that nobody could be asked, as findings that block until a
// person decides.
func undecidedIssues(open []integrity.Ask) []workflow.Finding {
	var out []workflow.Finding
	for _, a := range open {
		out = append(out, workflow.Finding{
			Level: workflow.Block, Category: workflow.Testing,
			Title: "A person must decide about approved tests",
			File:  a.File, Line: a.At, Text: a.Finding.Text, Kind: "integrity/" + a.Kind,
			Fix: "Set the label re-review:tests if it is meant; else put the approved tests " +
				"back.",
			Subject: a.Finding.Key,
		})
	}
	return out
}

// untoldIssues are findings of the run that no review has ended with.
func untoldIssues(v Integrity, all []workflow.Artifact) (out []workflow.Finding) {
	if slices.ContainsFunc(all, isCode) {
		return nil
	}
	if v.Outcome.Failing != nil {
		out = failingIssues(*v.Outcome.Failing)
	}
	return append(
		out,
		undecidedIssues(slices.DeleteFunc(slices.Clone(v.open), func(a integrity.Ask) bool {
			return hasTests(all, a.Feature)
		}))...)
}
