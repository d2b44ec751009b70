package github

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	gh "github.com/google/go-github/v66/github"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
)

// UpdateCheck has a check run say what out says. A conclusion ends it with the first request;
// annotations past the first 50 follow, so an error may leave a completed check with some of them
// missing, and says so. The check run must have no annotations yet, if out has some.
func (c *Client) UpdateCheck(ctx context.Context, id int64, out CheckOutput) error {
	switch out.Conclusion {
	case "", Success, Failure, Cancelled:
	default:
		return fmt.Errorf(
			"update check %d: conclusion %q is not success, failure or cancelled", id,
			out.Conclusion,
		)
	}
	body := c.patch(out)
	for sent := 0; ; {
		n := min(len(out.Annotations)-sent, maxAnnotations)
		body.Output.Annotations = annotations(out.Annotations[sent : sent+n])
		if err := c.sendCheck(ctx, id, body, sent); err != nil {
			if sent > 0 {
				return explain(
					err, "annotate check %d: %d of %d annotations posted", id, sent,
					len(out.Annotations),
				)
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
	Status      *string            `json:"status,omitempty"`
	Conclusion  *string            `json:"conclusion,omitempty"`
	CompletedAt *gh.Timestamp      `json:"completed_at,omitempty"`
	ExternalID  *string            `json:"external_id,omitempty"`
	Output      *gh.CheckRunOutput `json:"output,omitempty"`
}

// patch is the first request of an update, cut to GitHub's limits. A conclusion completes the check
// run.
func (c *Client) patch(out CheckOutput) checkPatch {
	title := cmp.Or(markdown.Line(out.Title, maxTitle), "Review")
	summary := cut(cmp.Or(out.Summary, title), maxCheckText)
	p := checkPatch{
		Status: gh.String("in_progress"),
		Output: &gh.CheckRunOutput{Title: &title, Summary: &summary},
	}
	if out.ExternalID != "" {
		p.ExternalID = &out.ExternalID
	}
	if out.Text != "" {
		p.Output.Text = gh.String(cut(out.Text, maxCheckText))
	}
	if out.Conclusion != "" {
		p.Status, p.Conclusion = gh.String("completed"), &out.Conclusion
		p.CompletedAt = &gh.Timestamp{Time: c.now().UTC()}
	}
	return p
}

// annotations converts annotations to GitHub's form: lines from 1, known levels, no empty message.
func annotations(as []change.Annotation) []*gh.CheckRunAnnotation {
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
			Message: gh.String(markdown.Clip(cmp.Or(a.Message, a.Title, "(no text)"), maxMessage)),
		}
		if a.Title != "" {
			g.Title = gh.String(markdown.Line(a.Title, maxTitle-1))
		}
		out = append(out, g)
	}
	return out
}

// sendCheck sends one update. Annotations are appended by every request, so one that carries some
// is repeated only if the check run has no more than the sent ones before it.
func (c *Client) sendCheck(ctx context.Context, id int64, body checkPatch, sent int) error {
	update := func(ctx context.Context) error {
		path := fmt.Sprintf("repos/%s/%s/check-runs/%d", c.owner, c.repo, id)
		req, err := c.api.NewRequest(http.MethodPatch, path, body)
		if err == nil {
			_, err = c.api.Do(ctx, req, nil)
		}
		return err
	}
	if len(body.Output.Annotations) == 0 {
		return update(ctx)
	}
	all := sent + len(body.Output.Annotations)
	_, err := create(ctx, c, func() (struct{}, error) {
		return struct{}{}, update(withoutRetry(ctx))
	}, func() (struct{}, bool, error) {
		run, _, err := c.api.Checks.GetCheckRun(ctx, c.owner, c.repo, id)
		return struct{}{}, run.GetOutput().GetAnnotationsCount() >= all, err
	})
	return err
}
