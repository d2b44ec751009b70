package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// maxRounds is how often a run follows a branch that moves under it.
const maxRounds = 3

// review does the main job: from the event to a published report.
func (j *job) review(ctx context.Context) report.Report {
	if j.client != nil {
		j.checks = newChecks(j.client)
	}
	j.begin(ctx, j.ev.Head.SHA)
	work, err := os.MkdirTemp(j.env.temp(), "workflow-reviewer-work-")
	if err != nil {
		return j.failed(ctx, misconfigured(fmt.Errorf("make a working folder: %w", err)))
	}
	defer os.RemoveAll(work) //nolint:errcheck // the runner clears its temp folder anyway
	repo, err := j.open(ctx, work)
	if err != nil {
		return j.failed(ctx, j.cause(ctx, errors.Join(j.inputErr, err)))
	}
	defer repo.Close() //nolint:errcheck // as above
	cfg, notices, err := loadConfig(j.in, j.inputErr, repo, j.ev.Base.SHA)
	j.notices = append(j.notices, notices...)
	if err != nil {
		return j.failed(ctx, misconfigured(err))
	}
	if !cfg.Enabled {
		j.asked.skip = `the config says "auto_review.enabled": false`
		return j.nothing(ctx)
	}
	j.session = &session{
		env: j.env, cfg: cfg, repo: repo, event: j.ev, asked: j.asked, redactor: j.redactor(),
		vouched: j.voucher(repo), progress: j.progress, started: j.started, dir: j.dir,
	}
	if err := j.prepare(ctx, work); err != nil {
		return j.failed(ctx, j.cause(ctx, err))
	}
	defer j.session.stopEngine()
	return j.rounds(ctx)
}

// begin opens the gate check. Without permission the run goes on without
// checks; the log, the summary and the exit status still tell the verdict.
func (j *job) begin(ctx context.Context, head string) {
	if err := j.checks.start(ctx, head, gateName); err != nil {
		j.degrade(err)
	}
}

// open brings the commits under review into an object store of our own.
func (j *job) open(ctx context.Context, work string) (*gitrepo.Repo, error) {
	opt := gitrepo.Options{
		Workspace: j.env.get("GITHUB_WORKSPACE"), Dir: filepath.Join(work, "store"),
		Token: j.in.Token.Reveal(),
	}
	if server := j.env.get("GITHUB_SERVER_URL"); server != "" {
		opt.Remote = fmt.Sprintf("%s/%s/%s.git", server, j.ev.Owner, j.ev.Repo)
	}
	if j.client != nil {
		opt.MergeBase = j.client.MergeBase
	}
	repo, err := gitrepo.Open(ctx, opt)
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	if err := j.fetch(ctx, repo); err != nil {
		return nil, errors.Join(err, repo.Close())
	}
	return repo, nil
}

// fetch makes base and head available, and finds the base where the event
// names only its branch.
func (j *job) fetch(ctx context.Context, repo *gitrepo.Repo) error {
	if j.ev.Base.SHA == "" && j.ev.Base.Branch != "" {
		tip, err := repo.Tip(ctx, j.ev.Base.Branch)
		if err != nil {
			return fmt.Errorf("find the tip of %s: %w", j.ev.Base.Branch, err)
		}
		j.ev.Base.SHA = tip
	}
	wants := []gitrepo.Want{j.headWant()}
	if j.ev.Base.SHA != "" {
		want := gitrepo.Want{SHA: j.ev.Base.SHA}
		if j.ev.Base.Branch != "" {
			want.Ref = "refs/heads/" + j.ev.Base.Branch
		}
		wants = append(wants, want)
	}
	if err := repo.Fetch(ctx, wants...); err != nil {
		return fmt.Errorf("fetch base and head: %w", err)
	}
	return nil
}

