package checks

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks/tools"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// Verdict is the outcome of the checks alone.
type Verdict struct {
	Decision workflow.Decision // Approved or NeedsChanges
	Summary  string
	Criteria []workflow.Criterion // one, which sums the checks up
	Issues   []workflow.Finding   // worst first
}

// Decide is the verdict of the engine "rules": NEEDS-CHANGES for any High issue or failed gate,
// else APPROVED, which says no more than that nothing was found. No check at all is no approval.
func Decide(a workflow.Artifact, checks []workflow.Check) Verdict {
	v := Verdict{Decision: workflow.Approved}
	var blocking []string
	looked := 0
	for _, c := range checks {
		v.Issues = append(v.Issues, c.Issues...)
		if blocks(c) {
			v.Decision = workflow.NeedsChanges
			blocking = append(blocking, c.Summary)
		}
		if c.Outcome != workflow.NotLooked {
			looked++
		}
	}
	if looked == 0 {
		v.Decision, blocking = workflow.NeedsChanges, append(blocking,
			"no check looked at anything")
	}
	order := []workflow.Level{workflow.Block, workflow.Warn, workflow.Note}
	slices.SortStableFunc(v.Issues, func(x, y workflow.Finding) int {
		return slices.Index(order, x.Level) - slices.Index(order, y.Level)
	})
	v.Summary = summary(a, len(v.Issues), looked, checks, blocking)
	v.Criteria = []workflow.Criterion{
		{Name: "Automated checks", Grade: grade(v), Finding: v.Summary},
	}
	return v
}

// blocks reports whether a check forbids an approval. One whose High issues were all dismissed does
// not, whatever milder ones it has left.
func blocks(c workflow.Check) bool {
	high := func(i workflow.Finding) bool { return i.Level == workflow.Block }
	decides := c.Gate || len(c.Issues) == 0 || slices.ContainsFunc(c.Issues, high)
	return c.Outcome == workflow.Failed && decides
}

// grade is a verdict of a check as a grade of the built-in criterion.
func grade(v Verdict) workflow.Grade {
	switch {
	case v.Decision != workflow.Approved:
		return workflow.Fail
	case len(v.Issues) > 0:
		return workflow.Concern
	default:
		return workflow.Pass
	}
}

// summary is the verdict in one sentence. Without a model it says that nobody has read the
// artifact.
func summary(
	a workflow.Artifact, issues, looked int, checks []workflow.Check, blocking []string,
) string {
	unread := fmt.Sprintf("by %s – not read by a model. %s",
		workflow.Count(looked, "check"), NotRead(a))
	unread = strings.TrimSpace(unread)
	if ended, gate := Gate(checks); ended {
		return gate
	}
	switch {
	case len(blocking) > 0:
		title := strings.ToLower(a.Type.Title())
		return fmt.Sprintf("The %s cannot be approved: %s.", title, strings.Join(blocking, "; "))
	case issues > 0:
		return fmt.Sprintf("Nothing blocks; %s %s", workflow.Count(issues, "finding"), unread)
	default:
		return "No findings " + unread
	}
}

// NotRead says, as a sentence, in which languages the checks read no code, "" if they read all.
func NotRead(a workflow.Artifact) string {
	var names []string
	for _, f := range a.Files {
		name := conventions.Language(f.Path)
		_, _, isRead := syntax.Script(f.Path, nil)
		if name != "" && !isRead && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("Of %s only the text was looked at, as for secrets.",
		strings.Join(names, ", "))
}

// Gate looks at the checks that decide whatever a model says. A summary that is not empty forces
// NEEDS-CHANGES. Ended says that there is nothing left to ask a model: the tests fail, or results
// that are required are missing.
func Gate(checks []workflow.Check) (ended bool, summary string) {
	var lines []string
	for _, c := range checks {
		if c.Gate && c.Outcome == workflow.Failed {
			lines = append(lines, c.Summary)
			ended = ended || c.ID != workflow.CoverageCheck
		}
	}
	return ended, strings.Join(lines, "; ")
}

// IsFact reports whether the High issues of a check block whatever a model says of them.
func IsFact(id string) bool {
	e, _ := Find(id)
	return tools.Is(id) || e.Fact
}

// Asks reports whether a model is asked about a check's finding that does not block by itself.
func Asks(id string, severity workflow.Level) bool {
	if severity == workflow.Block {
		return !IsFact(id)
	}
	e, _ := Find(id)
	return e.Ask
}

// Facts lists the issues that block whatever a model says of them.
func Facts(checks []workflow.Check) (issues []workflow.Finding) {
	for _, c := range checks {
		for _, i := range c.Issues {
			if i.Level == workflow.Block && IsFact(c.ID) {
				issues = append(issues, i)
			}
		}
	}
	return issues
}

// maxAdvice limits the one line of advice, in characters.
const maxAdvice = 240

// GatherAdvice leaves of the advice in a run's checks, those of one artifact a row, one issue,
// which names the others.
func GatherAdvice(checks [][]workflow.Check) {
	advice := map[string]bool{}
	for _, e := range Catalog() {
		advice[e.ID] = e.Advice
	}
	var first *workflow.Finding
	var told []string
	for _, row := range checks {
		for i := range row {
			c := &row[i]
			if !advice[c.ID] {
				continue
			}
			for _, issue := range c.Issues {
				told = append(told, place(issue)+issue.Title)
			}
			if first == nil && len(c.Issues) > 0 {
				c.Issues = slices.Clone(c.Issues[:1])
				first = &c.Issues[0]
				continue
			}
			c.Issues = nil
		}
	}
	if len(told) > 1 {
		all := fmt.Sprintf("%d things worth a look: %s", len(told), strings.Join(told, "; "))
		first.Title = markdown.Line(all, maxAdvice)
	}
}

// place is "FILE:LINE: " of an issue, "" for one without.
func place(i workflow.Finding) string {
	if i.File == "" {
		return ""
	}
	if i.Line == 0 {
		return i.File + ": "
	}
	return fmt.Sprintf("%s:%d: ", i.File, i.Line)
}
