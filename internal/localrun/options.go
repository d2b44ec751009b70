package localrun

import (
	"errors"
	"flag"
	"strings"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
)

// Options are the flags of the local command.
type Options struct {
	Repo, Base, Head string
	JSON             bool
	Worktree         bool              // the head is the work tree as it stands
	Inputs           map[string]string // by the names of the action's inputs
	Call             Call              // the tool's call that this run is for, nil for a command

	types          string
	apply          bool
	verbose, quiet bool     // print all that was found; tell nothing of the progress
	fix            bool     // print what to fix as a prompt
	paths          []string // artifacts to review, changed or not
	explain        []string // paths to explain instead of a review
}

// Call is a tool's call that a run is made for.
type Call interface {
	pipeline.Target
	// Adjust makes config and measurements those of the call.
	Adjust(cfg *config.Config, m *measured.Data)
	// Log learns of the run's progress.
	Log(line string)
	// Save keeps what the reviews came to.
	Save(repo *gitrepo.Repo, cfg config.Config, o *pipeline.Outcome) error
}

// parseLocal reads the flags of local. Those that are inputs of the action are kept by their names,
// for config.ParseInputs.
func parseLocal(env process.Env, args []string) (Options, error) {
	opt := Options{Inputs: map[string]string{"openai-api-key": env.Get("OPENAI_API_KEY")}}
	fs := flag.NewFlagSet("local", flag.ContinueOnError)
	fs.StringVar(&opt.Repo, "repo", env.Dir, "`DIR` of the repository")
	fs.StringVar(&opt.Base, "base", "", "`REF` to compare with (default: the default branch)")
	fs.StringVar(&opt.Head, "head", "HEAD", "`REF` to review")
	fs.StringVar(&opt.types, "type", "", "review only this `TYPE` (comma list)")
	fs.BoolVar(&opt.apply, "apply", false, "commit reviews and moves to the checked-out branch")
	fs.BoolVar(&opt.verbose, "verbose", false, "print all that was found, not only what blocks")
	fs.BoolVar(&opt.JSON, "json", false, "print the report as JSON")
	fs.BoolVar(
		&opt.fix, "fix", false,
		"print what is to be fixed as a prompt for an agent, and the report on standard error",
	)
	fs.BoolVar(
		&opt.Worktree, "worktree", false,
		"review the work tree as it stands, with what is not committed",
	)
	fs.Func(
		"paths",
		"review these `PATHS`, changed or not (comma list; may be repeated)",
		func(v string) error {
			opt.paths = append(
				opt.paths,
				strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '\n' })...)
			return nil
		},
	)
	explain := fs.Bool(
		"explain", false, "say of the `PATH`s that follow what they are taken for, and why",
	)
	for flagName, input := range Inputs() {
		fs.Func(flagName, "as the action's input "+input, func(v string) error {
			opt.Inputs[input] = v
			return nil
		})
	}
	err := cli.ParseFlagsAndPaths(fs, args, explain, &opt.explain, env.Stderr)
	opt.Inputs["types"] = opt.types
	opt.Inputs["paths"] = strings.Join(opt.paths, "\n")
	if err == nil {
		if contradiction := opt.contradiction(); contradiction != nil {
			err = cli.Misused(fs, env.Stderr, contradiction)
		}
	}
	if *explain && opt.Inputs["engine"] == "" {
		opt.Inputs["engine"] = string(config.Rules) // nothing is asked of a model
	}
	return opt, err
}

// contradiction says which flags exclude each other.
func (o Options) contradiction() error {
	switch {
	case o.fix && o.JSON:
		return errors.New("--fix and --json both want standard output; give one of them")
	case o.Worktree && o.apply:
		return errors.New(
			"--apply commits beside what is committed, and --worktree reviews what is not; give one of them",
		)
	case o.Worktree && o.Head != "HEAD":
		return errors.New("--worktree and --head both say what to review; give one of them")
	}
	return nil
}

// Inputs maps flags to the inputs of the action that they stand for.
func Inputs() map[string]string {
	return map[string]string{
		"engine": "engine", "model": "model", "effort": "effort", "config": "config",
		"test-results": "test-results", "coverage-report": "coverage-report", "evidence": "evidence", "findings": "findings",
		"codex-path": "codex-path", "endpoint": "responses-api-endpoint",
		"timeout": "timeout", "timeout-seconds": "timeout-seconds", "max-parallel": "max-parallel",
		"max-tokens": "max-tokens", "auto-move": "auto-move",
	}
}
