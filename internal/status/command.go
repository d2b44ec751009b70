package status

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/process"
)

// Env is what the command takes from outside.
type Env struct {
	Dir            string // working folder
	Stdout, Stderr io.Writer
	Read           func(ctx context.Context, dir string) (Input, []string, error) // with warnings
}

// options are the flags of the command.
type options struct {
	Repo string `flag:"repo" arg:"DIR" usage:"DIR of the repository"`
	JSON bool   `flag:"json" usage:"print the status as JSON"`
	HTML string `flag:"html" arg:"FILE" usage:"write a page to this FILE as well"`
}

// Run is the command status. It returns the exit status: 0, or 2 if the status could not be read.
func Run(ctx context.Context, env Env, args []string) int {
	opt := options{Repo: env.Dir}
	if err := cli.ParseFlags(cli.Flags("status", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	return cli.Exit(env.Stderr, show(ctx, env, opt))
}

// show prints the status as text or JSON, and writes the page if one is named.
func show(ctx context.Context, env Env, opt options) error {
	in, warnings, err := env.Read(ctx, opt.Repo)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(env.Stderr, "workflow-reviewer: warning: %s\n", w)
	}
	s := Build(in)
	if opt.HTML != "" {
		var b bytes.Buffer
		if err := s.HTML(&b); err != nil {
			return err
		}
		if err := process.Replace(opt.HTML, b.Bytes()); err != nil {
			return err
		}
	}
	if !opt.JSON {
		return s.Terminal(env.Stdout)
	}
	data, err := s.JSON()
	if err == nil {
		_, err = env.Stdout.Write(data)
	}
	return err
}
