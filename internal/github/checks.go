package github

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	gh "github.com/google/go-github/v66/github"
)

// Conclusions of a check run. GitHub lets neutral and skipped pass a required
// check, so the product never uses them.
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
	Title      string
	Summary    string
	ExternalID string
	AppSlug    string // of the App that made it; github-actions for the job's own token
}

// CheckOutput is what a check run shows. Longer texts are cut with a note.
type CheckOutput struct {
	Conclusion  string // for CompleteCheck alone
	Title       string
	Summary     string // Markdown
	Text        string // Markdown, "" for none
	ExternalID  string // "" leaves it as it is
	Annotations []Annotation
}

// Annotation is a finding on lines of a file.
type Annotation struct {
	Path      string
	StartLine int    // from 1; less counts as 1
	EndLine   int    // less than StartLine counts as StartLine
	Level     string // notice, warning, failure
	Title     string
	Message   string
}

// CreateCheck starts a check run on a commit, in progress. A failure that
// leaves open whether it was made is looked into before another is made.
func (c *Client) CreateCheck(ctx context.Context, head, name string) (Check, error) {
	if !validSHA(head) {
		return Check{}, malformed("head of check "+name, head, "40 hexadecimal digits")
	}
	id := nonce()
	opts := gh.CreateCheckRunOptions{
		Name: name, HeadSHA: head, Status: gh.String("in_progress"), ExternalID: &id,
		StartedAt: &gh.Timestamp{Time: c.now().UTC()},
	}
	check, err := create(ctx, c, func() (Check, error) {
		run, _, err := c.api.Checks.CreateCheckRun(ctx, c.owner, c.repo, opts)
		return toCheck(run), err
	}, func() (Check, bool, error) {
		all, err := c.ListChecks(ctx, head, name)
		i := slices.IndexFunc(all, func(k Check) bool { return k.ExternalID == id })
		if i < 0 {
			return Check{}, false, err
		}
		return all[i], true, nil
	})
	return check, explain(err, "create check %q", name)
}

// UpdateCheck shows progress; the check stays in progress.
func (c *Client) UpdateCheck(ctx context.Context, id int64, out CheckOutput) error {
	out.Conclusion = ""
	return c.patchCheck(ctx, id, out)
}

// CompleteCheck ends the check run with out.Conclusion. The conclusion goes
// with the first request; annotations past the first 50 follow, so an error
// may leave a completed check with some of them missing, and says so.
func (c *Client) CompleteCheck(ctx context.Context, id int64, out CheckOutput) error {
	switch out.Conclusion {
	case Success, Failure, Cancelled:
		return c.patchCheck(ctx, id, out)
	}
	return fmt.Errorf("complete check %d: conclusion %q is not one of success, failure, cancelled", id, out.Conclusion)
}

func (c *Client) patchCheck(ctx context.Context, id int64, out CheckOutput) error {
	body := c.patchBody(out)
	for sent := 0; ; {
		n := min(len(out.Annotations)-sent, maxAnnotations)
		body.Output.Annotations = annotations(out.Annotations[sent : sent+n])
		if err := c.sendCheck(ctx, id, body, n); err != nil {
			if sent > 0 {
				return explain(err, "annotate check %d: %d of %d annotations posted", id, sent, len(out.Annotations))
			}
			return explain(err, "update check %d", id)
		}
		if sent += n; sent >= len(out.Annotations) {
			return nil
		}
		body = checkPatch{Output: body.Output}
	}
}

// checkPatch is the body of an update; unlike go-github's it can leave the
// check's name alone.
type checkPatch struct {
	Status      string             `json:"status,omitempty"`
	Conclusion  string             `json:"conclusion,omitempty"`
	CompletedAt *gh.Timestamp      `json:"completed_at,omitempty"`
	ExternalID  string             `json:"external_id,omitempty"`
	Output      *gh.CheckRunOutput `json:"output,omitempty"`
}

