package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/gitrepo/odb"
)

// maxWants is the most commits that one request asks for.
const maxWants = 1000

// findMergeBase answers from the history at hand if it suffices, else from
// Options.MergeBase, else from more history.
func (r *Repo) findMergeBase(ctx context.Context, base, head string) (string, error) {
	one, err := parseSHA(base)
	if err != nil {
		return "", err
	}
	two, err := parseSHA(head)
	if err != nil {
		return "", err
	}
	found, err := r.mergeBase(ctx, one, two)
	var gap *historyGap
	if errors.As(err, &gap) {
		if sha := r.askMergeBase(ctx, base, head); sha != "" {
			return sha, r.Fetch(ctx, Want{SHA: sha})
		}
		err = r.withHistory(ctx, []plumbing.Hash{one, two}, func() (err error) {
			found, err = r.mergeBase(ctx, one, two)
			return err
		})
	}
	if err != nil || found.IsZero() {
		return "", err
	}
	return found.String(), r.Fetch(ctx, Want{SHA: found.String()})
}

// askMergeBase asks the outside; "" if it does not know.
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

// withHistory runs f, which walks from the given commits, and fetches more of
// their history as long as f meets a gap.
func (r *Repo) withHistory(ctx context.Context, tips []plumbing.Hash, f func() error) error {
	err := f()
	var gap *historyGap
	if !errors.As(err, &gap) || r.readOnly {
		return err
	}
	if r.remote.path != "" {
		if home, openErr := r.openOrigin(); openErr == nil && r.borrow(home.objects()) == nil {
			err = f()
		}
	}
	if r.remote.url != "" && r.remote.problem == nil {
		err = r.deepen(ctx, tips, f)
	}
	if errors.As(err, &gap) {
		return fmt.Errorf(`%w, and %s does not have it either; check out with "fetch-depth: 0"`, err, r.origin())
	}
	return err
}

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
		fetchErr := again(ctx, func(ctx context.Context) error {
			s, err := r.connect(ctx)
			if err != nil {
				return err
			}
			return s.fetch(ctx, packRequest{wants: tips, depth: depth, commitsOnly: true})
		})
		if fetchErr != nil {
			return fmt.Errorf("fetch history from %s: %w", r.remote, fetchErr)
		}
		var gap *historyGap
		if err = f(); !errors.As(err, &gap) {
			return err
		}
	}
	return err
}

// Introduced finds the commit in base..head that brought a blob to a path: from
// head it follows the blob from parent to parent until none has it. It is false
// if head does not have the blob there, or if the blob comes from base.
func (r *Repo) Introduced(ctx context.Context, path, blob, base, head string) (CommitInfo, bool, error) {
	t := tracer{repo: r, path: path, tips: make([]plumbing.Hash, 2)}
	var err error
	for i, sha := range []string{base, head} {
		if t.tips[i], err = parseSHA(sha); err != nil {
			return CommitInfo{}, false, err
		}
	}
	if t.blob, err = parseSHA(blob); err != nil {
		return CommitInfo{}, false, err
	}
	found, err := t.find(ctx)
	if err != nil || found == nil {
		return CommitInfo{}, false, err
	}
	info, err := r.Commit(found.id.String())
	return info, err == nil, err
}

// tracer follows one blob at one path.
type tracer struct {
	repo *Repo
	path string
	blob plumbing.Hash
	tips []plumbing.Hash // base, head
}

// find traces with as much history, and as many trees, as that takes.
func (t *tracer) find(ctx context.Context) (found *node, err error) {
	for range 2 {
		err = t.repo.withHistory(ctx, t.tips, func() (err error) {
			found, err = t.trace(ctx)
			return err
		})
		var gap *treeGap
		if !errors.As(err, &gap) {
			return found, err
		}
		if err := t.repo.Fetch(ctx, gap.wants...); err != nil {
			return nil, err
		}
	}
	return nil, err
}

// trace returns the introducing commit, nil if that is not in base..head.
func (t *tracer) trace(ctx context.Context) (*node, error) {
	p, err := t.repo.paint(ctx, t.tips[1], t.tips[:1])
	if err != nil {
		return nil, err
	}
	for at := t.tips[1]; p.marks[at]&fromTwo == 0; {
		n, err := t.repo.node(at)
		if err != nil {
			return nil, err
		}
		has, err := t.has(n)
		if err == nil && !has {
			return nil, nil
		}
		var next plumbing.Hash
		if err == nil {
			next, err = t.parent(n)
		}
		if errors.Is(err, odb.ErrNotFound) {
			return nil, t.gap(p, err)
		}
		if err != nil || next.IsZero() {
			return n, err
		}
		at = next
	}
	return nil, nil
}

// parent is the first parent that has the blob, zero if none has.
func (t *tracer) parent(n *node) (plumbing.Hash, error) {
	for _, id := range n.parents {
		parent, err := t.repo.node(id)
		if errors.Is(err, odb.ErrNotFound) {
			return plumbing.ZeroHash, &historyGap{missing: id}
		}
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if has, err := t.has(parent); err != nil || has {
			return id, err
		}
	}
	return plumbing.ZeroHash, nil
}

func (t *tracer) has(n *node) (bool, error) {
	e, err := t.repo.lookup(n.tree, t.path)
	return e.exists() && e.id == t.blob, err
}

// gap asks for the files of all commits that a trace can pass, at once.
func (t *tracer) gap(p *painting, err error) error {
	g := &treeGap{err: err}
	seen := map[plumbing.Hash]bool{}
	for id, m := range p.marks {
		if m != fromOne {
			continue
		}
		n, err := t.repo.node(id)
		if err != nil {
			return err
		}
		for _, want := range append([]plumbing.Hash{id}, n.parents...) {
			if !seen[want] && len(g.wants) < maxWants {
				seen[want] = true
				g.wants = append(g.wants, Want{SHA: want.String()})
			}
		}
	}
	return g
}

// treeGap says that commits are there without their files.
type treeGap struct {
	wants []Want
	err   error
}

func (g *treeGap) Error() string { return fmt.Sprintf("files of earlier commits: %v", g.err) }
func (g *treeGap) Unwrap() error { return g.err }

// ChangedPaths lists the paths, old and new ones of moves, that a commit changes
// against its first parent; all its paths if it has none. The parent is fetched
// if need be.
func (r *Repo) ChangedPaths(ctx context.Context, sha string) ([]string, error) {
	if err := r.Fetch(ctx, Want{SHA: sha}); err != nil {
		return nil, err
	}
	n, err := r.node(plumbing.NewHash(sha))
	if err != nil {
		return nil, err
	}
	var before plumbing.Hash
	if len(n.parents) > 0 {
		if err := r.Fetch(ctx, Want{SHA: n.parents[0].String()}); err != nil {
			return nil, err
		}
		parent, err := r.node(n.parents[0])
		if err != nil {
			return nil, err
		}
		before = parent.tree
	}
	deltas, err := r.diff(ctx, before, n.tree)
	paths := make([]string, 0, len(deltas))
	for _, d := range deltas {
		paths = append(paths, d.path)
	}
	slices.Sort(paths)
	return paths, err
}
