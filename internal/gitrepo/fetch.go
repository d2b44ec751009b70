package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/sethvargo/go-retry"
)

// fullDepth is the protocol's number for all of history: it asks for it, as git fetch
// --unshallow does.
const fullDepth = 0x7fffffff

// deepenings are the numbers of commits that are asked for, one after the
// other, where history does not reach far enough.
func deepenings() []int { return []int{64, 512, 4096, fullDepth} }

// Fetch makes commits available: from the workspace's objects, else from those of an origin that is
// a path, else over http(s), where only what is missing is transferred. It honours ctx. Network
// failures are tried again twice.
func (r *Repo) Fetch(ctx context.Context, commits ...string) error {
	r.fetching.Lock()
	defer r.fetching.Unlock()
	wants, err := parseSHAs(commits...)
	if err != nil {
		return err
	}
	missing, err := r.missing(ctx, wants)
	if err != nil || len(missing) == 0 {
		return err
	}
	switch {
	case r.readOnly:
		return fmt.Errorf("commit %.12s is not in the object store", missing[0])
	case r.remote.problem != nil:
		err = r.unavailable(missing[0], r.remote.problem)
	case r.remote.path != "":
		err = r.fetchPath(ctx, missing)
	default:
		err = r.fetchHTTP(ctx, missing)
	}
	if err != nil && ctx.Err() == nil && r.listable(ctx, missing) {
		r.opt.Log(fmt.Sprintf("%v; going on with the files that are there", err))
		return nil
	}
	return err
}

// listable reports whether commits of a partial clone lack no more than
// contents of files: the run then ends only where it needs one of these.
func (r *Repo) listable(ctx context.Context, wants []plumbing.Hash) bool {
	return r.db.Partial() && !slices.ContainsFunc(wants, func(id plumbing.Hash) bool {
		n, err := r.node(id)
		if err != nil {
			return true
		}
		err = r.walk(n.tree, "", func(string, treeEntry) error { return ctx.Err() })
		return err != nil && !errors.Is(err, errHostile)
	})
}

// missing are the commits that are not wholly at hand.
func (r *Repo) missing(ctx context.Context, wants []plumbing.Hash) ([]plumbing.Hash, error) {
	deep := r.db.Partial()
	return slices.DeleteFunc(slices.Clone(wants), func(id plumbing.Hash) bool {
		return r.complete(ctx, id, deep) == nil
	}), ctx.Err()
}

// complete reports what a commit lacks. Its tree stands for all that is below,
// except in partial clones, where deep looks for every file.
func (r *Repo) complete(ctx context.Context, id plumbing.Hash, deep bool) error {
	n, err := r.node(id)
	if err != nil {
		return err
	}
	if _, err := r.readTree(n.tree); err != nil && !errors.Is(err, errHostile) {
		return err
	}
	if !deep {
		return nil
	}
	err = r.walk(n.tree, "", func(path string, e treeEntry) error {
		if !e.isRegular() || r.db.Has(e.id) {
			return ctx.Err()
		}
		return fmt.Errorf("%q: %w", path, plumbing.ErrObjectNotFound)
	})
	if errors.Is(err, errHostile) {
		return nil // complete as far as it can be read; reading it says why
	}
	return err
}

// unavailable explains why a commit cannot be had, and what to do.
func (r *Repo) unavailable(id plumbing.Hash, cause error) error {
	what := fmt.Sprintf("commit %.12s", id)
	advice := "add a checkout step, or give access to the remote"
	_, err := r.node(id)
	switch {
	case r.work == nil:
	case err == nil:
		what = fmt.Sprintf("files of %s are not in the partial clone %q and", what, r.work.root)
		advice = r.remedy(false)
	default:
		what += fmt.Sprintf(" is not in the checkout %q and", r.work.root)
		advice = r.remedy(true)
		if c := r.opt.Clone; c != nil && !c.Workflow {
			advice = fmt.Sprintf("run %q", "git fetch origin "+id.String())
		}
	}
	return fmt.Errorf("%s cannot be fetched: %w; %s", what, cause, advice)
}