func (j *job) headWant() gitrepo.Want {
	want := gitrepo.Want{SHA: j.ev.Head.SHA}
	switch {
	case j.ev.Number != 0:
		want.Ref = fmt.Sprintf("refs/pull/%d/head", j.ev.Number)
	case j.ev.Head.Branch != "":
		want.Ref = "refs/heads/" + j.ev.Head.Branch
	}
	return want
}

// prepare reads the evidence, makes the report's folder, and starts the engine.
func (j *job) prepare(ctx context.Context, work string) error {
	s := j.session
	var err error
	s.evidence, err = readEvidence(j.env.get("GITHUB_WORKSPACE"), s.cfg.AllPassing, s.cfg.TestResults, s.cfg.Coverage)
	if err != nil {
		return err
	}
	notices, err := s.startEngine(ctx, work)
	j.notices = append(j.notices, notices...)
	return err
}

// explain tells in the log what was found and why.
func (j *job) explain(r round) {
	j.runner.Group(fmt.Sprintf("What to review: %d artifacts among %d changed files", len(r.jobs), len(r.set.Files)))
	defer j.runner.EndGroup()
	for _, job := range r.jobs {
		j.log("%s (%s)", job.Artifact.Name(), job.Artifact.Path())
		for _, why := range job.Artifact.Why {
			j.log("    %s", why)
		}
	}
}

// rounds plans, reviews and writes back, again if the branch moved meanwhile.
// A branch that never rests, or a commit that is refused, ends in a failure:
// the reviews are in the report's folder, and the check is not green.
func (j *job) rounds(ctx context.Context) report.Report {
	head := j.ev.Head.SHA
	var carried []workflow.Result
	for n := 1; ; n++ {
		r, err := j.round(ctx, head, carried)
		j.last = r
		switch {
		case err == nil:
			return j.account(ctx, r, nil)
		case !errors.Is(err, change.ErrHeadMoved) || n == maxRounds || ctx.Err() != nil:
			return j.account(ctx, r, j.cause(ctx, err))
		}
		moved, err := j.follow(ctx)
		if err != nil {
			return j.account(ctx, r, j.cause(ctx, err))
		}
		j.log("The branch moved from %s to %s during the review; planning again.", short(head), short(moved))
		j.supersede(ctx, head, moved)
		head, carried = moved, r.results
	}
}

// round is one plan, its reviews, and their commit. It saves the report before
// anything is written to the branch.
func (j *job) round(ctx context.Context, head string, carried []workflow.Result) (round, error) {
	s := j.session
	j.begin(ctx, head)
	r, err := s.plan(ctx, j.ev.Base.SHA, head, carried)
	r.set.Head = head
	if err != nil {
		return r, err
	}
	j.explain(r)
	if err := j.checks.start(ctx, head, jobNames(r.jobs)...); err != nil {
		j.degrade(err)
	}
	s.run(ctx, &r)
	if ctx.Err() != nil {
		return r, nil
	}
	rep := j.account(ctx, r, nil)
	if err := j.store(&rep); err != nil {
		return r, err
	}
	to, why := j.committer()
	if to == nil {
		j.log("Reviews are not committed: %s.", why)
		return r, nil
	}
	if err := s.commitBack(ctx, to, j.ev.Head.Branch, &r); err != nil {
		return r, &commitError{err}
	}
	return r, nil
}

// account is the report of a round.
func (j *job) account(ctx context.Context, r round, f *workflow.Failure) report.Report {
	j.session.notices = j.notices
	return j.session.report(ctx, r, f)
}

// commitError marks an error as one of the commit-back.
type commitError struct{ err error }

func (e *commitError) Error() string { return e.err.Error() }
func (e *commitError) Unwrap() error { return e.err }

// follow finds the branch's new head and makes it available.
func (j *job) follow(ctx context.Context) (string, error) {
	tip, err := j.session.repo.Tip(ctx, j.ev.Head.Branch)
	if err != nil {
		return "", fmt.Errorf("find the new head of %s: %w", j.ev.Head.Branch, err)
	}
	j.ev.Head.SHA = tip
	j.session.event.Head.SHA = tip
	return tip, j.session.repo.Fetch(ctx, j.headWant())
}

