package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/workflow"
)

// patient is a developer's clone. Nothing of it is changed.
type patient struct {
	env   process.Env
	repo  *localrun.Clone
	top   string
	files fs.FS // the work tree
}

// repository says where the repository is, and what is checked out.
func (p *patient) repository(ctx context.Context) (string, error) {
	if _, err := p.repo.Resolve(ctx, "HEAD"); err != nil {
		return "", fmt.Errorf("%s: %w: make a first commit", p.top, err)
	}
	return fmt.Sprintf("%s, %s", p.top, cmp.Or(p.repo.Branch(), "no branch is checked out")), nil
}

// base finds what a branch is compared with.
func (p *patient) base(ctx context.Context) (string, error) {
	base, name, err := localrun.DefaultBase(ctx, p.repo.Repo)
	if err != nil {
		return "", errors.New(
			"there is no branch main or master, here or of the origin; name one with --base",
		)
	}
	return name + " (" + change.Short(base) + ")", nil
}

// rehearse plans a run without reviewing anything: on the work tree, and with the config of the
// base, which counts until that is merged. An error has a line for each problem.
func (p *patient) rehearse(ctx context.Context) ([]workflow.Finding, error) {
	head, _, err := localrun.Worktree(ctx, p.repo.Repo, p.env.Now())
	if err != nil {
		return nil, err
	}
	all, errs := p.plan(ctx, head)
	base, name, err := localrun.DefaultBase(ctx, p.repo.Repo)
	if err != nil || base == head {
		return all, errs
	}
	notices, err := p.plan(ctx, base)
	for _, n := range notices {
		if !slices.Contains(all, n) {
			n.Text = "on " + name + ": " + n.Text
			all = append(all, n)
		}
	}
	if err != nil && (errs == nil || err.Error() != errs.Error()) {
		errs = errors.Join(
			errs,
			fmt.Errorf("on %s, whose config counts until this is merged: %w", name, err),
		)
	}
	return all, errs
}

// plan plans a run on a commit that nothing changes. No model is asked, and no record is held
// against GitHub.
func (p *patient) plan(ctx context.Context, head string) ([]workflow.Finding, error) {
	cfg, notices, err := localrun.RulesConfig(p.repo.Repo, config.DefaultPath, head)
	if err != nil {
		return notices, err
	}
	req := localrun.Request(p.env, p.repo.Repo, cfg, head, head, "HEAD")
	req.Engine = string(config.Rules)
	plan, err := pipeline.Prepare(ctx, req, nil)
	return append(notices, plan.Notices...), err
}

// codex finds codex, and warns if its version is not the one to drive.
func (p *patient) codex(ctx context.Context) (state, warning string, err error) {
	if err := engine.FindCodex(ctx, p.env, ""); err != nil {
		return "", "", err
	}
	name := codex.Name(
		ctx,
		codex.Options{
			PathEnv:    p.env.Get("PATH"),
			WrapperEnv: p.env.WrapperVars(),
			TempDir:    p.env.Temp(),
		},
	)
	if name != "codex "+codex.Pinned {
		warning = fmt.Sprintf(
			"%s was found; this program was built to drive %s: %s",
			name,
			codex.Pinned,
			codex.Install,
		)
	}
	return name, warning, nil
}

// required lists the checks that the default branch requires; known is false where there is no
// GitHub to ask.
func (p *patient) required(ctx context.Context) (checks []string, known bool, err error) {
	host, owner, name := github.OriginOf(p.repo.Origin())
	token := cmp.Or(p.env.Get("GH_TOKEN"), p.env.Get("GITHUB_TOKEN"))
	if owner == "" || token == "" {
		return nil, false, nil
	}
	api := "https://" + host + "/api/v3"
	if host == "github.com" {
		api = "https://api.github.com"
	}
	client, err := github.New(github.Options{
		Token: token, Owner: owner, Repo: name, Base: p.env.Transport(),
		APIURL: cmp.Or(p.env.Get("GITHUB_API_URL"), api),
	})
	if err != nil {
		return nil, false, err
	}
	_, branch, err := localrun.DefaultBase(ctx, p.repo.Repo)
	if err != nil {
		return nil, false, err
	}
	checks, err = client.RequiredChecks(ctx, strings.TrimPrefix(branch, "origin/"))
	return checks, err == nil, err
}
