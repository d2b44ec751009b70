package history

import (
	"fmt"
	"slices"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// Relate sorts an answer's findings by what earlier reviews knew: dismissed ones are left
// out, new ones on lines that the latest review saw unchanged become advice, earlier ones that the
// answer leaves open are taken up again. setAside tells whether one was left out.
func (h History) Relate(r workflow.Result) (related workflow.Result, setAside bool) {
	r.Identify()
	issues := r.Issues
	r.Issues = nil
	// Only what a reviewer of lines says of lines that one saw can be advice.
	wasRead := h.Latest != nil && isRead(*h.Latest) && isRead(r)
	for _, i := range issues {
		if !h.isDismissed(i) {
			r.Issues = append(r.Issues, h.graded(i, wasRead))
		}
	}
	setAside = len(r.Issues) < len(issues)
	r.Dismissed = h.Dismissed
	return h.account(r), setAside
}

// isRead reports whether more than the built-in checks looked at what a result is of.
func isRead(r workflow.Result) bool { return workflow.ReaderOf(r.Engine) != workflow.ByRules }

// graded gives a finding its state. A new one blocks wherever it is if it is High, about security
// or correctness, and names the input or state that shows it.
func (h History) graded(i workflow.Finding, wasRead bool) workflow.Finding {
	isGrave := i.Category == workflow.Security || i.Category == workflow.Correctness
	blocksAnywhere := isGrave && i.Level == workflow.Block && foreign.HasWords(i.Trigger)
	switch {
	case h.Latest == nil:
	case h.knew(i):
		i.State = workflow.Open
	case !wasRead || !h.saw(i) || blocksAnywhere:
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
func (h History) knew(i workflow.Finding) bool {
	before := i.Line
	if f := h.seen[i.File]; !f.same {
		before = f.old[i.Line]
	}
	return slices.ContainsFunc(h.Open(), func(o workflow.Finding) bool {
		isThere := o.File == i.File && o.Line <= before && before <= max(o.Line, o.EndLine)
		return o.Alike(i) || before > 0 && isThere
	})
}

// Open are the findings that the latest review left open; those without a level are known by their
// titles alone. Beside a model, what this program found is asked and decided anew.
func (h History) Open() (out []workflow.Finding) {
	if h.Latest == nil {
		return nil
	}
	for _, i := range h.Latest.Issues {
		if i.State != workflow.Advice && (i.Kind == "" || !isRead(*h.Latest)) {
			out = append(out, i)
		}
	}
	for _, q := range h.Latest.Previous {
		if q.IsOpen() && !slices.ContainsFunc(out, q.IsAbout) {
			out = append(out, workflow.Finding{Key: q.ID, Title: q.Title})
		}
	}
	return out
}

// OpenHigh are the titles of the High findings that the latest review left open.
func (h History) OpenHigh() (titles []string) {
	for _, o := range h.Open() {
		if o.Level == workflow.Block {
			titles = append(titles, markdown.Line(o.Title, answers.MaxTitle))
		}
	}
	return titles
}

// account says of each earlier finding what became of it. What the answer does not speak of counts
// as open. What it calls open is among the issues again, and so is what it does not speak of if
// that is High or the answer says NEEDS-CHANGES.
func (h History) account(r workflow.Result) workflow.Result {
	told := slices.Clone(r.Previous)
	counts := func(o workflow.Finding) bool {
		return r.Decision == workflow.NeedsChanges || o.Level == workflow.Block
	}
	r.Previous = nil
	open := h.Open()
	for n, isListed := range listed(open, r.Issues) {
		o := open[n]
		q := workflow.Previous{Title: o.Title, ID: o.Key, Note: "The reviewer did not say."}
		k := slices.IndexFunc(told, func(t workflow.Previous) bool { return t.IsAbout(o) })
		if k >= 0 {
			q.Resolved, q.Note = told[k].Resolved, told[k].Note
			told = slices.Delete(told, k, k+1) // another one of the title has its own entry
		}
		if isListed {
			q.Resolved = false
		} else if !q.Resolved && o.Level != "" && (k >= 0 || counts(o)) {
			r.Issues = append(r.Issues, h.Again(o))
		}
		r.Previous = append(r.Previous, q)
	}
	return h.withDismissed(r)
}

// listed tells of each earlier finding whether an issue is the same, by its id or else by its
// words. No issue is the same as two.
func listed(earlier, issues []workflow.Finding) []bool {
	out, taken := make([]bool, len(earlier)), make([]bool, len(issues))
	isIt := func(a, b workflow.Finding) bool { return a.Key != "" && a.Key == b.Key }
	for _, isSame := range []func(a, b workflow.Finding) bool{isIt, workflow.Finding.Alike} {
		for n, o := range earlier {
			for k, i := range issues {
				if !out[n] && !taken[k] && isSame(o, i) {
					out[n], taken[k] = true, true
				}
			}
		}
	}
	return out
}

// withDismissed adds what people set aside to what became of earlier findings.
func (h History) withDismissed(r workflow.Result) workflow.Result {
	for _, d := range h.Dismissed {
		r.Previous = append(r.Previous, workflow.Previous{
			Title: d.Issue.Title, ID: d.Issue.Key, Dismissed: true, Note: d.By + ": " + d.Reason,
		})
	}
	return r
}

// Again is an earlier finding at the place where it stands now.
func (h History) Again(o workflow.Finding) workflow.Finding {
	o.State, o.Suggestion = workflow.Open, nil
	if f := h.seen[o.File]; !f.same {
		o.Line, o.EndLine = f.now(o.Line), 0
	}
	return o
}

// Recount relates the findings of the deterministic checks, which are told apart by rule, file and
// title, to those of the review before: what is not found any more is resolved.
func (h History) Recount(r workflow.Result) workflow.Result {
	r.Identify()
	open := h.Open()
	for n, isListed := range listed(open, r.Issues) {
		r.Previous = append(r.Previous, workflow.Previous{
			Title: open[n].Title, ID: open[n].Key, Resolved: !isListed,
		})
	}
	related, _ := h.Relate(r)
	return related
}
