package review

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// relateToPast sorts an answer's findings by what earlier reviews knew: dismissed ones are left
// out, new ones on lines that the latest review saw unchanged become advice, earlier ones that the
// answer leaves open are taken up again. setAside tells whether one was left out.
func (p past) relateToPast(r workflow.Result) (related workflow.Result, setAside bool) {
	r.Identify()
	issues := r.Issues
	r.Issues = nil
	for _, i := range issues {
		if !p.isDismissed(i) {
			r.Issues = append(r.Issues, p.graded(i))
		}
	}
	setAside = len(r.Issues) < len(issues)
	r.Dismissed = p.standing()
	return p.account(r), setAside
}

// graded gives a finding its state. A new one blocks wherever it is if it is High, about
// security or correctness, and names the input or state that shows it.
func (p past) graded(i workflow.Issue) workflow.Issue {
	anywhere := i.Severity == workflow.High &&
		(i.Category == workflow.Security || i.Category == workflow.Correctness) &&
		foreign.HasWords(i.Trigger)
	switch {
	case p.latest == nil:
	case p.knew(i):
		i.State = workflow.Open
	case !p.saw(i) || anywhere:
		i.State = workflow.Found
	default:
		i.State = workflow.Advice
		if i.Severity != workflow.Low {
			i.Description += fmt.Sprintf(
				"\n\nAdvice only: the reviewer calls it %s, but an earlier review saw these lines as they are "+
					"and did not.",
				i.Severity,
			)
			i.Severity = workflow.Low
		}
	}
	return i
}

// knew reports whether the latest review has the finding as one that blocks: the same, or one on
// the same lines.
func (p past) knew(i workflow.Issue) bool {
	return slices.ContainsFunc(p.open(), func(o workflow.Issue) bool {
		if o.Alike(i) {
			return true
		}
		before := i.Line
		if f := p.seen[i.File]; !f.same {
			before = f.old[i.Line]
		}
		return before > 0 && o.File == i.File && o.Line <= before && before <= max(o.Line, o.EndLine)
	})
}

// open are the findings that the latest review left open. Beside a model, what
// this program found is asked and decided anew.
func (p past) open() []workflow.Issue {
	if p.latest == nil {
		return nil
	}
	var out []workflow.Issue
	for _, i := range p.latest.Issues {
		if i.State != workflow.Advice && (i.Rule == "" || p.latest.Engine == EngineRules) {
			out = append(out, i)
		}
	}
	for _, q := range p.latest.Previous {
		i := workflow.Issue{ID: q.ID, Title: q.Title, Severity: workflow.Medium}
		if !q.Resolved && !q.Dismissed &&
			!slices.ContainsFunc(out, func(o workflow.Issue) bool { return sameTitle(o, q) }) {
			out = append(out, i)
		}
	}
	return out
}

func sameTitle(i workflow.Issue, q workflow.Previous) bool {
	return i.ID != "" && i.ID == q.ID || workflow.PlainWords(i.Title) == workflow.PlainWords(q.Title)
}

// account says of each earlier finding what became of it. What the answer does not speak of counts
// as open; what it calls open, or leaves open beside NEEDS-CHANGES, is among the issues again.
func (p past) account(r workflow.Result) workflow.Result {
	told := r.Previous
	r.Previous = nil
	for _, o := range p.open() {
		q := workflow.Previous{Title: o.Title, ID: o.ID, Note: "The reviewer did not say."}
		k := slices.IndexFunc(told, func(t workflow.Previous) bool { return sameTitle(o, t) })
		if k >= 0 {
			q.Resolved, q.Note = told[k].Resolved, told[k].Note
			told = slices.Delete(told, k, k+1)
		}
		again := slices.ContainsFunc(r.Issues, o.Alike)
		if again {
			q.Resolved = false
		}
		if !again && !q.Resolved && o.Description != "" && (k >= 0 || r.Decision == workflow.NeedsChanges) &&
			len(r.Issues) < maxIssues {
			r.Issues = append(r.Issues, p.again(o))
		}
		r.Previous = append(r.Previous, q)
	}
	for _, t := range told {
		if p.latest != nil &&
			!slices.ContainsFunc(p.settled(), func(i workflow.Issue) bool { return sameTitle(i, t) }) {
			r.Previous = append(r.Previous, t)
		}
	}
	for _, d := range p.dismissed {
		r.Previous = append(r.Previous, workflow.Previous{
			Title: d.Issue.Title, ID: d.Issue.ID, Dismissed: true,
			Note: d.By + ": " + d.Reason,
		})
	}
	return r
}

