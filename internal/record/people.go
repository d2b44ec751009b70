package record

import (
	"fmt"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// Progress tells the round of a review and what became of its findings: "iteration 2 of 3 · 4
// resolved · 2 open · 0 new", with what is advice or dismissed where there is any; "" if the
// iteration is not known.
func Progress(r workflow.Result) string {
	if r.Iteration < 1 || r.Decision == workflow.Error {
		return ""
	}
	s := fmt.Sprintf("iteration %d", r.Iteration)
	if r.MaxIterations > 0 {
		s += fmt.Sprintf(" of %d", r.MaxIterations)
	}
	state := map[workflow.FindingState]int{}
	for _, i := range r.Issues {
		state[i.State]++
	}
	var resolved, open int
	for _, p := range r.Previous {
		switch {
		case p.Resolved:
			resolved++
		case !p.Dismissed:
			open++
		}
	}
	if len(r.Previous)+state[workflow.Found]+state[workflow.Open]+state[workflow.Advice] > 0 {
		s += fmt.Sprintf(
			" · %d resolved · %d open · %d new", resolved, max(open, state[workflow.Open]),
			state[workflow.Found],
		)
	}
	if n := state[workflow.Advice]; n > 0 {
		s += fmt.Sprintf(" · %d advice", n)
	}
	if n := len(r.Dismissed); n > 0 {
		s += fmt.Sprintf(" · %d dismissed", n)
	}
	return s
}

// PreviousState is Resolved, Open or Dismissed.
func PreviousState(p workflow.Previous) string {
	switch {
	case p.Dismissed:
		return "Dismissed"
	case p.Resolved:
		return "Resolved"
	default:
		return "Open"
	}
}

// plainURL is an address in which nothing ends a Markdown link.
var plainURL = lazyregexp.New(`^https?://[A-Za-z0-9._:/#-]{1,500}$`)

// commentLink is a link to a comment, "" unless the address is a plain URL.
func commentLink(url string) string {
	if !plainURL.MatchString(url) {
		return ""
	}
	return " ([comment](" + url + "))"
}
