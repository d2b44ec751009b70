package action

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// localOptions are the flags of the local command.
type localOptions struct {
	repo, base, head string
	types            string
	apply, json      bool
	verbose, quiet   bool              // print all that was found; tell nothing of the progress
	fix              bool              // print what to fix as a prompt
	worktree         bool              // the head is the work tree as it stands
	paths            []string          // artifacts to review, changed or not
	explain          []string          // paths to explain instead of a review
	inputs           map[string]string // by the names of the action's inputs
	serve            *served           // the call of a tool that this run is for, nil for a command
}

func parseLocal(env Env, args []string) (localOptions, error) {
	opt := localOptions{inputs: map[string]string{"openai-api-key": env.get("OPENAI_API_KEY")}}
	fs := flag.NewFlagSet("local", flag.ContinueOnError)
	fs.StringVar(&opt.repo, "repo", env.Dir, "`DIR` of the repository")
	fs.StringVar(&opt.base, "base", "", "`REF` to compare with (default: the default branch)")
	fs.StringVar(&opt.head, "head", "HEAD", "`REF` to review")
	fs.StringVar(&opt.types, "type", "", "review only this `TYPE` (comma list)")
	fs.BoolVar(&opt.apply, "apply", false, "commit reviews and moves to the checked-out branch")
	fs.BoolVar(&opt.verbose, "verbose", false, "print all that was found, not only what blocks")
	fs.BoolVar(&opt.json, "json", false, "print the report as JSON")
	fs.BoolVar(&opt.fix, "fix", false, "print what is to be fixed as a prompt for an agent, and the report on standard error")
	fs.BoolVar(&opt.worktree, "worktree", false, "review the work tree as it stands, with what is not committed")
	fs.Func("paths", "review these `PATHS`, changed or not (comma list; may be repeated)", func(v string) error {
		opt.paths = append(opt.paths, strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '\n' })...)
		return nil
	})
	explain := fs.Bool("explain", false, "say of the `PATH`s that follow what they are taken for, and why")
	for flagName, input := range localInputs() {
		fs.Func(flagName, "as the action's input "+input, func(v string) error {
			opt.inputs[input] = v
			return nil
		})
	}
	err := parseFlagsAndPaths(fs, args, explain, &opt.explain, env.Stderr)
	opt.inputs["types"] = opt.types
	opt.inputs["paths"] = strings.Join(opt.paths, "\n")
	if err == nil {
		if contradiction := opt.contradiction(); contradiction != nil {
			err = misused(fs, env.Stderr, contradiction)
		}
	}
	if *explain && opt.inputs["engine"] == "" {
		opt.inputs["engine"] = string(config.Rules) // nothing is asked of a model
	}
	return opt, err
}

// contradiction says which flags exclude each other.
func (o localOptions) contradiction() error {
	switch {
	case o.fix && o.json:
		return errors.New("--fix and --json both want standard output; give one of them")
	case o.worktree && o.apply:
		return errors.New("--apply commits beside what is committed, and --worktree reviews what is not; give one of them")
	case o.worktree && o.head != "HEAD":
		return errors.New("--worktree and --head both say what to review; give one of them")
	}
	return nil
}

// localInputs maps flags to the inputs of the action that they stand for.
func localInputs() map[string]string {
	return map[string]string{
		"engine": "engine", "model": "model", "effort": "effort", "config": "config",
		"test-results": "test-results", "coverage-report": "coverage-report", "evidence": "evidence", "findings": "findings",
		"codex-path": "codex-path", "endpoint": "responses-api-endpoint",
		"timeout": "timeout", "max-parallel": "max-parallel", "max-tokens": "max-tokens", "auto-move": "auto-move",
	}
}

// vars are the inputs as the runner would set them.
func (o localOptions) vars() map[string]string {
	vars := make(map[string]string)
	for name, value := range o.inputs {
		vars["INPUT_"+strings.ToUpper(name)] = value
	}
	return vars
}