// fetchPath reads the objects of an origin on this machine in place.
func (r *Repo) fetchPath(ctx context.Context, wants []plumbing.Hash) error {
	if err := r.borrowOrigin(); err != nil {
		return r.unavailable(wants[0], err)
	}
	missing, err := r.missing(ctx, wants)
	if err == nil && len(missing) > 0 {
		err = r.unavailable(missing[0], fmt.Errorf("%q does not hold it", r.remote.path))
	}
	return err
}

// borrowOrigin makes the objects of an origin that is a path readable.
func (r *Repo) borrowOrigin() error {
	home, err := r.openOrigin()
	if err != nil {
		return err
	}
	return r.borrow(home.objects())
}

// openOrigin opens an origin that is a path.
func (r *Repo) openOrigin() (*local, error) {
	for _, suffix := range []string{"", ".git"} {
		l, err := openLocal(r.remote.path + suffix)
		if l != nil || err != nil {
			return l, err
		}
	}
	return nil, fmt.Errorf("the origin %q is no git repository", r.remote.path)
}

// fetchHTTP fetches from the remote, up to three times where the failure may pass. Its error says
// what could not be had and how to get it.
func (r *Repo) fetchHTTP(ctx context.Context, wants []plumbing.Hash) error {
	err := retryTransient(ctx, func(ctx context.Context) error { return r.fetchOnce(ctx, wants) })
	if err != nil && ctx.Err() == nil {
		return r.unavailable(wants[0], fmt.Errorf("fetch from %s: %w", r.remote, err))
	}
	return err
}

// fetchOnce asks, by id, for what the workspace's commit does not share. Where that fails, as when
// a partial clone promised too much, it asks for everything.
func (r *Repo) fetchOnce(ctx context.Context, wants []plumbing.Hash) error {
	s, err := r.connect(ctx)
	if err != nil {
		return err
	}
	req := packRequest{wants: wants, depth: 1}
	if !r.db.Partial() {
		req.haves, req.shallows = r.haves()
	}
	for {
		err := s.fetch(ctx, req)
		if err == nil {
			err = r.allComplete(ctx, req.wants)
		}
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case isRefused(err):
			const gone = "its branch was deleted or force-pushed: run on what is there now"
			return fmt.Errorf("%w; %s", err, gone)
		case len(req.haves) == 0:
			return err
		}
		req.haves, req.shallows = nil, nil
	}
}

// allComplete reports the first commit whose trees the store lacks.
func (r *Repo) allComplete(ctx context.Context, ids []plumbing.Hash) error {
	for _, id := range ids {
		if err := r.complete(ctx, id, true); err != nil {
			return err
		}
	}
	return nil
}

// fetchBlob makes a single file's content available; no history comes with it.
func (r *Repo) fetchBlob(ctx context.Context, id plumbing.Hash) error {
	r.fetching.Lock()
	defer r.fetching.Unlock()
	switch {
	case r.db.Has(id):
		return nil
	case r.readOnly:
		return plumbing.ErrObjectNotFound
	case r.remote.problem != nil:
		return r.remote.problem
	case r.remote.path != "":
		return r.borrowOrigin()
	}
	return r.request(ctx, packRequest{wants: []plumbing.Hash{id}})
}

// request makes one request to the remote, up to three times where the failure may pass.
func (r *Repo) request(ctx context.Context, p packRequest) error {
	return retryTransient(ctx, func(ctx context.Context) error {
		s, err := r.connect(ctx)
		if err != nil {
			return err
		}
		return s.fetch(ctx, p)
	})
}

// haves is the workspace's commit, and where its history ends.
func (r *Repo) haves() (haves, shallows []plumbing.Hash) {
	if r.work == nil {
		return nil, nil
	}
	head, err := r.work.ref("HEAD")
	if err != nil || head.IsZero() || !r.db.Has(head) {
		return nil, nil
	}
	shallows, err = r.work.storage().Shallow()
	if err != nil {
		return nil, nil
	}
	return []plumbing.Hash{head}, shallows
}

// retryTransient runs an operation up to three times, as long as it fails for reasons that may
// pass.
func retryTransient(ctx context.Context, f func(context.Context) error) error {
	wait := retry.WithMaxRetries(2, retry.NewExponential(200*time.Millisecond))
	return retry.Do(ctx, wait, func(ctx context.Context) error {
		err := f(ctx)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && isTransient(err) {
			return retry.RetryableError(err)
		}
		return err
	})
}
