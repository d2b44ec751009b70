package localrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/inspect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/stophook"
	"workflow-reviewer/internal/workflow"
)

// IntegrityOptions say which tests are compared with what: the flags of integrity, and those of
// prove and restore that mean the same there.
type IntegrityOptions struct {
	Repo     string   `flag:"repo"     arg:"DIR"     usage:"DIR of the repository"`
	Base     string   `flag:"base"     arg:"REV"     usage:"REV whose approval records count (default: the default branch)"`
	Approved string   `flag:"approved" arg:"REV"     usage:"REV whose tests are taken as approved"                                         of:"integrity prove"`
	Head     string   `flag:"head"     arg:"REV"     usage:"REV that has the tests"                                                        of:"integrity restore"`
	Feature  string   `flag:"feature"  arg:"FEATURE" usage:"only the approved tests of this FEATURE"`
	Config   string   `flag:"config"   arg:"PATH"    usage:"PATH of the config in the base"                                                of:"integrity"`
	Evidence []string `flag:"evidence" arg:"FILE"    usage:"FILE that prove wrote for this head"                                           of:"integrity"`
	JSON     bool     `flag:"json"                   usage:"print the outcome as JSON"                                                     of:"integrity"`
	Worktree bool     `flag:"worktree"               usage:"check the work tree as it stands, with what is not committed"                  of:"integrity"`
	Hook     bool     `flag:"hook"                   usage:"be the Stop hook of an agent: answer its JSON if approved tests were weakened" of:"integrity"`
}

// integrityOptions are those of a command that names none.
func integrityOptions(env process.Env) IntegrityOptions {
	return IntegrityOptions{Repo: env.Dir, Head: "HEAD", Config: config.DefaultPath}
}

// parseIntegrity reads the flags of integrity. Contradictory ones are errors.
func parseIntegrity(env process.Env, args []string) (IntegrityOptions, error) {
	opt := integrityOptions(env)
	fs := cli.Flags("integrity", &opt)
	if err := cli.ParseFlags(fs, args, env.Stderr); err != nil {
		return opt, err
	}
	if opt.Approved != "" && opt.Base != "" {
		return opt, cli.Misused(fs, env.Stderr, errors.New(
			"--approved and --base exclude each other: the former takes a revision's tests as "+
				"approved, the latter reads its approval records",
		))
	}
	if opt.Worktree && opt.Head != "HEAD" {
		return opt, cli.Misused(
			fs, env.Stderr,
			errors.New("--worktree and --head both say what to check; give one of them"),
		)
	}
	return opt, nil
}

// Integrity checks test integrity alone, between two revisions. It ends with 1 for a breach, and
// with 2 where it could not be checked; as JSON that is an outcome that cannot be verified, never
// an empty one.
func Integrity(ctx context.Context, env process.Env, args []string) int {
	opt, err := parseIntegrity(env, args)
	if err != nil {
		return cli.FlagsExit(err)
	}
	if opt.Hook {
		return answerStop(ctx, env, opt)
	}
	rep, err := IntegrityReport(ctx, env, opt)
	if err != nil {
		cli.Complain(env.Stderr, err)
		if !opt.JSON {
			return cli.NotRun
		}
		rep = report.Integrity{
			Outcome: integrity.Outcome{
				Notices: []workflow.Finding{{Level: workflow.Warn, Text: err.Error()}},
			},
			Failed: true,
		}
	}
	return max(cli.Exit(env.Stderr, printIntegrity(env, opt, rep)), rep.ExitCode())
}

// answerStop answers an agent that wants to stop. It always ends with status 0: the answer says
// what is to be done.
func answerStop(ctx context.Context, env process.Env, opt IntegrityOptions) int {
	event := stophook.Read(env.Stdin)
	if event.Active {
		return 0
	}
	opt.Repo = cmp.Or(event.Dir, opt.Repo)
	if rep, err := IntegrityReport(ctx, env, opt); err == nil {
		fmt.Fprint(env.Stdout, stophook.Answer(rep))
	}
	return 0
}

// printIntegrity prints the outcome as text or as JSON, on standard output.
func printIntegrity(env process.Env, opt IntegrityOptions, rep report.Integrity) error {
	if !opt.JSON {
		rep.Terminal(env.Stdout, report.TerminalOptions{Color: env.Color, Width: 80})
		return nil
	}
	data, err := rep.JSON()
	if err == nil {
		_, err = env.Stdout.Write(data)
	}
	return err
}

