package action

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// integrityOptions are the flags of the integrity command.
type integrityOptions struct {
	repo, approved, base, head string
	feature, config            string
	json                       bool
	worktree                   bool // check the work tree as it stands instead of head
}

func parseIntegrity(env Env, args []string) (integrityOptions, error) {
	var opt integrityOptions
	fs := flag.NewFlagSet("integrity", flag.ContinueOnError)
	fs.StringVar(&opt.repo, "repo", env.Dir, "`DIR` of the repository")
	fs.StringVar(&opt.approved, "approved", "", "`REV` whose tests are taken as approved")
	fs.StringVar(&opt.base, "base", "", "`REV` whose approval records count (default: the default branch)")
	fs.StringVar(&opt.head, "head", "HEAD", "`REV` to check")
	fs.StringVar(&opt.feature, "feature", "", "check only the tests of this `FEATURE`")
	fs.StringVar(&opt.config, "config", config.DefaultPath, "`PATH` of the config in the base")
	fs.BoolVar(&opt.json, "json", false, "print the outcome as JSON")
	if err := parseFlags(fs, args, env.Stderr); err != nil {
		return opt, err
	}
	if opt.approved != "" && opt.base != "" {
		err := errors.New("--approved and --base exclude each other: the former takes a revision's tests as approved, the latter reads " +
			"its approval records")
		complain(env.Stderr, err)
		return opt, err
	}
	return opt, nil
}

// runIntegrity checks test integrity alone, between two revisions.
func runIntegrity(ctx context.Context, env Env, args []string) int {
	opt, err := parseIntegrity(env, args)
	if err != nil {
		return flagsExit(err)
	}
	rep, err := integrityReport(ctx, env, opt)
	if err != nil {
		complain(env.Stderr, err)
		if !opt.json {
			return exitNotRun
		}
		rep = report.Integrity{Outcome: integrity.Outcome{Notices: []workflow.Notice{{Warning: true, Text: err.Error()}}}, Failed: true}
	}
	if err := printIntegrity(env, opt, rep); err != nil {
		complain(env.Stderr, err)
		return exitNotRun
	}
	return rep.ExitCode()
}

func printIntegrity(env Env, opt integrityOptions, rep report.Integrity) error {
	if !opt.json {
		rep.Terminal(env.Stdout, report.TerminalOptions{Color: env.Color, Width: 80})
		return nil
	}
	data, err := rep.JSON()
	if err == nil {
		_, err = env.Stdout.Write(data)
	}
	return err
}

// integrityReport opens the repository and checks.
func integrityReport(ctx context.Context, env Env, opt integrityOptions) (rep report.Integrity, err error) {
	work, err := os.MkdirTemp(env.temp(), "workflow-reviewer-work-")
	if err != nil {
		return rep, fmt.Errorf("make a working folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	repo, err := gitrepo.Open(ctx, gitrepo.Options{Workspace: workspaceOf(opt.repo), Dir: storeIn(work)})
	if err != nil {
		return rep, fmt.Errorf("open the repository %s: %w", opt.repo, err)
	}
	defer repo.Close() //nolint:errcheck // the store is a temporary folder
	set, notices, err := integritySet(ctx, env, repo, opt)
	if err != nil {
		return rep, err
	}
	cfg, err := integrityConfig(repo, opt, set.Base)
	if err != nil {
		return rep, err
	}
	i := inspection{repo: repo, policy: cfg.Integrity, set: set, only: opt.feature, today: env.Now().UTC(), given: opt.approved != ""}
	out, err := i.command(ctx, cfg, opt, localBranch(repo, opt.head))
	if err != nil {
		return rep, err
	}
	out.Notices = append(notices, out.Notices...)
	return report.Integrity{
		Outcome: out, Base: set.Base, MergeBase: set.MergeBase, Head: set.Head,
		Given: opt.approved != "", WarnOnly: cfg.Integrity.Workarounds != "block",
	}, nil
}

// integritySet finds the two revisions and what differs between them. Where the merge base cannot be found, as
// in a clone without its origin, the base stands for it.
func integritySet(ctx context.Context, env Env, repo *gitrepo.Repo, opt integrityOptions) (change.Set, []workflow.Notice, error) {
	if opt.approved != "" {
		approved, err := repo.Resolve(ctx, opt.approved)
		if err != nil {
			return change.Set{}, nil, fmt.Errorf("--approved %q: %w", opt.approved, err)
		}
		head, err := repo.Resolve(ctx, opt.head)
		if err != nil {
			return change.Set{}, nil, fmt.Errorf("--head %q: %w", opt.head, err)
		}
		set, err := repo.Between(ctx, approved, head)
		return set, nil, err
	}
	base, head, left, err := localRefs(ctx, repo, localOptions{base: opt.base, head: opt.head, worktree: opt.worktree}, env.Now())
	if err != nil {
		return change.Set{}, nil, err
	}
	set, err := repo.Set(ctx, base, head)
	if err == nil || ctx.Err() != nil {
		return set, left, err
	}
	set, betweenErr := repo.Between(ctx, base, head)
	return set, append(left, workflow.Notice{Warning: true, Text: fmt.Sprintf(
		"compared with the base %s itself, as the merge base is not known: %v", short(base), err)}), betweenErr
}

// integrityConfig reads the config of the base; of the inputs none matters.
func integrityConfig(repo *gitrepo.Repo, opt integrityOptions, base string) (config.Config, error) {
	in, err := config.ParseInputs(map[string]string{"INPUT_ENGINE": string(config.Rules), "INPUT_CONFIG": opt.config})
	cfg, _, err := loadConfig(in, err, repo, base)
	return cfg, err
}

// command is the check of the command line: with a revision that the user
// vouches for, or with what the base has on record.
func (i inspection) command(ctx context.Context, cfg config.Config, opt integrityOptions, branch string) (integrity.Outcome, error) {
	options := detect.Options{
		Globs: cfg.Globs, Features: cfg.Features, Ignore: cfg.Ignore, Layouts: cfg.Layouts,
		Roots: cfg.Roots, Branch: branch,
	}
	lookup, err := detect.NewLookup(i.set, options)
	if err != nil {
		return integrity.Outcome{}, err
	}
	i.lookup = lookup
	if i.roots, err = detect.Roots(i.set, cfg.Roots, cfg.Layouts); err != nil {
		return integrity.Outcome{}, err
	}
	if opt.approved != "" {
		b, err := i.word(ctx, opt.feature)
		if err != nil {
			return integrity.Outcome{}, err
		}
		i.asked = []string{b.Feature}
		return i.check(ctx, []baseline.Baseline{b})
	}
	found, err := detect.Artifacts(ctx, i.set, options)
	if err != nil {
		return integrity.Outcome{}, err
	}
	if i.asked = askedFeatures(found.Artifacts); i.only != "" {
		i.asked = []string{i.only}
	}
	baselines, err := baseline.Find(ctx, i.features(), i.options())
	if err != nil {
		return integrity.Outcome{}, err
	}
	for n := range baselines {
		if baselines[n].Feature == i.only {
			baselines[n].Demand()
		}
	}
	return i.check(ctx, baselines)
}
