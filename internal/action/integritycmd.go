package action

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/stophook"
	"workflow-reviewer/internal/workflow"
)

// integrityOptions are the flags of the integrity command.
type integrityOptions struct {
	repo, approved, base, head string
	feature, config            string
	json                       bool
	hook                       bool     // answer a Stop hook of an agent
	worktree                   bool     // check the work tree as it stands instead of head
	evidence                   []string // files that prove wrote
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
	fs.Func("evidence", "`FILE` that prove wrote for this head (may be repeated)", func(v string) error {
		opt.evidence = append(opt.evidence, v)
		return nil
	})
	fs.BoolVar(&opt.json, "json", false, "print the outcome as JSON")
	fs.BoolVar(&opt.worktree, "worktree", false, "check the work tree as it stands, with what is not committed")
	fs.BoolVar(&opt.hook, "hook", false, "be the Stop hook of an agent: read its JSON, and answer it if approved tests were weakened")
	if err := parseFlags(fs, args, env.Stderr); err != nil {
		return opt, err
	}
	if opt.approved != "" && opt.base != "" {
		err := errors.New("--approved and --base exclude each other: the former takes a revision's tests as approved, the latter reads " +
			"its approval records")
		complain(env.Stderr, err)
		return opt, err
	}
	if opt.worktree && opt.head != "HEAD" {
		return opt, misused(fs, env.Stderr, errors.New("--worktree and --head both say what to check; give one of them"))
	}
	return opt, nil
}

// runIntegrity checks test integrity alone, between two revisions.
func runIntegrity(ctx context.Context, env Env, args []string) int {
	opt, err := parseIntegrity(env, args)
	if err != nil {
		return flagsExit(err)
	}
	if opt.hook {
		return answerStop(ctx, env, opt)
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

// answerStop answers an agent that wants to stop. It always ends with status 0: the answer says what is to be done.
func answerStop(ctx context.Context, env Env, opt integrityOptions) int {
	event := stophook.Read(env.Stdin)
	if event.Active {
		return 0
	}
	opt.repo = cmp.Or(event.Dir, opt.repo)
	if rep, err := integrityReport(ctx, env, opt); err == nil {
		fmt.Fprint(env.Stdout, stophook.Answer(rep))
	}
	return 0
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
	opened, err := openClone(ctx, env, opt.repo)
	if err != nil {
		return rep, err
	}
	defer opened.release(&err)
	i, notices, err := inspect(ctx, env, opened.Repo, opt)
	if err != nil {
		return rep, err
	}
	ran, err := readProofs(opt.evidence)
	if err != nil {
		return rep, err
	}
	i.proofs = ran.proofs
	out, err := i.command(ctx)
	if err != nil {
		return rep, err
	}
	out.Notices = append(notices, out.Notices...)
	return report.Integrity{
		Outcome: out, Base: i.set.Base, MergeBase: i.set.MergeBase, Head: i.set.Head,
		Given: i.given, WarnOnly: i.policy.Workarounds != "block",
	}, nil
}

// inspect prepares the check between the two revisions that the user names, as CI does on a pull request.
func inspect(
	ctx context.Context, env Env, repo *gitrepo.Repo, opt integrityOptions,
) (i inspection, notices []workflow.Notice, err error) {
	set, notices, err := integritySet(ctx, env, repo, opt)
	if err != nil {
		return i, nil, err
	}
	cfg, err := integrityConfig(repo, opt, set.Base)
	if err != nil {
		return i, nil, err
	}
	s := &session{
		env: env, cfg: cfg, repo: repo, vouched: unforged,
		event: change.Event{Name: "local", Base: change.Ref{SHA: set.Base}, Head: change.Ref{
			SHA: set.Head, Branch: localBranch(repo, opt.head),
		}},
	}
	d, err := s.discover(ctx, set)
	if err != nil {
		return i, nil, err
	}
	i, more, err := s.inspection(set, d.artifacts())
	if err != nil {
		return i, nil, err
	}
	if i.given = opt.approved != ""; i.given {
		i.permit = nil
	}
	if opt.feature != "" {
		i.only, err = i.known(opt.feature)
		i.asked = []string{i.only}
	}
	return i, append(notices, more...), err
}

// known is the feature that a name means; an error lists those that there are.
func (i inspection) known(name string) (string, error) {
	features := slices.Concat(i.lookup.Features(), i.asked)
	for _, tree := range []change.Tree{i.set.BaseTree, i.set.HeadTree} {
		recorded, err := baseline.Recorded(tree, i.roots)
		if err != nil {
			return "", err
		}
		features = append(features, recorded...)
		if tests, err := i.lookup.Tests(tree, name); err != nil || len(tests) > 0 {
			features = append(features, name)
		}
	}
	if k := slices.IndexFunc(features, func(f string) bool { return detect.SameFeature(f, name) }); k >= 0 {
		return features[k], nil
	}
	slices.Sort(features)
	there := "there are none here"
	if len(features) > 0 {
		there = "there are " + strings.Join(slices.Compact(features), ", ")
	}
	return "", fmt.Errorf("unknown feature %q: %s", name, there)
}

// unforged believes every record: on a clone of one's own nobody else could have forged it.
func unforged(context.Context, record.Record) (bool, string, error) { return true, "", nil }

// integritySet finds the two revisions and what differs between them. Where the merge base cannot be found, as
// in a clone without its origin, the base stands for it.
func integritySet(ctx context.Context, env Env, repo *gitrepo.Repo, opt integrityOptions) (change.Set, []workflow.Notice, error) {
	if opt.approved != "" {
		approved, err := repo.Resolve(ctx, opt.approved)
		if err != nil {
			return change.Set{}, nil, fmt.Errorf("--approved %q: %w", opt.approved, err)
		}
		head, left, err := localHead(ctx, repo, opt.head, opt.worktree, env.Now())
		if err != nil {
			return change.Set{}, nil, err
		}
		set, err := repo.Between(ctx, approved, head)
		return set, left, err
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
// vouches for, or with what is on record, as in CI.
func (i inspection) command(ctx context.Context) (integrity.Outcome, error) {
	if !i.given {
		return i.run(ctx)
	}
	b, err := i.word(ctx, i.only)
	if err != nil {
		return integrity.Outcome{}, err
	}
	i.asked = []string{b.Feature}
	return i.check(ctx, []baseline.Baseline{b})
}