// supersede ends the checks of a head that is no longer the branch's.
func (j *job) supersede(ctx context.Context, head, moved string) {
	err := j.checks.completeRest(ctx, "cancelled", "Superseded",
		fmt.Sprintf("The branch moved to %s during the review; the verdict is there.", moved))
	if err != nil {
		j.degrade(fmt.Errorf("end the checks of %s: %w", short(head), err))
	}
}

// committer is who writes the reviews back; nil with the reason why nobody does.
func (j *job) committer() (Committer, string) {
	cfg := j.session.cfg
	switch {
	case cfg.Commit == config.CommitOff:
		return nil, `the input "commit" is "off"`
	case j.ev.Fork:
		return nil, "the pull request comes from a fork"
	case j.ev.Name == "merge_group":
		return nil, "a merge group is not committed to"
	case cfg.Commit == config.CommitPush, cfg.Commit == config.CommitAuto && j.act():
		return committerFunc(j.push), ""
	default:
		return committerFunc(j.commitByAPI), ""
	}
}

func (j *job) act() bool { return j.env.get("ACT") == "true" }

func (j *job) push(ctx context.Context, branch, head string, cs []change.Commit) (string, error) {
	return j.session.repo.Push(ctx, branch, head, cs, gitrepo.Author{Name: authorName, Email: authorEmail, When: j.env.Now()})
}

func (j *job) commitByAPI(ctx context.Context, branch, head string, cs []change.Commit) (string, error) {
	if j.client == nil {
		return "", fmt.Errorf(`%w: the input "github-token" is empty`, change.ErrReadOnly)
	}
	return j.client.WriteCommits(ctx, branch, head, cs)
}

// The identity of pushed commits is that of the job's own token.
const (
	authorName  = "github-actions[bot]"
	authorEmail = "41898282+github-actions[bot]@users.noreply.github.com"
)

// commitFailure says that reviews could not be committed.
func commitFailure(err error) *workflow.Failure {
	f := &workflow.Failure{Class: "commit", Message: fmt.Sprintf("the reviews could not be committed: %v", err)}
	switch {
	case errors.Is(err, change.ErrHeadMoved):
		f.Action = fmt.Sprintf("The branch moved in each of %d rounds. Run again once nobody pushes; the reviews are saved in report-dir.", maxRounds)
	case errors.Is(err, change.ErrReadOnly):
		f.Action = `Give the job "permissions: contents: write", or set the input "commit" to "off"; the reviews are saved in report-dir.`
	default:
		f.Action = "Run again; the reviews are saved in report-dir."
	}
	return f
}

// cause tells a cancellation and an engine's failure from a configuration's.
func (j *job) cause(ctx context.Context, err error) *workflow.Failure {
	var engine *review.EngineError
	var commit *commitError
	switch {
	case ctx.Err() != nil:
		return &workflow.Failure{Class: "cancelled", Message: "the run was cancelled", Action: "Run again."}
	case errors.As(err, &commit):
		return commitFailure(commit.err)
	case errors.As(err, &engine):
		return &workflow.Failure{Class: string(engine.Class), Message: err.Error(), Action: engine.Action}
	default:
		return misconfigured(err)
	}
}

func jobNames(jobs []review.Job) []string {
	names := make([]string, 0, len(jobs))
	for _, job := range jobs {
		names = append(names, gateName+" / "+job.Artifact.Name())
	}
	return slices.Compact(names)
}

func (j *job) log(format string, args ...any) {
	j.runner.Info(fmt.Sprintf(format, args...))
}

// progress prints one line a step of a review.
func (j *job) progress(e review.ProgressEvent) {
	if line := progressLine(e); line != "" {
		j.runner.Info(line)
	}
}

// afterCancel is a context for the last words: it outlives a cancelled one, for
// a little while.
func afterCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), time.Duration(closing))
}
