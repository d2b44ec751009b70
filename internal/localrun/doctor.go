package localrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/doctor"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/workflow"
)

// patient is a developer's clone as doctor looks at it.
type patient struct {
	env  process.Env
	repo *Clone
	top  string
}

// Doctor says what would keep a run from working. It ends with 0 if nothing was named, else with 1,
// and with 2 for wrong arguments.
func Doctor(ctx context.Context, env process.Env, args []string) int {
	opt := struct {
		Repo string `flag:"repo" arg:"DIR" usage:"DIR of the repository"`
	}{env.Dir}
	if err := cli.ParseFlags(cli.Flags("doctor", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	opened, err := OpenClone(ctx, env, opt.Repo)
	if err != nil {
		doctor.Print(env.Stdout, []doctor.Finding{doctor.Found("git", "", err)})
		return cli.Fails
	}
	defer opened.Release(&err)
	found := doctor.Examine(ctx, &patient{env, opened, gitrepo.Root(opt.Repo)})
	return min(doctor.Print(env.Stdout, found), cli.Fails)
}

// Repository implements doctor.Patient.
func (p *patient) Repository(ctx context.Context) (string, error) {
	if _, err := p.repo.Resolve(ctx, "HEAD"); err != nil {
		return "", fmt.Errorf("%s: %w: make a first commit", p.top, err)
	}
	return fmt.Sprintf("%s, %s", p.top, cmp.Or(p.repo.Branch(), "no branch is checked out")), nil
}

// Base implements doctor.Patient.
func (p *patient) Base(ctx context.Context) (string, error) {
	base, name, err := defaultBase(ctx, p.repo.Repo)
	if err != nil {
		return "", errors.New(
			"there is no branch main or master, here or of the origin; name one with --base",
		)
	}
	return name + " (" + change.Short(base) + ")", nil
}

// Rehearse implements doctor.Patient: with what stands in the work tree, and with the config of the
// base, which counts until that is merged.
func (p *patient) Rehearse(ctx context.Context) ([]workflow.Finding, error) {
	head, _, err := worktree(ctx, p.repo.Repo, p.env.Now())
	if err != nil {
		return nil, err
	}
	all, errs := p.rehearse(ctx, head)
	base, name, err := defaultBase(ctx, p.repo.Repo)
	if err != nil || base == head {
		return all, errs
	}
	notices, err := p.rehearse(ctx, base)
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

// rehearse plans a run on a commit that nothing changes. No model is asked, and no record is held
// against GitHub.
func (p *patient) rehearse(ctx context.Context, head string) ([]workflow.Finding, error) {
	cfg, notices, err := rulesConfig(p.repo.Repo, config.DefaultPath, head)
	if err != nil {
		return notices, err
	}
	req := request(p.env, p.repo.Repo, cfg, head, head, "HEAD")
	req.Engine = string(config.Rules)
	plan, err := pipeline.Prepare(ctx, req, nil)
	return append(notices, plan.Notices...), err
}

// Key implements doctor.Patient.
func (p *patient) Key() bool { return p.env.Get("OPENAI_API_KEY") != "" }

// Codex implements doctor.Patient.
func (p *patient) Codex(ctx context.Context) (state, warning string, err error) {
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

// Required implements doctor.Patient.
func (p *patient) Required(ctx context.Context) (checks []string, known bool, err error) {
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
	_, branch, err := defaultBase(ctx, p.repo.Repo)
	if err != nil {
		return nil, false, err
	}
	checks, err = client.RequiredChecks(ctx, strings.TrimPrefix(branch, "origin/"))
	return checks, err == nil, err
}

// Files implements doctor.Patient.
func (p *patient) Files() fs.FS { return os.DirFS(p.top) }
