package rules

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// once reports whether a run is told in one finding what a rule found: whatever does not block, but for Medium findings
// of documents, each of which is a gap of its own.
func (r rule) once(i workflow.Issue) bool {
	return i.Severity == workflow.Low || i.Severity == workflow.Medium && r.ofCode()
}

func (r rule) ofCode() bool {
	return strings.HasPrefix(r.ID, "code/") || strings.HasPrefix(r.ID, "tests/")
}

// told are the findings of a rule: what is only counted is none, and the first of
// those that are told once names the places of the others.
func (r rule) told(found []workflow.Issue) []workflow.Issue {
	var out []workflow.Issue
	first := -1
	var others []string
	for _, i := range found {
		switch {
		case i.Severity == counted:
		case !r.once(i):
			out = append(out, i)
		case first < 0:
			first = len(out)
			out = append(out, i)
		default:
			others = append(others, elsewhere(i, out[first]))
		}
	}
	if len(others) > 0 {
		out[first].Description += " Also " + some(others) + "."
	}
	return out[:min(len(out), maxIssues)]
}

// manyPlaces is how many findings of one check a review tells one by one, maxPlaces how many places it names of more.
const manyPlaces, maxPlaces = 3, 20

// gathered are the findings of one check that a review without a model has. They are
// what told left apart: High ones, and gaps of documents. Of many the worst, with the
// places of the others; of those about security, which block, and of tests one a file.
func gathered(issues []workflow.Issue) []workflow.Issue {
	security := len(issues) > 0 && issues[0].Category == workflow.Security
	if len(issues) > manyPlaces && !security {
		return []workflow.Issue{gather(issues)}
	}
	var out []workflow.Issue
	for first, end := 0, 0; first < len(issues); first = end {
		aFile := security || issues[first].Category == workflow.Testing
		for end++; aFile && end < len(issues) && issues[end].File == issues[first].File; {
			end++
		}
		out = append(out, gather(issues[first:end]))
	}
	return out
}

func gather(issues []workflow.Issue) workflow.Issue {
	sorted := slices.Clone(issues)
	slices.SortStableFunc(sorted, bySeverity)
	first, others := sorted[0], sorted[1:]
	if len(others) == 0 {
		return first
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nThe same in %s:", first.Description, workflow.Count(len(others), "other place"))
	for _, i := range others[:min(len(others), maxPlaces)] {
		fmt.Fprintf(&b, "\n- %s: %s", place(i), i.Title)
	}
	if n := len(others) - maxPlaces; n > 0 {
		fmt.Fprintf(&b, "\n- and %d more", n)
	}
	first.Description = b.String()
	return first
}

// elsewhere is where an issue is, and what it is if that is not what the first says of its own place.
func elsewhere(i, first workflow.Issue) string {
	if strings.ReplaceAll(i.Title, i.File, "") == strings.ReplaceAll(first.Title, first.File, "") {
		return place(i)
	}
	return place(i) + " (" + i.Title + ")"
}

func place(i workflow.Issue) string {
	if i.Line == 0 {
		return i.File
	}
	return fmt.Sprintf("%s:%d", i.File, i.Line)
}

func placesOf(issues []workflow.Issue) []string {
	var out []string
	for _, i := range issues {
		out = append(out, place(i))
	}
	return out
}

// OnceARun leaves of the findings that are made once a run the first, and lets it name the places of the others. checks
// are those of the artifacts, in their order; what is left out stays in the other checks' summaries.
func OnceARun(artifacts []workflow.Artifact, checks [][]workflow.Check) {
	for _, r := range all() {
		var first *workflow.Issue
		var where workflow.Artifact
		var others []string
		for i := range checks {
			at := slices.IndexFunc(checks[i], func(c workflow.Check) bool { return c.ID == r.ID })
			if at < 0 {
				continue
			}
			c := &checks[i][at]
			one := slices.IndexFunc(c.Issues, r.once)
			switch {
			case one < 0:
			case first == nil:
				c.Issues = slices.Clone(c.Issues)
				first, where = &c.Issues[one], artifacts[i]
			default:
				others = append(others, elsewhere(c.Issues[one], *first))
				c.Issues = slices.Delete(slices.Clone(c.Issues), one, one+1)
				c.Summary += " (told under " + where.Name() + ")"
			}
		}
		if len(others) > 0 {
			first.Description += " Also " + some(others) + "."
		}
	}
}
