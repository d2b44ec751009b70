package pipeline

import (
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// SwitchedOff is why nothing is reviewed where the config says so.
const SwitchedOff = `the config says "auto_review.enabled": false`

// FailureOf tells a cancellation and an engine's failure from a configuration's.
func FailureOf(ctx context.Context, err error) *workflow.Failure {
	var engine *review.EngineError
	switch {
	case ctx.Err() != nil:
		return &workflow.Failure{
			Class: "cancelled", Message: "the run was cancelled", Action: "Run again.",
		}
	case errors.As(err, &engine):
		return &workflow.Failure{
			Class: string(engine.Class), Message: err.Error(), Action: engine.Action,
		}
	default:
		return &workflow.Failure{
			Class: "configuration", Message: err.Error(),
			Action: "Correct the workflow or the config and run again; nothing was reviewed.",
		}
	}
}

// Advised is an error with what to do about it.
func Advised(ctx context.Context, err error) error {
	var engine *review.EngineError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("cancelled: %w", ctx.Err())
	case errors.As(err, &engine) && engine.Action != "":
		return fmt.Errorf("%w. %s", err, engine.Action)
	}
	return err
}
