// Package localrun is the commands on a developer's own clone: local, integrity with the stop hook
// of agents, prove, restore, explain, status and demo.
package localrun

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
	"workflow-reviewer/internal/writeback"
)

// flags maps inputs to the flags that they are given by.
func flags() map[string]string {
	out := map[string]string{"types": "type", "paths": "paths"}
	for flagName, input := range Inputs() {
		out[input] = flagName
	}
	return out
}

// Parse reads the inputs. An error names the flags that they were given by.
func (o Options) Parse() (config.Inputs, error) {
	vars := make(map[string]string)
	for name, value := range o.Inputs {
		vars["INPUT_"+strings.ToUpper(name)] = value
	}
	in, err := config.ParseInputs(vars)
	return in, config.OnTerminal(err, flags())
}

// Local reviews a branch of a local repository. It ends with 0 for an approval or nothing to
// review, 1 where something needs changes, 2 where a review did not run. With --json standard
// output is JSON also then.
func Local(ctx context.Context, env process.Env, args []string) int {
	opt, err := parseLocal(env, args)
	if err != nil {
		return cli.FlagsExit(err)
	}
	if opt.Inputs["engine"] == "" {
		name, why := engine.Choose(ctx, env, opt.Inputs["codex-path"])
		opt.Inputs["engine"] = string(name)
		fmt.Fprintf(progressWriter(env, opt.JSON || opt.Fix), "Engine: %s%s\n", name, why)
	}
	rep, err := Run(ctx, env, opt)
	if err != nil {
		err = config.OnTerminal(err, flags())
		cli.Complain(env.Stderr, pipeline.Advised(ctx, err))
		if opt.JSON {
			_ = json.NewEncoder(env.Stdout).
				Encode(map[string]string{"decision": workflow.Error.String(), "error": err.Error()})
		}
		return cli.NotRun
	}
	if len(opt.explain) > 0 {
		return 0
	}
	return max(cli.Exit(env.Stderr, printLocal(env, opt, rep)), rep.Decision.ExitCode())
}

