package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Caps on what is taken over from a model, in entries.
const (
	maxIssues   = 100
	maxPrevious = 100
)

// undetermined is the warning of a review whose verdict could not be read.
const undetermined = "Could not determine decision from review"

const onlyAdvice = "Only advice is left: what was found before is resolved or dismissed, and what " +
	"is new is on lines that an earlier review saw as they are. The reviewer itself said " +
	"NEEDS-CHANGES.\n\n"

// assess turns a valid assessment into the verdict of a result. It makes a verdict worse where the
// model contradicts itself, and better only where nothing that may block is left of it.
func assess(
	r workflow.Result,
	a answers.Assessment,
	wanted prompt.Rubric,
	at *answers.Anchors,
	before history.History,
) workflow.Result {
	r.Decision = workflow.NeedsChanges
	if a.Decision == workflow.Approved.String() {
		r.Decision = workflow.Approved
	}
	r.Summary = cmp.Or(foreign.Block(a.Summary), "The reviewer gave no summary.")
	r.Criteria, _ = answers.Grade(wanted, a.Criteria)
	for _, i := range a.Issues {
		issue, note := at.Issue(i)
		if note != "" {
			r.Warnings = append(r.Warnings, note)
		}
		r.Issues = append(r.Issues, issue)
	}
	for _, p := range a.Previous {
		r.Previous = append(r.Previous, workflow.Previous{
			Title:    markdown.Line(p.Title, answers.MaxTitle),
			Resolved: p.Resolved, Note: foreign.Block(p.Note),
		})
	}
	r, setAside := before.Relate(r)
	r = answerQuestions(r, a.Questions)
	var missing []string
	r.Requirements, missing = answers.JudgeRequirements(r.Requirements, a.Requirements, at)
	for _, m := range missing {
		r.Warnings = append(r.Warnings, "Requirement "+m)
	}
	approved, own := r.Decision == workflow.Approved, r.Issues
	r.Issues = slices.Concat(r.Issues, issuesOfAnswers(r), issuesOfRequirements(r))
	if !approved && len(missing) == 0 && converged(r, setAside || confirmsDismissed(r)) {
		r.Decision, r.Summary = workflow.Approved, onlyAdvice+r.Summary
	}
	r = contradict(r, len(missing), own)
	n := countStatus(r, workflow.CannotTell)
	if n > 0 && approved && r.Decision == workflow.Approved {
		r.Warnings = append(r.Warnings, "The reviewer approved without being able to tell whether "+
			countIs(n, "requirement")+" met")
	}
	return capLists(r)
}

// converged reports whether nothing is left that may block: each finding is advice or was
// dismissed, nothing found before is open, and nothing else stands against an approval.
func converged(r workflow.Result, setAside bool) bool {
	isAdvice := func(i workflow.Finding) bool { return i.State == workflow.Advice }
	advice := count(r.Issues, isAdvice)
	return (advice > 0 || setAside) && advice == len(r.Issues) &&
		!slices.ContainsFunc(r.Previous, workflow.Previous.IsOpen) && objections(r) == nil
}

// objections are what stands against an approval besides issues.
func objections(r workflow.Result) (out []string) {
	if n := countStatus(r, workflow.NotMet); n > 0 {
		out = append(out, workflow.Count(n, "requirement")+" not met")
	}
	isFail := func(c workflow.Criterion) bool { return c.Grade == workflow.Fail }
	if n := count(r.Criteria, isFail); n > 0 {
		out = append(out, workflow.Count(n, "failed criterion"))
	}
	return append(out, unsettled(r)...)
}

// contradict turns an approval beside a requirement that is not met or has no entry that counts, a
// High issue, a failed criterion, or a question that is not settled into NEEDS-CHANGES. issues are
// those that the reviewer itself told.
func contradict(r workflow.Result, missing int, issues []workflow.Finding) workflow.Result {
	if r.Decision != workflow.Approved {
		return r
	}
	against := objections(r)
	if missing > 0 {
		against = append(
			against,
			workflow.Count(missing, "requirement")+" without an entry that counts",
		)
	}
	isHigh := func(i workflow.Finding) bool { return i.Level == workflow.Block }
	if n := count(issues, isHigh); n > 0 {
		against = append(against, workflow.Count(n, "High issue"))
	}
	if against != nil {
		r.Decision = workflow.NeedsChanges
		warning := "The reviewer approved beside " + strings.Join(against, " and ") +
			"; counted as NEEDS-CHANGES"
		r.Warnings = append([]string{warning}, r.Warnings...)
	}
	return r
}

// issuesOfRequirements are the issues that follow from requirements that are not met and that no
// High issue of the reviewer speaks of.
func issuesOfRequirements(r workflow.Result) (out []workflow.Finding) {
	for _, q := range r.Requirements {
		if q.Status != workflow.NotMet || q.IsTold(r.Issues) {
			continue
		}
		title := markdown.Line(q.UnmetTitle()+q.Text, answers.MaxTitle)
		out = append(out, workflow.Finding{
			Level: workflow.Block, Category: workflow.Compliance, Title: title,
			File: q.File, Line: q.Line, Text: foreign.Block(q.Reason),
			Fix: "Do what " + foreign.Label(q.Spec) +
				" demands, or have the spec changed and approved.",
			Kind: workflow.UnmetRule, Subject: q.ID,
		})
	}
	return out
}

// countStatus counts the requirements of a status.
func countStatus(r workflow.Result, s workflow.RequirementStatus) int {
	return count(r.Requirements, func(q workflow.Requirement) bool { return q.Status == s })
}

// capLists bounds the lists, the gravest entries first, and says what it cut.
func capLists(r workflow.Result) workflow.Result {
	slices.SortStableFunc(r.Issues, func(a, b workflow.Finding) int { return rank(a) - rank(b) })
	r.Issues, r.Warnings = keepFirst(r.Issues, maxIssues, "issues", r.Warnings)
	r.Criteria, r.Warnings = keepFirst(r.Criteria, prompt.MaxCriteria, "criteria", r.Warnings)
	r.Previous, r.Warnings = keepFirst(r.Previous, maxPrevious, "previous findings", r.Warnings)
	return r
}

// keepFirst keeps the first entries of a list, and warns of those that are dropped.
func keepFirst[T any](list []T, limit int, what string, warnings []string) ([]T, []string) {
	if len(list) <= limit {
		return list, warnings
	}
	return list[:limit], append(
		warnings,
		fmt.Sprintf("Only %d of %d %s are kept", limit, len(list), what),
	)
}

// rank orders issues: the gravest first, among equals what the spec demands.
func rank(i workflow.Finding) int {
	n := 2 * i.Level.Rank()
	if i.Category != workflow.Compliance {
		n++
	}
	return n
}

// count counts the entries of which is holds.
func count[T any](list []T, is func(T) bool) int {
	n := 0
	for _, v := range list {
		if is(v) {
			n++
		}
	}
	return n
}

// countIs is "1 requirement is", "2 requirements are".
func countIs(n int, what string) string {
	verb := " are"
	if n == 1 {
		verb = " is"
	}
	return workflow.Count(n, what) + verb
}
