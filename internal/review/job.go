package review

import (
	"fmt"
	"path"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Kind is how a job comes to its verdict.
type Kind string

// The kinds of job.
const (
	Asks     Kind = "asks"     // a model
	Computes Kind = "computes" // by the deterministic checks alone
	Recorded Kind = "recorded" // an earlier run's verdict still holds
	Carried  Kind = "carried"  // an earlier round's verdict still holds
	Decided  Kind = "decided"  // a person overruled the recorded verdict
	Ended    Kind = "ended"    // there is nothing to ask: failed, or decided already
)

// Job is one planned review.
type Job struct {
	Artifact workflow.Artifact
	Kind     Kind
	Request  Request // for Asks; in a brief plan its name alone
	Digest   string  // for Asks, of all that the request says
	Size     int     // for Asks, of the request in characters

	// result is what is known before the job runs; complete for Recorded, Carried and Ended but for
	// date and duration.
	result       workflow.Result
	afresh       workflow.Result // for Recorded and Carried: what a new review would start from
	history      history.History
	rubric       prompt.Rubric      // what an answer must grade
	absent       string             // why no verdict stands where nothing is reviewed
	gate         string             // forbids approval and says why
	gateFindings []workflow.Finding // the issues behind gate
	tree         change.Tree
	opts         Options
}

// Settled reports whether the job's verdict stands before it runs.
func (j Job) Settled() bool {
	return j.Kind == Recorded || j.Kind == Carried || j.Kind == Ended || j.Kind == Decided
}

// Absent says why an artifact has no verdict in a run that reviews nothing, "" if it has one.
func (j Job) Absent() string { return j.absent }

// Standing is the verdict of an earlier run or round that the job takes over; known is false if
// there is none.
func (j Job) Standing() (d workflow.Decision, known bool) {
	return j.result.Decision, j.Kind == Recorded || j.Kind == Carried
}

// Earlier is what the latest earlier review of the artifact found.
func (j Job) Earlier() []workflow.Finding {
	if j.history.Latest == nil {
		return nil
	}
	return j.history.Latest.Issues
}

// RequestFile is the file in which the job's request is kept beside its review:
// review-requests/<folder>/<time>-<feature>.md. ok is false if no model was asked or requests are
// not to be saved.
func (j Job) RequestFile(r workflow.Result) (file string, content []byte, ok bool) {
	if j.Kind != Asks || !j.opts.SaveRequests {
		return "", nil, false
	}
	name := path.Base(record.Path(r))
	name = strings.TrimSuffix(name, "-"+r.Decision.String()+".md") + ".md"
	text := fmt.Sprintf(
		"# Review request: %s\n\n%s\n%s",
		markdown.Line(j.Artifact.Name(), 200),
		j.Request.Instructions,
		j.Request.Prompt,
	)
	return path.Join("review-requests", j.Artifact.Type.Folder(), name), []byte(text), true
}

// asked is what an answer to the job must speak of.
func (j Job) asked() answers.Asked {
	return answers.Asked{
		Rubric:       j.rubric,
		Requirements: j.result.Requirements,
		Questions:    j.result.AllQuestions(),
		Open:         j.history.OpenHigh(),
	}
}
