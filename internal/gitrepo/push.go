package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"workflow-reviewer/internal/advice"
	"workflow-reviewer/internal/change"
)

// Push writes commits on top of expectedHead and moves the origin's branch from there to the last
// of them, which it returns. It never forces: if the branch is elsewhere, before or at the push,
// that is change.ErrHeadMoved; if the origin refuses it is change.ErrReadOnly with the origin's
// words. Network failures are tried again twice, as long as the branch is where it was.
func (r *Repo) Push(
	ctx context.Context, branch, expectedHead string, commits []change.Commit, author Author,
) (string, error) {
	if err := r.Fetch(ctx, expectedHead); err != nil {
		return "", err
	}
	b := r.builder(filepath.Join(r.opt.Dir, "objects"))
	u := update{ref: "refs/heads/" + branch, from: plumbing.NewHash(expectedHead)}
	var err error
	if u.to, err = b.commits(u.from, commits, author); err != nil {
		return "", err
	}
	u.made = b.made
	if err := r.push(ctx, u); err != nil {
		return "", fmt.Errorf("push to branch %q of %s: %w", branch, r.remote, err)
	}
	return u.to.String(), nil
}

// update is a move of one ref, with the objects that it needs.
type update struct {
	ref      string
	from, to plumbing.Hash
	made     []plumbing.Hash
}

// push sends an update of one ref, never forced. A failure that may pass is tried again after the
// remote's ref was looked at.
func (r *Repo) push(ctx context.Context, u update) error {
	if plumbing.ReferenceName(u.ref).Validate() != nil {
		return errors.New("that is no branch name")
	}
	if r.remote.problem != nil {
		return r.remote.problem
	}
	if r.remote.path != "" {
		home, err := r.openOrigin()
		if err != nil {
			return err
		}
		return home.receive(u, r.db)
	}
	endpoint, err := transport.NewEndpoint(r.remote.url)
	if err != nil {
		return errors.New("the URL cannot be parsed")
	}
	return retryTransient(ctx, func(ctx context.Context) error {
		s, err := r.client().NewReceivePackSession(endpoint, r.remote.auth)
		if err != nil {
			return err
		}
		err = r.confirmPush(ctx, u, r.send(ctx, s, u))
		if errors.Is(err, change.ErrHeadMoved) || errors.Is(err, change.ErrReadOnly) {
			return permanent(err)
		}
		return err // the branch is where it was
	})
}

// confirmPush looks where the branch is after a push that failed in a way that does not tell.
func (r *Repo) confirmPush(ctx context.Context, u update, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, change.ErrHeadMoved) {
		return err
	}
	now, tipErr := r.tip(ctx, u.ref)
	switch {
	case tipErr != nil:
		return err
	case now == u.to:
		return nil
	case now != u.from:
		return fmt.Errorf("%w: it is at %.12s", change.ErrHeadMoved, now)
	}
	return err
}

// send carries out an update in a session with a server.
func (r *Repo) send(ctx context.Context, s transport.ReceivePackSession, u update) error {
	defer s.Close() //nolint:errcheck // the report has told
	adv, err := s.AdvertisedReferencesContext(ctx)
	if err != nil {
		return refusal(err)
	}
	if now := adv.References[u.ref]; now != u.from {
		return fmt.Errorf("%w: it is at %.12s", change.ErrHeadMoved, now)
	}
	req := packp.NewReferenceUpdateRequestFromCapabilities(adv.Capabilities)
	req.Commands = []*packp.Command{{Name: plumbing.ReferenceName(u.ref), Old: u.from, New: u.to}}
	said := &words{}
	if adv.Capabilities.Supports(capability.Sideband64k) {
		if err := req.Capabilities.Set(capability.Sideband64k); err != nil {
			return err
		}
		req.Progress = said
	}
	pack := r.packOf(u.made, !adv.Capabilities.Supports(capability.OFSDelta))
	defer pack.Close() //nolint:errcheck // ends who writes it
	req.Packfile = pack
	report, err := s.ReceivePack(ctx, req)
	switch {
	case err == nil:
		return nil
	case report == nil || report.UnpackStatus != "ok":
		return refusal(err)
	}
	var status string
	for _, s := range report.CommandStatuses {
		status += s.Status
	}
	return rejection(status, said.String())
}

// refusal tells answers that will not change from others.
func refusal(err error) error {
	if errors.Is(err, transport.ErrAuthenticationRequired) ||
		errors.Is(err, transport.ErrAuthorizationFailed) ||
		errors.Is(err, transport.ErrRepositoryNotFound) {
		return fmt.Errorf("%w: %w", change.ErrReadOnly, tidy(err))
	}
	return tidy(err)
}

// rejection reads why a server did not move the branch: because it had moved, or because of a rule
// or hook.
func rejection(status, said string) error {
	for _, moved := range []string{
		"non-fast-forward", "stale", "fetch first", "cannot lock ref", "failed to lock",
		"failed to update ref", "incorrect old value",
	} {
		if strings.Contains(status, moved) {
			return fmt.Errorf("%w: %s", change.ErrHeadMoved, status)
		}
	}
	told := tidy(fmt.Errorf("%s: %s", status, said))
	why := advice.GitHub().Find(advice.Answer{Message: told.Error(), Call: "push"})
	if why.Class == "forbidden" {
		told = fmt.Errorf("%w: %s; %s", told, why.Means, why.Do)
	}
	return fmt.Errorf("%w: %w", change.ErrReadOnly, told)
}

// words keeps the start of what a server says beside its answer: a hook's reason stands there.
type words struct{ bytes.Buffer }

// Write implements io.Writer; it keeps 4 KiB.
func (w *words) Write(p []byte) (int, error) {
	w.Buffer.Write(p[:min(len(p), max(0, 4096-w.Len()))])
	return len(p), nil
}
