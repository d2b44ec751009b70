package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// Verdict is what the rules alone come to.
type Verdict struct {
	Decision workflow.Decision // Approved or NeedsChanges
	Summary  string
	Criteria []workflow.Criterion
	Issues   []workflow.Issue // worst first
}

// Decide is the verdict of the engine "rules": NEEDS-CHANGES for any High
// issue or failed gate, else APPROVED. No check at all is no approval.
func Decide(a workflow.Artifact, checks []workflow.Check) Verdict {
	v := Verdict{Decision: workflow.Approved, Criteria: criteria(checks)}
	var blocking []string
	for _, c := range checks {
		v.Issues = append(v.Issues, gathered(c.Issues)...)
		switch {
		case blocks(c):
			v.Decision = workflow.NeedsChanges
			blocking = append(blocking, c.Summary)
		case c.ID == workflow.ScoreCheck && c.Outcome == workflow.Failed && len(blocking) > 0:
			blocking = append(blocking, c.Summary) // what costs the points was told
		}
	}
	slices.SortStableFunc(v.Issues, bySeverity)
	if len(checks) == 0 {
		v.Decision = workflow.NeedsChanges
		blocking = append(blocking, "no check ran")
	}
	v.Summary = summary(a, v, checks, blocking)
	return v
}

func bySeverity(x, y workflow.Issue) int {
	order := []workflow.Severity{workflow.High, workflow.Medium, workflow.Low}
	return slices.Index(order, x.Severity) - slices.Index(order, y.Severity)
}

// Gate looks at the checks that decide whatever a model says. A summary that is not empty forces NEEDS-CHANGES. Ended
// says that there is nothing left to ask a model: the tests fail, or results that are required are missing.
func Gate(checks []workflow.Check) (ended bool, summary string) {
	var lines []string
	for _, c := range checks {
		if c.Gate && c.Outcome == workflow.Failed {
			lines = append(lines, c.Summary)
			ended = ended || !strings.HasSuffix(c.ID, "/coverage")
		}
	}
	return ended, strings.Join(lines, "; ")
}

// blocks reports whether a check alone forbids approval.
func blocks(c workflow.Check) bool {
	if c.Gate && c.Outcome == workflow.Failed {
		return true
	}
	return slices.ContainsFunc(c.Issues, func(i workflow.Issue) bool { return i.Severity == workflow.High })
}

func summary(a workflow.Artifact, v Verdict, checks []workflow.Check, blocking []string) string {
	if len(blocking) > 0 {
		if gated, gate := Gate(checks); gated {
			return gate
		}
		return fmt.Sprintf("The %s cannot be approved: %s.", noun(a.Type), strings.Join(blocking, "; "))
	}
	if n := len(v.Issues); n > 0 {
		are := " are"
		if n == 1 {
			are = " is"
		}
		return fmt.Sprintf("Nothing blocks the %s; %s worth a look. The built-in checks check form, not meaning.%s", noun(a.Type),
			workflow.Count(n, "finding")+are, notRead(a))
	}
	return fmt.Sprintf("The built-in checks found nothing in the %s. They check form, not meaning.%s", noun(a.Type), notRead(a))
}

// notRead says, as a sentence more, in which languages the checks read no code, "" if they read all.
func notRead(a workflow.Artifact) string {
	var names []string
	for _, f := range a.Files {
		name := conventions.Language(f.Path)
		if _, ok := syntax.LanguageOf(f.Path); name != "" && !ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" They do not read %s: of that code only the text was looked at, as for secrets.", strings.Join(names, ", "))
}

func noun(t workflow.Type) string { return strings.ToLower(t.Title()) }

// criteria grades what the checks count towards, in the order of the checks.
func criteria(checks []workflow.Check) []workflow.Criterion {
	of := map[string]string{}
	for _, r := range all() {
		of[r.ID] = r.Criterion
	}
	var out []workflow.Criterion
	at := map[string]int{}
	for _, c := range checks {
		if c.Outcome == workflow.Absent {
			continue // nothing was looked at: no grade
		}
		name := of[c.ID]
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, workflow.Criterion{Name: name, Grade: workflow.Pass})
		}
		out[i] = graded(out[i], c)
	}
	return out
}

// graded adds a check to a criterion; the worst finding speaks for it.
func graded(cr workflow.Criterion, c workflow.Check) workflow.Criterion {
	grade := workflow.Pass
	switch {
	case blocks(c):
		grade = workflow.Fail
	case c.Outcome == workflow.Noted, c.Outcome == workflow.Failed:
		grade = workflow.Concern
	}
	if grade == workflow.Pass && cr.Grade == workflow.Pass {
		if cr.Finding != "" {
			cr.Finding += "; "
		}
		cr.Finding += c.Summary
		return cr
	}
	if worse(grade, cr.Grade) {
		cr.Grade, cr.Finding, cr.Evidence, cr.Impact = grade, c.Summary, evidence(c), ""
		if len(c.Issues) > 0 {
			cr.Impact = c.Issues[0].Description
		}
	}
	return cr
}

func worse(a, b workflow.Grade) bool {
	order := []workflow.Grade{workflow.Fail, workflow.Concern, workflow.Pass}
	return slices.Index(order, a) < slices.Index(order, b)
}

// evidence names the first places of a check's issues.
func evidence(c workflow.Check) string {
	places := slices.DeleteFunc(placesOf(c.Issues), func(p string) bool { return p == "" })
	places = slices.Compact(places)
	if n := len(places); n > 3 {
		return strings.Join(places[:3], ", ") + fmt.Sprintf(" and %d more", n-3)
	}
	return strings.Join(places, ", ")
}
