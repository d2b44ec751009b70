package github

import (
	"context"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// threadPages bounds how many threads of a pull request are looked at, in hundreds.
const threadPages = 20

const threadsQuery = `query($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        nodes {
          id isResolved
          comments(first: 1) { nodes { databaseId body author { __typename login } } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`

// thread is a conversation on lines of the diff with its first comment.
type thread struct {
	ID         string
	IsResolved bool
	Comments   struct {
		Nodes []struct {
			DatabaseID int64
			Body       string
			Author     struct {
				Typename string `json:"__typename"`
				Login    string
			}
		}
	}
}

// CloseThreads closes the threads that we began and whose first comment, by its body, is settled:
// it resolves the thread; where the token may not, it edits the comment to say so. Threads that
// others began are never touched.
// closed says how many are new.
func (c *Client) CloseThreads(
	ctx context.Context, number int, settled func(body string) bool,
) (closed int, err error) {
	me, err := c.Self(ctx)
	if err != nil {
		return 0, err
	}
	threads, err := c.threads(ctx, number)
	if err != nil {
		return 0, explain(err, "list the threads of %d", number)
	}
	for _, t := range threads {
		if t.IsResolved || len(t.Comments.Nodes) == 0 {
			continue
		}
		first := t.Comments.Nodes[0]
		login := first.Author.Login
		if first.Author.Typename == "Bot" {
			login = strings.TrimSuffix(login, "[bot]") + "[bot]"
		}
		marker, text, _ := strings.Cut(first.Body, "\n")
		ours := login == me && strings.HasPrefix(marker, ownMarker)
		if !ours || strings.HasPrefix(text, resolvedNote) || !settled(first.Body) {
			continue
		}
		if err := c.closeThread(ctx, t.ID, first.DatabaseID, first.Body); err != nil {
			return closed, explain(err, "close a thread of %d", number)
		}
		closed++
	}
	return closed, nil
}

// threads lists the review threads of a pull request, at most threadPages pages of them.
func (c *Client) threads(ctx context.Context, number int) ([]thread, error) {
	var out []thread
	vars := map[string]any{"owner": c.owner, "repo": c.repo, "number": number}
	for range threadPages {
		var data struct {
			Repository struct {
				PullRequest struct {
					ReviewThreads struct {
						Nodes    []thread
						PageInfo struct {
							HasNextPage bool
							EndCursor   string
						}
					}
				}
			}
		}
		if err := c.query(ctx, threadsQuery, vars, &data); err != nil {
			return nil, err
		}
		page := data.Repository.PullRequest.ReviewThreads
		out = append(out, page.Nodes...)
		if !page.PageInfo.HasNextPage {
			break
		}
		vars["after"] = page.PageInfo.EndCursor
	}
	return out, nil
}

// resolvedNote goes above the text of a comment that cannot be closed otherwise.
const resolvedNote = "**Resolved.** "

// closeThread tries both ways; only a missing permission leads to the second.
func (c *Client) closeThread(ctx context.Context, id string, number int64, body string) error {
	err := c.query(
		ctx,
		`mutation($id: ID!) {
  resolveReviewThread(input: {threadId: $id}) { thread { isResolved } }
}`,
		map[string]any{"id": id},
		new(struct{}),
	)
	if !is(err, denied) {
		return err
	}
	marker, rest, _ := strings.Cut(body, "\n")
	edited := cut(
		marker+"\n"+resolvedNote+"A later review found this no more.\n\n"+rest, maxComment,
	)
	_, _, err = c.api.PullRequests.EditComment(
		ctx, c.owner, c.repo, number, &gh.PullRequestComment{Body: &edited},
	)
	return err
}
