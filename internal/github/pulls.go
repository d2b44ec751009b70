package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	gh "github.com/google/go-github/v66/github"

	"workflow-reviewer/internal/change"
)

// closed is the state of a pull request that was merged or closed.
const closed = "closed"

// PullRequest reads one pull request. Of the event it fills what takePull does, Owner, Repo,
// DefaultBranch and OnPull.
func (c *Client) PullRequest(ctx context.Context, number int) (change.Event, error) {
	pr, _, err := c.api.PullRequests.Get(ctx, c.owner, c.repo, number)
	if err != nil {
		return change.Event{}, explain(err, "read pull request %d", number)
	}
	ev := change.Event{
		Owner: c.owner, Repo: c.repo, OnPull: true,
		DefaultBranch: pr.GetBase().GetRepo().GetDefaultBranch(),
	}
	if err := takePull(&ev, pr); err != nil {
		return change.Event{}, fmt.Errorf("read pull request %d: %w", number, err)
	}
	return ev, nil
}

// OpenPulls are the numbers of the open pull requests whose head is the commit.
func (c *Client) OpenPulls(ctx context.Context, sha string) ([]int, error) {
	all, err := pages(func(o gh.ListOptions) ([]*gh.PullRequest, *gh.Response, error) {
		return c.api.PullRequests.List(
			ctx, c.owner, c.repo, &gh.PullRequestListOptions{State: "open", ListOptions: o},
		)
	})
	if err != nil {
		return nil, explain(err, "list the open pull requests")
	}
	var numbers []int
	for _, pr := range all {
		if pr.GetHead().GetSHA() == sha {
			numbers = append(numbers, pr.GetNumber())
		}
	}
	return numbers, nil
}

// PullCommits are the ids of a pull request's commits, the newest first; of 250 at most.
func (c *Client) PullCommits(ctx context.Context, number int) ([]string, error) {
	all, err := pages(func(o gh.ListOptions) ([]*gh.RepositoryCommit, *gh.Response, error) {
		return c.api.PullRequests.ListCommits(ctx, c.owner, c.repo, number, &o)
	})
	if err != nil {
		return nil, explain(err, "list the commits of pull request %d", number)
	}
	ids := make([]string, 0, len(all))
	for _, k := range slices.Backward(all) {
		ids = append(ids, k.GetSHA())
	}
	return ids, nil
}

// Permission reports whether the user may write to the repository. Someone GitHub does not know may
// not.
func (c *Client) Permission(ctx context.Context, user string) (canWrite bool, err error) {
	if !loginRE.MatchString(user) {
		return false, nil
	}
	p, _, err := c.api.Repositories.GetPermissionLevel(ctx, c.owner, c.repo, url.PathEscape(user))
	if statusOf(err) == http.StatusNotFound {
		return false, nil
	}
	if err != nil {
		return false, explain(err, "read permission of %s", user)
	}
	return p.GetPermission() == "admin" || p.GetPermission() == "write", nil
}

// MergeBase is the commit where head left base; both may be commit ids or
// branches. It is "" for histories without a common commit.
func (c *Client) MergeBase(ctx context.Context, base, head string) (string, error) {
	for _, r := range []string{base, head} {
		if !validSHA(r) && !validBranch(r) {
			return "", malformed("compared revision", r, "a commit id or branch")
		}
	}
	cmp, _, err := c.api.Repositories.CompareCommits(
		ctx, c.owner, c.repo, base, head, &gh.ListOptions{PerPage: 1},
	)
	var resp *gh.ErrorResponse
	if errors.As(err, &resp) && statusOf(err) == http.StatusNotFound &&
		strings.Contains(strings.ToLower(resp.Message), "no common ancestor") {
		return "", nil
	}
	if err != nil {
		return "", explain(err, "compare %s with %s", base, head)
	}
	if sha := cmp.GetMergeBaseCommit().GetSHA(); validSHA(sha) {
		return sha, nil
	}
	return "", fmt.Errorf("compare %s with %s: no merge base in the answer", base, head)
}

// Commit describes a commit as GitHub tells it.
type Commit struct {
	Message  string
	Parents  []string
	Author   string // login, "" if the author is no user of GitHub
	ByGitHub bool   // GitHub made it for its author, and signed it itself
}

// webFlow commits what is made on GitHub. A good signature alone says who committed, and whoever
// commits may name any author.
const webFlow = "web-flow"

// Commit reads one commit by its id.
func (c *Client) Commit(ctx context.Context, sha string) (Commit, error) {
	if !validSHA(sha) {
		return Commit{}, malformed("commit", sha, "40 hexadecimal digits")
	}
	rc, _, err := c.api.Repositories.GetCommit(
		ctx, c.owner, c.repo, sha, &gh.ListOptions{PerPage: 1},
	)
	if err != nil {
		return Commit{}, explain(err, "read commit %s", sha)
	}
	out := Commit{
		Message: rc.GetCommit().GetMessage(), Author: rc.GetAuthor().GetLogin(),
		ByGitHub: rc.GetCommit().GetVerification().GetVerified() &&
			rc.GetCommitter().GetLogin() == webFlow,
	}
	for _, p := range rc.Parents {
		out.Parents = append(out.Parents, p.GetSHA())
	}
	return out, nil
}

// SignedFor is the token's login if GitHub made and signed a commit for it, else "".
func (c *Client) SignedFor(ctx context.Context, sha string) (login string, err error) {
	commit, err := c.Commit(ctx, sha)
	if err != nil || !commit.ByGitHub {
		return "", err
	}
	me, err := c.Self(ctx)
	if err != nil || commit.Author != me {
		return "", err
	}
	return me, nil
}

// File reads a file of a commit, of at most a megabyte. Errors: ErrNotFound.
func (c *Client) File(ctx context.Context, path, sha string) ([]byte, error) {
	if !validSHA(sha) {
		return nil, malformed("commit", sha, "40 hexadecimal digits")
	}
	file, _, _, err := c.api.Repositories.GetContents(
		ctx, c.owner, c.repo, path, &gh.RepositoryContentGetOptions{Ref: sha},
	)
	if err != nil {
		return nil, explain(err, "read %s at %s", path, sha)
	}
	text, err := file.GetContent()
	return []byte(text), explain(err, "read %s at %s", path, sha)
}

// BranchTip is the commit id that a branch points to. Errors: ErrNotFound.
func (c *Client) BranchTip(ctx context.Context, branch string) (string, error) {
	if !validBranch(branch) {
		return "", malformed("branch", branch, "a branch name")
	}
	ref, _, err := c.api.Git.GetRef(ctx, c.owner, c.repo, "heads/"+branch)
	if err != nil {
		return "", explain(err, "read branch %s", branch)
	}
	return ref.GetObject().GetSHA(), nil
}
