package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// history is the earlier reviews of one (type, feature), oldest first. Reviews that did not run to
// their end are none.
func history(records []record.Record, a workflow.Artifact) []record.Record {
	var h []record.Record
	for _, r := range records {
		if r.Type == a.Type && r.Feature == a.Feature && r.Decision != workflow.Error {
			h = append(h, r)
		}
	}
	slices.SortStableFunc(h, func(x, y record.Record) int {
		return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Iteration, y.Iteration), strings.Compare(x.Path, y.Path))
	})
	return h
}

// maxEarlierReviews is how many reviews before the latest are listed.
const maxEarlierReviews = 5

// earlierDocuments shows what earlier reviews found: the latest whole, those before with the titles
// of their issues, each open or resolved. Their text comes from the head and is data like the rest.
func earlierDocuments(h []record.Record) []prompt.Document {
	h = unamended(h)
	if len(h) == 0 {
		return nil
	}
	var docs []prompt.Document
	for i := len(h) - 1; i >= max(0, len(h)-1-maxEarlierReviews); i-- {
		d := prompt.Document{
			Heading: fmt.Sprintf("Review %d of this artifact, %s: %s", i+1, dateOf(h[i].Time), outcome(h[i])),
			Path:    h[i].Path,
		}
		room := prompt.MaxFormer
		if i == len(h)-1 {
			d.Heading += " (the latest)"
			room = prompt.MaxEarlier
		}
		d.Body, _ = foreign.CutAt(findings(h[i], h[i+1:]), room)
		docs = append(docs, d)
	}
	slices.Reverse(docs)
	return docs
}

// dateOf is a day in UTC, "undated" for none.
func dateOf(t time.Time) string {
	if t.IsZero() {
		return "undated"
	}
	return t.UTC().Format(time.DateOnly)
}

// findings is what a record says, in a form that does not depend on how the file spelled it.
func findings(r record.Record, later []record.Record) string {
	whole := len(later) == 0
	if r.Result == nil {
		text := markdown.Clean(r.Text)
		return text
	}
	var b strings.Builder
	if whole {
		fmt.Fprintf(&b, "Summary: %s\n", markdown.Line(r.Result.Summary, foreign.MaxBlock))
	}
	if len(r.Result.Issues) == 0 {
		b.WriteString("No issues.\n")
	}
	for _, i := range r.Result.Issues {
		state := ""
		if s := stateIn(i, later); !whole {
			state = ", " + s
		} else if i.State == workflow.Advice {
			state = ", advice"
		}
		fmt.Fprintf(
			&b,
			"- %s%s: %s%s\n",
			i.Severity,
			state,
			markdown.Line(i.Title, answers.MaxTitle),
			prompt.PlaceOf(i),
		)
		if !whole {
			continue
		}
		fmt.Fprintf(&b, "  %s\n", markdown.Line(i.Description, foreign.MaxBlock))
		if i.Recommendation != "" {
			fmt.Fprintf(&b, "  Recommended: %s\n", markdown.Line(i.Recommendation, foreign.MaxBlock))
		}
	}
	b.WriteString(decided(*r.Result, whole))
	for _, q := range r.Result.Requirements {
		if whole && q.Status != workflow.Met {
			fmt.Fprintf(&b, "- Requirement %s: %s. %s\n", q.ID, q.Status, markdown.Line(q.Reason, answers.MaxReason))
		}
	}
	return b.String()
}

// unamended leaves out reviews on which a person decided: the file of the decision holds them
// whole.
func unamended(h []record.Record) []record.Record {
	amended := map[string]bool{}
	var out []record.Record
	for _, r := range slices.Backward(h) {
		about := ""
		if r.Result != nil {
			about = r.Result.Amends
		}
		if amended[r.Path] || about != "" && amended[about] {
			continue
		}
		if about != "" {
			amended[about] = true
		}
		out = append(out, r)
	}
	slices.Reverse(out)
	return out
}

// outcome is a record's decision in words.
func outcome(r record.Record) string {
	if r.Result == nil {
		return r.Decision.String()
	}
	return record.Outcome(*r.Result)
}

// stateIn is what later reviews say became of an issue.
func stateIn(i workflow.Issue, later []record.Record) string {
	state := "open"
	for _, r := range later {
		if r.Result == nil {
			continue
		}
		for _, q := range r.Result.Previous {
			if q.Resolved && sameTitle(i, q) {
				state = "resolved"
			}
		}
		for _, o := range r.Result.Issues {
			if o.Alike(i) {
				state = "open"
			}
		}
		for _, d := range r.Result.Dismissed {
			if d.Issue.Alike(i) {
				state = "dismissed"
			}
		}
	}
	return state
}

// decided tells what people decided on a review, and for the latest what of earlier findings it
// left open.
func decided(r workflow.Result, whole bool) string {
	var b strings.Builder
	if o := r.Override; o != nil {
		fmt.Fprintf(
			&b,
			"- Overridden by %s, who answers for the findings above: %s\n",
			markdown.Line(o.By, answers.MaxTitle),
			markdown.Line(o.Reason, foreign.MaxBlock),
		)
	}
	for _, d := range r.Dismissed {
		fmt.Fprintf(
			&b,
			"- Dismissed by %s: %s%s. Reason: %s\n",
			markdown.Line(d.By, answers.MaxTitle),
			markdown.Line(d.Issue.Title, answers.MaxTitle),
			prompt.PlaceOf(d.Issue),
			markdown.Line(d.Reason, foreign.MaxBlock),
		)
	}
	for _, q := range r.Previous {
		listed := slices.ContainsFunc(r.Issues, func(i workflow.Issue) bool { return sameTitle(i, q) })
		if whole && isOpen(q) && !listed {
			fmt.Fprintf(&b, "- Open since before: %s\n", markdown.Line(q.Title, answers.MaxTitle))
		}
	}
	return b.String()
}

// lapsedDocuments names dismissed findings whose lines have changed since.
func lapsedDocuments(list []workflow.Dismissal) []prompt.Document {
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "- %s%s\n", markdown.Line(d.Issue.Title, answers.MaxTitle), prompt.PlaceOf(d.Issue))
	}
	body, _ := foreign.Cut(b.String(), prompt.MaxFormer)
	return []prompt.Document{
		{Heading: "Dismissed earlier, but the lines have changed", Note: "Look at them again.", Body: body},
	}
}
