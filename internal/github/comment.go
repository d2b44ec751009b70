package github

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// maxComment is the longest comment GitHub takes, in characters.
const maxComment = 65_536

// UpsertComment keeps one comment of our own on a pull request: it updates the first that starts
// with marker and that we wrote, or makes it. Comments of others are never touched, whatever they
// contain. write is given what stands there, "" for nothing, and returns the new body; an empty one
// leaves all as it is. The marker, an HTML comment, is put before the body unless it is there.
func (c *Client) UpsertComment(
	ctx context.Context, number int, marker string, write func(former string) string,
) error {
	ours, found, err := c.findComment(ctx, number, marker)
	if err != nil {
		return explain(err, "look for our comment on %d", number)
	}
	body := write(ours.GetBody())
	if body == "" {
		return nil
	}
	if !strings.HasPrefix(body, marker) {
		body = marker + "\n" + body
	}
	body = cut(body, maxComment)
	comment := &gh.IssueComment{Body: &body}
	switch {
	case found && ours.GetBody() == body:
		return nil
	case found:
		_, _, err := c.api.Issues.EditComment(ctx, c.owner, c.repo, ours.GetID(), comment)
		return explain(err, "update our comment on %d", number)
	}
	_, err = create(ctx, c, func() (*gh.IssueComment, error) {
		made, _, err := c.api.Issues.CreateComment(ctx, c.owner, c.repo, number, comment)
		return made, err
	}, func() (*gh.IssueComment, bool, error) {
		return c.findComment(ctx, number, marker)
	})
	return explain(err, "comment on %d", number)
}

// Reply adds a comment to a pull request. A second one with the same marker, an HTML comment at its
// start, is not made.
func (c *Client) Reply(ctx context.Context, number int, marker, body string) error {
	return c.UpsertComment(ctx, number, marker, func(former string) string {
		if former != "" {
			return ""
		}
		return body
	})
}

// findComment looks for the comment that begins with the marker and was written by this token's
// account. Others may copy the marker.
func (c *Client) findComment(
	ctx context.Context, number int, marker string,
) (*gh.IssueComment, bool, error) {
	me, err := c.Self(ctx)
	if err != nil {
		return nil, false, err
	}
	all, err := pages(func(o gh.ListOptions) ([]*gh.IssueComment, *gh.Response, error) {
		return c.api.Issues.ListComments(
			ctx, c.owner, c.repo, number, &gh.IssueListCommentsOptions{ListOptions: o},
		)
	})
	if err != nil {
		return nil, false, err
	}
	i := slices.IndexFunc(all, func(k *gh.IssueComment) bool {
		return k.GetUser().GetLogin() == me && strings.HasPrefix(k.GetBody(), marker)
	})
	if i < 0 {
		return nil, false, nil
	}
	return all[i], true, nil
}

// Self is the login that the token acts as. Only a user's token may read /user; the job's own token
// and an App's are asked through GraphQL. Who does not answer is an error and nobody: a guess would
// take for our own what is not. A failure is final, as each costs all retries, unless ctx ended.
func (c *Client) Self(ctx context.Context) (string, error) {
	c.mu.Lock() // whoever asks meanwhile waits for the answer
	defer c.mu.Unlock()
	if c.me == "" && c.nobody == nil {
		me, err := c.askSelf(ctx)
		if err != nil && ctx.Err() != nil {
			return "", err
		}
		c.me, c.nobody = me, err
	}
	return c.me, c.nobody
}

func (c *Client) askSelf(ctx context.Context) (me string, err error) {
	user, _, err := c.api.Users.Get(ctx, "")
	switch status := statusOf(err); {
	case err == nil && user.GetLogin() != "":
		me = user.GetLogin()
	case status == http.StatusForbidden || status == http.StatusNotFound:
		me, err = c.viewer(ctx)
	}
	if err == nil && me == "" {
		err = errors.New("no login in GitHub's answer")
	}
	if err != nil {
		return "", explain(err, "ask who the token belongs to")
	}
	return me, nil
}

// viewer is the login of the token's account by GraphQL, with the suffix [bot] that REST shows for
// Apps. It is "" where the token has no account.
func (c *Client) viewer(ctx context.Context) (string, error) {
	var data struct {
		Viewer struct {
			Login string `json:"login"`
		} `json:"viewer"`
	}
	if err := c.query(ctx, `query { viewer { login } }`, nil, &data); err != nil ||
		data.Viewer.Login == "" {
		return "", err
	}
	return strings.TrimSuffix(data.Viewer.Login, "[bot]") + "[bot]", nil
}
