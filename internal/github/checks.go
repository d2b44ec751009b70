package github

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	gh "github.com/google/go-github/v66/github"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
)

// Conclusions of a check run. GitHub lets neutral and skipped pass a required check, so the product
// never uses them.
const (
	Success   = "success"
	Failure   = "failure"
	Cancelled = "cancelled"
)

// Limits of one check run request.
const (
	maxCheckText   = 65_535 // bytes of summary and of text
	maxAnnotations = 50
	maxMessage     = 64 << 10 // bytes of an annotation's message
	maxTitle       = 255
)

// Check is a check run.
type Check struct {
	ID         int64
	Name       string
	HeadSHA    string
	Status     string // queued, in_progress, completed
	Conclusion string // "" until completed
	ExternalID string
	AppSlug    string // of the App that made it; github-actions for the job's own token
	Started    time.Time
}

// CheckOutput holds the texts, conclusion and annotations of a check run. Longer texts are cut with
// a note.
type CheckOutput struct {
	Name        string // of a check run that is posted; no update changes it
	Conclusion  string // "" while it is in progress
	Title       string
	Summary     string // Markdown
	Text        string // Markdown, "" for none
	ExternalID  string // "" leaves it as it is
	Annotations []change.Annotation
}

// CreateCheck starts a check run on a commit, in progress. A failure that leaves open whether it
// was made is looked into before another is made: by the external id, which must be unique.
func (c *Client) CreateCheck(ctx context.Context, head, name, externalID string) (Check, error) {
	if !validSHA(head) {
		return Check{}, malformed("head of check "+name, head, "40 hexadecimal digits")
	}
	return c.postCheck(ctx, gh.CreateCheckRunOptions{
		Name: name, HeadSHA: head, Status: gh.String("in_progress"), ExternalID: &externalID,
		StartedAt: &gh.Timestamp{Time: c.now().UTC()},
	})
}

// PostCheck makes a check run on a commit that is completed from the start, with
// one request. It carries no annotations.
func (c *Client) PostCheck(ctx context.Context, head string, out CheckOutput) (Check, error) {
	if !validSHA(head) || out.Conclusion == "" || len(out.Annotations) > 0 {
		return Check{}, fmt.Errorf(
			"post check %q: it has no commit, no conclusion, or annotations",
			markdown.Line(out.Name, 200),
		)
	}
	u := c.patch(out)
	return c.postCheck(ctx, gh.CreateCheckRunOptions{
		Name: out.Name, HeadSHA: head, Status: u.Status, Conclusion: u.Conclusion,
		ExternalID: gh.String(cmp.Or(out.ExternalID, Nonce())),
		StartedAt:  u.CompletedAt, CompletedAt: u.CompletedAt, Output: u.Output,
	})
}

// postCheck creates a check run. If the answer is lost, it looks for one of the same external id
// and status before it is sent again.
func (c *Client) postCheck(ctx context.Context, opts gh.CreateCheckRunOptions) (Check, error) {
	check, err := create(ctx, c, func() (Check, error) {
		run, _, err := c.api.Checks.CreateCheckRun(ctx, c.owner, c.repo, opts)
		return toCheck(run), err
	}, func() (Check, bool, error) {
		all, err := c.ListChecks(ctx, opts.HeadSHA, opts.Name)
		i := slices.IndexFunc(all, func(k Check) bool {
			return k.ExternalID == *opts.ExternalID && k.Status == *opts.Status
		})
		if i < 0 {
			return Check{}, false, err
		}
		return all[i], true, nil
	})
	return check, explain(err, "create check %q", opts.Name)
}

// ListChecks lists the check runs of a commit that carry the name ("" for
// all), the latest first, older runs of the same name included. A listing that is shorter than
// GitHub says is an error: what it lacks may be what decides.
func (c *Client) ListChecks(ctx context.Context, sha, name string) ([]Check, error) {
	if !validSHA(sha) {
		return nil, malformed("commit", sha, "40 hexadecimal digits")
	}
	out, missing, err := c.listChecks(ctx, sha, name)
	if err == nil && missing > 0 {
		out, missing, err = c.listChecks(ctx, sha, "")
		out = slices.DeleteFunc(out, func(k Check) bool { return name != "" && k.Name != name })
	}
	switch {
	case err != nil:
		return nil, explain(err, "list checks of %s", sha)
	case missing > 0:
		return nil, fmt.Errorf(
			"list checks of %s: GitHub's answer lacks %d of them; run again", sha, missing,
		)
	}
	slices.SortFunc(out, func(a, b Check) int { return cmp.Compare(b.ID, a.ID) })
	return out, nil
}

// listChecks reads a listing, and says how many of what GitHub counts are missing in it.
func (c *Client) listChecks(
	ctx context.Context, sha, name string,
) (out []Check, missing int, err error) {
	opts, total := gh.ListCheckRunsOptions{Filter: gh.String("all")}, 0
	if name != "" {
		opts.CheckName = &name
	}
	runs, err := pages(func(o gh.ListOptions) ([]*gh.CheckRun, *gh.Response, error) {
		opts.ListOptions = o
		res, resp, err := c.api.Checks.ListCheckRunsForRef(ctx, c.owner, c.repo, sha, &opts)
		if err != nil {
			return nil, nil, err
		}
		total = res.GetTotal()
		return res.CheckRuns, resp, nil
	})
	for _, r := range runs {
		out = append(out, toCheck(r))
	}
	return out, total - len(out), err
}

// OwnChecks is ListChecks without the check runs that another App made: any App may use any name.
func (c *Client) OwnChecks(ctx context.Context, sha, name string) ([]Check, error) {
	all, err := c.ListChecks(ctx, sha, name)
	if err != nil {
		return nil, err
	}
	return c.Own(ctx, all)
}

// Own are those of the check runs that our own App made.
func (c *Client) Own(ctx context.Context, all []Check) ([]Check, error) {
	if len(all) == 0 {
		return nil, nil
	}
	me, err := c.Self(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(k Check) bool { return !madeBy(k, me) }), nil
}

// madeBy reports whether a check run is of the App that acts under a login. A
// user's token makes none: what it sees of the product is of the job's own token.
func madeBy(k Check, login string) bool {
	if !strings.HasSuffix(login, "[bot]") {
		login = "github-actions[bot]"
	}
	return strings.EqualFold(k.AppSlug+"[bot]", login)
}

// toCheck takes over what the rest of the program needs of a check run.
func toCheck(r *gh.CheckRun) Check {
	return Check{
		ID: r.GetID(), Name: r.GetName(), HeadSHA: r.GetHeadSHA(), Status: r.GetStatus(),
		Conclusion: r.GetConclusion(),
		ExternalID: r.GetExternalID(), AppSlug: r.GetApp().GetSlug(),
		Started: r.GetStartedAt().Time,
	}
}
