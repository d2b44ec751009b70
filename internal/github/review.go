package github

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
)

// side is that of the new file in a diff.
const side = "RIGHT"

// ownMarker begins every comment in the diff that we write.
const ownMarker = "<!-- workflow-reviewer:"

var keyRE = lazyregexp.New(`^[A-Za-z0-9_.:/=+]{1,100}$`)

// markerOf hides the key of a comment in its body.
func markerOf(c change.LineComment) string {
	key := c.Key
	if !keyRE.MatchString(key) {
		sum := sha256.Sum256([]byte(key))
		key = hex.EncodeToString(sum[:])
	}
	return ownMarker + key + " -->"
}

// Unposted is a comment that does not stand in the diff, and why.
type Unposted struct {
	change.LineComment
	Why error
}

// PostReview posts comments on lines of the pull request's diff at head, as one review that neither
// approves nor requests changes. Comments whose key we posted before are left out. If GitHub
// refuses the review for what is in it, they are posted one by one, a second apart as it asks of
// writers. posted says how many are new;
// what GitHub does not take is returned.
func (c *Client) PostReview(
	ctx context.Context, number int, head string, comments []change.LineComment,
) (posted int, refused []Unposted) {
	fresh, err := c.notPosted(ctx, number, without(comments, map[string]bool{}))
	if err != nil || len(fresh) == 0 {
		return 0, unposted(fresh, explain(err, "list review comments of %d", number))
	}
	if err = c.postReview(ctx, number, head, fresh); err == nil {
		return len(fresh), nil
	}
	if !aboutContent(err) {
		return 0, unposted(fresh, explain(err, "review %d", number))
	}
	for i, k := range fresh {
		if i > 0 {
			err = c.sleep(ctx, time.Second)
		}
		if i == 0 && len(fresh) > 1 || i > 0 && err == nil {
			err = c.postReview(ctx, number, head, fresh[i:i+1])
		}
		why := explain(err, "comment on line %d of %s in %d", k.Line, k.Path, number)
		switch {
		case err == nil:
			posted++
		case aboutContent(err):
			refused = append(refused, Unposted{k, why})
		default: // it will meet the others too
			return posted, append(refused, unposted(fresh[i:], why)...)
		}
	}
	return posted, refused
}

// unposted gives all comments the same reason.
func unposted(comments []change.LineComment, why error) []Unposted {
	out := make([]Unposted, len(comments))
	for i, k := range comments {
		out[i] = Unposted{k, why}
	}
	return out
}

// aboutContent reports whether GitHub refused what a comment says or where, so that another may be
// taken.
func aboutContent(err error) bool {
	return statusOf(err) == http.StatusUnprocessableEntity && !is(err, passes)
}

// postReview posts comments as one review of the event COMMENT, of which GitHub refuses all if it
// refuses one. If the answer is lost, what is there already is not posted again.
func (c *Client) postReview(
	ctx context.Context, number int, head string, left []change.LineComment,
) error {
	_, err := create(ctx, c, func() (struct{}, error) {
		_, _, err := c.api.PullRequests.CreateReview(
			ctx, c.owner, c.repo, number, draft(head, left),
		)
		return struct{}{}, err
	}, func() (struct{}, bool, error) {
		var err error
		left, err = c.notPosted(ctx, number, left)
		return struct{}{}, err == nil && len(left) == 0, err
	})
	return err
}

// draft is a review as GitHub takes it.
func draft(head string, comments []change.LineComment) *gh.PullRequestReviewRequest {
	req := &gh.PullRequestReviewRequest{CommitID: &head, Event: gh.String("COMMENT")}
	for _, k := range comments {
		d := &gh.DraftReviewComment{
			Path: &k.Path, Body: gh.String(bodyOf(k)), Line: &k.Line, Side: gh.String(side),
		}
		if k.StartLine > 0 && k.StartLine < k.Line {
			d.StartLine, d.StartSide = &k.StartLine, d.Side
		}
		req.Comments = append(req.Comments, d)
	}
	return req
}

// bodyOf is the body of a comment with the marker in front, where no cut reaches it.
func bodyOf(c change.LineComment) string {
	return cut(markerOf(c)+"\n"+c.Body, maxComment)
}

// notPosted leaves out the comments whose marker one of our own holds.
func (c *Client) notPosted(
	ctx context.Context, number int, comments []change.LineComment,
) ([]change.LineComment, error) {
	if len(comments) == 0 {
		return nil, nil
	}
	me, err := c.Self(ctx)
	if err != nil {
		return comments, err
	}
	all, err := pages(func(o gh.ListOptions) ([]*gh.PullRequestComment, *gh.Response, error) {
		return c.api.PullRequests.ListComments(
			ctx, c.owner, c.repo, number, &gh.PullRequestListCommentsOptions{ListOptions: o},
		)
	})
	if err != nil {
		return comments, err
	}
	seen := map[string]bool{}
	for _, k := range all {
		first, _, _ := strings.Cut(k.GetBody(), "\n")
		if k.GetUser().GetLogin() == me {
			seen[strings.TrimSpace(first)] = true
		}
	}
	return without(comments, seen), nil
}

// without drops comments whose marker was seen, and notes those that are left as seen.
func without(comments []change.LineComment, seen map[string]bool) []change.LineComment {
	var out []change.LineComment
	for _, k := range comments {
		if !seen[markerOf(k)] {
			seen[markerOf(k)] = true
			out = append(out, k)
		}
	}
	return out
}
