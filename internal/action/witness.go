package action

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
)

// vouch is who vouches for an approval record on a branch: GitHub's signature on the commit that carries it,
// made for this action's identity; or, where a squash made another commit of it, the check run that this action
// completed with the review that names the record. Without GitHub there is nobody.
func (j *job) vouch() baseline.Witness {
	if j.client == nil || j.env.act() {
		return nil
	}
	return func(ctx context.Context, r approval.Record, blob string, c baseline.Commit, tree change.Tree) (bool, string, error) {
		if c.SHA != "" {
			commit, err := j.client.Commit(ctx, c.SHA)
			if err != nil {
				return false, "", fmt.Errorf("ask who signed %s: %w", short(c.SHA), err)
			}
			self, err := j.client.Self(ctx)
			if err != nil {
				return false, "", fmt.Errorf("ask for this action's identity: %w", err)
			}
			if commit.Verified && self != "" && commit.Author == self {
				return true, "in a commit that GitHub signed for " + self, nil
			}
		}
		if j.reviewVouches(ctx, tree, r, blob) {
			return true, "named by a review that the check of this action vouches for", nil
		}
		return false, "no commit that GitHub signed for this action carries it", nil
	}
}

// reviewVouches looks for the review of a record in a tree that holds the
// record, and for the check run that was completed with exactly that review.
func (j *job) reviewVouches(ctx context.Context, tree change.Tree, r approval.Record, blob string) bool {
	review, ok := baseline.ReviewOf(tree, r, blob)
	return ok && j.checkVouches(ctx, review.Head, review)
}
