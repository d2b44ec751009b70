package action

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"workflow-reviewer/internal/gitrepo"
)

// open brings the commits under review into an object store of our own.
func (j *job) open(ctx context.Context, work string) (*gitrepo.Repo, error) {
	opt := gitrepo.Options{
		Workspace: j.env.get("GITHUB_WORKSPACE"), Dir: filepath.Join(work, "store"),
		Token: j.in.Token.Reveal(),
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

// fetch makes base and head available, and finds the base where the event
// names only its branch.
func (j *job) fetch(ctx context.Context, repo *gitrepo.Repo) error {
	if j.ev.Base.SHA == "" && j.ev.Base.Branch != "" {
		tip, err := repo.Tip(ctx, j.ev.Base.Branch)
		if err != nil {
			return fmt.Errorf("find the tip of %s: %w", j.ev.Base.Branch, err)
		}
		j.ev.Base.SHA = tip
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
