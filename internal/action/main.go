// Package action wires the parts into runs: inside GitHub Actions, on a local
// repository, and on the sample project of the demo. It owns the exit status.
package action

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/doctor"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/ghaction"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/nearest"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/serve"
	"workflow-reviewer/internal/starter"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/child"
)

// usage names the commands for people; mcp and parse are called by this program alone.
const usage = `workflow-reviewer reviews workflow artifacts and gates on the verdict.

Inside GitHub Actions it takes no argument. Elsewhere:

  init  [--repo DIR] [--layout LAYOUT]          write the first workflow and config
        [--engine rules|codex] [--print]
  doctor [--repo DIR]                           say what would keep a run from working
  status [--repo DIR] [--json] [--html FILE]    say of each feature how far it is
  demo  [--dir DIR] [--engine rules|codex]      review a small sample project
  local [--repo DIR] [--base REF] [--head REF]  review a local branch
        [--engine codex|rules] [--type TYPE] [--apply] [--json | --fix]
        [--worktree] [--paths PATHS]          with what is not committed; these alone
  integrity [--repo DIR] [--head REF]           check that approved tests still
        [--approved REV | --base REV]           demand what was approved
        [--feature FEATURE] [--json] [--worktree]
  prove [--repo DIR] [--base REV |               run the approved tests, and no
        --approved REV] [--feature FEATURE]     others, against the head that
        [--results GLOB]... [--out FILE]        is checked out, and write what
        [--keep | --red] -- COMMAND [ARG...]    came of it as evidence
  restore [--repo DIR] [--base REV]             write the approved tests over the
        [--head REV] [--feature FEATURE]        work tree, to run what was approved
  explain CHECK|FINDING-ID [--report DIR]       what a check looks for and how often it
                                                was right, or a finding of a report
  serve [--repo DIR] [--base REF]               MCP server for agents and people
        [--engine codex|rules]                  who write, on standard input/output
  version                                       what this binary is

Exit status: 0 the gate passes, 1 it fails, 2 the review did not run.
`

// Env is the process's surroundings. Nothing below this package reads the environment, the clock
// or the terminal by itself.
type Env = process.Env

// Main runs one command and returns the process's exit status. A panic ends as
// status 2: a review that did not run is never green.
func Main(ctx context.Context, args []string, env Env) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(env.Stderr, "workflow-reviewer: internal error: %v\n%s", p, debug.Stack())
			code = cli.NotRun
		}
	}()
	if len(args) > 0 && args[0] == "parse" {
		return runParse(ctx, env)
	}
	if env.Self != "" {
		parsers := child.New(env.Self, "parse")
		defer parsers.Close()
		ctx = syntax.WithParser(ctx, parsers)
	}
	if len(args) == 0 {
		if env.Get("GITHUB_ACTIONS") != "true" && env.Get("GITHUB_EVENT_PATH") == "" {
			fmt.Fprint(env.Stderr, usage)
			return cli.NotRun
		}
		return ghaction.Run(ctx, env)
	}
	switch cmd, rest := args[0], args[1:]; cmd {
	case "init":
		return starter.Run(starter.Env{
			Dir: env.Dir, Root: gitrepo.Root, Repository: env.Source, Stdout: env.Stdout,
			Stderr: env.Stderr,
		}, rest)
	case "doctor":
		return doctor.Run(ctx, env, rest)
	case "status":
		return localrun.Status(ctx, env, rest)
	case "demo":
		return localrun.Demo(ctx, env, rest)
	case "local":
		return localrun.Local(ctx, env, rest)
	case "integrity":
		return localrun.Integrity(ctx, env, rest)
	case "prove":
		return localrun.Prove(ctx, env, rest)
	case "restore":
		return localrun.Restore(ctx, env, rest)
	case "explain":
		return localrun.Explain(env, rest)
	case "serve":
		return serve.Writers(ctx, env, rest)
	case "mcp":
		return serve.MCP(ctx, env, rest)
	case "version", "--version":
		fmt.Fprintln(env.Stdout, engine.VersionLine(env))
		return 0
	case "help", "--help", "-h":
		fmt.Fprint(env.Stdout, usage)
		return 0
	default:
		known := []string{
			"init", "doctor", "status", "demo", "local", "integrity", "prove", "restore", "explain",
			"serve", "version",
		}
		fmt.Fprintf(
			env.Stderr, "workflow-reviewer: command %q is not one of %s%s\n", cmd,
			strings.Join(known, ", "), cli.DidYouMean(nearest.Word(cmd, known), ""),
		)
		return cli.NotRun
	}
}

// runParse parses foreign sources for the process that started this one, until its input ends. It
// is not for people, and knows no secret: a parser that a source brings down takes nothing along.
func runParse(ctx context.Context, env Env) int {
	if err := child.Serve(ctx, env.Stdin, env.Stdout); err != nil {
		cli.Complain(env.Stderr, err)
		return cli.NotRun
	}
	return 0
}
