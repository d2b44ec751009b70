package ghaction

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// answerTestBugs ends a run that was asked about tests alone.
func (r *run) answerTestBugs(ctx context.Context, starting engine.Starting) report.Report {
	failure := r.askTestBugs(ctx, starting)
	defer r.thread.reply(ctx, r.host, false)
	if failure != nil {
		return r.failed(ctx, failure)
	}
	r.asked.skip = workflow.Count(len(r.asked.testBugs), "question") +
		" about tests answered; nothing was reviewed"
	return r.nothing(ctx)
}

// askTestBugs has the comment's questions answered. What cannot be answered is
// said in the same place; the failure is that of a model that was asked in vain.
func (r *run) askTestBugs(
	ctx context.Context, starting engine.Starting,
) (failure *workflow.Failure) {
	m, t := r.main, r.thread
	if starting != nil && m.engine.Reviewer == nil {
		m.engine, _ = starting.Wait(ctx, r.Env, m.req.Config)
	}
	if err := m.engine.Fails(); err != nil {
		failure = cause(ctx, err)
	}
	set, unknown := pipeline.Compare(ctx, m.req)
	for _, q := range r.asked.testBugs {
		switch {
		case q.refusal != "":
			t.answers = append(t.answers, q.refused(q.refusal))
			continue
		case failure != nil:
			t.answers = append(t.answers, q.refused(failure.Message))
			continue
		}
		answer, err := review.TestAnswer{}, unknown
		if err == nil {
			question := review.TestQuestion{Path: q.path, Line: q.line, Reason: q.reason}
			answer, err = pipeline.AskAboutTest(
				ctx, m.req, m.engine.Reviewer, r.Redactor, set, question,
			)
		}
		var refused *review.EngineError
		if errors.As(err, &refused) && refused.Class != review.Setup {
			failure = cause(ctx, err)
		}
		if err != nil {
			t.answers = append(
				t.answers, q.refused(r.Redactor.Text(pipeline.Advised(ctx, err).Error())),
			)
			continue
		}
		t.told = true
		t.answers = append(t.answers, q.answered(answer, r.specLink(answer)))
	}
	return failure
}

// specLink is the place in the spec on GitHub, "" where there are no pages.
func (r *run) specLink(a review.TestAnswer) string {
	if r.Env.ServerURL() == "" || a.SpecPath == "" {
		return ""
	}
	path := (&url.URL{Path: a.SpecPath}).EscapedPath()
	link := fmt.Sprintf(
		"%s/%s/%s/blob/%s/%s", r.Env.ServerURL(), r.ev.Owner, r.ev.Repo, r.ev.Head.SHA, path,
	)
	if a.SpecLine > 0 {
		link += fmt.Sprintf("?plain=1#L%d", a.SpecLine)
	}
	return link
}

func (q testBug) refused(why string) string {
	return q.command.refused(markdown.Line(why, maxReason))
}

// answered is the answer as it stands in the thread.
func (q testBug) answered(a review.TestAnswer, link string) string {
	parts := []string{
		fmt.Sprintf("**%s** · %s", a.Answer, markdown.Code(q.target)),
		markdown.Block(a.Explanation),
	}
	if place := markdown.Code(a.SpecReference()); place != "" {
		if link != "" {
			place = "[" + place + "](" + link + ")"
		}
		if a.SpecQuote != "" {
			place += ": " + markdown.Inline(a.SpecQuote)
		}
		parts = append(parts, "Spec: "+place)
	}
	if a.ShouldDemand != "" {
		parts = append(parts, "The test should demand: "+markdown.Inline(a.ShouldDemand))
	}
	parts = append(parts, "**Next:** "+pipeline.NextStep(a.Answer),
		"<sub>An answer, not a verdict: no check, record or approval changes by it.</sub>")
	return strings.Join(parts, "\n\n") + "\n"
}
