package report

import (
	"encoding/json"
	"slices"
	"strings"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// maxOutput bounds one output in bytes; all of a job's together may have 1 MB.
const maxOutput = 256 << 10

// Output is one review in the output "reviews".
type Output struct {
	Type     workflow.Type      `json:"type"`
	Feature  string             `json:"feature"`
	Decision workflow.Decision  `json:"decision"`
	Path     string             `json:"path"`     // of the review file, relative to the root
	Artifact string             `json:"artifact"` // path of its first file
	MovedTo  string             `json:"moved_to"` // "" if it stays
	Issues   []workflow.Finding `json:"issues"`
	Verdict  workflow.Verdict   `json:"verdict"` // the decision in the words of other workflows
	// Requirements are the spec's acceptance criteria; none where a review is not held against
	// them.
	Requirements []workflow.Requirement `json:"requirements"`
	Cached       bool                   `json:"cached"`
	Tokens       workflow.Tokens        `json:"tokens"`
}

// output is a review as the output reviews has it. No list in it is nil.
func output(res workflow.Result) Output {
	requirements := nonNil(slices.Clone(res.Requirements))
	for i, r := range requirements {
		requirements[i].Tests, requirements[i].Code = nonNil(r.Tests), nonNil(r.Code)
	}
	return Output{
		Type: res.Artifact.Type, Feature: res.Artifact.Feature, Decision: res.Decision,
		Path:     res.ReviewPath,
		Artifact: res.Artifact.Path(), MovedTo: res.MovedTo, Issues: nonNil(res.Issues),
		Verdict:      res.Verdict(),
		Requirements: requirements, Cached: res.Cached, Tokens: res.Tokens,
	}
}

// Pair is one output of the action.
type Pair struct{ Name, Value string }

// Outputs are the action's outputs in the order of its documentation. Values
// may span lines and hold hostile text: write them with a random delimiter.
func (r Report) Outputs() []Pair {
	var paths []string
	for _, res := range r.Results {
		paths = append(paths, res.ReviewPath)
	}
	return []Pair{
		{"decision", r.Decision.String()},
		{"reviews", r.reviews()},
		{"review-paths", strings.Join(paths, "\n")},
		{"violations", violations(r.AllViolations())},
		{"matrix", r.Matrix},
		{"summary", r.Summary()},
		{"report-dir", r.Dir},
		{"fix-context", r.FixContext()},
		{"tokens", encode(r.Tokens)},
	}
}

// reviews shortens texts and lists, then leaves out findings and requirements, until the list fits;
// report.json always has all of them.
func (r Report) reviews() string {
	for most := maxOutput; ; most /= 8 {
		list, fits := r.reviewsWithin(most)
		if fits || most < leastReview {
			return list
		}
	}
}

// leastReview is the most bytes of a review below which its findings and requirements are left out.
const leastReview = 1 << 10

// reviewsWithin is the list of reviews of at most so many bytes each, about; "[]" as soon as it is
// longer than an output may be.
func (r Report) reviewsWithin(most int) (list string, fits bool) {
	var b strings.Builder
	for _, res := range r.Results {
		if most < maxOutput {
			res = record.Fit(res, most)
		}
		if most < leastReview {
			res.Issues, res.Requirements = nil, nil
		}
		b.WriteString("," + encode(output(res)))
		if b.Len() >= maxOutput {
			return "[]", false
		}
	}
	return "[" + strings.TrimPrefix(b.String(), ",") + "]", true
}

// violations is the output of that name, with as many of them as GitHub takes.
func violations(vs workflow.Violations) string {
	for n := len(vs); ; n /= 2 {
		if s := encode(nonNil(vs[:n])); len(s) <= maxOutput || n == 0 {
			return s
		}
	}
}

// encode is compact JSON. The types given have no value that cannot be encoded.
func encode(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(out)
}
