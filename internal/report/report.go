// Package report turns finished reviews into one verdict and shows it: as check runs, comments, a
// job summary, outputs, JSON, HTML, and on a terminal. All of it is derived from the Report, which
// is complete and saved before anything is posted anywhere. Texts of models and repositories are
// hostile; what this package returns is safe where it is meant to go.
package report

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/form"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Run is all that a run found and did. Its secrets are redacted already.
type Run struct {
	Event     change.Event
	Head      string   // the commit under review
	MergeBase string   // commit id
	NewHead   string   // the branch's head after the reviews were committed, "" if nothing was
	Commits   []Commit // written back, oldest first

	Results    []workflow.Result
	Violations []workflow.Finding // of the run, beside those in the results
	Weakened   []workflow.Finding // of tests that nobody is known to have approved; they warn
	Issues     []workflow.Finding // of the run, which no result shows; they block
	Proof      *workflow.Proof    // what running the approved tests came to, nil without evidence
	Notices    []workflow.Finding
	Materials  map[string]Material // for fix prompts, by the artifact's name
	PutBack    []PutBack           // the way back to approved tests
	// the findings that are shown in the diff, and so nowhere else in full
	Inline    []change.LineComment
	Prices    workflow.Prices   // of the model's tokens
	Failure   *workflow.Failure // of the run as a whole: configuration, commit, a panic
	Cancelled bool
	Skipped   string // why there was nothing to review; "" = no artifact was touched

	Scope    string // what of the change the run is about, "" for the whole
	View     string // identifies that, "" for the whole
	Matrix   string // the output of that name, of a plan
	Label    string // that asks for another review, "" if none can be asked for
	Commands workflow.Commands
	// AuthorDecides says that the author of a pull request may override and dismiss on it.
	AuthorDecides bool
	Version       string        // of this program
	Source        string        // OWNER/NAME of the repository that the action is published in
	Duration      time.Duration // wall clock of the run
	Dir           string        // where Save writes, for people to find; "" if nowhere
	ServerURL     string        // "https://github.com", for links; "" = no links
	RunURL        string        // the workflow run's page, "" if there is none
}

// Commit is a commit that the run wrote.
type Commit struct {
	SHA     string `json:"sha"`
	Subject string `json:"subject"`
}

// Report is a run with its verdict. The zero Report blocks.
type Report struct {
	Run
	Decision workflow.Decision
	Tokens   workflow.Tokens // spent in this run: re-used reviews count nothing
	Held     *Held
	Passed   bool // the run's own verdict passes, and is not Decision because of Held
	own      workflow.Decision
	// of Run and its results: what is listed again and again
	violations []workflow.Finding
	found      []finding
	// page says that the report is shown as one file of the report's folder, not on GitHub.
	page bool
}

// Held is what keeps the gate of a commit from being green beside the run's own verdict.
type Held struct {
	Decision workflow.Decision // of a run whose own verdict passes
	Title    string
	Pull     int // the pull request that the title names, 0 for none
	Lines    []HeldLine
	Waits    bool // for a verdict that is to come
	// GateAlone says that the run keeps its own verdict: what the gate waits for is nobody's
	// verdict yet.
	GateAlone bool
}

// HeldLine is one other verdict in plain text, with the pull request that it names, 0 for none.
type HeldLine struct {
	Text string
	Pull int
}

// HeldBack is the report of a run beside whose verdict others stand on the commit; nil is none.
func (r Report) HeldBack(h *Held) Report {
	r.own, r.Held = r.Decision, h
	r.Passed = h != nil && r.Decision.ExitCode() == 0
	if r.Passed && !h.GateAlone {
		r.Decision = h.Decision
	}
	return r
}

// Build judges a run. The verdict is the worst of all results; violations allow no more than
// NEEDS-CHANGES, and a failure or cancellation is an ERROR. Results come in the order of their
// types, then by feature. A run that learns more later, such as a failed commit, is built again.
func Build(run Run) Report {
	rep := Report{Run: run, Decision: workflow.None}
	rep.Results = slices.Clone(run.Results)
	slices.SortStableFunc(rep.Results, func(a, b workflow.Result) int {
		return cmp.Or(typeOrder(a)-typeOrder(b),
			strings.Compare(a.Artifact.Feature, b.Artifact.Feature))
	})
	for i := range rep.Results {
		r := &rep.Results[i]
		r.Decision = judge(*r)
		r.Identify()
		r.ReviewPath = cmp.Or(r.ReviewPath, record.Path(*r))
		if !r.Cached {
			rep.Tokens = rep.Tokens.Add(r.Tokens)
		}
		rep.Decision = min(rep.Decision, r.Decision)
	}
	own := workflow.Result{Issues: run.Issues}
	own.Identify()
	rep.Issues = own.Issues
	rep.found = rep.find()
	all := slices.Clone(rep.Violations)
	for _, res := range rep.Results {
		all = append(all, res.Violations...)
	}
	rep.violations = workflow.Distinct(all)
	if len(rep.violations)+len(rep.Issues) > 0 {
		rep.Decision = min(rep.Decision, workflow.NeedsChanges)
	}
	if run.Failure != nil || run.Cancelled {
		rep.Decision = workflow.Error
	}
	return rep
}

// judge holds a result to its own evidence: what failed is an ERROR, and
// nothing with a violation is approved. A decision out of range is an ERROR.
func judge(r workflow.Result) workflow.Decision {
	switch {
	case r.Failure != nil, r.Decision < workflow.Error, r.Decision > workflow.None:
		return workflow.Error
	case len(r.Violations) > 0:
		return min(r.Decision, workflow.NeedsChanges)
	}
	return r.Decision
}

func typeOrder(r workflow.Result) int {
	return slices.Index(workflow.Types(), r.Artifact.Type)
}

// AllViolations are the run's and the results' violations, each once.
func (r Report) AllViolations() []workflow.Finding { return r.violations }

// forms are the texts of this package, parsed when the first is needed.
var forms struct {
	sync.Once
	*template.Template
}

// fill is the text of a form with its data, without empty lines around it.
func fill(name string, data any) string { return form.Fill(parsedForms(), name, data) }

func parsedForms() *template.Template {
	forms.Do(func() { forms.Template = newForms() })
	return forms.Template
}