func runLocal(ctx context.Context, env Env, args []string) int {
	opt, err := parseLocal(env, args)
	if err != nil {
		return flagsExit(err)
	}
	if opt.inputs["engine"] == "" {
		name, why := chooseEngine(ctx, env, opt.inputs["codex-path"])
		opt.inputs["engine"] = string(name)
		fmt.Fprintf(progressWriter(env, opt.json || opt.fix), "Engine: %s%s\n", name, why)
	}
	rep, err := localRun(ctx, env, opt)
	if err != nil {
		complain(env.Stderr, advised(ctx, err))
		if opt.json {
			_ = json.NewEncoder(env.Stdout).Encode(map[string]string{"decision": workflow.Error.String(), "error": err.Error()})
		}
		return exitNotRun
	}
	if len(opt.explain) > 0 {
		return 0
	}
	if err := printLocal(env, opt, rep); err != nil {
		complain(env.Stderr, err)
		return exitNotRun
	}
	return rep.Decision.ExitCode()
}

func printLocal(env Env, opt localOptions, rep report.Report) error {
	if opt.fix {
		rep.Terminal(env.Stderr, report.TerminalOptions{Width: 80, Verbose: opt.verbose})
		_, err := io.WriteString(env.Stdout, rep.Fix())
		return err
	}
	if !opt.json {
		rep.Terminal(env.Stdout, report.TerminalOptions{Color: env.Color, Width: 80, Verbose: opt.verbose})
		return nil
	}
	data, err := rep.JSON()
	if err != nil {
		return err
	}
	fmt.Fprintln(env.Stderr, "Report: "+rep.Dir)
	_, err = env.Stdout.Write(append(data, '\n'))
	return err
}

// localRun is the main job on a local repository, without GitHub.
func localRun(ctx context.Context, env Env, opt localOptions) (rep report.Report, err error) {
	in, inputErr := config.ParseInputs(opt.vars())
	opened, err := openClone(ctx, env, opt.repo)
	if err != nil {
		return rep, errors.Join(inputErr, err)
	}
	defer opened.release(&err)
	repo := opened.Repo
	base, head, left, err := localRefs(ctx, repo, opt, env.Now())
	if err != nil {
		return rep, errors.Join(inputErr, err)
	}
	cfg, notices, err := loadConfig(in, inputErr, repo, base)
	if err != nil {
		return rep, err
	}
	notices = append(notices, left...)
	if opt.apply {
		if err := applicable(ctx, repo, head); err != nil {
			return rep, err
		}
	}
	s := &session{
		env: env, cfg: cfg, repo: repo, started: env.Now(), notices: notices,
		event: change.Event{
			Name: "local", Base: change.Ref{SHA: base},
			Head: change.Ref{SHA: head, Branch: localBranch(repo, opt.head)},
		},
		redactor: redact.New(cfg.APIKey.Reveal()),
		vouched:  unforged,
	}
	s.events = &events.Stream{Now: env.Now, Redact: s.redactor.Text, Log: func(line string) {
		if !opt.quiet {
			fmt.Fprintln(progressWriter(env, opt.json || opt.fix), line)
		}
	}}
	s.events.Tell(runStarted(env, head))
	if len(opt.explain) > 0 {
		return rep, s.explainLocal(ctx, env.Stdout, opt.explain, opt.json)
	}
	if opt.head == "HEAD" && !opt.worktree {
		s.notices = append(s.notices, uncommitted(ctx, repo)...)
	}
	if s.measured, err = readMeasured(env, opt.repo, cfg); err != nil {
		return rep, err
	}
	if opt.serve != nil {
		opt.serve.begin(s)
	}
	if s.dir, err = reportFolder(env); err != nil {
		return rep, err
	}
	defer s.tidy(&err)
	defer s.rescue(&err)
	if !cfg.Enabled {
		return s.localNothing(ctx, switchedOff)
	}
	if base == head && len(cfg.Paths) == 0 && opt.serve == nil {
		return s.localNothing(ctx, fmt.Sprintf("%s is what it would be compared with; check out the branch with the work, or name "+
			"another --base or --head", cmp.Or(s.event.Head.Branch, opt.head)))
	}
	starting := startEngine(ctx, env, in, opened.work)
	defer starting.stop()
	s.notices = append(s.notices, s.use(ctx, starting)...)
	return s.localRound(ctx, opt)
}

