package serve

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/review"
)

// askAboutTest answers a question about a test of the work tree.
func (w *writers) askAboutTest(
	ctx context.Context, q review.TestQuestion,
) (out review.TestAnswer, err error) {
	opened, err := localrun.OpenClone(ctx, w.env, w.root)
	if err != nil {
		return out, err
	}
	defer opened.Release(&err)
	repo := opened.Repo
	opt := w.options("", "")
	in, err := config.ParseInputs(opt.Vars())
	if err != nil {
		return out, err
	}
	env := w.env
	env.Self = "" // no tools: the model looks at nothing but the question
	starting := engine.Start(ctx, env, in, opened.Work)
	defer starting.Stop()
	base, head, _, err := localrun.Refs(ctx, repo, opt, w.env.Now())
	if err != nil {
		return out, err
	}
	cfg, _, err := pipeline.LoadConfig(in, nil, repo, base)
	if err != nil {
		return out, err
	}
	set, err := repo.Set(ctx, base, head)
	if err != nil {
		return out, fmt.Errorf("compare with %s: %w", change.Short(base), err)
	}
	state, _ := starting.Wait(ctx, env, cfg)
	if err := state.Fails(); err != nil {
		return out, err
	}
	req := localrun.Request(repo, cfg, base, head, "HEAD")
	return pipeline.AskAboutTest(ctx, req, state.Reviewer, redact.New(cfg.APIKey.Reveal()), set, q)
}
