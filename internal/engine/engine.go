// Package engine starts whoever answers reviews: codex, or nobody for the engine rules.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// Starting waits for an engine that is being started and returns it, nil for the
// rules engine. It may be called more than once.
type Starting func() (*codex.Engine, error)

// Start begins to start what the reviews need, while the commits that they are about are still
// being fetched.
func Start(ctx context.Context, env process.Env, in config.Inputs, work string) Starting {
	if in.Engine != config.Codex {
		return func() (*codex.Engine, error) { return nil, nil }
	}
	type start struct {
		engine *codex.Engine
		err    error
	}
	if in.APIKey.IsEmpty() {
		return func() (*codex.Engine, error) { return nil, ErrNoKey }
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
			Path: in.CodexPath, PathEnv: env.Get("PATH"), WrapperEnv: env.WrapperVars(),
			Self:     env.Self,
			StoreDir: StoreIn(work), Tools: mcpserver.ToolNames(), Proxy: env.Proxy(),
			APIKey: in.APIKey.Reveal(), Endpoint: in.Endpoint.String(), Budget: in.MaxTokens,
			TempDir: work,
		})
	}()
	return sync.OnceValues(func() (*codex.Engine, error) {
		s := <-started
		return s.engine, s.err
	})
}

// Choose is the engine of a command that names none: the model where a key
// and codex are there. why is what a user should know of it.
func Choose(ctx context.Context, env process.Env, path string) (name config.Engine, why string) {
	if env.Get("OPENAI_API_KEY") == "" {
		return config.Rules, " (the built-in checks alone: OPENAI_API_KEY is not set)"
	}
	if err := FindCodex(ctx, env, path); err != nil {
		return config.Rules, fmt.Sprintf(" (the built-in checks alone: %v)", err)
	}
	return config.Codex, ""
}

// MissingForModel warns of what a review by the model will lack, "" if nothing.
func MissingForModel(ctx context.Context, env process.Env, in config.Inputs) string {
	if in.APIKey.IsEmpty() {
		return " (OPENAI_API_KEY is not set: what needs a model will fail)"
	}
	if err := FindCodex(ctx, env, in.CodexPath); err != nil {
		return fmt.Sprintf(" (what needs a model will fail: %v)", err)
	}
	return ""
}

// FindCodex says how to get codex if it is not there.
func FindCodex(ctx context.Context, env process.Env, path string) error {
	_, err := codex.Find(
		ctx,
		codex.Options{
			Path: path, PathEnv: env.Get("PATH"), WrapperEnv: env.WrapperVars(),
			TempDir: env.Temp(),
		},
	)
	if err != nil {
		return fmt.Errorf("%w; %s", err, codex.Install)
	}
	return nil
}

// StoreIn is the folder of the object store below the working folder of a run.
func StoreIn(work string) string { return filepath.Join(work, "store") }

// Stop ends the engine, once it has started.
func (e Starting) Stop() {
	if started, err := e(); err == nil && started != nil {
		_ = started.Close()
	}
}

// State is who answers the reviews of a run that ask a model. A run whose reviews are all recorded
// or decided needs nobody: so a missing key or codex is an error only where Ready is asked.
type State struct {
	Reviewer review.Reviewer // nil for the rules engine, and where no engine is asked
	Name     string          // of the engine, with its version, asked in this process or elsewhere
	Unready  error           // why no review of this process can ask a model
}

// Rules is the state where no model is asked at all.
func Rules() State { return State{Name: string(config.Rules)} }

// Wait is the state of an engine once it has started. The notices are what the user should know
// of it. One that did not start is no error yet: Ready says so where a review needs it.
func (e Starting) Wait(
	ctx context.Context, env process.Env, cfg config.Config,
) (State, []workflow.Finding) {
	started, err := e()
	switch {
	case err != nil:
		s := Named(ctx, env, cfg)
		s.Unready = err
		return s, nil
	case started == nil:
		return Rules(), nil
	}
	var notices []workflow.Finding
	for _, w := range started.Warnings() {
		notices = append(notices, workflow.Finding{Level: workflow.Warn, Text: w})
	}
	return State{Reviewer: started, Name: started.Name()}, notices
}

// Named is the state where the engine is not asked in this process, but named in the reviews.
func Named(ctx context.Context, env process.Env, cfg config.Config) State {
	if cfg.Engine != config.Codex {
		return Rules()
	}
	return State{Name: cmp.Or(codex.Name(ctx, codex.Options{
		Path: cfg.CodexPath, PathEnv: cmp.Or(env.Get("PATH"), codex.DefaultPath),
		WrapperEnv: env.WrapperVars(), TempDir: env.Temp(),
	}), string(config.Rules))}
}

// Ready says why the model cannot be asked, if one of the jobs asks it.
func (s State) Ready(env process.Env, ev change.Event, cfg config.Config, jobs []review.Job) error {
	var asking []string
	for _, j := range jobs {
		if j.Kind == review.Asks {
			asking = append(asking, j.Artifact.Name())
		}
	}
	switch {
	case len(asking) == 0:
		return nil
	case !errors.Is(s.Unready, ErrNoKey):
		return s.Unready
	}
	missing, advice := keyAdvice(env, ev, cfg)
	return &review.EngineError{Class: review.Setup, Action: advice, Message: fmt.Sprintf(
		"%s and the engine codex needs it for %s: %s", missing,
		workflow.Count(len(asking), "review"), strings.Join(asking, ", "),
	)}
}

// Fails is why the engine cannot answer at all, nil if it can or only lacks its key.
func (s State) Fails() error {
	if errors.Is(s.Unready, ErrNoKey) {
		return nil
	}
	return s.Unready
}

// ErrNoKey is the state of an engine without a key.
var ErrNoKey = errors.New("no key was given")

// keyAdvice says which key is missing, and how this run gets one.
func keyAdvice(env process.Env, ev change.Event, cfg config.Config) (missing, advice string) {
	const (
		input = `input "openai-api-key" is empty`
		rules = ` Or use "engine: rules", which needs no key.`
	)
	switch {
	case ev.Name == "local":
		return "OPENAI_API_KEY is not set",
			"Set OPENAI_API_KEY, or use --engine rules, which needs no key."
	case ev.Fork && ev.Name == "pull_request":
		return input, "A pull request from a fork gets no secrets: review forks by the workflow " +
			"examples/workflows/forks.yml " +
			"(pull_request_target)." + rules
	case Dependabot(env):
		return input, "A run that Dependabot starts gets the Dependabot secrets alone: store " +
			"the key there " +
			"as well, under Settings, Secrets and variables, Dependabot. Or comment " +
			cfg.Commands.Of(
				workflow.CommandReview,
			) + "." + rules
	}
	return input, "Store the key as a repository secret and pass it as " +
		`"openai-api-key: ${{ secrets.OPENAI_API_KEY }}".` + rules
}

// Dependabot reports whether Dependabot started the run: its secrets are others then, and its token
// may only read.
func Dependabot(env process.Env) bool { return env.Get("GITHUB_ACTOR") == "dependabot[bot]" }

var _ review.Reviewer = (*codex.Engine)(nil)

// VersionLine names the program, its commit, and the codex it was built to drive.
func VersionLine(env process.Env) string {
	return fmt.Sprintf(
		"workflow-reviewer %s (commit %s), drives codex %s", env.Version, env.Commit, codex.Pinned,
	)
}
