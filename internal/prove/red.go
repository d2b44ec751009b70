package prove

import (
	"context"

	"workflow-reviewer/internal/evidence"
)

func (p *prover) red(ctx context.Context, r results) (evidence.Evidence, evidence.Outcome, error) {
	return evidence.Evidence{}, evidence.Inconclusive, nil
}
