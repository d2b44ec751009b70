package review

import (
	"cmp"
	"context"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// The kinds of engine.
const (
	EngineCodex = "codex"
	EngineRules = "rules"
)

// byRules reports whether an engine, with or without a version, is the built-in checks alone.
func byRules(engine string) bool {
	kind, _, _ := strings.Cut(engine, " ")
	return kind == EngineRules
}

// Options is how reviews are to be made.
type Options struct {
	Engine     string // EngineCodex or EngineRules
	EngineName string // with version, "codex 0.169.0"; "" = Engine
	Model      string // "" = the engine's default
	Effort     string

	MaxParallel   int           // reviews at a time, at least 1
	Timeout       time.Duration // of one review, all tries included
	RetryDelay    time.Duration // before the one retry
	MaxIterations int           // reviews without an approval before a person decides

	Prompts      map[workflow.Type]prompt.Files
	ContextFiles []string // project context, paths in the base commit
	// Reader is who must have read an artifact of a type for its approval to count; nil = anybody
	// will do.
	Reader func(workflow.Type) workflow.Reader
	// Fresh reports whether records are to be ignored for a type; nil = never.
	Fresh func(workflow.Type) bool
	// Policy is the canonical text of what else decides a verdict; a change of it makes recorded
	// verdicts void.
	Policy             string
	Thresholds         check.Thresholds
	RequireTestResults bool
	Block              sarif.Level       // from which on results of other tools block
	SaveRequests       bool              // Job.RequestFile then returns what was asked
	Commands           workflow.Commands // as comments write them
	Brief              bool              // nobody is asked in this process: requests are not kept
	OverrideDays       int               // after which an override no longer counts; 0 = never
	Now                func() time.Time
}

// withDefaults sets the options that were not given.
func (o Options) withDefaults() Options {
	o.EngineName = cmp.Or(o.EngineName, o.Engine)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fresh == nil {
		o.Fresh = func(workflow.Type) bool { return false }
	}
	return o
}

// Input is what is to be reviewed and what is known about it.
type Input struct {
	Set       change.Set
	Intent    prompt.Intent
	Artifacts []workflow.Artifact
	Missing   []Missing                // asked for by path and not there; each becomes an ERROR
	Records   []record.Record          // all that the head holds, in any order
	Canonical func(path string) string // what is the same in every state of the document there

	// Vouched reports whether a record may be believed: it came from this program, not from the
	// pull request. The text says why not. nil vouches for none.
	Vouched func(context.Context, record.Record) (ok bool, why string, err error)

	// Blob reads a blob of a commit that was reviewed earlier; nil has none.
	Blob func(ctx context.Context, head, blob string) ([]byte, error)
	// Former lists the files that were there while a file of the merge base came to be.
	Former func(ctx context.Context, path string) ([]string, error)
	// Standing tells the verdict that the checks of this head show for an artifact. If it is set,
	// nothing is reviewed: recorded verdicts that it confirms stand, whatever evidence this run
	// lacks.
	Standing func(context.Context, workflow.Artifact) (d workflow.Decision, known bool)
	// Anew has all be planned as for a review; Standing then tells only of what has no verdict by
	// that.
	Anew bool

	Tests    *testresult.Summary // nil = not provided
	Coverage *coverage.Report    // nil = not provided
	Findings sarif.Log           // of other tools
	Red      proof.Outcome       // of the new and changed tests on the sources without the change
	Proof    proof.Run           // of the approved tests on the head

	// Carried are results of an earlier round of this run, before the head
	// moved; one whose artifact and context are unchanged is kept.
	Carried []workflow.Result
	// Integrity is what the check of approved tests came to, by the artifact's name.
	Integrity map[string]*workflow.Integrity
	// Ended holds verdicts that were reached before any review, by the artifact's name; no model is
	// asked for these.
	Ended map[string]workflow.Result
}

// Missing is an artifact that was asked for by its path and does not exist.
type Missing struct {
	Type    workflow.Type
	Feature string
	Path    string
}

// Phase is a step in the life of a review.
type Phase string

// The phases, in their order; a review starts at most once and is done once.
const (
	Started  Phase = "started"
	Waiting  Phase = "waiting" // for another review
	Retrying Phase = "retry"
	Cached   Phase = "cached"
	Done     Phase = "done"
)

// ProgressEvent tells of one step of one review.
type ProgressEvent struct {
	Job      string // the artifact's name
	Phase    Phase
	Decision workflow.Decision // for Done and Cached
	Tokens   workflow.Tokens   // for Done
	Duration time.Duration     // for Done
	Message  string            // why it waits, or the summary; one line
}

// RunOptions is what Run needs from outside; every field may be nil.
type RunOptions struct {
	// Progress is told of each step, one call at a time.
	Progress func(ProgressEvent)
	// Told is told what came back of each job that asks, by the artifact's name, one call at a
	// time.
	Told func(artifact string, x Exchange)
	// Given holds what came back when other processes asked, by the artifact's name; no reviewer is
	// asked then.
	Given map[string]Exchange
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
	// Redact takes secrets out of a result before anybody sees it.
	Redact func(workflow.Result) workflow.Result
}

// withDefaults sets the options that were not given.
func (o RunOptions) withDefaults() RunOptions {
	if o.Progress == nil {
		o.Progress = func(ProgressEvent) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Redact == nil {
		o.Redact = func(r workflow.Result) workflow.Result { return r }
	}
	return o
}

// sleep waits, or returns the context's error as soon as it ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
