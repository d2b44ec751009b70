package action

import (
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/review"
)

// nextStep is what follows from the answer to a question about a test.
func nextStep(answer review.TestFinding) string {
	switch answer {
	case review.TestHasBug:
		return "Leave the test as it is: changed without an approval it is a breach. File an RFC that names the test file and quotes " +
			"this answer (it counts once it is in rfcs/approved/ on the base), or have somebody with write permission set the label " +
			defaultTestsLabel +
			" on the pull request with the corrected test; it is reviewed then and becomes what counts."
	case review.TestIsCorrect:
		return "Change the implementation, not the test."
	default:
		return "Have the spec say it first, by a change of the spec in a pull request of its own or by an RFC; the test follows the spec."
	}
}

// askAboutTest has a question about a test of the change answered. It decides
// nothing: no verdict, record or check depends on the answer.
func (s *session) askAboutTest(ctx context.Context, set change.Set, q review.TestQuestion) (review.TestAnswer, error) {
	q.Tree, q.Model = set.HeadTree, s.cfg.Model
	if q.SpecPath == "" {
		opt := s.detectOptions()
		opt.Types, opt.Paths = nil, []string{q.Path}
		found, err := detect.Artifacts(ctx, set, opt)
		if err != nil {
			return review.TestAnswer{}, fmt.Errorf("find the spec of %s: %w", q.Path, err)
		}
		for _, a := range found.Artifacts {
			q.SpecPath = a.SpecPath
		}
	}
	answer, err := review.AskAboutTest(ctx, s.reviewer, q)
	for _, text := range []*string{&answer.Explanation, &answer.SpecQuote, &answer.ShouldDemand} {
		*text = s.redactor.Text(*text)
	}
	return answer, err
}

// askAboutTest answers a question about a test of the work tree.
func (w *writers) askAboutTest(ctx context.Context, q review.TestQuestion) (out review.TestAnswer, err error) {
	opened, err := openClone(ctx, w.env, w.root)
	if err != nil {
		return out, err
	}
	defer opened.release(&err)
	repo := opened.Repo
	opt := w.options("", "")
	in, err := config.ParseInputs(opt.vars())
	if err != nil {
		return out, err
	}
	env := w.env
	env.Self = "" // no tools: the model looks at nothing but the question
	starting := startEngine(ctx, env, in, opened.work)
	defer starting.stop()
	base, head, _, err := localRefs(ctx, repo, opt, w.env.Now())
	if err != nil {
		return out, err
	}
	cfg, _, err := loadConfig(in, nil, repo, base)
	if err != nil {
		return out, err
	}
	set, err := repo.Set(ctx, base, head)
	if err != nil {
		return out, fmt.Errorf("compare with %s: %w", short(base), err)
	}
	s := &session{
		env: w.env, cfg: cfg, repo: repo, redactor: redact.New(cfg.APIKey.Reveal()),
		event: change.Event{Name: "local", Base: change.Ref{SHA: base}, Head: change.Ref{SHA: head, Branch: localBranch(repo, "HEAD")}},
	}
	if s.use(ctx, starting); s.unready != nil && !errors.Is(s.unready, errNoKey) {
		return out, s.unready
	}
	return s.askAboutTest(ctx, set, q)
}