// printLocal prints the report: as text, as JSON, or as a prompt with the text on standard error.
func printLocal(env process.Env, opt Options, rep report.Report) error {
	if opt.Fix {
		rep.Terminal(env.Stderr, report.TerminalOptions{Width: 80, Verbose: opt.Verbose})
		_, err := io.WriteString(env.Stdout, rep.Fix())
		return err
	}
	if !opt.JSON {
		rep.Terminal(
			env.Stdout, report.TerminalOptions{Color: env.Color, Width: 80, Verbose: opt.Verbose},
		)
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

// Run is the main job on a local repository, without GitHub.
func Run(ctx context.Context, env process.Env, opt Options) (rep report.Report, err error) {
	err = within(ctx, env, opt, func(j *local) (err error) {
		if len(opt.explain) > 0 {
			return explainPaths(ctx, j)
		}
		rep, err = j.run(ctx)
		return err
	})
	return rep, err
}

// AskAboutTest answers a question about a test of a local repository. The model looks at nothing
// but the question. It fails where no model can be asked: an answer of the built-in checks would
// be none.
func AskAboutTest(
	ctx context.Context, env process.Env, opt Options, q review.TestQuestion,
) (out review.TestAnswer, err error) {
	env.Self, opt.quiet = "", true
	err = within(ctx, env, opt, func(j *local) error {
		starting := engine.Start(ctx, env, j.in, j.work)
		defer starting.Stop()
		set, err := pipeline.Compare(ctx, j.req)
		if err != nil {
			return err
		}
		state, _ := starting.Wait(ctx, env, j.req.Config)
		if err := state.Fails(); err != nil {
			return err
		}
		out, err = pipeline.AskAboutTest(ctx, j.req, state.Reviewer, j.Redactor, set, q)
		return err
	})
	return out, err
}

// within does something on a local repository, whose clone is open meanwhile.
func within(ctx context.Context, env process.Env, opt Options, f func(*local) error) (err error) {
	in, inErr := opt.Parse()
	opened, err := OpenClone(ctx, env, opt.Repo)
	if err != nil {
		return errors.Join(inErr, err)
	}
	defer opened.Release(&err)
	j := &local{
		opt: opt, in: in, work: opened.Work,
		Frame: pipeline.Frame{
			Env: env, Started: env.Now(), Redactor: redact.New(in.APIKey.Reveal()),
		},
	}
	if err := j.prepare(ctx, inErr, opened.Repo); err != nil {
		return err
	}
	return f(j)
}

// run reviews, with a folder for the report.
func (j *local) run(ctx context.Context) (rep report.Report, err error) {
	if j.Dir, err = process.NewFolder(j.Env); err != nil {
		return rep, err
	}
	defer tidy(j.Dir, &err)
	defer j.Dir.OpenEvents(j.Events)()
	defer rescue(j.Env, &err)
	if why := j.nothingToDo(); why != "" {
		return j.end(ctx, pipeline.Outcome{Skipped: why})
	}
	starting := engine.Start(ctx, j.Env, j.in, j.work)
	defer starting.Stop()
	var notices []workflow.Finding
	j.engine, notices = starting.Wait(ctx, j.Env, j.req.Config)
	j.Notices = append(j.Notices, notices...)
	j.req.Engine = j.engine.Name
	end := pipeline.End{Planned: j.planned, Save: j.keep, Write: j.write}
	o, err := j.Round(ctx, j.req, nil, end)
	if err != nil && j.failure == nil {
		return rep, err
	}
	return j.end(ctx, o)
}

// local is a run on a local repository, and its end.
type local struct {
	pipeline.Frame
	opt     Options
	in      config.Inputs
	work    string // folder for what is kept meanwhile
	req     pipeline.Request
	engine  engine.State
	failure *workflow.Failure // what the report is to say; nil for none
}

// prepare reads revisions, config and measurements. Errors of inputs and config come together.
// Nothing is asked of a model yet, and nothing written.
func (j *local) prepare(ctx context.Context, inErr error, repo *gitrepo.Repo) error {
	env, opt := j.Env, j.opt
	base, head, left, err := Refs(ctx, repo, opt.Base, opt.Head, opt.Worktree, env.Now())
	if err != nil {
		return errors.Join(inErr, err)
	}
	cfg, notices, err := pipeline.LoadConfig(j.in, inErr, repo, base)
	if err != nil {
		return err
	}
	j.Notices = slices.Concat(notices, left)
	if opt.Apply && opt.commit == nil {
		if err := applicable(ctx, repo, head); err != nil {
			return err
		}
	}
	j.req = Request(env, repo, cfg, base, head, opt.Head)
	j.Events = &events.Stream{Now: env.Now, Redact: j.Redactor.Text, Log: logger(env, opt)}
	j.Events.Tell(pipeline.RunStarted(engine.VersionLine(env), head))
	if len(opt.explain) > 0 {
		return nil
	}
	if opt.Head == "HEAD" && !opt.Worktree {
		j.Notices = append(j.Notices, uncommitted(ctx, repo)...)
	}
	j.req.Measured, err = measured.Read(env, opt.Repo, cfg)
	if opt.Call != nil {
		j.req.Target = opt.Call
		opt.Call.Adjust(&j.req.Config, &j.req.Measured)
	}
	return err
}

// logger is who learns of the run's progress: the caller of a tool as well.
func logger(env process.Env, opt Options) func(string) {
	return func(line string) {
		if !opt.quiet {
			fmt.Fprintln(progressWriter(env, opt.JSON || opt.Fix), line)
		}
		if opt.Call != nil {
			opt.Call.Log(line)
		}
	}
}

// uncommitted says that uncommitted changes are not reviewed, or that it cannot be told whether
// there are any.
func uncommitted(ctx context.Context, repo *gitrepo.Repo) []workflow.Finding {
	switch dirty, err := repo.WorktreeDirty(ctx); {
	case err != nil:
		return []workflow.Finding{
			{
				Level: workflow.Warn,
				Text:  fmt.Sprintf("uncommitted changes are not reviewed: %v", err),
			},
		}
	case len(dirty) > 0:
		files := workflow.Count(len(dirty), "file")
		return []workflow.Finding{
			{Level: workflow.Warn, Text: "uncommitted changes are not reviewed (" + files + ")"},
		}
	}
	return nil
}

// nothingToDo is why there is nothing to review, "" if there is. Paths that are named are reviewed
// whether they differ from the base or not.
func (j *local) nothingToDo() string {
	req, head := j.req, j.req.Event.Head
	switch {
	case !req.Config.Enabled:
		return pipeline.SwitchedOff
	case req.Event.Base.SHA == head.SHA && len(req.Config.Paths) == 0 && req.Target == nil:
		return fmt.Sprintf(
			"%s is what it would be compared with; check out the branch with the work, or name "+
				"another --base or --head",
			cmp.Or(head.Branch, j.opt.Head),
		)
	}
	return ""
}

// planned is of pipeline.End. An engine that cannot answer is what the report says, or the error
// of a tool's call.
func (j *local) planned(ctx context.Context, p *pipeline.Plan) (by pipeline.Asker, err error) {
	pipeline.TellPlan(j.Events, *p)
	err = j.engine.Ready(j.Env, j.req.Event, j.req.Config, p.Jobs)
	if err != nil && j.opt.Call == nil {
		j.failure = pipeline.FailureOf(ctx, err)
	}
	by.Reviewer = j.engine.Reviewer
	return by, err
}

// keep is of pipeline.End: a commit that fails loses no review.
func (j *local) keep(ctx context.Context, o pipeline.Outcome) error {
	_, err := j.save(ctx, o)
	return err
}

// write is of pipeline.End: it commits to the branch that is checked out, if asked to. The head
// must still be what was reviewed. A tool's call keeps its review itself.
func (j *local) write(ctx context.Context, o *pipeline.Outcome) error {
	if j.opt.Call != nil {
		return j.opt.Call.Save(j.req.Repo, j.req.Config, o)
	}
	if !j.opt.Apply {
		return nil
	}
	commit := j.opt.commit
	if commit == nil {
		commit = func(ctx context.Context, _, head string, cs []change.Commit) (string, error) {
			return j.req.Repo.Apply(ctx, cs, localAuthor(j.Env.Now()), head)
		}
	}
	err := writeback.Writer{
		To: commit, Frame: j.Frame, Request: j.req,
	}.Write(ctx, o)
	if err != nil {
		j.failure = writeback.Failure(err)
	}
	return err
}

// end saves the report of the run as it ended, and tells of that.
func (j *local) end(ctx context.Context, o pipeline.Outcome) (report.Report, error) {
	rep, err := j.save(ctx, o)
	if err == nil {
		j.Events.Tell(pipeline.RunCompleted(rep, rep.Decision.ExitCode()))
	}
	return rep, err
}

// save writes the report of an outcome as it stands into the run's folder.
func (j *local) save(ctx context.Context, o pipeline.Outcome) (report.Report, error) {
	rep := j.Report(ctx, j.req, o, j.failure)
	if err := rep.Save(j.Dir.Here); err != nil {
		return rep, fmt.Errorf("save the report: %w", err)
	}
	return rep, nil
}

// tidy takes away the folder of a run that failed, or names it if more than events was saved in it.
// It is to be deferred itself.
func tidy(dir process.Folder, err *error) {
	if *err == nil {
		return
	}
	if saved, _ := os.ReadDir(dir.Here); len(saved) > 1 {
		*err = fmt.Errorf("%w; what was reviewed is saved in %s", *err, dir.There)
		return
	}
	_ = os.RemoveAll(dir.Here)
}

// rescue turns a panic into an error. It is to be deferred itself.
func rescue(env process.Env, err *error) {
	if p := recover(); p != nil {
		fmt.Fprintf(env.Stderr, "%s", debug.Stack())
		*err = fmt.Errorf("internal error: %v", p)
	}
}

// progressWriter keeps standard output for what programs read.
func progressWriter(env process.Env, forProgram bool) io.Writer {
	if forProgram {
		return env.Stderr
	}
	return env.Stdout
}
