package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
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

// assess turns a valid assessment into the verdict of a result. It makes a verdict worse where the
// model contradicts itself, and better only where nothing that may block is left of it.
func assess(
	r workflow.Result,
	a answers.Assessment,
	wanted prompt.Rubric,
	at *answers.Anchors,
	before past,
) workflow.Result {
	r.Decision = workflow.NeedsChanges
	if a.Decision == workflow.Approved.String() {
		r.Decision = workflow.Approved
	}
	r.Summary = foreign.Block(a.Summary)
	r.Summary = cmp.Or(r.Summary, "The reviewer gave no summary.")
	r.Criteria, _ = answers.Grade(wanted, a.Criteria)
	for _, i := range a.Issues {
		issue, note := at.Issue(i)
		if note != "" {
			r.Warnings = append(r.Warnings, note)
		}
		r.Issues = append(r.Issues, issue)
	}
	for _, p := range a.Previous {
		r.Previous = append(
			r.Previous,
			workflow.Previous{
				Title:    markdown.Line(p.Title, answers.MaxTitle),
				Resolved: p.Resolved,
				Note:     foreign.Block(p.Note),
			},
		)
	}
	r, setAside := before.relateToPast(r)
	r = answerQuestions(r, a.Questions)
	var missing []string
	r.Requirements, missing = answers.JudgeRequirements(r.Requirements, a.Requirements, at)
	for _, m := range missing {
		r.Warnings = append(r.Warnings, "Requirement "+m)
	}
	approved := r.Decision == workflow.Approved
	own := r.Issues
	r.Issues = append(r.Issues, slices.Concat(issuesOfAnswers(r), issuesOfRequirements(r))...)
	if !approved && before.converged(r, len(missing), setAside) {
		r.Decision, r.Summary = workflow.Approved, onlyAdvice+r.Summary
	}
	if r = contradict(r, len(missing), own); approved && r.Decision == workflow.Approved {
		if n := standing(r, workflow.CannotTell); n > 0 {
			r.Warnings = append(
				r.Warnings,
				fmt.Sprintf("The reviewer approved without being able to tell whether %s met",
					countIs(n, "requirement")),
			)
		}
	}
	return capped(r)
}

// contradict turns an approval beside a requirement that is not met or has no entry that counts, a
// High issue, a failed criterion, or a question that is not settled into NEEDS-CHANGES. issues are
// those that the reviewer itself told.
func contradict(r workflow.Result, missing int, issues []workflow.Issue) workflow.Result {
	if r.Decision != workflow.Approved {
		return r
	}
	var against []string
	if n := standing(r, workflow.NotMet); n > 0 {
		against = append(against, workflow.Count(n, "requirement")+" not met")
	}
	if missing > 0 {
		against = append(against, workflow.Count(missing, "requirement")+" without an entry that counts")
	}
	if n := count(issues, func(i workflow.Issue) bool { return i.Severity == workflow.High }); n > 0 {
		against = append(against, workflow.Count(n, "High issue"))
	}
	if n := count(r.Criteria, func(c workflow.Criterion) bool { return c.Grade == workflow.Fail }); n > 0 {
		against = append(against, workflow.Count(n, "failed criterion"))
	}
	if open := unsettled(r); open != "" {
		against = append(against, open)
	}
	if len(against) > 0 {
		r.Decision = workflow.NeedsChanges
		r.Warnings = append(
			[]string{"The reviewer approved beside " + strings.Join(against, " and ") + "; counted as NEEDS-CHANGES"},
			r.Warnings...)
	}
	return r
}

// capped bounds the lists, the gravest entries first, and says what it cut.
func capped(r workflow.Result) workflow.Result {
	slices.SortStableFunc(r.Issues, func(a, b workflow.Issue) int { return rank(a) - rank(b) })
	r.Issues, r.Warnings = head(r.Issues, maxIssues, "issues", r.Warnings)
	r.Criteria, r.Warnings = head(r.Criteria, prompt.MaxCriteria, "criteria", r.Warnings)
	r.Previous, r.Warnings = head(r.Previous, maxPrevious, "previous findings", r.Warnings)
	return r
}

// head keeps the first entries of a list, and warns of those that are dropped.
func head[T any](list []T, limit int, what string, warnings []string) ([]T, []string) {
	if len(list) <= limit {
		return list, warnings
	}
	return list[:limit], append(warnings, fmt.Sprintf("Only %d of %d %s are kept", limit, len(list), what))
}

// rank orders issues: the gravest first, among equals what the spec demands.
func rank(i workflow.Issue) int {
	n := 2 * slices.Index([]workflow.Severity{workflow.High, workflow.Medium, workflow.Low}, i.Severity)
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
	if n == 1 {
		return workflow.Count(n, what) + " is"
	}
	return workflow.Count(n, what) + " are"
}
