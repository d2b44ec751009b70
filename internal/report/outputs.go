package report

import (
	"encoding/json"
	"strings"

	"workflow-reviewer/internal/markdown"
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

// output is a review as the output reviews has it.
func output(res workflow.Result) Output {
	return Output{
		Type: res.Artifact.Type, Feature: res.Artifact.Feature, Decision: res.Decision, Path: res.ReviewPath,
		Artifact: res.Artifact.Path(), MovedTo: res.MovedTo, Issues: some(res.Issues), Verdict: res.Verdict(),
		Requirements: clipRequirements(res.Requirements, 0, len(res.Requirements)), Cached: res.Cached, Tokens: res.Tokens,
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

// reviews shortens the issues' texts, then leaves issues out, until the list fits; report.json
// always has all of them.
func (r Report) reviews() string {
	for _, l := range []struct{ text, issues int }{{0, 1000}, {2000, 200}, {300, 50}, {100, 10}, {100, 0}} {
		list := []Output{}
		for _, res := range r.Results {
			o := output(res)
			o.Issues = clipIssues(o.Issues, l.text, l.issues)
			o.Requirements = clipRequirements(o.Requirements, l.text, l.issues)
			list = append(list, o)
		}
		if s := encode(list); len(s) <= maxOutput {
			return s
		}
	}
	return "[]"
}

// clipIssues keeps n issues with texts of at most text bytes. A suggestion that does not fit is
// dropped.
func clipIssues(in []workflow.Finding, text, n int) []workflow.Finding {
	out := []workflow.Finding{}
	for _, i := range in[:min(n, len(in))] {
		i.Title = markdown.Clip(i.Title, text)
		i.Text, i.Fix = markdown.Clip(i.Text, text), markdown.Clip(i.Fix, text)
		i.Trigger = markdown.Clip(i.Trigger, text)
		if i.Suggestion != nil && text > 0 && len(*i.Suggestion) > text {
			i.Suggestion = nil
		}
		out = append(out, i)
	}
	return out
}

// clipRequirements shortens the texts of at most n requirements, text 0 leaves them whole. No list
// in it is nil.
func clipRequirements(in []workflow.Requirement, text, n int) []workflow.Requirement {
	out := []workflow.Requirement{}
	for _, r := range in[:min(n, len(in))] {
		r.Text, r.Changed, r.Reason = markdown.Clip(r.Text, text), markdown.Clip(r.Changed, text), markdown.Clip(r.Reason, text)
		r.Tests, r.Code = some(r.Tests), some(r.Code)
		out = append(out, r)
	}
	return out
}

// violations is the output of that name, with as many of them as GitHub takes.
func violations(vs workflow.Violations) string {
	for n := len(vs); ; n /= 2 {
		if s := encode(some(vs[:n])); len(s) <= maxOutput || n == 0 {
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
