package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
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
	if in.APIKey.IsEmpty() {
		return func() (*codex.Engine, error) { return nil, errNoKey }
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

// missingForModel warns of what a review by the model will lack, "" if nothing.
func missingForModel(ctx context.Context, env Env, in config.Inputs) string {
	if in.APIKey.IsEmpty() {
		return " (OPENAI_API_KEY is not set: what needs a model will fail)"
	}
	if err := findCodex(ctx, env, in.CodexPath); err != nil {
		return fmt.Sprintf(" (what needs a model will fail: %v)", err)
	}
	return ""
}

// findCodex says how to get codex if it is not there.
func findCodex(ctx context.Context, env Env, path string) error {
	_, err := codex.Find(
		ctx,
		codex.Options{Path: path, PathEnv: env.get("PATH"), WrapperEnv: env.wrapper(), TempDir: env.temp()},
	)
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

// use has the session's reviews done by the engine. The notices are what the user should know of it. One that did not
// start is no error yet: ready says so where a review needs it.
func (s *session) use(ctx context.Context, e engine) (notices []workflow.Notice) {
	started, err := e()
	if s.unready = err; err != nil {
		s.nameEngine(ctx)
	}
	if started == nil {
		return nil
	}
	s.reviewer = started
	for _, w := range started.Warnings() {
		notices = append(notices, workflow.Notice{Warning: true, Text: w})
	}
	return notices
}

// nameEngine finds out the name of an engine that is not asked in this process.
func (s *session) nameEngine(ctx context.Context) {
	if s.cfg.Engine == config.Codex {
		s.engineName = codex.Name(ctx, codex.Options{
			Path: s.cfg.CodexPath, PathEnv: cmp.Or(s.env.get("PATH"), codex.DefaultPath),
			WrapperEnv: s.env.wrapper(), TempDir: s.env.temp(),
		})
	}
}

// ready says why the model cannot be asked, if one of the jobs asks it.
func (s *session) ready(jobs []review.Job) error {
	var asking []string
	for _, j := range jobs {
		if j.Kind == review.Asks {
			asking = append(asking, j.Artifact.Name())
		}
	}
	switch {
	case len(asking) == 0:
		return nil
	case !errors.Is(s.unready, errNoKey):
		return s.unready
	}
	missing, advice := s.keyAdvice()
	return &review.EngineError{Class: review.Setup, Action: advice, Message: fmt.Sprintf(
		"%s and the engine codex needs it for %s: %s",
		missing,
		workflow.Count(len(asking), "review"),
		strings.Join(asking, ", "),
	)}
}

// errNoKey is the state of an engine without a key.
var errNoKey = errors.New("no key was given")

// keyAdvice says which key is missing, and how this run gets one.
func (s *session) keyAdvice() (missing, advice string) {
	const (
		input = `input "openai-api-key" is empty`
		rules = ` Or use "engine: rules", which needs no key.`
	)
	switch {
	case s.event.Name == "local":
		return "OPENAI_API_KEY is not set", "Set it, or use --engine rules, which needs no key."
	case s.event.Fork && s.event.Name == "pull_request":
		return input, "A pull request from a fork gets no secrets: review forks by the workflow examples/workflows/forks.yml " +
			"(pull_request_target)." + rules
	case s.dependabot():
		return input, "A run that Dependabot starts gets the Dependabot secrets alone: store the key there " +
			"as well, under Settings, Secrets and variables, Dependabot. Or comment " +
			s.cfg.Commands.Of(workflow.CommandReview) + "." + rules
	}
	return input, `Store the key as a repository secret and pass it as "openai-api-key: ${{ secrets.OPENAI_API_KEY }}".` + rules
}

// dependabot reports whether Dependabot started the run: its secrets are others then, and its token may only read.
func (s *session) dependabot() bool { return s.env.get("GITHUB_ACTOR") == "dependabot[bot]" }

var _ review.Reviewer = (*codex.Engine)(nil)
