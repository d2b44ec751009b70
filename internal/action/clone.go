package action

import (
	"context"
	"errors"
	"fmt"
	"os"

	"workflow-reviewer/internal/gitrepo"
)

// clone is the developer's own clone, opened by a command that works on it.
type clone struct {
	*gitrepo.Repo
	work string // folder for what the command keeps meanwhile
}

// openClone opens the clone that a folder belongs to. It is to be released.
func openClone(ctx context.Context, env Env, folder string) (*clone, error) {
	work, err := os.MkdirTemp(env.temp(), "workflow-reviewer-work-")
	if err != nil {
		return nil, fmt.Errorf("make a working folder: %w", err)
	}
	repo, err := gitrepo.Open(ctx, gitrepo.Options{
		Workspace: workspaceOf(folder), Dir: storeIn(work), Transport: env.transport(),
		Clone: &gitrepo.Clone{
			Git: gitrepo.FindGit(env.get("PATH")), Env: env.forGit(), Tmp: work,
			Workflow: env.get("GITHUB_ACTIONS") == "true",
		},
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the repository %s: %w", folder, err), os.RemoveAll(work))
	}
	return &clone{repo, work}, nil
}

// release gives back what the clone holds. It is to be deferred itself.
func (c *clone) release(err *error) {
	_ = c.Close() // the store is in the folder
	*err = errors.Join(*err, os.RemoveAll(c.work))
}

// forGit is what the developer's git may see of the environment: where it finds itself and its settings. What a hook of
// git's sets, such as GIT_DIR, would point it elsewhere.
func (e Env) forGit() []string {
	var out []string
	for name, value := range e.Vars {
		switch name {
		case "PATH", "HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM":
			out = append(out, name+"="+value)
		}
	}
	return out
}
