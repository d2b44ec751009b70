package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// findMergeBase answers from the history at hand if it suffices, else from Options.MergeBase, else
// from more history.
func (r *Repo) findMergeBase(ctx context.Context, base, head string) (string, error) {
	tips, err := parseSHAs(base, head)
	if err != nil {
		return "", err
	}
	found, err := r.mergeBase(ctx, tips[0], tips[1])
	var gap *historyGap
	if errors.As(err, &gap) {
		if sha := r.askMergeBase(ctx, base, head); sha != "" {
			return sha, r.Fetch(ctx, sha)
		}
		err = r.withHistory(ctx, tips, func() (err error) {
			found, err = r.mergeBase(ctx, tips[0], tips[1])
			return err
		})
	}
	if err != nil || found.IsZero() {
		return "", err
	}
	return found.String(), r.Fetch(ctx, found.String())
}

// askMergeBase asks the outside; "" if it does not know. A failure is told and costs a deeper
// fetch, no more.
func (r *Repo) askMergeBase(ctx context.Context, base, head string) string {
	if r.opt.MergeBase == nil {
		return ""
	}
	sha, err := r.opt.MergeBase(ctx, base, head)
	if err == nil {
		_, err = parseSHA(sha)
	}
	if err != nil {
		r.opt.Log(fmt.Sprintf("merge base by API: %v; fetching history instead", err))
		return ""
	}
	return sha
}

// withHistory runs f, which walks from the given commits, and fetches more of their history as long
// as f meets a gap.
func (r *Repo) withHistory(ctx context.Context, tips []plumbing.Hash, f func() error) error {
	err := f()
	var gap *historyGap
	if !errors.As(err, &gap) || r.readOnly {
		return err
	}
	if r.remote.path != "" && r.borrowOrigin() == nil {
		err = f()
	}
	if r.remote.url != "" && r.remote.problem == nil {
		err = r.deepen(ctx, tips, f)
	}
	if errors.As(err, &gap) {
		return fmt.Errorf("%w, and %s does not have it either; %s", err, r.origin(), r.remedy(true))
	}
	return err
}

// origin names where objects come from, for messages.
func (r *Repo) origin() string {
	if s := r.remote.String(); s != "" {
		return s
	}
	return "the workspace"
}

// deepen fetches history step by step. Each step starts anew: commits without
// files are small, and a server without filters is rare.
func (r *Repo) deepen(ctx context.Context, tips []plumbing.Hash, f func() error) error {
	r.fetching.Lock()
	defer r.fetching.Unlock()
	var err error
	for _, depth := range deepenings() {
		err = r.request(ctx, packRequest{wants: tips, depth: depth, commitsOnly: true})
		if err != nil {
			return fmt.Errorf("fetch history from %s: %w; %s", r.remote, err, r.remedy(true))
		}
		var gap *historyGap
		if err = f(); !errors.As(err, &gap) {
			return err
		}
	}
	return err
}

// maxRecent is the most commits that are looked through for the latest change of a path.
const maxRecent = 5000

// ChangedWithin reports whether the first parents of a commit show that it, or one committed at
// most so long before it, changed a path. False where the history at hand ends before that is
// known: nothing is fetched.
func (r *Repo) ChangedWithin(ctx context.Context, sha, path string, span time.Duration) bool {
	id := plumbing.NewHash(sha)
	tip, err := r.node(id)
	if err != nil {
		return false
	}
	now, err := r.lookup(tip.tree, path)
	if err != nil {
		return false
	}
	n := tip
	for range maxRecent {
		if n.time < tip.time-int64(span/time.Second) || ctx.Err() != nil {
			return false
		}
		if len(n.parents) == 0 {
			return now.exists()
		}
		parent, err := r.node(n.parents[0])
		if err != nil {
			return false
		}
		if before, err := r.lookup(parent.tree, path); err != nil || before.id != now.id {
			return err == nil
		}
		n = parent
	}
	return false
}
