package github

import (
	"context"
	"net/http"
	"net/url"

	gh "github.com/google/go-github/v66/github"
)

// RemoveLabel takes a label off; one that is not there is no error.
func (c *Client) RemoveLabel(ctx context.Context, number int, label string) error {
	_, err := c.api.Issues.RemoveLabelForIssue(ctx, c.owner, c.repo, number, url.PathEscape(label))
	if statusOf(err) == http.StatusNotFound {
		return nil
	}
	return explain(err, "remove label %q of %d", label, number)
}

// React puts a reaction ("eyes", "+1", "-1", "rocket", "confused") on an issue
// comment; a second one of the same kind changes nothing.
func (c *Client) React(ctx context.Context, commentID int64, content string) error {
	_, _, err := c.api.Reactions.CreateIssueCommentReaction(
		ctx, c.owner, c.repo, commentID, content,
	)
	return explain(err, "react to comment %d", commentID)
}

// maxPages bounds every listing: 100 entries a page.
const maxPages = 100

// pages reads a listing to its end.
func pages[T any](list func(gh.ListOptions) ([]T, *gh.Response, error)) ([]T, error) {
	var all []T
	o := gh.ListOptions{PerPage: 100}
	for range maxPages {
		some, resp, err := list(o)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		if resp.NextPage == 0 {
			break
		}
		o.Page = resp.NextPage
	}
	return all, nil
}
