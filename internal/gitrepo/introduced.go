package gitrepo

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/gitrepo/odb"
)

// Introduced finds the commit in base..head that brought a blob to a path: from head it follows the
// blob from parent to parent until none has it. It is false if head does not have the blob there,
// or if the blob comes from base.
func (r *Repo) Introduced(ctx context.Context, path, blob, base, head string) (CommitInfo, bool, error) {
	ids, err := parseSHAs(blob, base, head)
	if err != nil {
		return CommitInfo{}, false, err
	}
	t := tracer{repo: r, path: path, blob: ids[0], tips: ids[1:]}
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

// has reports whether a commit has the blob at the path.
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
