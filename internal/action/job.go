package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// job is one run inside GitHub Actions.
type job struct {
	env        Env
	transport  http.RoundTripper // to GitHub
	runner     *github.Runner
	client     *github.Client // nil without a token
	in         config.Inputs
	inputErr   error
	ev         change.Event
	asked      triage
	commands   workflow.Commands // as comments write them
	checks     *checks
	dir        folder
	started    time.Time
	events     *events.Stream
	notices    []workflow.Notice
	session    *session  // nil until the config is known
	writer     Committer // of the reviews, nil for the reason in unwritten
	unwritten  string
	unwritable error    // why nobody can write them who should
	last       round    // the latest round
	left       []string // heads that the branch had during the run
	answered   bool     // the comment has its answer
	refusals   []string // of commands, a line each
	superseded bool     // the branch moved away from what was reviewed
	planned    string   // what mode plan tells of the shards, Markdown
	answers    []string // to questions about tests, Markdown
	told       bool     // one of them is an answer and no refusal
	cleanups   []func()
}

// How long GitHub may take after a cancellation to answer what was being asked, and to hear the last words. The
// runner kills 10 s after its first signal; this program ends within 5.
const (
	answering = time.Second
	closing   = 3 * time.Second
)

// runAction does the job that the inputs name.
func runAction(ctx context.Context, env Env) (code int) {
	j := &job{env: env, transport: env.transport(), runner: github.NewRunner(env.get, env.Stdout), started: env.Now()}
	j.mask()
	j.events = &events.Stream{
		Now:    env.Now,
		Redact: func(s string) string { return j.redactor().Text(s) },
		Log:    j.runner.Info,
	}
	j.runner.Info(versionLine(env))
	defer j.cleanUp()
	if dir, err := reportFolder(env); err == nil { // else store tells
		j.dir = dir
		j.later(dir.handOver)
		j.later(dir.openEvents(j.events))
	}
	rep := j.guarded(ctx)
	defer func() {
		if p := recover(); p != nil {
			code = j.broken(ctx, p)
		}
	}()
	return j.finish(ctx, rep)
}

// broken ends a run that panicked while its report was published: what is still
// open is closed, and the folder of the report is named.
func (j *job) broken(ctx context.Context, p any) int {
	j.runner.Foreign(string(debug.Stack()))
	f := internalFailure(p)
	ctx, cancel := afterCancel(ctx, closing)
	defer cancel()
	err := j.checks.completeRest(ctx, github.Failure, report.TitleNotRun, f.Message)
	gate := report.Check{
		Name:       report.CheckName,
		Conclusion: github.Failure,
		Title:      report.TitleNotRun,
		Summary:    f.Message,
	}
	if err := errors.Join(err, j.checks.revoke(ctx, gate)); err != nil {
		j.runner.Warning(github.Place{}, err.Error())
	}
	j.runner.Error(github.Place{Title: report.TitleNotRun}, f.Message)
	j.runner.Info("Report: " + j.dir.there)
	j.events.Tell(runCompleted(j.failed(ctx, f), exitNotRun))
	return exitNotRun
}

// later has f called at the very end, the last first: the report still reads from what the review opened.
func (j *job) later(f func()) { j.cleanups = append(j.cleanups, f) }

func (j *job) cleanUp() {
	for _, f := range slices.Backward(j.cleanups) {
		f()
	}
}

// mask hides the secrets from the log before anything else can print them.
func (j *job) mask() {
	for name, value := range j.env.Vars {
		switch strings.ReplaceAll(strings.ToUpper(name), "_", "-") {
		case "INPUT-OPENAI-API-KEY", "INPUT-GITHUB-TOKEN":
			j.runner.Mask(strings.TrimSpace(value))
		}
	}
}

// guarded runs the job; a panic becomes a report that says so.
func (j *job) guarded(ctx context.Context) (rep report.Report) {
	defer func() {
		if p := recover(); p != nil {
			j.runner.Foreign(string(debug.Stack()))
			if rep = j.failed(ctx, internalFailure(p)); j.session != nil {
				rep = j.account(ctx, j.last, internalFailure(p)) // with what was reviewed so far
			}
		}
	}()
	return j.run(ctx)
}

func internalFailure(p any) *workflow.Failure {
	return &workflow.Failure{
		Class:   "internal",
		Message: fmt.Sprintf("internal error: %v", p),
		Action:  "This is a defect of workflow-reviewer. Report it with the log of this step; nothing was approved.",
	}
}

