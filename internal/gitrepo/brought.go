package gitrepo

import (
	"bytes"
	"container/heap"
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/gitrepo/odb"
)

// Brought finds the commit in head's history that brought a blob to a path: from head it follows
// the blob from parent to parent until none has it. It is false if head does not have the blob
// there. Shallow history is deepened; where that is impossible Brought fails, it never takes the
// end of what is at hand for the beginning.
func (r *Repo) Brought(ctx context.Context, path, blob, head string) (CommitInfo, bool, error) {
	ids, err := parseSHAs(blob, head)
	if err != nil {
		return CommitInfo{}, false, err
	}
	t := tracer{repo: r, path: path, blob: ids[0], tips: ids[1:]}
	found, err := t.follow(ctx)
	if err != nil || found == nil {
		return CommitInfo{}, false, err
	}
	info, err := r.Commit(found.id.String())
	return info, err == nil, err
}

// follow traces the blob back, fetching the files of more commits each time that some are missing.
func (t *tracer) follow(ctx context.Context) (found *node, err error) {
	at, asked := t.tips[0], plumbing.ZeroHash
	for batch := 16; ; batch = min(4*batch, maxWants) {
		err = t.repo.withHistory(ctx, t.tips, func() (err error) {
			found, at, err = t.back(ctx, at)
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

// errNoFiles: a commit is there without its files.
var errNoFiles = errors.New("the files of an earlier commit are missing")

// back walks from a commit to the one that brought the blob; nil if the first
// does not have it. last is where it stopped.
func (t *tracer) back(ctx context.Context, at plumbing.Hash) (found *node, last plumbing.Hash, err error) {
	for steps := 0; ; steps++ {
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
}

// ancestors wants a commit and those before it, newest first, n at most.
func (r *Repo) ancestors(id plumbing.Hash, n int) []Want {
	wants := []Want{}
	_ = r.visit(id, func(n *node, _ []byte) bool {
		wants = append(wants, Want{SHA: n.id.String()})
		return true
	}, n) // a gap ends the list early; what was walked is asked for
	return wants
}

// Subjected finds, in head's history, the newest commit for each subject that begins with prefix;
// the key is the rest of the subject. Shallow history is deepened, and where that is impossible
// Subjected fails.
func (r *Repo) Subjected(ctx context.Context, prefix, head string) (map[string]CommitInfo, error) {
	tip, err := parseSHA(head)
	if err != nil {
		return nil, err
	}
	var found map[string]CommitInfo
	err = r.withHistory(ctx, []plumbing.Hash{tip}, func() error {
		found = map[string]CommitInfo{}
		var failure error
		err := r.visit(tip, func(n *node, data []byte) bool {
			if failure = ctx.Err(); failure != nil {
				return false
			}
			rest, ok := bytes.CutPrefix(subjectOf(data), []byte(prefix))
			if !ok || found[string(rest)].SHA != "" {
				return true
			}
			var info CommitInfo
			info, failure = r.Commit(n.id.String())
			found[string(rest)] = info
			return failure == nil
		}, 0)
		return errors.Join(failure, err)
	})
	return found, err
}

// subjectOf is the first line of the message of a commit's data, without the space around it.
func subjectOf(data []byte) []byte {
	_, message, _ := bytes.Cut(data, []byte("\n\n"))
	subject, _, _ := bytes.Cut(bytes.TrimLeft(message, "\n"), []byte("\n"))
	return bytes.TrimSpace(subject)
}

// Trailed lists the commits of head's history that are not in base's and whose message speaks of a
// trailer of this name, newest first. Shallow history is deepened; where that is impossible Trailed
// fails.
func (r *Repo) Trailed(ctx context.Context, trailer, base, head string) ([]CommitInfo, error) {
	tips, err := parseSHAs(base, head)
	if err != nil {
		return nil, err
	}
	var p *painting
	err = r.withHistory(ctx, tips, func() (err error) {
		p, err = r.paint(ctx, tips[1], tips[:1])
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.trailed(p, tips[1], trailer)
}

// trailed reads the commits that a painting found on the head's side alone.
func (r *Repo) trailed(p *painting, head plumbing.Hash, trailer string) ([]CommitInfo, error) {
	var q queue
	seen := map[plumbing.Hash]bool{}
	add := func(id plumbing.Hash) error {
		if seen[id] || p.marks[id]&fromTwo != 0 {
			return nil
		}
		seen[id] = true
		n, err := r.node(id)
		if err == nil {
			heap.Push(&q, queued{node: n})
		}
		return err
	}
	var out []CommitInfo
	err := add(head)
	for err == nil && q.Len() > 0 {
		n := heap.Pop(&q).(queued).node //nolint:errcheck,forcetypeassert // the queue holds nothing else
		data, readErr := r.commitData(n.id)
		if readErr == nil && bytes.Contains(data, []byte("\n"+trailer+": ")) {
			var info CommitInfo
			info, readErr = r.Commit(n.id.String())
			out = append(out, info)
		}
		err = readErr
		for i := 0; err == nil && i < len(n.parents); i++ {
			err = add(n.parents[i])
		}
	}
	return out, err
}

// visit walks from a commit to all before it, newest first, until each returns false or, unless
// most is 0, most were visited. each gets the commit's data too, as it is read once only. A missing
// commit is a *historyGap, once all that are newer were visited.
func (r *Repo) visit(from plumbing.Hash, each func(*node, []byte) bool, most int) error {
	var q queue
	seen := map[plumbing.Hash]bool{}
	waiting := map[plumbing.Hash][]byte{}
	var gap error
	add := func(id plumbing.Hash) error {
		if seen[id] {
			return nil
		}
		seen[id] = true
		data, err := r.commitData(id)
		if errors.Is(err, odb.ErrNotFound) {
			gap = &historyGap{missing: id}
			return nil
		}
		if err != nil {
			return err
		}
		n, err := parseNode(id, data)
		if err == nil {
			waiting[id] = data
			heap.Push(&q, queued{node: n})
		}
		return err
	}
	if err := add(from); err != nil {
		return err
	}
	for visited := 0; q.Len() > 0 && (most == 0 || visited < most); visited++ {
		n := heap.Pop(&q).(queued).node //nolint:errcheck,forcetypeassert // the queue holds nothing else
		data := waiting[n.id]
		delete(waiting, n.id)
		if !each(n, data) {
			return nil
		}
		for _, parent := range n.parents {
			if err := add(parent); err != nil {
				return err
			}
		}
	}
	return gap
}
