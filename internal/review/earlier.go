package review

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

// histories are the earlier reviews of each artifact, by its name, oldest first. Reviews that did
// not run to their end are none.
func histories(records []record.Record) map[string][]record.Record {
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

// maxEarlierReviews is how many reviews before the latest are listed.
const maxEarlierReviews = 5

// earlierDocuments shows what earlier reviews found: the latest whole, those before with the titles
// of their issues, each open or resolved. Their text comes from the head and is data like the rest.
func earlierDocuments(h []record.Record) (docs []prompt.Document) {
	h = unamended(h)
	for i := max(0, len(h)-1-maxEarlierReviews); i < len(h); i++ {
		r, outcome, date := h[i], h[i].Decision.String(), "undated"
		if r.Result != nil {
			outcome = record.Outcome(*r.Result)
		}
		if !r.Time.IsZero() {
			date = r.Time.UTC().Format(time.DateOnly)
		}
		d := prompt.Document{
			Heading: fmt.Sprintf("Review %d of this artifact, %s: %s", i+1, date, outcome),
			Path:    r.Path,
		}
		room := prompt.MaxFormer
		if i == len(h)-1 {
			d.Heading += " (the latest)"
			room = prompt.MaxEarlier
		}
		if r.Result == nil {
			d.Body, _ = foreign.Cut(markdown.Clean(r.Text), room)
		} else {
			d.Body = prompt.Text("earlier", findingsOf(*r.Result, h[i+1:]), room)
		}
		docs = append(docs, d)
	}
	return docs
}

// earlierReview is what a record says, as a request has it: of the latest everything.
type earlierReview struct {
	workflow.Result
	Latest     bool
	Issues     []earlierIssue
	OpenBefore []string // titles of findings that the latest left open and does not list
	Unmet      []workflow.Requirement
}

// earlierIssue is an issue with what became of it.
type earlierIssue struct {
	workflow.Finding
	State string
}

// findingsOf is a review beside those that came later.
func findingsOf(r workflow.Result, later []record.Record) earlierReview {
	e := earlierReview{Result: r, Latest: len(later) == 0}
	for _, i := range r.Issues {
		state := ""
		switch {
		case !e.Latest:
			state = stateIn(i, later)
		case i.State == workflow.Advice:
			state = "advice"
		}
		e.Issues = append(e.Issues, earlierIssue{i, state})
	}
	if !e.Latest {
		return e
	}
	for _, q := range r.Previous {
		isListed := func(i workflow.Finding) bool { return sameTitle(i, q) }
		if isOpen(q) && !slices.ContainsFunc(r.Issues, isListed) {
			e.OpenBefore = append(e.OpenBefore, q.Title)
		}
	}
	for _, q := range r.Requirements {
		if q.Status != workflow.Met {
			e.Unmet = append(e.Unmet, q)
		}
	}
	return e
}

// unamended leaves out reviews on which a person decided: the file of the decision holds them
// whole.
func unamended(h []record.Record) (out []record.Record) {
	amended := map[string]bool{}
	for _, r := range slices.Backward(h) {
		about := ""
		if r.Result != nil {
			about = r.Result.Amends
		}
		if !amended[r.Path] && !amended[about] {
			out = append(out, r)
			amended[about] = about != ""
		}
	}
	slices.Reverse(out)
	return out
}

// stateIn is what later reviews say became of an issue.
func stateIn(i workflow.Finding, later []record.Record) string {
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
		if slices.ContainsFunc(r.Result.Issues, i.Alike) {
			state = "open"
		}
		for _, d := range r.Result.Dismissed {
			if d.Issue.Alike(i) {
				state = "dismissed"
			}
		}
	}
	return state
}

// lapsedDocuments names dismissed findings whose lines have changed since.
func lapsedDocuments(list []workflow.Dismissal) []prompt.Document {
	if len(list) == 0 {
		return nil
	}
	return []prompt.Document{{
		Heading: "Dismissed earlier, but the lines have changed", Note: "Look at them again.",
		Body: prompt.Text("lapsed", list, prompt.MaxFormer),
	}}
}
