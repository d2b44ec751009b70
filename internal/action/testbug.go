package action

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// onlyAsks reports whether the event asks about tests and nothing else: no check
// is touched then and nothing is written but the answer.
func (t triage) onlyAsks() bool { return len(t.testBugs) > 0 && len(t.commands) == 0 && !t.fresh }

// answerTestBugs ends a run that was asked about tests alone.
func (j *job) answerTestBugs(ctx context.Context, starting engine) report.Report {
	failure := j.askTestBugs(ctx, starting)
	defer j.answer(ctx, false)
	if failure != nil {
		return j.failed(ctx, failure)
	}
	j.asked.skip = workflow.Count(len(j.asked.testBugs), "question") + " about tests answered; nothing was reviewed"
	return j.nothing(ctx)
}

// askTestBugs has the comment's questions answered. What cannot be answered is
// said in the same place; the failure is that of a model that was asked in vain.
func (j *job) askTestBugs(ctx context.Context, starting engine) (failure *workflow.Failure) {
	s := j.session
	if starting != nil && s.reviewer == nil {
		s.use(ctx, starting)
	}
	if s.unready != nil && !errors.Is(s.unready, errNoKey) {
		failure = cause(ctx, s.unready)
	}
	set, err := s.repo.Set(ctx, s.event.Base.SHA, s.event.Head.SHA)
	for _, q := range j.asked.testBugs {
		switch {
		case q.refusal != "":
			j.answers = append(j.answers, q.refused(q.refusal))
			continue
		case failure != nil:
			j.answers = append(j.answers, q.refused(failure.Message))
			continue
		}
		var answer review.TestAnswer
		if err == nil {
			answer, err = s.askAboutTest(ctx, set, review.TestQuestion{Path: q.path, Line: q.line, Reason: q.reason})
		}
		var engine *review.EngineError
		if errors.As(err, &engine) && engine.Class != review.Setup {
			failure = cause(ctx, err)
		}
		if err != nil {
			j.answers = append(j.answers, q.refused(j.redactor().Text(advised(ctx, err).Error())))
			err = nil
			continue
		}
		j.told = true
		j.answers = append(j.answers, q.answered(answer, j.specLink(answer)))
	}
	return failure
}

// specLink is the place in the spec on GitHub, "" where there are no pages.
func (j *job) specLink(a review.TestAnswer) string {
	if j.env.server() == "" || a.SpecPath == "" {
		return ""
	}
	path := (&url.URL{Path: a.SpecPath}).EscapedPath()
	link := fmt.Sprintf("%s/%s/%s/blob/%s/%s", j.env.server(), j.ev.Owner, j.ev.Repo, j.ev.Head.SHA, path)
	if a.SpecLine > 0 {
		link += fmt.Sprintf("?plain=1#L%d", a.SpecLine)
	}
	return link
}

func (q testBug) refused(why string) string {
	return command{said: q.said, target: q.target}.refused(markdown.Line(why, maxReason))
}

// answered is the answer as it stands in the thread.
func (q testBug) answered(a review.TestAnswer, link string) string {
	parts := []string{fmt.Sprintf("**%s** · %s", a.Answer, markdown.Code(q.target)), markdown.Block(a.Explanation)}
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
	parts = append(parts, "**Next:** "+nextStep(a.Answer),
		"<sub>An answer, not a verdict: no check, record or approval changes by it.</sub>")
	return strings.Join(parts, "\n\n") + "\n"
}
