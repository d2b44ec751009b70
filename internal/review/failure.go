package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// notDone is what a user is told after every review that did not run.
const notDone = "Review not completed. Artifact not moved."

// fail makes an artifact's ERROR result.
func fail(base workflow.Result, class Class, message, action string) workflow.Result {
	base.Decision = workflow.Error
	message = markdown.Line(message, 500)
	base.Summary = message
	base.Criteria, base.Issues, base.Previous = nil, nil, nil
	base.Failure = &workflow.Failure{
		Class:   string(class),
		Message: message,
		Action:  strings.TrimSpace(notDone + " " + markdown.Line(action, 500)),
	}
	return base
}

// failWith makes the ERROR result of an engine's failure.
func failWith(base workflow.Result, e *EngineError) workflow.Result {
	action := cmp.Or(e.Action, defaultAction(e.Class))
	message := e.Message
	switch e.Class {
	case Transport, RateLimit, Quota, BadRequest, Authentication:
		if !strings.HasPrefix(message, "Codex API") {
			message = "Codex API failed: " + message
		}
	}
	return fail(base, e.Class, message, action)
}

// defaultAction says what to do about a failure whose reason is not known more exactly.
func defaultAction(c Class) string {
	switch c {
	case Authentication:
		return "Check the input openai-api-key and the key's permissions."
	case Quota:
		return "Check the account's plan and billing, then run the job again."
	case BadRequest:
		return "Check the inputs model and responses-api-endpoint."
	case RateLimit:
		return "Retry later, or lower max-parallel."
	case Budget:
		return "Raise max-tokens, or split the pull request."
	case Cancelled:
		return "Run the job again."
	case Setup:
		return "Check the configuration and the log."
	case Internal:
		return "This is a defect of workflow-reviewer: report it with the log."
	default:
		return "Retry manually or check API status."
	}
}

// final reports whether a failure will meet every other review of the run too, so that asking again
// would only hammer.
func final(c Class) bool {
	switch c {
	case Authentication, Quota, Budget, Setup:
		return true
	default:
		return false
	}
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
		return &EngineError{
			Class: Timeout, Message: fmt.Sprintf("Codex API timeout after %ds", int(timeout.Seconds())),
			Action: "Retry manually or check API status.", Err: err, Tokens: tokensOf(e),
		}
	case known:
		return e
	default:
		return &EngineError{
			Class:   Internal,
			Message: "The engine failed: " + markdown.Line(err.Error(), 300),
			Err:     err,
		}
	}
}

// endedBy is why a review ended before its answer: its tests were refused, or the run was
// cancelled.
func endedBy(cause error, cancelled string) *EngineError {
	if errors.Is(cause, errTestsRefused) {
		return &EngineError{
			Class:   TestsRefused,
			Message: "The review ended as its tests were refused",
		}
	}
	return &EngineError{Class: Cancelled, Message: cancelled}
}

// tokensOf are the tokens that a failed call used.
func tokensOf(e *EngineError) workflow.Tokens {
	if e == nil {
		return workflow.Tokens{}
	}
	return e.Tokens
}
