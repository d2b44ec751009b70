package action

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// engine waits for an engine that is being started and returns it, nil for the
// rules engine. It may be called more than once.
type engine func() (*codex.Engine, error)

// startEngine begins to start what the reviews need, while the commits that they are about are still being fetched.
func startEngine(ctx context.Context, env Env, in config.Inputs, work string) engine {
	if in.Engine != config.Codex {
		return func() (*codex.Engine, error) { return nil, nil }
	}
	type start struct {
		engine *codex.Engine
		err    error
	}
	started := make(chan start, 1)
	go func() {
		var s start
		defer func() {
			if p := recover(); p != nil {
				s.err = fmt.Errorf("start the engine: internal error: %v", p)
			}
			started <- s
		}()
		s.engine, s.err = codex.New(ctx, codex.Options{
			Path: in.CodexPath, PathEnv: env.get("PATH"), WrapperEnv: env.wrapper(), Self: env.Self,
			StoreDir: storeIn(work), Tools: mcpserver.ToolNames(), Proxy: env.proxy(),
			APIKey: in.APIKey.Reveal(), Endpoint: in.Endpoint.String(), Budget: in.MaxTokens, TempDir: work,
		})
	}()
	return sync.OnceValues(func() (*codex.Engine, error) {
		s := <-started
		return s.engine, s.err
	})
}

// chooseEngine is the engine of a command that names none: the model where a key
// and codex are there. why is what a user should know of it.
func chooseEngine(ctx context.Context, env Env, path string) (name config.Engine, why string) {
	if env.get("OPENAI_API_KEY") == "" {
		return config.Rules, " (the built-in checks alone: OPENAI_API_KEY is not set)"
	}
	if err := findCodex(ctx, env, path); err != nil {
		return config.Rules, fmt.Sprintf(" (the built-in checks alone: %v)", err)
	}
	return config.Codex, ""
}

// findCodex says how to get codex if it is not there.
func findCodex(ctx context.Context, env Env, path string) error {
	_, err := codex.Find(ctx, codex.Options{Path: path, PathEnv: env.get("PATH"), WrapperEnv: env.wrapper(), TempDir: env.temp()})
	if err != nil {
		return fmt.Errorf("%w; %s", err, codex.Install)
	}
	return nil
}

// storeIn is the folder of the object store below the working folder of a run.
func storeIn(work string) string { return filepath.Join(work, "store") }

// stop ends the engine, once it has started.
func (e engine) stop() {
	if started, err := e(); err == nil && started != nil {
		_ = started.Close()
	}
}

// use has the session's reviews done by the engine. The notices are what the user should know of it.
func (s *session) use(e engine) ([]workflow.Notice, error) {
	started, err := e()
	if err != nil || started == nil {
		return nil, err
	}
	s.reviewer = started
	var notices []workflow.Notice
	for _, w := range started.Warnings() {
		notices = append(notices, workflow.Notice{Warning: true, Text: w})
	}
	return notices, nil
}

var _ review.Reviewer = (*codex.Engine)(nil)
