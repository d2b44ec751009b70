package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"workflow-reviewer/internal/gitrepo"
)

// open brings the commits under review into an object store of our own.
func (j *job) open(ctx context.Context, work string) (*gitrepo.Repo, error) {
	opt := gitrepo.Options{
		Workspace: j.env.get("GITHUB_WORKSPACE"), Dir: storeIn(work),
		Token: j.in.Token.Reveal(), Transport: j.transport,
		Clone: &gitrepo.Clone{Git: gitrepo.FindGit(j.env.get("PATH")), Env: j.env.forGit(), Tmp: work, Workflow: true},
	}
	if server := j.env.get("GITHUB_SERVER_URL"); server != "" {
		opt.Remote = fmt.Sprintf("%s/%s/%s.git", server, j.ev.Owner, j.ev.Repo)
	}
	if j.client != nil {
		opt.MergeBase = j.client.MergeBase
	}
	repo, err := gitrepo.Open(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	if err := j.fetch(ctx, repo); err != nil {
		return nil, errors.Join(err, repo.Close())
	}
	return repo, nil
}

// fetch makes base and head available, and finds the base where the event names only its branch.
func (j *job) fetch(ctx context.Context, repo *gitrepo.Repo) error {
	err := j.fetchBoth(ctx, repo)
	if err != nil && ctx.Err() == nil && j.ev.Name == "push" && j.ev.Base.SHA != "" && j.ev.Head.Branch != j.ev.DefaultBranch {
		j.notice(true, "the commit %s from before the push is gone; compared with %s instead", short(j.ev.Base.SHA), j.ev.DefaultBranch)
		j.ev.Base.SHA, j.ev.Base.Branch = "", j.ev.DefaultBranch
		err = j.fetchBoth(ctx, repo)
	}
	return err
}

func (j *job) fetchBoth(ctx context.Context, repo *gitrepo.Repo) error {
	if err := j.findBase(ctx, repo); err != nil {
		return err
	}
	wants := []gitrepo.Want{j.headWant()}
	if j.ev.Base.SHA != "" {
		want := gitrepo.Want{SHA: j.ev.Base.SHA}
		if j.ev.Base.Branch != "" {
			want.Ref = "refs/heads/" + j.ev.Base.Branch
		}
		wants = append(wants, want)
	}
	if err := repo.Fetch(ctx, wants...); err != nil {
		return fmt.Errorf("fetch base and head: %w", err)
	}
	return nil
}

// findBase asks for the commit of a base that is known by its branch alone. A
// repository's first push has none: all of it is new.
func (j *job) findBase(ctx context.Context, repo *gitrepo.Repo) error {
	branch := j.ev.Base.Branch
	pushed := j.ev.Name == "push"
	if j.ev.Base.SHA != "" || branch == "" || pushed && branch == j.ev.Head.Branch {
		return nil
	}
	tip, err := repo.Tip(ctx, branch)
	if err != nil && j.env.act() {
		tip, err = known(ctx, repo, branch, err)
	}
	if pushed && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("find the tip of %s: %w", branch, err)
	}
	j.ev.Base.SHA = tip
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

func (j *job) headWant() gitrepo.Want {
	want := gitrepo.Want{SHA: j.ev.Head.SHA}
	switch {
	case j.ev.Number != 0:
		want.Ref = fmt.Sprintf("refs/pull/%d/head", j.ev.Number)
	case j.ev.Head.Branch != "":
		want.Ref = "refs/heads/" + j.ev.Head.Branch
	}
	return want
}
