package localrun

import (
	"errors"
	"strings"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/writeback"
)

// Options are the flags of the local command, and what its callers within the program ask for.
type Options struct {
	Repo     string   `flag:"repo"     arg:"DIR"   usage:"DIR of the repository"`
	Base     string   `flag:"base"     arg:"REF"   usage:"REF to compare with (default: the default branch)"`
	Head     string   `flag:"head"     arg:"REF"   usage:"REF to review"`
	Types    string   `flag:"type"     arg:"TYPE"  usage:"review only this TYPE (comma list)"`
	Paths    []string `flag:"paths"    arg:"PATHS" usage:"review these PATHS, changed or not (comma list)"`
	Worktree bool     `flag:"worktree"             usage:"review the work tree as it stands, with what is not committed"`
	Apply    bool     `flag:"apply"                usage:"commit reviews and moves to the checked-out branch"`
	JSON     bool     `flag:"json"                 usage:"print the report as JSON"`
	Fix      bool     `flag:"fix"                  usage:"print what is to be fixed as a prompt for an agent, and the report on standard error"`
	Verbose  bool     `flag:"verbose"              usage:"print all that was found, not only what blocks"`
	Explain  bool     `flag:"explain"              usage:"say of the PATHs that follow what they are taken for, and why"`

	Inputs  map[string]string   // by the names of the action's inputs
	Call    Call                // the tool's call that this run is for, nil for a command
	commit  writeback.Committer // of --apply, nil for Repo.Apply
	quiet   bool                // tell nothing of the progress
	explain []string            // paths to explain instead of a review
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
	opt := Options{
		Repo: env.Dir, Head: "HEAD",
		Inputs: map[string]string{"openai-api-key": env.Get("OPENAI_API_KEY")},
	}
	fs := cli.Flags("local", &opt)
	for flagName, input := range Inputs() {
		fs.Func(flagName, "as the action's input "+input, func(v string) error {
			opt.Inputs[input] = v
			return nil
		})
	}
	err := cli.ParseFlagsAndPaths(fs, args, &opt.Explain, &opt.explain, env.Stderr)
	opt.Inputs["types"] = opt.Types
	opt.Inputs["paths"] = strings.ReplaceAll(strings.Join(opt.Paths, "\n"), ",", "\n")
	if err == nil {
		if contradiction := opt.contradiction(); contradiction != nil {
			err = cli.Misused(fs, env.Stderr, contradiction)
		}
	}
	if opt.Explain && opt.Inputs["engine"] == "" {
		opt.Inputs["engine"] = string(config.Rules) // nothing is asked of a model
	}
	return opt, err
}

// contradiction says which flags exclude each other. Of two that contradict each other neither
// wins: to guess could commit or spend what was not meant.
func (o Options) contradiction() error {
	switch {
	case o.Fix && o.JSON:
		return errors.New("--fix and --json both want standard output; give one of them")
	case o.Worktree && o.Apply:
		return errors.New(
			"--apply commits beside what is committed, and --worktree reviews what is not; give " +
				"one of them",
		)
	case o.Worktree && o.Head != "HEAD":
		return errors.New("--worktree and --head both say what to review; give one of them")
	}
	return nil
}

// Inputs maps flags to the inputs of the action that they stand for. What an input may hold is
// said once, by config.ParseInputs.
func Inputs() map[string]string {
	return map[string]string{
		"engine": "engine", "model": "model", "effort": "effort", "config": "config",
		"test-results": "test-results", "coverage-report": "coverage-report",
		"evidence": "evidence", "findings": "findings",
		"codex-path": "codex-path", "endpoint": "responses-api-endpoint",
		"timeout": "timeout", "timeout-seconds": "timeout-seconds", "max-parallel": "max-parallel",
		"max-tokens": "max-tokens", "auto-move": "auto-move",
	}
}
