package localrun

import (
	"context"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/status"
)

// Status says of each feature how far it is.
func Status(ctx context.Context, env process.Env, args []string) int {
	return status.Run(ctx, status.Env{
		Dir: env.Dir, Stdout: env.Stdout, Stderr: env.Stderr,
		Read: func(ctx context.Context, dir string) (status.Input, []string, error) {
			return readStatus(ctx, env, dir)
		},
	}, args)
}

// readStatus reads the work tree as it stands, or HEAD where there is none.
func readStatus(
	ctx context.Context,
	env process.Env,
	dir string,
) (in status.Input, warnings []string, err error) {
	opened, err := OpenClone(ctx, env, dir)
	if err != nil {
		return in, nil, err
	}
	defer opened.Release(&err)
	repo := opened.Repo
	if in.Commit, err = repo.Resolve(ctx, "HEAD"); err != nil {
		return in, nil, err
	}
	head, _, err := worktree(ctx, repo, env.Now())
	if err != nil {
		head = in.Commit
	}
	cfg, _, err := rulesConfig(repo, config.DefaultPath, head)
	if err != nil {
		return in, nil, err
	}
	set, err := repo.Set(ctx, head, head)
	if err != nil {
		return in, nil, err
	}
	lookup, err := detect.NewLookup(set, Request(repo, cfg, head, head, "HEAD").DetectOptions())
	if err != nil {
		return in, nil, err
	}
	roots, err := detect.Roots(set, cfg.Roots, cfg.Layouts)
	if err != nil {
		return in, nil, err
	}
	in.Specs, in.Prices, in.Approvals = lookup.Specs(), cfg.Prices, map[string]approval.Record{}
	records, notices, err := record.Read(set.HeadTree, roots)
	for _, n := range notices {
		warnings = append(warnings, n.File+": "+n.Text)
	}
	in.Records = records
	if err != nil {
		return in, warnings, err
	}
	features, err := baseline.Recorded(set.HeadTree, roots)
	for _, f := range features {
		path := approval.Path(f)
		data, err := set.HeadTree.ReadFile(path)
		if err == nil {
			in.Approvals[path], err = approval.Parse(data)
		}
		if err != nil {
			warnings = append(warnings, path+": "+err.Error())
			delete(in.Approvals, path)
		}
	}
	return in, warnings, err
}
