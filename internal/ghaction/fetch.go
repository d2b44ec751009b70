package ghaction

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/workflow"
)

// fetcher brings the commits of an event into an object store of our own.
type fetcher struct {
	*host
	client *github.Client
	ev     change.Event
}

// openRepo opens an object store with base and head. The event comes back with the base that was
// found.
func openRepo(
	ctx context.Context, h *host, client *github.Client, s subject, work string,
) (*gitrepo.Repo, change.Event, error) {
	f := &fetcher{host: h, client: client, ev: s.ev}
	repo, err := f.open(ctx, s, work)
	return repo, f.ev, err
}

// open opens the run's object store and fetches base and head. The caller closes the repository; on
// an error it is closed already.
func (f *fetcher) open(ctx context.Context, s subject, work string) (*gitrepo.Repo, error) {
	opt := gitrepo.Options{
		Workspace: f.env.Get("GITHUB_WORKSPACE"), Dir: engine.StoreIn(work),
		Token: s.in.Token.Reveal(), Transport: f.env.Transport(),
		Clone: &gitrepo.Clone{
			Git: gitrepo.FindGit(f.env.Get("PATH")), Env: f.env.GitVars(), Tmp: work,
			Workflow: true,
		},
	}
	if server := f.env.Get("GITHUB_SERVER_URL"); server != "" {
		opt.Remote = fmt.Sprintf("%s/%s/%s.git", server, f.ev.Owner, f.ev.Repo)
	}
	if f.client != nil {
		opt.MergeBase = f.client.MergeBase
	}
	repo, err := gitrepo.Open(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	if err := f.fetch(ctx, repo); err != nil {
		return nil, errors.Join(err, repo.Close())
	}
	return repo, nil
}

// fetch makes base and head available, and finds the base where the event names only its branch.
func (f *fetcher) fetch(ctx context.Context, repo *gitrepo.Repo) error {
	err := f.fetchBoth(ctx, repo)
	if err != nil && ctx.Err() == nil && f.ev.Name == "push" && f.ev.Base.SHA != "" &&
		f.ev.Head.Branch != f.ev.DefaultBranch {
		f.notice(
			workflow.Warn, "the commit %s from before the push is gone; compared with %s instead",
			change.Short(f.ev.Base.SHA), f.ev.DefaultBranch,
		)
		f.ev.Base.SHA, f.ev.Base.Branch = "", f.ev.DefaultBranch
		err = f.fetchBoth(ctx, repo)
	}
	return err
}

// fetchBoth fetches the head and, where the event says which it is, the base. A base known by its
// branch alone is looked up first.
func (f *fetcher) fetchBoth(ctx context.Context, repo *gitrepo.Repo) error {
	if err := f.findBase(ctx, repo); err != nil {
		return err
	}
	wants := []string{f.ev.Head.SHA}
	if f.ev.Base.SHA != "" {
		wants = append(wants, f.ev.Base.SHA)
	}
	if err := repo.Fetch(ctx, wants...); err != nil {
		return fmt.Errorf("fetch base and head: %w", err)
	}
	return nil
}

// findBase asks for the commit of a base that is known by its branch alone. A
// repository's first push has none: all of it is new.
func (f *fetcher) findBase(ctx context.Context, repo *gitrepo.Repo) error {
	branch := f.ev.Base.Branch
	pushed := f.ev.Name == "push"
	if f.ev.Base.SHA != "" || branch == "" || pushed && branch == f.ev.Head.Branch {
		return nil
	}
	tip, err := repo.Tip(ctx, branch)
	if err != nil && f.env.IsAct() {
		tip, err = known(ctx, repo, branch, err)
	}
	if pushed && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the tip of %s: %w", branch, err)
	}
	f.ev.Base.SHA = tip
	return nil
}

// known is where the workspace last saw a branch: act's containers do not see
// an origin that is a path of the host. Without an answer the error stands.
func known(ctx context.Context, repo *gitrepo.Repo, branch string, err error) (string, error) {
	for _, ref := range []string{"refs/remotes/origin/" + branch, "refs/heads/" + branch} {
		if id, rerr := repo.Resolve(ctx, ref); rerr == nil {
			return id, nil
		}
	}
	return "", err
}
