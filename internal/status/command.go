package status

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
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
	fs.SetOutput(env.Stderr)
	repo := fs.String("repo", env.Dir, "`DIR` of the repository")
	asJSON := fs.Bool("json", false, "print the status as JSON")
	page := fs.String("html", "", "write a page to this `FILE` as well")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", fs.Arg(0))
		fmt.Fprintf(env.Stderr, "workflow-reviewer status: %v\n", err)
	}
	if err != nil {
		return 2
	}
	if err := show(ctx, env, *repo, *asJSON, *page); err != nil {
		fmt.Fprintf(env.Stderr, "workflow-reviewer: %v\n", err)
		return 2
	}
	return 0
}

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
		if err := os.WriteFile(page, b.Bytes(), 0o644); err != nil { //nolint:gosec // a page for others to read
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
