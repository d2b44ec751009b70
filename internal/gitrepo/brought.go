package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/gitrepo/odb"
)

// Brought finds the commit in head's history that brought a blob to a path: from head it follows
// the blob from parent to parent until none has it. It is false if head does not have the blob
// there, or if the blob comes from the history of base, which "" leaves out. Shallow history is
// deepened; where that is impossible Brought fails, it never takes the end of what is at hand for
// the beginning.
func (r *Repo) Brought(
	ctx context.Context, path, blob, base, head string,
) (CommitInfo, bool, error) {
	tips, err := parseTips(head, base)
	if err != nil {
		return CommitInfo{}, false, err
	}
	t := tracer{repo: r, path: path, tips: tips}
	if t.blob, err = parseSHA(blob); err != nil {
		return CommitInfo{}, false, err
	}
	found, err := t.follow(ctx)
	if err != nil || found == nil {
		return CommitInfo{}, false, err
	}
	info, err := r.Commit(found.id.String())
	return info, err == nil, err
}

// tracer follows one blob at one path.
type tracer struct {
	repo  *Repo
	path  string
	blob  plumbing.Hash
	tips  []plumbing.Hash // head, and base if there is one
	marks map[plumbing.Hash]mark
}

// follow traces the blob back, fetching the files of more commits each time that some are missing.
func (t *tracer) follow(ctx context.Context) (found *node, err error) {
	at, asked := t.tips[0], plumbing.ZeroHash
	for batch := 16; ; batch = min(4*batch, maxWants) {
		err = t.repo.withHistory(ctx, t.tips, func() (err error) {
			if t.marks == nil {
				t.marks, err = t.repo.marksOf(ctx, t.tips)
			}
			if err == nil {
				found, at, err = t.back(ctx, at)
			}
			return err
		})
		if !errors.Is(err, errNoFiles) {
			return found, err
		}
		if at == asked {
			return nil, fmt.Errorf("follow %q from %s: %w", t.path, at, err)
		}
		asked = at
		if err := t.repo.Fetch(ctx, t.repo.ancestors(at, batch)...); err != nil {
			return nil, err
		}
	}
}

// parseTips reads a head and a base, which "" leaves out.
func parseTips(head, base string) ([]plumbing.Hash, error) {
	if base == "" {
		return parseSHAs(head)
	}
	return parseSHAs(head, base)
}

// marksOf tells which commits are in the history of the second of two tips; nil for one alone.
func (r *Repo) marksOf(ctx context.Context, tips []plumbing.Hash) (map[plumbing.Hash]mark, error) {
	if len(tips) == 1 {
		return nil, nil
	}
	p, err := r.paint(ctx, tips[0], tips[1:])
	if err != nil {
		return nil, err
	}
	return p.marks, nil
}

// maxWants is the most commits that one request asks for.
const maxWants = 1000

// errNoFiles: a commit is there without its files.
var errNoFiles = errors.New("the files of an earlier commit are missing")

// back walks from a commit to the one that brought the blob; nil if the first
// does not have it, or base's history does. last is where it stopped.
func (t *tracer) back(ctx context.Context, at plumbing.Hash) (*node, plumbing.Hash, error) {
	for steps := 0; t.marks[at]&fromTwo == 0; steps++ {
		if steps%256 == 0 && ctx.Err() != nil {
			return nil, at, ctx.Err()
		}
		n, err := t.repo.node(at)
		if errors.Is(err, odb.ErrNotFound) {
			return nil, at, &historyGap{missing: at}
		}
		if err != nil {
			return nil, at, err
		}
		has, err := t.has(n)
		if err == nil && !has {
			return nil, at, nil
		}
		var next plumbing.Hash
		if err == nil {
			next, err = t.parent(n)
		}
		switch {
		case errors.Is(err, odb.ErrNotFound):
			return nil, at, errNoFiles
		case err != nil:
			return nil, at, err
		case next.IsZero():
			return n, at, nil
		}
		at = next
	}
	return nil, at, nil
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

// has reports whether a commit has the blob at the path. Modes do not count.
func (t *tracer) has(n *node) (bool, error) {
	e, err := t.repo.lookup(n.tree, t.path)
	return e.exists() && e.id == t.blob, err
}

// ancestors wants a commit and those before it, newest first, most at most.
func (r *Repo) ancestors(id plumbing.Hash, most int) []string {
	wants := []string{}
	for c, err := range r.history(id, nil) {
		if err != nil || len(wants) == most {
			break // a gap ends the list early; what was walked is asked for
		}
		wants = append(wants, c.id.String())
	}
	return wants
}

// Mentioning lists the commits of head's history that are not in base's, which "" leaves out, and
// whose data holds a text, newest first. Shallow history is deepened; where that is impossible
// Mentioning fails.
func (r *Repo) Mentioning(
	ctx context.Context, text, base, head string,
) (out []CommitInfo, err error) {
	tips, err := parseTips(head, base)
	if err != nil {
		return nil, err
	}
	err = r.withHistory(ctx, tips, func() error {
		marks, err := r.marksOf(ctx, tips)
		if err != nil {
			return err
		}
		out = nil
		for c, err := range r.history(tips[0], marks) {
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if bytes.Contains(c.data, []byte(text)) {
				out = append(out, c.info(c.data))
			}
		}
		return nil
	})
	return out, err
}

// visited is a commit of a walk, with its data, which is read once only.
type visited struct {
	*node
	data []byte
}

// history walks from a commit to all before it, newest first, but those that are marked fromTwo.
// After an error the walk ends; a missing commit is a *historyGap, once all that are newer were
// visited.
func (r *Repo) history(from plumbing.Hash, marks map[plumbing.Hash]mark) iter.Seq2[visited, error] {
	return func(yield func(visited, error) bool) {
		var q queue
		seen := map[plumbing.Hash]bool{}
		waiting := map[plumbing.Hash][]byte{}
		var gap error
		for next := []plumbing.Hash{from}; ; {
			for _, id := range next {
				if seen[id] || marks[id]&fromTwo != 0 {
					continue
				}
				seen[id] = true
				n, data, err := r.readCommit(id)
				if errors.Is(err, odb.ErrNotFound) {
					gap = &historyGap{missing: id}
					continue
				}
				if err != nil {
					yield(visited{}, err)
					return
				}
				waiting[id] = data
				q.push(n)
			}
			if len(q.nodes) == 0 {
				break
			}
			n := q.pop()
			if !yield(visited{n, waiting[n.id]}, nil) {
				return
			}
			delete(waiting, n.id)
			next = n.parents
		}
		if gap != nil {
			yield(visited{}, gap)
		}
	}
}
