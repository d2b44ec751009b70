package inspect

import (
	"context"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity/baseline"
)

// history answers the baseline's questions from the repository. Where the history ends early, as in
// a shallow checkout, a commit that is not found is no proof that there is none.
type history struct{ repo *gitrepo.Repo }

// Brought finds the commit that brought a blob to a path, false if there is none.
func (h history) Brought(
	ctx context.Context, path, blob, head string,
) (baseline.Commit, bool, error) {
	c, ok, err := h.repo.Brought(ctx, path, blob, "", head)
	return commitOf(c), ok, err
}

// Approving lists the commits between base and head whose trailer approves tests.
func (h history) Approving(ctx context.Context, base, head string) ([]baseline.Commit, error) {
	found, err := h.repo.Mentioning(ctx, "\n"+baseline.Trailer+": ", base, head)
	out := make([]baseline.Commit, 0, len(found))
	for _, c := range found {
		out = append(out, commitOf(c))
	}
	return out, err
}

// Subjected maps what follows the prefix in subjects to the newest commit with it.
func (h history) Subjected(
	ctx context.Context, prefix, head string,
) (map[string]baseline.Commit, error) {
	found, err := h.repo.Mentioning(ctx, prefix, "", head)
	out := map[string]baseline.Commit{}
	for _, c := range slices.Backward(found) {
		if rest, ok := strings.CutPrefix(c.Subject, prefix); ok {
			out[rest] = commitOf(c)
		}
	}
	return out, err
}

// Tree is a commit's tree, which is fetched if it is missing; an error where it cannot be had.
func (h history) Tree(ctx context.Context, sha string) (change.Tree, error) {
	if err := h.repo.Fetch(ctx, sha); err != nil {
		return nil, err
	}
	return h.repo.Tree(sha)
}

func commitOf(c gitrepo.CommitInfo) baseline.Commit {
	return baseline.Commit{
		SHA: c.SHA, Approvals: c.Trailers[baseline.Trailer],
		Reviewed: c.Trailer("Workflow-Reviewer") != "", Base: c.Trailer(baseline.BaseTrailer),
	}
}