// settled are earlier findings that cannot be open any more.
func (p past) settled() []workflow.Issue {
	var out []workflow.Issue
	for _, d := range p.dismissed {
		out = append(out, d.Issue)
	}
	for _, i := range p.latest.Issues {
		if i.State == workflow.Advice || i.Rule != "" {
			out = append(out, i)
		}
	}
	return out
}

// again is an earlier finding at the place where it stands now.
func (p past) again(o workflow.Issue) workflow.Issue {
	o.State, o.Suggestion = workflow.Open, nil
	f := p.seen[o.File]
	if f.same {
		return o
	}
	line := 0
	for now, before := range f.old {
		if before == o.Line {
			line = now
		}
	}
	o.Line, o.EndLine = line, 0
	return o
}

// converged reports whether nothing is left that may block: each finding is advice or was
// dismissed, nothing found before is open, and no criterion, requirement or question stands against
// an approval.
func (p past) converged(r workflow.Result, missing int, setAside bool) bool {
	advice := count(r.Issues, func(i workflow.Issue) bool { return i.State == workflow.Advice })
	return (advice > 0 || setAside) && advice == len(r.Issues) && missing == 0 &&
		count(r.Previous, isOpen) == 0 && refusals(r) == 0
}

func isOpen(q workflow.Previous) bool { return !q.Resolved && !q.Dismissed }

// refusals counts what stands against an approval besides issues.
func refusals(r workflow.Result) int {
	n := standing(
		r,
		workflow.NotMet,
	) + count(
		r.Criteria,
		func(c workflow.Criterion) bool { return c.Grade == workflow.Fail },
	)
	if unsettled(r) != "" {
		n++
	}
	return n
}

const onlyAdvice = "Only advice is left: what was found before is resolved or dismissed, and what is new is on lines that an earlier " +
	"review saw as they are. The reviewer itself said NEEDS-CHANGES.\n\n"

// recount relates the findings of the deterministic checks, which are told apart
// by rule, file and title, to those of the review before.
func (p past) recount(r workflow.Result) workflow.Result {
	r.Identify()
	r.Dismissed = p.standing()
	if p.latest != nil {
		known := p.open()
		for k := range r.Issues {
			r.Issues[k].State = workflow.Found
			if slices.ContainsFunc(known, r.Issues[k].Alike) {
				r.Issues[k].State = workflow.Open
			}
		}
		for _, o := range known {
			r.Previous = append(
				r.Previous,
				workflow.Previous{Title: o.Title, ID: o.ID, Resolved: !slices.ContainsFunc(r.Issues, o.Alike)},
			)
		}
	}
	for _, d := range p.dismissed {
		r.Previous = append(r.Previous, workflow.Previous{
			Title: d.Issue.Title, ID: d.Issue.ID, Dismissed: true,
			Note: d.By + ": " + d.Reason,
		})
	}
	return r
}

// undismissed is the checks without the findings that people set aside.
func (p past) undismissed(checks []workflow.Check) []workflow.Check {
	out := slices.Clone(checks)
	for k, c := range out {
		out[k].Issues = slices.DeleteFunc(slices.Clone(c.Issues), p.isDismissed)
		if len(c.Issues) > 0 && len(out[k].Issues) == 0 && !c.Gate && c.Outcome == workflow.Failed {
			out[k].Outcome = workflow.Noted
		}
	}
	return out
}
