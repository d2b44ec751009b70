package github

import (
	"context"
	"net/http"
	"net/url"
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
