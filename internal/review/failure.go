package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// notDone is what a user is told after every review that did not run.
const notDone = "Review not completed. Artifact not moved."

// actions say what to do about failures whose maker does not say so.
var actions = map[Class]string{
	Setup:     "Check the configuration and the log.",
	Cancelled: "Run the job again.",
	Internal:  "This is a defect of workflow-reviewer: report it with the log.",
}

// failWith makes the ERROR result of a failure.
func failWith(base workflow.Result, e *EngineError) workflow.Result {
	action := cmp.Or(e.Action, actions[e.Class], "Retry manually or check API status.")
	message := markdown.Line(e.Message, 500)
	ofEndpoint := []Class{Transport, RateLimit, Quota, BadRequest, Authentication}
	if slices.Contains(ofEndpoint, e.Class) && !strings.HasPrefix(message, "Codex API") {
		message = "Codex API failed: " + message
	}
	base.Decision, base.Summary = workflow.Error, message
	base.Criteria, base.Issues, base.Previous = nil, nil, nil
	base.Failure = &workflow.Failure{
		Class: string(e.Class), Message: message,
		Action: notDone + " " + markdown.Line(action, 500),
	}
	return base
}

// failure is one whose reason this program knows.
func failure(c Class, message, action string) *EngineError {
	return &EngineError{Class: c, Message: message, Action: action}
}

// isFinal reports whether a failure will meet every other review of the run too, so that asking
// again would only hammer.
func isFinal(c Class) bool {
	return slices.Contains([]Class{Authentication, Quota, Budget, Setup}, c)
}

// classify makes an EngineError of whatever ended a call. parent is the run's
// context and ctx the review's, which ends earlier by its timeout.
func classify(parent, ctx context.Context, err error, timeout time.Duration) *EngineError {
	var e *EngineError
	known := errors.As(err, &e)
	switch {
	case parent.Err() != nil:
		end := endedBy(context.Cause(parent), "The run was cancelled")
		end.Err, end.Tokens = err, tokensOf(e)
		return end
	case errors.Is(ctx.Err(), context.DeadlineExceeded), known && e.Class == Timeout:
		message := fmt.Sprintf("Codex API timeout after %ds", int(timeout.Seconds()))
		return &EngineError{Class: Timeout, Message: message, Err: err, Tokens: tokensOf(e)}
	case known:
		return e
	default:
		message := "The engine failed: " + markdown.Line(err.Error(), 300)
		return &EngineError{Class: Internal, Message: message, Err: err}
	}
}

// endedBy is why a review ended before its answer: its tests were refused, or the run was
// cancelled.
func endedBy(cause error, cancelled string) *EngineError {
	if errors.Is(cause, errTestsRefused) {
		return failure(TestsRefused, "The review ended as its tests were refused", "")
	}
	return failure(Cancelled, cancelled, "")
}

// tokensOf are the tokens that a failed call used.
func tokensOf(e *EngineError) workflow.Tokens {
	if e == nil {
		return workflow.Tokens{}
	}
	return e.Tokens
}