func (c *Client) patchBody(out CheckOutput) checkPatch {
	title := cmp.Or(prefix(oneLine(out.Title, maxTitle-1), maxTitle, charCount), "Review")
	summary := cut(cmp.Or(out.Summary, title), maxCheckText, byteCount)
	p := checkPatch{
		Status: "in_progress", ExternalID: out.ExternalID,
		Output: &gh.CheckRunOutput{Title: &title, Summary: &summary},
	}
	if out.Text != "" {
		p.Output.Text = gh.String(cut(out.Text, maxCheckText, byteCount))
	}
	if out.Conclusion != "" {
		p.Status, p.Conclusion, p.CompletedAt = "completed", out.Conclusion, &gh.Timestamp{Time: c.now().UTC()}
	}
	return p
}

func annotations(as []Annotation) []*gh.CheckRunAnnotation {
	out := make([]*gh.CheckRunAnnotation, 0, len(as))
	for _, a := range as {
		start := max(a.StartLine, 1)
		end := max(a.EndLine, start)
		level := a.Level
		if level != "notice" && level != "failure" {
			level = "warning"
		}
		g := &gh.CheckRunAnnotation{
			Path: &a.Path, StartLine: &start, EndLine: &end, AnnotationLevel: &level,
			Message: gh.String(cut(cmp.Or(a.Message, a.Title, "(no text)"), maxMessage, byteCount)),
		}
		if a.Title != "" {
			g.Title = gh.String(oneLine(a.Title, maxTitle-1))
		}
		out = append(out, g)
	}
	return out
}

// sendCheck sends one update. Annotations are appended by every request, so
// one that carries them is repeated only if their number did not grow.
func (c *Client) sendCheck(ctx context.Context, id int64, body checkPatch, annotations int) error {
	if annotations == 0 {
		return c.doCheck(ctx, http.MethodPatch, id, body, nil)
	}
	before, err := c.countAnnotations(ctx, id)
	if err != nil {
		return err
	}
	_, err = create(ctx, c, func() (struct{}, error) {
		return struct{}{}, c.doCheck(once(ctx), http.MethodPatch, id, body, nil)
	}, func() (struct{}, bool, error) {
		now, err := c.countAnnotations(ctx, id)
		return struct{}{}, now >= before+annotations, err
	})
	return err
}

func (c *Client) countAnnotations(ctx context.Context, id int64) (int, error) {
	var run gh.CheckRun
	err := c.doCheck(ctx, http.MethodGet, id, nil, &run)
	return run.GetOutput().GetAnnotationsCount(), err
}

func (c *Client) doCheck(ctx context.Context, method string, id int64, body, into any) error {
	req, err := c.api.NewRequest(method, fmt.Sprintf("repos/%s/%s/check-runs/%d", c.owner, c.repo, id), body)
	if err != nil {
		return err
	}
	_, err = c.api.Do(ctx, req, into)
	return err
}

// ListChecks lists the check runs of a commit that carry the name ("" for
// all), the latest first, older runs of the same name included.
func (c *Client) ListChecks(ctx context.Context, sha, name string) ([]Check, error) {
	if !validSHA(sha) {
		return nil, malformed("commit", sha, "40 hexadecimal digits")
	}
	opts := gh.ListCheckRunsOptions{Filter: gh.String("all")}
	if name != "" {
		opts.CheckName = &name
	}
	runs, err := pages(func(o gh.ListOptions) ([]*gh.CheckRun, *gh.Response, error) {
		opts.ListOptions = o
		res, resp, err := c.api.Checks.ListCheckRunsForRef(ctx, c.owner, c.repo, sha, &opts)
		if err != nil {
			return nil, nil, err
		}
		return res.CheckRuns, resp, nil
	})
	if err != nil {
		return nil, explain(err, "list checks of %s", sha)
	}
	out := make([]Check, 0, len(runs))
	for _, r := range runs {
		out = append(out, toCheck(r))
	}
	slices.SortFunc(out, func(a, b Check) int { return cmp.Compare(b.ID, a.ID) })
	return out, nil
}

func toCheck(r *gh.CheckRun) Check {
	return Check{
		ID: r.GetID(), Name: r.GetName(), HeadSHA: r.GetHeadSHA(), Status: r.GetStatus(),
		Conclusion: r.GetConclusion(), Title: r.GetOutput().GetTitle(), Summary: r.GetOutput().GetSummary(),
		ExternalID: r.GetExternalID(), AppSlug: r.GetApp().GetSlug(),
	}
}
