package pipeline

import (
	"context"

	"workflow-reviewer/internal/workflow"
)

// End is where a run comes from and goes to. Round calls the functions in this order. It is no
// interface: what the ends hold would count as seen by reflection, and the program be linked with
// all methods of GitHub's client, 1.5 MB.
type End struct {
	// Planned learns of a plan before anything is paid for, may change it, and says who answers its
	// reviews. An error ends the round.
	Planned func(ctx context.Context, p *Plan) (Asker, error)
	// Save keeps an outcome, also of a run that was cancelled, before anything is written back.
	Save func(ctx context.Context, o Outcome) error
	// Write writes an outcome back, and notes in it what was written.
	Write func(ctx context.Context, o *Outcome) error
}

// Round is the order of the steps, whatever the ends of a run are: plan, review, save, write back.
// carried are results of an earlier round that may still stand. With an error the outcome holds
// what the round came to.
func (f Frame) Round(
	ctx context.Context, req Request, carried []workflow.Result, end End,
) (o Outcome, err error) {
	if o.Plan, err = Prepare(ctx, req, carried); err != nil {
		return o, err
	}
	by, err := end.Planned(ctx, &o.Plan)
	if err != nil {
		return o, err
	}
	o = f.Review(ctx, o.Plan, by)
	if err := end.Save(ctx, o); err != nil || ctx.Err() != nil {
		return o, err
	}
	err = end.Write(ctx, &o)
	return o, err
}
