package review

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// Caps on what is taken over from a model, in characters and entries.
const (
	maxTitle      = 200
	maxField      = 4_000
	maxSuggestion = 8_000
	maxIssues     = 100
	maxCriteria   = 40
	maxPrevious   = 100
	shortestCut   = 80 // what is shorter stays whole until it is searched for secrets
)

// undetermined is the warning of a review whose verdict could not be read.
const undetermined = "Could not determine decision from review"

// assess turns a valid assessment into the verdict of a result. It never makes
// a verdict better than the model's, and worse where the model contradicts
// itself.
func assess(r workflow.Result, a Assessment, at *anchors) workflow.Result {
	r.Decision = workflow.NeedsChanges
	if a.Decision == workflow.Approved.String() {
		r.Decision = workflow.Approved
	}
	r.Summary = block(a.Summary)
	if r.Summary == "" {
		r.Summary = "The reviewer gave no summary."
	}
	for _, c := range a.Criteria {
		r.Criteria = append(r.Criteria, criterion(c))
	}
	for _, i := range a.Issues {
		issue, note := at.issue(i)
		if note != "" {
			r.Warnings = append(r.Warnings, note)
		}
		r.Issues = append(r.Issues, issue)
	}
	for _, p := range a.Previous {
		r.Previous = append(r.Previous, workflow.Previous{Title: line(p.Title, maxTitle), Resolved: p.Resolved, Note: block(p.Note)})
	}
	r = answerQuestions(r, a.Questions)
	r.Issues = append(r.Issues, cheats(r)...)
	r = contradict(r)
	return capped(r)
}

// contradict turns an approval beside a High issue, a failed criterion, or a
// question that is not answered honest into NEEDS-CHANGES.
func contradict(r workflow.Result) workflow.Result {
	if r.Decision != workflow.Approved {
		return r
	}
	var against []string
	if n := count(r.Issues, func(i workflow.Issue) bool { return i.Severity == workflow.High }); n > 0 {
		against = append(against, plural(n, "High issue"))
	}
	if n := count(r.Criteria, func(c workflow.Criterion) bool { return c.Grade == workflow.Fail }); n > 0 {
		against = append(against, plural(n, "failed criterion"))
	}
	if open := unsettled(r); open != "" {
		against = append(against, open)
	}
	switch {
	case len(against) > 0:
		r.Decision = workflow.NeedsChanges
		r.Warnings = append([]string{"The reviewer approved beside " + strings.Join(against, " and ") + "; counted as NEEDS-CHANGES"}, r.Warnings...)
	case len(r.Criteria) == 0:
		r.Warnings = append(r.Warnings, "The reviewer approved without grading any criterion")
	}
	return r
}

// capped bounds the lists, the gravest entries first, and says what it cut.
func capped(r workflow.Result) workflow.Result {
	slices.SortStableFunc(r.Issues, func(a, b workflow.Issue) int { return rank(a.Severity) - rank(b.Severity) })
	r.Issues, r.Warnings = head(r.Issues, maxIssues, "issues", r.Warnings)
	r.Criteria, r.Warnings = head(r.Criteria, maxCriteria, "criteria", r.Warnings)
	r.Previous, r.Warnings = head(r.Previous, maxPrevious, "previous findings", r.Warnings)
	return r
}

func head[T any](list []T, limit int, what string, warnings []string) ([]T, []string) {
	if len(list) <= limit {
		return list, warnings
	}
	return list[:limit], append(warnings, fmt.Sprintf("Only %d of %d %s are kept", limit, len(list), what))
}

func rank(s workflow.Severity) int {
	switch s {
	case workflow.High:
		return 0
	case workflow.Medium:
		return 1
	default:
		return 2
	}
}

func criterion(c AnswerCriterion) workflow.Criterion {
	return workflow.Criterion{
		Name: line(c.Name, maxTitle), Grade: c.Result,
		Finding: block(c.Finding), Evidence: block(c.Evidence), Impact: block(c.Impact),
	}
}

// block cleans and cuts a model's text that may have several lines.
func block(text string) string {
	text, _ = clean(text)
	text, _ = cut(strings.TrimSpace(text), maxField)
	return text
}

func count[T any](list []T, is func(T) bool) int {
	n := 0
	for _, v := range list {
		if is(v) {
			n++
		}
	}
	return n
}

// plural is "1 High issue", "2 High issues", "2 failed criteria".
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, strings.Replace(what, "criterions", "criteria", 1))
}