// IntegrityReport opens the repository and checks. Evidence counts for the head alone that it
// names. The error is that of a check that did not run.
func IntegrityReport(
	ctx context.Context, env process.Env, opt IntegrityOptions,
) (rep report.Integrity, err error) {
	opened, err := OpenClone(ctx, env, opt.Repo)
	if err != nil {
		return rep, err
	}
	defer opened.Release(&err)
	i, notices, err := inspectRefs(ctx, env, opened.Repo, opt)
	if err != nil {
		return rep, err
	}
	ran, err := measured.ReadProofs(opt.Evidence)
	if err != nil {
		return rep, err
	}
	i.Proofs = ran.Proofs
	out, err := i.RunAsGiven(ctx)
	if err != nil {
		return rep, err
	}
	out.Notices = append(notices, out.Notices...)
	return report.Integrity{
		Outcome: out, Base: i.Set.Base, MergeBase: i.Set.MergeBase, Head: i.Set.Head,
		Given: i.Given, WarnOnly: i.Policy.Workarounds != "block",
	}, nil
}

// inspectRefs prepares the check between the two revisions that the user names, as CI does on a
// pull request. Without approved revision the records of the base count, and what the branch
// approved itself, as far as it may.
func inspectRefs(
	ctx context.Context, env process.Env, repo *gitrepo.Repo, opt IntegrityOptions,
) (i inspect.Inspection, notices []workflow.Finding, err error) {
	set, notices, err := integritySet(ctx, env, repo, opt)
	if err != nil {
		return i, nil, err
	}
	cfg, _, err := RulesConfig(repo, opt.Config, set.Base)
	if err != nil {
		return i, nil, err
	}
	req := Request(env, repo, cfg, set.Base, set.Head, opt.Head)
	d, err := pipeline.Discover(ctx, req, set)
	if err != nil {
		return i, nil, err
	}
	i, more, err := pipeline.Inspection(req, set, d.Artifacts())
	if err != nil {
		return i, nil, err
	}
	if i.Given = opt.Approved != ""; i.Given {
		i.Permit = nil
	}
	if opt.Feature != "" {
		i.Only, err = i.FeatureNamed(opt.Feature)
		i.Asked = []string{i.Only}
	}
	return i, append(notices, more...), err
}

// integritySet finds the two revisions and what differs between them. Where the merge base cannot
// be found, as in a clone without its origin, the base stands for it.
func integritySet(
	ctx context.Context, env process.Env, repo *gitrepo.Repo, opt IntegrityOptions,
) (change.Set, []workflow.Finding, error) {
	if opt.Approved != "" {
		approved, err := repo.Resolve(ctx, opt.Approved)
		if err != nil {
			return change.Set{}, nil, fmt.Errorf("--approved %q: %w", opt.Approved, err)
		}
		head, left, err := localHead(ctx, repo, opt.Head, opt.Worktree, env.Now())
		if err != nil {
			return change.Set{}, nil, err
		}
		set, err := repo.Between(ctx, approved, head)
		return set, left, err
	}
	base, head, left, err := Refs(ctx, repo, opt.Base, opt.Head, opt.Worktree, env.Now())
	if err != nil {
		return change.Set{}, nil, err
	}
	set, err := repo.Set(ctx, base, head)
	if err == nil || ctx.Err() != nil {
		return set, left, err
	}
	set, betweenErr := repo.Between(ctx, base, head)
	return set, append(left, workflow.Finding{Level: workflow.Warn, Text: fmt.Sprintf(
		"compared with the base %s itself, as the merge base is not known: %v",
		change.Short(base),
		err,
	)}), betweenErr
}

// RulesConfig reads the config at a path of a commit; of the inputs nothing else matters.
func RulesConfig(
	repo *gitrepo.Repo, path, commit string,
) (config.Config, []workflow.Finding, error) {
	in, err := config.ParseInputs(
		map[string]string{"INPUT_ENGINE": string(config.Rules), "INPUT_CONFIG": path},
	)
	return pipeline.LoadConfig(in, err, repo, commit)
}
