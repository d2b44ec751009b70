package codex

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"workflow-reviewer/internal/review"
)

// outcome is all that is known of a review when codex has ended.
type outcome struct {
	req    review.Request
	events *events
	ended  ended
	seen   seen
	answer string
}

func (o outcome) ok() bool {
	return o.ended.err == nil && o.events.completed && o.seen.failure == nil &&
		strings.TrimSpace(o.answer) != ""
}

// failure says why a review has no answer, nil if it has one. What the gate saw counts before what
// codex says: codex ends with status 0 on a refusal and words its failures differently from version
// to version.
func (e *Engine) failure(ctx context.Context, o outcome) *review.EngineError {
	switch {
	case o.ok():
		return nil
	case ctx.Err() != nil:
		return interrupted(ctx)
	case o.seen.failure != nil:
		failure := *o.seen.failure
		return &failure
	case o.ended.err != nil && o.seen.requests == 0:
		return e.notStarted(o)
	case o.ended.err != nil || !o.events.completed:
		return e.died(o)
	case o.seen.refusal != "":
		return answerError("the model refused to answer: " + e.clean(o.seen.refusal))
	default:
		return answerError("the model's answer is empty")
	}
}

// interrupted explains a review that the caller ended, who knows how long it was allowed to take.
func interrupted(ctx context.Context) *review.EngineError {
	e := failed(review.Cancelled, "the review was cancelled", "run the job again")
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e = failed(review.Timeout, "Codex API timeout",
			"run the review again, raise the input timeout, or lower the input effort")
	}
	e.Err = ctx.Err()
	return e
}

// notStarted explains a codex that ended before it asked the model anything.
func (e *Engine) notStarted(o outcome) *review.EngineError {
	said := e.said(o)
	err := failed(review.Setup, "codex could not start: "+said,
		"use codex "+Pinned+", the version that this program was built to drive")
	err.Err = o.ended.err
	if strings.Contains(said, "MCP") || strings.Contains(said, "mcp") {
		err.Message = "the server of the reading tools could not start: " + said
		err.Action = "see that the program can start itself and read its temporary folder"
	}
	return err
}

// died explains a codex that broke off for reasons of its own.
func (e *Engine) died(o outcome) *review.EngineError {
	err := failed(
		review.Internal,
		fmt.Sprintf("codex broke off (%s): %s", status(o.ended), e.said(o)),
		"run the review again with debug logging; if it stays, report it as a defect",
	)
	err.Err = o.ended.err
	return err
}

// said is what codex gives as its reason: its last error event, else the last line of its error
// output.
func (e *Engine) said(o outcome) string {
	if o.events.failure != "" {
		return e.clean(o.events.failure)
	}
	lines := strings.Split(strings.TrimSpace(o.ended.stderr), "\n")
	if last := e.clean(lines[len(lines)-1]); last != "" {
		return last
	}
	return status(o.ended)
}

// status is how a process ended, for messages.
func status(h ended) string {
	var exit *exec.ExitError
	switch {
	case h.err == nil:
		return "status 0"
	case errors.As(h.err, &exit):
		return exit.String() // "exit status 1", "signal: killed"
	default:
		return h.err.Error()
	}
}

// describe is the debug line of an outcome.
func (e *Engine) describe(o outcome) string {
	return fmt.Sprintf("%s, %d requests, %d tokens, answer of %d bytes; %s", status(o.ended),
		o.seen.requests, o.seen.tokens.Total(), len(o.answer), e.clean(o.ended.stderr))
}
