package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// history is the earlier reviews of one (type, feature), oldest first. Reviews
// that did not run to their end are none.
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

// earlierDocuments shows what earlier reviews found: the latest with all its
// issues, the two before with the titles of theirs. Their text comes from the
// head and is data like the rest.
func earlierDocuments(h []record.Record) []document {
	if len(h) == 0 {
		return nil
	}
	var docs []document
	for i := len(h) - 1; i >= max(0, len(h)-3); i-- {
		d := document{
			heading: fmt.Sprintf("Review %d of this artifact, %s: %s", i+1, dateOf(h[i].Time), h[i].Decision),
			path:    h[i].Path,
		}
		room := maxFormer
		if i == len(h)-1 {
			d.heading += " (the latest)"
			room = maxEarlier
		}
		d.body, _ = cutAt(findings(h[i], i == len(h)-1), room)
		docs = append(docs, d)
	}
	slices.Reverse(docs)
	return docs
}

func dateOf(t time.Time) string {
	if t.IsZero() {
		return "undated"
	}
	return t.UTC().Format(time.DateOnly)
}

// findings is what a record says, in a form that does not depend on how the
// file spelled it.
func findings(r record.Record, whole bool) string {
	if r.Result == nil {
		text, _ := clean(r.Text)
		return text
	}
	var b strings.Builder
	if whole {
		fmt.Fprintf(&b, "Summary: %s\n", line(r.Result.Summary, maxField))
	}
	if len(r.Result.Issues) == 0 {
		b.WriteString("No issues.\n")
	}
	for _, i := range r.Result.Issues {
		fmt.Fprintf(&b, "- %s: %s%s\n", i.Severity, line(i.Title, maxTitle), placeOf(i))
		if !whole {
			continue
		}
		fmt.Fprintf(&b, "  %s\n", line(i.Description, maxField))
		if i.Recommendation != "" {
			fmt.Fprintf(&b, "  Recommended: %s\n", line(i.Recommendation, maxField))
		}
	}
	for _, q := range r.Result.Requirements {
		if whole && q.Status != workflow.Met {
			fmt.Fprintf(&b, "- Requirement %s: %s. %s\n", q.ID, q.Status, line(q.Reason, maxReason))
		}
	}
	return b.String()
}

// unanswered adds the latest review's issues that the model did not account
// for; they count as open.
func unanswered(r workflow.Result, h []record.Record) workflow.Result {
	if len(h) == 0 {
		r.Previous = nil
		return r
	}
	latest := h[len(h)-1].Result
	if latest == nil {
		return r
	}
	answered := map[string]bool{}
	for _, p := range r.Previous {
		answered[words(p.Title)] = true
	}
	for _, i := range latest.Issues {
		if !answered[words(i.Title)] && len(r.Previous) < maxPrevious {
			r.Previous = append(r.Previous, workflow.Previous{Title: line(i.Title, maxTitle), Note: "The reviewer did not say."})
		}
	}
	return r
}
