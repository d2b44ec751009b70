package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// ByArtifact are the earlier reviews of each artifact, by its name, oldest first. Reviews that did
// not run to their end are none.
func ByArtifact(records []record.Record) map[string][]record.Record {
	out := map[string][]record.Record{}
	for _, r := range records {
		if r.Decision != workflow.Error {
			name := workflow.Artifact{Type: r.Type, Feature: r.Feature}.Name()
			out[name] = append(out[name], r)
		}
	}
	for _, h := range out {
		slices.SortStableFunc(h, func(x, y record.Record) int {
			return cmp.Or(x.Time.Compare(y.Time), cmp.Compare(x.Iteration, y.Iteration),
				strings.Compare(x.Path, y.Path))
		})
	}
	return out
}

// Documents shows what the latest of earlier reviews found, which says of what was found
// before whether it is open. Its text comes from the head and is data like the rest.
func Documents(h []record.Record) []prompt.Document {
	if len(h) == 0 {
		return nil
	}
	r, date := h[len(h)-1], "undated"
	if !r.Time.IsZero() {
		date = r.Time.UTC().Format(time.DateOnly)
	}
	d := prompt.Document{Path: r.Path}
	if r.Result == nil {
		d.Heading = fmt.Sprintf("The latest review, %s: %s", date, r.Decision)
		d.Note = r.Warning
		d.Body, _ = foreign.Cut(markdown.Clean(r.Text), prompt.MaxEarlier)
		return []prompt.Document{d}
	}
	d.Heading = fmt.Sprintf("The latest review, %s: %s", date, record.Outcome(*r.Result))
	e := earlierReview{Result: *r.Result}
	for _, q := range r.Result.Previous {
		if q.IsOpen() && !slices.ContainsFunc(r.Result.Issues, q.IsAbout) {
			e.OpenBefore = append(e.OpenBefore, q.Title)
		}
	}
	d.Body = prompt.Text("earlier", e, prompt.MaxEarlier)
	return []prompt.Document{d}
}

// earlierReview is what a review says, as a request has it.
type earlierReview struct {
	workflow.Result
	OpenBefore []string // titles of findings that it left open and does not list
}

// Lapsed names dismissed findings whose lines have changed since.
func (h History) Lapsed() []prompt.Document {
	if len(h.lapsed) == 0 {
		return nil
	}
	return []prompt.Document{{
		Heading: "Dismissed earlier, but the lines have changed", Note: "Look at them again.",
		Body: prompt.Text("lapsed", h.lapsed, prompt.MaxFormer),
	}}
}
