// Package action wires the parts into runs: inside GitHub Actions, on a local
// repository, and on the sample project of the demo. It owns the exit status.
package action

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/starter"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/child"
)

// Exit statuses besides 0, documented in the README.
const (
	exitFails  = 1 // the gate fails
	exitNotRun = 2 // the review did not run to its end
)

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

// Main runs one command and returns the process's exit status. A panic ends as
// status 2: a review that did not run is never green.
func Main(ctx context.Context, args []string, env Env) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(env.Stderr, "workflow-reviewer: internal error: %v\n%s", p, debug.Stack())
			code = exitNotRun
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
		if env.get("GITHUB_ACTIONS") != "true" && env.get("GITHUB_EVENT_PATH") == "" {
			fmt.Fprint(env.Stderr, usage)
			return exitNotRun
		}
		return runAction(ctx, env)
	}
	switch cmd, rest := args[0], args[1:]; cmd {
	case "init":
		return starter.Run(starter.Env{
			Dir: env.Dir, Root: gitrepo.Root, Repository: env.Source, Stdout: env.Stdout, Stderr: env.Stderr,
		}, rest)
	case "doctor":
		return runDoctor(ctx, env, rest)
	case "status":
		return runStatus(ctx, env, rest)
	case "demo":
		return runDemo(ctx, env, rest)
	case "local":
		return runLocal(ctx, env, rest)
	case "integrity":
		return runIntegrity(ctx, env, rest)
	case "prove":
		return runProve(ctx, env, rest)
	case "restore":
		return runRestore(ctx, env, rest)
	case "explain":
		return runExplain(env, rest)
	case "serve":
		return runServe(ctx, env, rest)
	case "mcp":
		return runMCP(ctx, env, rest)
	case "version", "--version":
		fmt.Fprintln(env.Stdout, versionLine(env))
		return 0
	case "help", "--help", "-h":
		fmt.Fprint(env.Stdout, usage)
		return 0
	default:
		fmt.Fprintf(
			env.Stderr,
			"workflow-reviewer: command %q is not one of init, doctor, status, demo, local, integrity, prove, restore, explain, serve, version\n\n%s",
			cmd,
			usage,
		)
		return exitNotRun
	}
}

// runParse parses foreign sources for the process that started this one. It is not for people, and knows no secret.
func runParse(ctx context.Context, env Env) int {
	if err := child.Serve(ctx, env.Stdin, env.Stdout); err != nil {
		complain(env.Stderr, err)
		return exitNotRun
	}
	return 0
}

// versionLine names the program, its commit, and the codex it was built to drive.
func versionLine(env Env) string {
	return fmt.Sprintf(
		"workflow-reviewer %s (commit %s), drives codex %s",
		env.Version,
		cmp.Or(env.Commit, vcsRevision()),
		codex.Pinned,
	)
}

func vcsRevision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "unknown"
}

// parseFlags parses a command's flags; what is wrong goes to w with the usage.
func parseFlags(fs *flag.FlagSet, args []string, w io.Writer) error {
	fs.SetOutput(w)
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return misused(fs, w, fmt.Errorf("unexpected argument %q", fs.Arg(0)))
	}
	return nil
}

// parseFlagsAndPaths is parseFlags for a command that takes paths after the flag
// that wants them, and then at least one.
func parseFlagsAndPaths(fs *flag.FlagSet, args []string, wanted *bool, paths *[]string, w io.Writer) error {
	fs.SetOutput(w)
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *paths = fs.Args(); *wanted != (fs.NArg() > 0) {
		if *wanted {
			return misused(fs, w, errors.New("no path to explain"))
		}
		return misused(fs, w, fmt.Errorf("unexpected argument %q", fs.Arg(0)))
	}
	return nil
}

func misused(fs *flag.FlagSet, w io.Writer, err error) error {
	fmt.Fprintf(w, "workflow-reviewer %s: %v\n", fs.Name(), err)
	fs.Usage()
	return err
}

// flagsExit is the exit status for what parseFlags returned.
func flagsExit(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return exitNotRun
}

// complain prints an error of several lines, one "workflow-reviewer: …" each.
func complain(w io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintf(w, "workflow-reviewer: %s\n", line)
	}
}
