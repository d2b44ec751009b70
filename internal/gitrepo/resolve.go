package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"workflow-reviewer/internal/nearest"
)

// Resolve returns the commit id that a revision of the workspace names: HEAD or @, a branch, a tag,
// a full commit id, or origin/main, followed by any of ~n and ^n. A full id that is nowhere on this
// machine is fetched. Short ids, and whatever else git knows, take the developer's git.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	name, steps := rev, ""
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		name, steps = rev[:i], rev[i:]
	}
	id, err := r.named(ctx, name)
	if err == nil {
		id, err = r.peel(id)
	}
	if err == nil {
		id, err = r.follow(ctx, id, steps)
	}
	if err != nil {
		return "", fmt.Errorf("resolve %q: %w", rev, err)
	}
	return id.String(), nil
}

// named looks a name up: as an id, as a ref in git's order, as a branch of origin; then git is
// asked.
func (r *Repo) named(ctx context.Context, name string) (plumbing.Hash, error) {
	if id, err := parseSHA(name); err == nil {
		if r.db.Has(id) {
			return id, nil
		}
		return id, r.Fetch(ctx, name)
	}
	if name == "@" {
		name = "HEAD"
	}
	if r.work == nil {
		return plumbing.ZeroHash, errors.New("the workspace is no git repository")
	}
	if name != "" {
		for _, rule := range append(plumbing.RefRevParseRules, "refs/remotes/origin/%s") {
			id, err := r.work.ref(fmt.Sprintf(rule, name))
			if err == nil && !id.IsZero() {
				return id, nil
			}
		}
	}
	if id := r.work.namedByGit(ctx, name); !id.IsZero() {
		return id, nil
	}
	err := errUnknownRev
	if near := nearest.Word(name, r.work.branches()); near != "" {
		err = fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return plumbing.ZeroHash, err
}

// errUnknownRev is a revision that nothing is named by.
var errUnknownRev = errors.New("no such branch, tag or commit")

// branches are the names of the branches, here and of the origin; none where they cannot be read.
func (l *local) branches() (names []string) {
	refs, err := l.storage().IterReferences()
	if err != nil {
		return nil
	}
	_ = refs.ForEach(func(ref *plumbing.Reference) error {
		if ref.Name().IsBranch() || ref.Name().IsRemote() {
			names = append(names, ref.Name().Short())
		}
		return nil
	})
	return names
}

// peel follows annotated tags to a commit, eight of them at most. Any other object is an error.
func (r *Repo) peel(id plumbing.Hash) (plumbing.Hash, error) {
	for range 8 {
		kind, data, err := r.db.Read(id, maxCommit)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		switch kind {
		case plumbing.CommitObject:
			return id, nil
		case plumbing.TagObject:
			line, _, _ := bytes.Cut(data, []byte("\n"))
			id = plumbing.NewHash(strings.TrimPrefix(string(line), "object "))
		default:
			return plumbing.ZeroHash, fmt.Errorf("it is a %s, not a commit", kind)
		}
	}
	return plumbing.ZeroHash, errors.New("tag chain too deep")
}

// follow walks ~n and ^n, in any number and order, as gitrevisions(7) has them.
func (r *Repo) follow(ctx context.Context, id plumbing.Hash, steps string) (plumbing.Hash, error) {
	for steps != "" {
		op := steps[0]
		digits := len(steps[1:]) - len(strings.TrimLeft(steps[1:], "0123456789"))
		n, err := strconv.Atoi(steps[1 : 1+digits])
		if digits == 0 {
			n, err = 1, nil
		}
		steps = steps[1+digits:]
		if err != nil || steps != "" && steps[0] != '~' && steps[0] != '^' {
			return plumbing.ZeroHash, fmt.Errorf("only ~n and ^n are understood")
		}
		generations, which := n, 1
		if op == '^' {
			generations, which = min(n, 1), n
		}
		for range generations {
			if id, err = r.parent(ctx, id, which); err != nil {
				return plumbing.ZeroHash, err
			}
		}
	}
	return id, nil
}

// parent is a commit's n-th parent, fetched if history ends here.
func (r *Repo) parent(ctx context.Context, id plumbing.Hash, n int) (plumbing.Hash, error) {
	c, err := r.node(id)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if n > len(c.parents) {
		return plumbing.ZeroHash, fmt.Errorf("commit %.12s has %d parents", id, len(c.parents))
	}
	parent := c.parents[n-1]
	if !r.db.Has(parent) {
		err = r.Fetch(ctx, parent.String())
	}
	return parent, err
}

// Tip asks the origin, each time anew, for the commit that a branch is at. A
// branch that does not exist is fs.ErrNotExist.
func (r *Repo) Tip(ctx context.Context, branch string) (string, error) {
	id, err := r.tip(ctx, "refs/heads/"+branch)
	if err == nil && id.IsZero() {
		err = ErrNoBranch
	}
	if err != nil {
		return "", fmt.Errorf("look up branch %q at %s: %w", branch, r.origin(), err)
	}
	return id.String(), nil
}

// ErrNoBranch says that a branch is not there; it is an fs.ErrNotExist.
var ErrNoBranch error = &tidyError{
	"there is no such branch; it was deleted or renamed", fs.ErrNotExist,
}

// tip is the zero hash if the origin has no such ref.
func (r *Repo) tip(ctx context.Context, ref string) (plumbing.Hash, error) {
	if r.remote.problem != nil {
		return plumbing.ZeroHash, r.remote.problem
	}
	if r.remote.path != "" {
		home, err := r.openOrigin()
		if err != nil {
			return plumbing.ZeroHash, err
		}
		return home.ref(ref)
	}
	var id plumbing.Hash
	err := retryTransient(ctx, func(ctx context.Context) error {
		s, err := r.connect(ctx)
		if err == nil {
			id = s.adv.References[ref]
		}
		return err
	})
	return id, err
}
