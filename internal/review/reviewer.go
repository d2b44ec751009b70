// Package review turns artifacts into verdicts: it plans the jobs, gathers each job's context,
// writes the prompt, asks a Reviewer, and holds the answer to its schema before anything is
// believed.
package review

import (
	"context"
	"encoding/json"
	"time"

	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// Reviewer asks a model for one review. Implementations are safe for concurrent use and stop when
// the context ends.
type Reviewer interface {
	// Name is the engine with its version, "codex 0.169.0".
	Name() string
	// Review returns the final message of one completed turn. An answer that
	// did not complete is an *EngineError, never a partial Reply.
	Review(ctx context.Context, req Request) (Reply, error)
}

// Request is one question to a model.
type Request struct {
	Name         string          // "spec: login", for logs
	Instructions string          // the fixed part, identical bytes for all reviews of a type
	Prompt       string          // the variable part, valid UTF-8, at most MaxPrompt characters
	Schema       json.RawMessage // of the answer, strict form
	Model        string          // "" = the engine's default
	Effort       string
	MergeBase    string // commit: the old side that the tools may read
	Head         string // commit: the new side
}

// MaxPrompt is the longest prompt that an engine is given, in characters.
const MaxPrompt = prompt.Max

// Reply is a completed answer.
type Reply struct {
	Text   string // the final message; may be anything, nothing of it is checked
	Model  string // the model that answered, as far as known
	Tokens workflow.Tokens
	Notes  []string // visible warnings, e.g. that the engine does not know the model
}

// Class is the kind of an engine's failure.
type Class string

// The classes of failure.
const (
	Authentication Class = "authentication" // 401, 403: final
	Quota          Class = "quota"          // final
	BadRequest     Class = "request"        // 400, 404, unknown model: final
	RateLimit      Class = "rate-limit"     // 429: retried after RetryAfter
	Timeout        Class = "timeout"        // the review's wall clock ended
	Transport      Class = "transport"      // 5xx, broken or silent connection: retried
	Answer         Class = "answer"         // empty or refused
	Budget         Class = "budget"         // max-tokens reached: final
	Cancelled      Class = "cancelled"
	TestsRefused   Class = "tests-refused" // an implementation's: it could not be approved any more
	Setup          Class = "configuration" // codex missing or cannot start
	Internal       Class = "internal"      // a defect of this program
)

// EngineError is a review that did not run to its end.
type EngineError struct {
	Class      Class
	Message    string        // what happened, one line, without secrets
	Action     string        // what the user can do
	RetryAfter time.Duration // when the other side says that it may pass; 0 = not said
	Tokens     workflow.Tokens
	Err        error
}

// Error implements error.
func (e *EngineError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *EngineError) Unwrap() error { return e.Err }
