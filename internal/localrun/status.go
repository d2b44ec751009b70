package localrun

import (
	"bytes"
	"context"
	"fmt"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/status"
)

// statusOptions are the flags of the status command.
type statusOptions struct {
	Repo string `flag:"repo" arg:"DIR" usage:"DIR of the repository"`
	JSON bool   `flag:"json" usage:"print the status as JSON"`
	HTML string `flag:"html" arg:"FILE" usage:"write a page to this FILE as well"`
}

// Status says of each feature how far it is. It ends with 0, or with 2 where the status could not
// be read; what of it cannot be read is a warning on standard error.
func Status(ctx context.Context, env process.Env, args []string) int {
	opt := statusOptions{Repo: env.Dir}
	if err := cli.ParseFlags(cli.Flags("status", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	in, warnings, err := readStatus(ctx, env, opt.Repo)
	for _, w := range warnings {
		fmt.Fprintf(env.Stderr, "workflow-reviewer: warning: %s\n", w)
	}
	if err == nil {
		err = showStatus(env, opt, status.Build(in))
	}
	return cli.Exit(env.Stderr, err)
}

// showStatus prints a status as text or JSON, and writes the page if one is named.
func showStatus(env process.Env, opt statusOptions, s status.Status) error {
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

// readStatus reads the work tree as it stands, or HEAD where there is none. A record that cannot
// be read is a warning, and is left out; a config that cannot is an error.
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
	head, _, err := Worktree(ctx, repo, env.Now())
	if err != nil {
		head = in.Commit
	}
	cfg, _, err := RulesConfig(repo, config.DefaultPath, head)
	if err != nil {
		return in, nil, err
	}
	set, err := repo.Set(ctx, head, head)
	if err != nil {
		return in, nil, err
	}
	req := Request(env, repo, cfg, head, head, "HEAD")
	lookup, err := detect.NewLookup(set, req.DetectOptions())
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
