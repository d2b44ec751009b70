package serve

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/process"
)

// MCP serves the read-only tools to codex over standard input and output.
// It is started by codex, not by people, and knows no secret.
func MCP(ctx context.Context, env process.Env, args []string) int {
	var opt struct {
		Store string `flag:"store" arg:"DIR" usage:"DIR of the git object store"`
		Base  string `flag:"merge-base" arg:"COMMIT" usage:"COMMIT of the old side"`
		Head  string `flag:"head" arg:"COMMIT" usage:"COMMIT of the new side"`
	}
	if err := cli.ParseFlags(cli.Flags("mcp", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	return cli.Exit(env.Stderr, serveMCP(ctx, env, opt.Store, opt.Base, opt.Head))
}

// serveMCP answers a reviewing model's tools until standard input ends. The store is that of the
// run that started this process.
func serveMCP(ctx context.Context, env process.Env, store, base, head string) error {
	repo, err := gitrepo.OpenStore(store)
	if err != nil {
		return fmt.Errorf("open the object store: %w", err)
	}
	defer repo.Close() //nolint:errcheck // opened to read
	src, err := toolSource(repo, base, head)
	if err != nil {
		return err
	}
	return mcpserver.Serve(ctx, src, env.Stdin, env.Stdout)
}

// toolSource is the two sides of the change as the tools read them. Histories without a merge base
// have an empty old side. The list of changes is made when it is first asked for.
func toolSource(repo *gitrepo.Repo, base, head string) (mcpserver.Source, error) {
	newSide, err := repo.Tree(head)
	if err != nil {
		return mcpserver.Source{}, fmt.Errorf("read the head: %w", err)
	}
	oldSide, err := repo.Tree(base)
	if err != nil {
		return mcpserver.Source{}, fmt.Errorf("read the merge base: %w", err)
	}
	return mcpserver.Source{
		Head: newSide, Base: oldSide,
		Changes: func(ctx context.Context) ([]change.File, error) {
			set, err := repo.Set(ctx, base, head)
			return set.Files, err
		},
	}, nil
}
