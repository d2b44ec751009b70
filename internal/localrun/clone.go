package localrun

import (
	"context"
	"errors"
	"fmt"
	"os"

	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/process"
)

// Clone is the developer's own clone, opened by a command that works on it.
type Clone struct {
	*gitrepo.Repo
	Work string // folder for what the command keeps meanwhile
}

// OpenClone opens the clone that a folder belongs to. It is to be released. It fails in a folder
// of no repository. Commands work on objects alone: what they make of their own goes into a store
// in the temp folder, so that the clone stays as it is. Of the environment git sees what finds its
// settings, and nothing that a hook sets.
func OpenClone(ctx context.Context, env process.Env, folder string) (*Clone, error) {
	if gitrepo.Root(folder) == "" {
		return nil, fmt.Errorf("%s is in no git repository; name one with --repo", folder)
	}
	work, err := os.MkdirTemp(env.Temp(), "workflow-reviewer-work-")
	if err != nil {
		return nil, fmt.Errorf("make a working folder: %w", err)
	}
	repo, err := gitrepo.Open(ctx, gitrepo.Options{
		Workspace: gitrepo.Root(folder), Dir: engine.StoreIn(work), Transport: env.Transport(),
		Clone: &gitrepo.Clone{
			Git: gitrepo.FindGit(env.Get("PATH")), Env: env.GitVars(), Tmp: work,
			Workflow: env.Get("GITHUB_ACTIONS") == "true",
		},
	})
	if err != nil {
		return nil, errors.Join(
			fmt.Errorf("open the repository %s: %w", folder, err),
			os.RemoveAll(work),
		)
	}
	return &Clone{repo, work}, nil
}

// Release gives back what the clone holds. It is to be deferred itself. An error that is pending
// stays; one of the clean-up joins it.
func (c *Clone) Release(err *error) {
	_ = c.Close() // the store is in the folder
	*err = errors.Join(*err, os.RemoveAll(c.Work))
}