// run does everything up to a saved and published report.
func (j *job) run(ctx context.Context) report.Report {
	j.in, j.inputErr = config.ParseInputs(j.env.Vars)
	j.checks = newChecks(nil, gate{})
	ev, err := readEvent(j.env)
	j.events.Tell(runStarted(j.env, ev.Head.SHA))
	if err != nil {
		return j.failed(ctx, misconfigured(errors.Join(j.inputErr, err)))
	}
	j.ev = ev
	j.asked = j.within(sortEvent(ev, string(j.in.Label)))
	if j.asked.skip != "" {
		return j.nothing(ctx)
	}
	if err := j.connect(); err != nil {
		return j.failed(ctx, misconfigured(errors.Join(j.inputErr, err)))
	}
	end, err := j.ask(ctx)
	switch {
	case err != nil:
		return j.failed(ctx, cause(ctx, errors.Join(j.inputErr, err)))
	case end != nil && j.inputErr != nil && len(j.refusals) == 0:
		return j.failed(ctx, misconfigured(j.inputErr))
	case end != nil:
		return *end
	}
	return j.review(ctx)
}

// readEvent reads the event file of the runner.
func readEvent(env Env) (change.Event, error) {
	path := env.get("GITHUB_EVENT_PATH")
	f, err := os.Open(path) //nolint:gosec // the runner's own file
	if err != nil {
		return change.Event{}, fmt.Errorf("read the event that GITHUB_EVENT_PATH names: %w", err)
	}
	defer f.Close()                                                    //nolint:errcheck // read only
	payload, err := io.ReadAll(io.LimitReader(f, github.MaxPayload+1)) // one more is refused
	if err != nil {
		return change.Event{}, fmt.Errorf("read the event %s: %w", path, err)
	}
	return github.ParseEvent(env.get("GITHUB_EVENT_NAME"), payload, github.EventEnv{
		Repository: env.get("GITHUB_REPOSITORY"), SHA: env.get("GITHUB_SHA"),
		Ref: env.get("GITHUB_REF"), RefName: env.get("GITHUB_REF_NAME"), Handwritten: env.act(),
	})
}

// connect makes the client for GitHub's API; without a token there is none.
func (j *job) connect() error {
	if j.in.Token.IsEmpty() {
		j.notice(true, `input "github-token" is empty: no check runs, no comments`)
		return nil
	}
	client, err := github.New(github.Options{
		Token: j.in.Token.Reveal(), Owner: j.ev.Owner, Repo: j.ev.Repo,
		APIURL: j.env.get("GITHUB_API_URL"), GraphQLURL: j.env.get("GITHUB_GRAPHQL_URL"),
		UserAgent: "workflow-reviewer/" + j.env.Version, Base: j.transport,
	})
	if err != nil {
		return err
	}
	j.client = client
	return nil
}

func (j *job) notice(warning bool, format string, args ...any) {
	j.notices = append(j.notices, workflow.Notice{Warning: warning, Text: fmt.Sprintf(format, args...)})
}

func misconfigured(err error) *workflow.Failure {
	return &workflow.Failure{
		Class: "configuration", Message: err.Error(),
		Action: "Correct the workflow or the config and run again; nothing was reviewed.",
	}
}

// nothing ends a run that has nothing to review. Wrong inputs are an error even then.
func (j *job) nothing(ctx context.Context) report.Report {
	if j.inputErr != nil {
		return j.failed(ctx, misconfigured(j.inputErr))
	}
	return j.report(ctx, nil)
}

// failed ends a run that cannot review.
func (j *job) failed(ctx context.Context, f *workflow.Failure) report.Report {
	return j.report(ctx, f)
}

// report is the account of a run without results.
func (j *job) report(ctx context.Context, f *workflow.Failure) report.Report {
	return build(j.redactor(), report.Run{
		Event: j.ev, Head: j.ev.Head.SHA, Notices: slices.Clone(j.notices), Failure: f, Skipped: j.asked.skip,
		Label: string(j.in.Label), Commands: j.commands,
		Version: j.env.Version, Duration: j.env.Now().Sub(j.started), Cancelled: ctx.Err() != nil, Dir: j.dir.there,
		ServerURL: j.env.server(), RunURL: runURL(j.env), Scope: j.view().Part(), View: j.view().View(),
	})
}

// redactor hides the run's secrets in texts.
func (j *job) redactor() *redact.Redactor {
	return redact.New(j.in.APIKey.Reveal(), j.in.Token.Reveal())
}
