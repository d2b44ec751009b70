package review

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
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

// graded gives a finding its state. A new one blocks wherever it is if it is High, about security
// or correctness, and names the input or state that shows it.
func (p past) graded(i workflow.Finding) workflow.Finding {
	isGrave := i.Category == workflow.Security || i.Category == workflow.Correctness
	blocksAnywhere := isGrave && i.Level == workflow.Block && foreign.HasWords(i.Trigger)
	switch {
	case p.latest == nil:
	case p.knew(i):
		i.State = workflow.Open
	case byRules(p.latest.Engine) || !p.saw(i) || blocksAnywhere: // rules read no lines
		i.State = workflow.Found
	default:
		i.State = workflow.Advice
		if i.Level != workflow.Note {
			i.Text += fmt.Sprintf("\n\nAdvice only: the reviewer calls it %s, but an earlier "+
				"review saw these lines as they are and did not.", i.Level)
			i.Level = workflow.Note
		}
	}
	return i
}

// knew reports whether the latest review has the finding as one that blocks: the same, or one on
// the same lines.
func (p past) knew(i workflow.Finding) bool {
	before := i.Line
	if f := p.seen[i.File]; !f.same {
		before = f.old[i.Line]
	}
	return slices.ContainsFunc(p.open(), func(o workflow.Finding) bool {
		isThere := o.File == i.File && o.Line <= before && before <= max(o.Line, o.EndLine)
		return o.Alike(i) || before > 0 && isThere
	})
}

// open are the findings that the latest review left open. Beside a model, what this program found
// is asked and decided anew.
func (p past) open() (out []workflow.Finding) {
	if p.latest == nil {
		return nil
	}
	for _, i := range p.latest.Issues {
		if i.State != workflow.Advice && (i.Kind == "" || p.latest.Engine == EngineRules) {
			out = append(out, i)
		}
	}
	for _, q := range p.latest.Previous {
		isListed := func(o workflow.Finding) bool { return sameTitle(o, q) }
		if isOpen(q) && !slices.ContainsFunc(out, isListed) {
			out = append(out, workflow.Finding{Key: q.ID, Title: q.Title, Level: workflow.Warn})
		}
	}
	return out
}

// grave are the titles of the High findings that the latest review left open.
func (p past) grave() (titles []string) {
	for _, o := range p.open() {
		if o.Level == workflow.Block {
			titles = append(titles, markdown.Line(o.Title, answers.MaxTitle))
		}
	}
	return titles
}

func isOpen(q workflow.Previous) bool { return !q.Resolved && !q.Dismissed }

func sameTitle(i workflow.Finding, q workflow.Previous) bool {
	return i.Key != "" && i.Key == q.ID ||
		workflow.PlainWords(i.Title) == workflow.PlainWords(q.Title)
}

// account says of each earlier finding what became of it. What the answer does not speak of counts
// as open. What it calls open is among the issues again, and so is what it does not speak of if that
// is High or the answer says NEEDS-CHANGES.
func (p past) account(r workflow.Result) workflow.Result {
	told := slices.Clone(r.Previous)
	counts := func(o workflow.Finding) bool {
		return r.Decision == workflow.NeedsChanges || o.Level == workflow.Block
	}
	r.Previous = nil
	for _, o := range p.open() {
		q := workflow.Previous{Title: o.Title, ID: o.Key, Note: "The reviewer did not say."}
		k := slices.IndexFunc(told, func(t workflow.Previous) bool { return sameTitle(o, t) })
		if k >= 0 {
			q.Resolved, q.Note = told[k].Resolved, told[k].Note
			told = slices.Delete(told, k, k+1) // another one of the title has its own entry
		}
		if slices.ContainsFunc(r.Issues, o.Alike) {
			q.Resolved = false
		} else if !q.Resolved && o.Text != "" && (k >= 0 || counts(o)) {
			r.Issues = append(r.Issues, p.again(o))
		}
		r.Previous = append(r.Previous, q)
	}
	return p.withDismissed(r)
}

// withDismissed adds what people set aside to what became of earlier findings.
func (p past) withDismissed(r workflow.Result) workflow.Result {
	for _, d := range p.dismissed {
		r.Previous = append(r.Previous, workflow.Previous{
			Title: d.Issue.Title, ID: d.Issue.Key, Dismissed: true, Note: d.By + ": " + d.Reason,
		})
	}
	return r
}

// again is an earlier finding at the place where it stands now.
func (p past) again(o workflow.Finding) workflow.Finding {
	o.State, o.Suggestion = workflow.Open, nil
	f := p.seen[o.File]
	if f.same {
		return o
	}
	before := o.Line
	o.Line, o.EndLine = 0, 0
	for now, old := range f.old {
		if old == before {
			o.Line = now
		}
	}
	return o
}

// recount relates the findings of the deterministic checks, which are told apart by rule, file and
// title, to those of the review before.
func (p past) recount(r workflow.Result) workflow.Result {
	r.Identify()
	r.Dismissed = p.standing()
	known := p.open()
	for k := range r.Issues {
		switch {
		case slices.ContainsFunc(known, r.Issues[k].Alike):
			r.Issues[k].State = workflow.Open
		case p.latest != nil:
			r.Issues[k].State = workflow.Found
		}
	}
	for _, o := range known {
		r.Previous = append(r.Previous, workflow.Previous{
			Title: o.Title, ID: o.Key, Resolved: !slices.ContainsFunc(r.Issues, o.Alike),
		})
	}
	return p.withDismissed(r)
}

// undismissed is the checks without the findings that people set aside.
func (p past) undismissed(checks []workflow.Check) []workflow.Check {
	out := slices.Clone(checks)
	for k, c := range out {
		out[k].Issues = slices.DeleteFunc(slices.Clone(c.Issues), p.isDismissed)
		isEmptied := len(c.Issues) > 0 && len(out[k].Issues) == 0
		if isEmptied && !c.Gate && c.Outcome == workflow.Failed {
			out[k].Outcome = workflow.Noted
		}
	}
	return out
}
