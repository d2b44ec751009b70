package action

import (
	"context"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// startEngine starts what the reviews need; with the rules engine, nothing.
func (s *session) startEngine(ctx context.Context, work string) ([]workflow.Notice, error) {
	if s.cfg.Engine != config.Codex {
		return nil, nil
	}
	e, err := codex.New(ctx, codex.Options{
		Path: s.cfg.CodexPath, PathEnv: s.env.get("PATH"), Self: s.env.Self,
		StoreDir: s.repo.Dir(), Tools: mcpserver.ToolNames(), Proxy: s.env.proxy(),
		APIKey: s.cfg.APIKey.Reveal(), Endpoint: s.cfg.Endpoint.String(), Budget: s.cfg.MaxTokens, TempDir: work,
	})
	if err != nil {
		return nil, err
	}
	s.engine, s.reviewer = e, e
	var notices []workflow.Notice
	for _, w := range e.Warnings() {
		notices = append(notices, workflow.Notice{Warning: true, Text: w})
	}
	return notices, nil
}

func (s *session) stopEngine() {
	if s.engine != nil {
		_ = s.engine.Close()
	}
}

var _ review.Reviewer = (*codex.Engine)(nil)