// uncommitted says that uncommitted changes are not reviewed, or that it cannot be told whether there are any.
func uncommitted(ctx context.Context, repo *gitrepo.Repo) []workflow.Notice {
	switch dirty, err := repo.WorktreeDirty(ctx); {
	case err != nil:
		return []workflow.Notice{{Warning: true, Text: fmt.Sprintf("uncommitted changes are not reviewed: %v", err)}}
	case len(dirty) > 0:
		files := workflow.Count(len(dirty), "file")
		return []workflow.Notice{{Warning: true, Text: "uncommitted changes are not reviewed (" + files + ")"}}
	}
	return nil
}

// localRound plans, reviews and, if asked to, commits.
func (s *session) localRound(ctx context.Context, opt localOptions) (report.Report, error) {
	r, err := s.plan(ctx, s.event.Base.SHA, s.event.Head.SHA, nil)
	if err != nil {
		return report.Report{}, err
	}
	s.tellPlan(r)
	var failure *workflow.Failure
	if err := s.ready(r.jobs); err != nil && opt.serve != nil {
		return report.Report{}, err
	} else if err != nil {
		failure = cause(ctx, err)
	}
	defer s.dir.openEvents(s.events)()
	if failure == nil {
		s.run(ctx, &r)
	}
	if err := s.report(ctx, r, failure).Save(s.dir.here); err != nil {
		return report.Report{}, fmt.Errorf("save the report: %w", err)
	}
	if opt.serve != nil && ctx.Err() == nil {
		if err := opt.serve.save(s, &r); err != nil {
			return report.Report{}, err
		}
	}
	if opt.apply && failure == nil && ctx.Err() == nil {
		err = s.commitBack(ctx, committerFunc(func(ctx context.Context, _, head string, cs []change.Commit) (string, error) {
			return s.repo.Apply(ctx, cs, gitrepo.Author{Name: authorName, Email: "workflow-reviewer@localhost", When: s.env.Now()}, head)
		}), s.event.Head.Branch, &r)
		if err != nil {
			failure = commitFailure(err)
		}
	}
	rep := s.report(ctx, r, failure)
	if err := rep.Save(s.dir.here); err != nil {
		return rep, fmt.Errorf("save the report: %w", err)
	}
	s.events.Tell(runCompleted(rep, rep.Decision.ExitCode()))
	return rep, nil
}

// localNothing is the report of a run that reviews nothing, and why.
func (s *session) localNothing(ctx context.Context, why string) (report.Report, error) {
	rep := s.report(ctx, round{set: change.Set{Head: s.event.Head.SHA}}, nil)
	rep.Skipped = why
	defer s.dir.openEvents(s.events)()
	s.events.Tell(runCompleted(rep, rep.Decision.ExitCode()))
	if err := rep.Save(s.dir.here); err != nil {
		return rep, fmt.Errorf("save the report: %w", err)
	}
	return rep, nil
}

// tidy takes away the folder of a run that failed, or names it if something was
// saved in it. It is to be deferred itself.
func (s *session) tidy(err *error) {
	if *err == nil {
		return
	}
	if os.Remove(s.dir.here) != nil { // it is not empty
		*err = fmt.Errorf("%w; what was reviewed is saved in %s", *err, s.dir.there)
	}
}

// rescue turns a panic into an error. It is to be deferred itself.
func (s *session) rescue(err *error) {
	if p := recover(); p != nil {
		fmt.Fprintf(s.env.Stderr, "%s", debug.Stack())
		*err = fmt.Errorf("internal error: %v", p)
	}
}

// progressWriter keeps standard output for what programs read.
func progressWriter(env Env, forProgram bool) io.Writer {
	if forProgram {
		return env.Stderr
	}
	return env.Stdout
}
