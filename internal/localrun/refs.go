package localrun

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Refs resolves the two revisions, the base by default to the default branch, the head on request
// to the work tree as it stands. The notices name what of that is left out. A shallow clone is
// completed as far as the two need it.
func Refs(
	ctx context.Context, repo *gitrepo.Repo, baseRev, headRev string, worktree bool, now time.Time,
) (base, head string, left []workflow.Finding, err error) {
	if head, left, err = localHead(ctx, repo, headRev, worktree, now); err != nil {
		return "", "", nil, err
	}
	if baseRev == "" {
		base, _, err = DefaultBase(ctx, repo)
	} else if base, err = repo.Resolve(ctx, baseRev); err != nil {
		err = fmt.Errorf("--base: %w", err)
	}
	if err != nil {
		return "", "", nil, err
	}
	if err := repo.Fetch(ctx, base, head); err != nil {
		return "", "", nil, err
	}
	return base, head, left, nil
}

// localHead resolves the head: a revision, or the work tree as it stands.
func localHead(ctx context.Context, repo *gitrepo.Repo, rev string, asItStands bool, now time.Time,
) (head string, left []workflow.Finding, err error) {
	if asItStands {
		return Worktree(ctx, repo, now)
	}
	if head, err = repo.Resolve(ctx, rev); err != nil {
		return "", nil, fmt.Errorf("--head: %w", err)
	}
	return head, nil, nil
}

// DefaultBase is the commit of the default branch, with the name that it was found by. The
// origin's branch goes before the local one, which may be old.
func DefaultBase(ctx context.Context, repo *gitrepo.Repo) (base, name string, err error) {
	refs := []string{"origin/HEAD"}
	for _, prefix := range []string{"origin/", ""} {
		for _, branch := range pipeline.DefaultBranches() {
			refs = append(refs, prefix+branch)
		}
	}
	for _, ref := range refs {
		if base, err = repo.Resolve(ctx, ref); err == nil {
			return base, ref, nil
		}
	}
	return "", "", errors.New(
		"--base is not given and there is no branch main or master; name the branch to compare " +
			"with",
	)
}

// Worktree is the work tree as a commit of the run's own store. Links are taken as links; files
// that are too large, and what is no file, are left out and named.
func Worktree(
	ctx context.Context,
	repo *gitrepo.Repo,
	now time.Time,
) (string, []workflow.Finding, error) {
	head, left, err := repo.Snapshot(ctx, localAuthor(now))
	var notices []workflow.Finding
	for _, l := range left {
		notices = append(
			notices,
			workflow.Finding{Level: workflow.Warn, Text: "left out of the review: " + l},
		)
	}
	return head, notices, err
}

// applicable refuses --apply before anything is paid for where there is no branch to commit to.
func applicable(ctx context.Context, repo *gitrepo.Repo, head string) error {
	tip, err := repo.Resolve(ctx, "HEAD")
	if err == nil {
		err = repo.CanApply(ctx)
	}
	switch {
	case err != nil:
		return fmt.Errorf("--apply: %w", err)
	case repo.Branch() == "":
		return errors.New(
			"--apply commits to the branch that is checked out, and HEAD is detached; check out " +
				"a branch first",
		)
	case tip != head:
		return fmt.Errorf(
			"--apply commits to the branch that is checked out, and %s is not what --head names; "+
				"check that out first",
			repo.Branch(),
		)
	}
	return nil
}

// Request is that of two revisions of a local repository; rev is how the user named the head. Every
// record is believed: on a clone of one's own nobody else could have forged it.
func Request(
	env process.Env, repo *gitrepo.Repo, cfg config.Config, base, head, rev string,
) pipeline.Request {
	believed := func(context.Context, record.Record) (bool, string, error) { return true, "", nil }
	return pipeline.Request{
		Sources: pipeline.Sources{Repo: repo, Vouched: believed, Now: env.Now},
		Config:  cfg, Event: change.Event{
			Name: "local", Base: change.Ref{SHA: base},
			Head: change.Ref{SHA: head, Branch: localBranch(repo, rev)},
		},
	}
}

var commitID = lazyregexp.New(`^[0-9a-f]{7,40}$`)

// localBranch is the branch that a revision names, by which its feature may be found; "" for a
// commit id.
func localBranch(repo *gitrepo.Repo, rev string) string {
	if rev == "HEAD" || rev == "@" {
		return repo.Branch()
	}
	name, _, _ := strings.Cut(rev, "~")
	name, _, _ = strings.Cut(name, "^")
	for _, prefix := range []string{"refs/heads/", "refs/remotes/", "origin/"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if name == "HEAD" || commitID.MatchString(name) {
		return ""
	}
	return name
}

// localAuthor is who commits on a developer's machine.
func localAuthor(now time.Time) gitrepo.Author {
	return gitrepo.Author{
		Name:  "github-actions[bot]",
		Email: "workflow-reviewer@localhost",
		When:  now,
	}
}
