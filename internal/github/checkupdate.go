package github

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	gh "github.com/google/go-github/v66/github"
)

// UpdateCheck shows progress; the check stays in progress.
func (c *Client) UpdateCheck(ctx context.Context, id int64, out CheckOutput) error {
	out.Conclusion = ""
	return c.patchCheck(ctx, id, out)
}

// CompleteCheck ends the check run with out.Conclusion. It must have no annotations yet, if out has
// some. The conclusion goes with the first request;
// annotations past the first 50 follow, so an error may leave a completed check with some of them
// missing, and says so.
func (c *Client) CompleteCheck(ctx context.Context, id int64, out CheckOutput) error {
	switch out.Conclusion {
	case Success, Failure, Cancelled:
		return c.patchCheck(ctx, id, out)
	}
	return fmt.Errorf("complete check %d: conclusion %q is not one of success, failure, cancelled", id, out.Conclusion)
}

// patchCheck updates a check run, and sends its annotations in requests of maxAnnotations. A
// failure after the first request says how many were posted.
func (c *Client) patchCheck(ctx context.Context, id int64, out CheckOutput) error {
	body := c.patchBody(out)
	for sent := 0; ; {
		n := min(len(out.Annotations)-sent, maxAnnotations)
		body.Output.Annotations = annotations(out.Annotations[sent : sent+n])
		if err := c.sendCheck(ctx, id, body, sent, n); err != nil {
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

// checkPatch is the body of an update; unlike go-github's it can leave the check's name alone.
type checkPatch struct {
	Status      string             `json:"status,omitempty"`
	Conclusion  string             `json:"conclusion,omitempty"`
	CompletedAt *gh.Timestamp      `json:"completed_at,omitempty"`
	ExternalID  string             `json:"external_id,omitempty"`
	Output      *gh.CheckRunOutput `json:"output,omitempty"`
}

// patchBody is the first request of an update, cut to GitHub's limits. A conclusion completes the
// check run.
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

// annotations converts annotations to GitHub's form: lines from 1, known levels, no empty message.
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

// sendCheck sends one update. Annotations are appended by every request, so one that carries some is
// repeated only if the check run has no more than the sent ones before it.
func (c *Client) sendCheck(
	ctx context.Context, id int64, body checkPatch, sent, annotations int,
) error {
	if annotations == 0 {
		return c.doCheck(ctx, http.MethodPatch, id, body, nil)
	}
	_, err := create(ctx, c, func() (struct{}, error) {
		return struct{}{}, c.doCheck(once(ctx), http.MethodPatch, id, body, nil)
	}, func() (struct{}, bool, error) {
		now, err := c.countAnnotations(ctx, id)
		return struct{}{}, now >= sent+annotations, err
	})
	return err
}

// countAnnotations is the number of annotations that a check run has.
func (c *Client) countAnnotations(ctx context.Context, id int64) (int, error) {
	var run gh.CheckRun
	err := c.doCheck(ctx, http.MethodGet, id, nil, &run)
	return run.GetOutput().GetAnnotationsCount(), err
}

// doCheck sends a request about one check run and decodes the answer into into, which may be nil.
func (c *Client) doCheck(ctx context.Context, method string, id int64, body, into any) error {
	req, err := c.api.NewRequest(method, fmt.Sprintf("repos/%s/%s/check-runs/%d", c.owner, c.repo, id), body)
	if err != nil {
		return err
	}
	_, err = c.api.Do(ctx, req, into)
	return err
}
