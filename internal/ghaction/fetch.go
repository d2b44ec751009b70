package ghaction

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/workflow"
)

// openRepo opens the run's object store with base and head. The caller closes the repository; on an
// error it is closed already.
func (r *run) openRepo(ctx context.Context, work string) (*gitrepo.Repo, error) {
	opt := gitrepo.Options{
		Workspace: r.Env.Get("GITHUB_WORKSPACE"), Dir: engine.StoreIn(work),
		Token: r.in.Token.Reveal(), Transport: r.Env.Transport(),
		Clone: &gitrepo.Clone{
			Git: gitrepo.FindGit(r.Env.Get("PATH")), Env: r.Env.GitVars(), Tmp: work,
			Workflow: true,
		},
	}
	if server := r.Env.Get("GITHUB_SERVER_URL"); server != "" {
		opt.Remote = fmt.Sprintf("%s/%s/%s.git", server, r.ev.Owner, r.ev.Repo)
	}
	if r.client != nil {
		opt.MergeBase = r.client.MergeBase
	}
	repo, err := gitrepo.Open(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	if err := r.fetch(ctx, repo); err != nil {
		return nil, errors.Join(err, repo.Close())
	}
	return repo, nil
}

// fetch makes base and head available, and finds the base where the event names only its branch. A
// run that is started again has the event of its first attempt: what is on the base by now counts.
func (r *run) fetch(ctx context.Context, repo *gitrepo.Repo) error {
	if r.attempt() > 1 && strings.HasPrefix(r.ev.Name, "pull_request") {
		r.ev.Base.SHA = ""
	}
	err := r.fetchBoth(ctx, repo)
	if err != nil && ctx.Err() == nil && r.ev.Name == "push" && r.ev.Base.SHA != "" &&
		r.ev.Head.Branch != r.ev.DefaultBranch {
		r.notice(
			workflow.Warn, "the commit %s from before the push is gone; compared with %s instead",
			change.Short(r.ev.Base.SHA), r.ev.DefaultBranch,
		)
		r.ev.Base.SHA, r.ev.Base.Branch = "", r.ev.DefaultBranch
		err = r.fetchBoth(ctx, repo)
	}
	return err
}

// fetchBoth fetches the head and, where the event says which it is, the base. A base known by its
// branch alone is looked up first.
func (r *run) fetchBoth(ctx context.Context, repo *gitrepo.Repo) error {
	if err := r.findBase(ctx, repo); err != nil {
		return err
	}
	wants := []string{r.ev.Head.SHA}
	if r.ev.Base.SHA != "" {
		wants = append(wants, r.ev.Base.SHA)
	}
	if err := repo.Fetch(ctx, wants...); err != nil {
		return fmt.Errorf("fetch base and head: %w", err)
	}
	return nil
}

// findBase asks for the commit of a base that is known by its branch alone. A
// repository's first push has none: all of it is new.
func (r *run) findBase(ctx context.Context, repo *gitrepo.Repo) error {
	branch := r.ev.Base.Branch
	pushed := r.ev.Name == "push"
	if r.ev.Base.SHA != "" || branch == "" || pushed && branch == r.ev.Head.Branch {
		return nil
	}
	tip, err := repo.Tip(ctx, branch)
	if err != nil && r.Env.IsAct() {
		tip, err = known(ctx, repo, branch, err)
	}
	if pushed && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the tip of %s: %w", branch, err)
	}
	r.ev.Base.SHA = tip
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
