package status

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"workflow-reviewer/internal/cli"
)

// Env is what the command takes from outside.
type Env struct {
	Dir            string // working folder
	Stdout, Stderr io.Writer
	Read           func(ctx context.Context, dir string) (Input, []string, error) // with warnings
}

// Run is the command status. It returns the exit status: 0, or 2 if the status could not be read.
func Run(ctx context.Context, env Env, args []string) int {
	fs := flag.NewFlagSet("status", flag.ContinueOnError)
	repo := fs.String("repo", env.Dir, "`DIR` of the repository")
	asJSON := fs.Bool("json", false, "print the status as JSON")
	page := fs.String("html", "", "write a page to this `FILE` as well")
	if err := cli.ParseFlags(fs, args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	if err := show(ctx, env, *repo, *asJSON, *page); err != nil {
		cli.Complain(env.Stderr, err)
		return cli.NotRun
	}
	return 0
}

// show prints the status as text or JSON, and writes the page if one is named.
func show(ctx context.Context, env Env, repo string, asJSON bool, page string) error {
	in, warnings, err := env.Read(ctx, repo)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintf(env.Stderr, "workflow-reviewer: warning: %s\n", w)
	}
	s := Build(in)
	if page != "" {
		var b bytes.Buffer
		if err := s.HTML(&b); err != nil {
			return err
		}
		if err := os.WriteFile(page, b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	if !asJSON {
		return s.Terminal(env.Stdout)
	}
	data, err := s.JSON()
	if err == nil {
		_, err = env.Stdout.Write(data)
	}
	return err
}
