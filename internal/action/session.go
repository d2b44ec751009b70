package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"workflow-reviewer/internal/change"
	builtin "workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/sarif"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// vouching tells whether a recorded verdict may be believed, and if not, why.
type vouching func(ctx context.Context, r record.Record) (bool, string, error)

// session is one run on one repository: what stays the same over the rounds that a moving branch makes necessary.
type session struct {
	env      Env
	cfg      config.Config
	repo     *gitrepo.Repo
	event    change.Event
	scope    scope.Scope
	asked    triage
	reviewer review.Reviewer // nil for the rules engine, and where no engine is asked
	redactor *redact.Redactor
	measured measured
	vouched  vouching
	shown    func(context.Context, workflow.Artifact) (workflow.Decision, bool) // nil but where nothing is reviewed
	witness  baseline.Witness                                                   // nil: nobody vouches for approval records on a branch
	events   *events.Stream
	notices  []workflow.Notice // of everything before the first round
	started  time.Time
	dir      folder  // of the report
	serve    *served // the call of a tool that the run is for, nil for any other

	engineName string // of the engine that is not asked in this process, or did not start
	unready    error  // why no review of this process can ask a model
	brief      bool   // nobody is asked in this process
	gate       bool   // only recorded verdicts count
	// given is what came back when other processes asked; nil where this one asks.
	given func(*round) map[string]review.Exchange
}

// round is one plan on one head, and then its results.
type round struct {
	set     change.Set
	records []record.Record
	notices []workflow.Notice
	jobs    []review.Job
	results []workflow.Result

	integrity  verified
	violations []workflow.Violation
	approvals  map[string]change.Write // approval records to write, by the artifact's name

	told       map[string]review.Exchange // what came back from the model, by the artifact's name; nil where nobody wants it
	materials  map[string]report.Material // for fix prompts, by the artifact's name
	unreviewed []string                   // artifacts that were not asked for and have no verdict
	newHead    string                     // after the commit-back, "" if nothing was written
	commits    []report.Commit            // that were written back
}

// plan finds what the change touches and which reviews that asks for.
func (s *session) plan(ctx context.Context, base, head string, carried []workflow.Result) (round, error) {
	set, err := s.repo.Set(ctx, base, head)
	if err != nil {
		return round{}, fmt.Errorf("compare %s with %s: %w", short(base), short(head), err)
	}
	d, err := s.discover(ctx, set)
	if err != nil {
		return round{}, err
	}
	checked, err := s.verify(ctx, set, d.artifacts())
	if err != nil {
		return round{}, err
	}
	if checked.lookup != nil {
		d.records = readable(d.records, checked.lookup.Stem)
	}
	found, others := d.found, d.others
	found.Artifacts = append(found.Artifacts, checked.added...)
	r := round{
		set: set, records: d.records, notices: slices.Concat(found.Notices, d.notices, checked.notices), integrity: checked,
	}
	ignored, err := s.ignoredSettings(set, s.detectOptions())
	if err != nil {
		return round{}, err
	}
	r.notices = append(r.notices, ignored...)
	r.violations = checked.violations(s.cfg.Integrity.Workarounds)
	if err := s.checkMeasured(found.Artifacts, &r); err != nil {
		return r, err
	}
	r.jobs, err = review.Plan(ctx, review.Input{
		Set: set, Intent: s.intent(set), Artifacts: slices.Concat(found.Artifacts, others), Missing: missing(found.Missing),
		Records: d.records, Canonical: d.canonical, Vouched: d.vouched, Carried: carried,
		Tests: s.measured.tests, Coverage: s.measured.coverage, Red: checked.outcome.Run.Red(),
		Findings:  s.measured.findings,
		Integrity: checked.details, Ended: checked.ended, Blob: s.formerBlob, Standing: s.shown, Anew: s.gate,
	}, s.reviewOptions(found.Context))
	if err != nil {
		return r, fmt.Errorf("plan the reviews: %w", err)
	}
	if s.serve != nil {
		r.leaveUnasked(others)
	} else {
		r.leaveOut(others)
	}
	return r, nil
}

// discovery is what a change touches, named by what earlier reviews approved.
type discovery struct {
	found     detect.Result
	others    []workflow.Artifact // that nobody asked for
	records   []record.Record     // of the head
	canonical func(path string) string
	vouched   vouching
	notices   []workflow.Notice
}

// artifacts are all artifacts of the change.
func (d discovery) artifacts() []workflow.Artifact { return slices.Concat(d.found.Artifacts, d.others) }

// discover finds what a change touches.
func (s *session) discover(ctx context.Context, set change.Set) (d discovery, err error) {
	roots, err := detect.Roots(set, s.cfg.Roots, s.cfg.Layouts)
	if err != nil {
		return d, err
	}
	var onBase []record.Record
	if d.records, onBase, d.notices, err = readRecords(set, roots, s.serve != nil); err != nil {
		return d, err
	}
	d.vouched = remembered(s.vouched)
	options := s.detectOptions()
	options.Recent = func(path string) bool { return s.repo.ChangedWithin(ctx, set.Base, path, recent) }
	if d.canonical, err = detect.Canonical(set, options); err != nil {
		return d, fmt.Errorf("find the layouts of %s: %w", short(set.Head), err)
	}
	options.Demands = builtin.Demands(ctx, check.Input{Set: set, Findings: s.measured.findings, Block: sarif.Level(s.cfg.FindingsBlock)})
	options.Approved = approvedAs(ctx, d.vouched, record.Approvals(d.canonical, slices.Concat(d.records, onBase)...))
	if d.found, err = s.detect(ctx, set, options); err != nil {
		return d, err
	}
	d.others, err = s.others(ctx, set, options, d.found.Artifacts)
	return d, err
}

// maxSubjects is how many commits of a branch tell a reviewer what was meant.
const maxSubjects = 30

// intent is what the author says of the change. Where the history ends early, or cannot be read, it ends there too.
func (s *session) intent(set change.Set) review.Intent {
	in := review.Intent{Title: s.event.Title, Body: s.event.Body}
	for sha := set.Head; sha != "" && sha != set.MergeBase && len(in.Commits) < maxSubjects; {
		c, err := s.repo.Commit(sha)
		if err != nil {
			break
		}
		if c.Trailer("Workflow-Reviewer") == "" {
			in.Commits = append(in.Commits, c.Subject)
		}
		sha = ""
		if len(c.Parents) > 0 {
			sha = c.Parents[0]
		}
	}
	return in
}

// formerBlob reads what an earlier review saw, fetching the commit that it was of where a shallow checkout lacks it.
func (s *session) formerBlob(ctx context.Context, head, blob string) ([]byte, error) {
	data, err := s.repo.Blob(blob)
	if err == nil {
		return data, nil
	}
	if err := s.repo.Fetch(ctx, gitrepo.Want{SHA: head}); err != nil {
		return nil, fmt.Errorf("fetch the commit that was reviewed: %w", err)
	}
	return s.repo.Blob(blob)
}

// checkMeasured refuses a run whose results, coverage, evidence or other tools' files are missing while a review is due that they were
// given for: their gate would silently be off. Where nothing is measured anew, evidence still decides.
func (s *session) checkMeasured(artifacts []workflow.Artifact, r *round) error {
	missing := s.measured.unproven
	if s.shown == nil {
		missing = slices.Concat(s.measured.missing, missing)
	}
	measured := slices.ContainsFunc(artifacts, func(a workflow.Artifact) bool {
		return a.Type == workflow.Implementation || a.Type == workflow.BugFix || a.Type == workflow.Tests
	})
	if measured {
		return errors.Join(missing...)
	}
	for _, err := range missing {
		r.notices = append(r.notices, workflow.Notice{Text: err.Error()})
	}
	return nil
}

// fresh reports whether records of a type are to be ignored.
func (s *session) fresh(t workflow.Type) bool {
	types := s.asked.types
	if len(s.asked.again) > 0 {
		types = s.asked.again
	}
	return s.asked.fresh && (len(types) == 0 || slices.Contains(types, t))
}

// recent is how long before the base a spec may have changed that counts as the one in work without being named.
const recent = 30 * 24 * time.Hour

func (s *session) detectOptions() detect.Options {
	trunks := append(defaultBranches(), s.event.DefaultBranch)
	if s.event.Name == "merge_group" && s.event.Topic == "" {
		trunks = append(trunks, s.event.Head.Branch)
	}
	return detect.Options{
		Types: s.types(), Paths: slices.Concat(s.cfg.Paths, s.event.Paths), Globs: s.cfg.Globs, Features: s.cfg.Features,
		Ignore: s.cfg.Ignore, Layouts: s.cfg.Layouts, Roots: s.cfg.Roots, Branch: cmp.Or(s.event.Topic, s.event.Head.Branch),
		Trunks: trunks, Labels: s.event.Labels, AutoMove: s.cfg.AutoMove,
	}
}

// types are the types to review: what the event asks for, else what is configured.
func (s *session) types() []workflow.Type {
	if len(s.asked.types) > 0 {
		return s.asked.types
	}
	return s.cfg.Types
}

func (s *session) reviewOptions(context []string) review.Options {
	name := cmp.Or(s.engineName, string(config.Rules))
	if s.reviewer != nil {
		name = s.reviewer.Name()
	}
	return review.Options{
		Engine: string(s.cfg.Engine), EngineName: name,
		Model: s.cfg.Model, Effort: s.cfg.Effort,
		MaxParallel: s.cfg.MaxParallel, Timeout: s.cfg.Timeout, RetryDelay: max(s.cfg.RetryDelay, 1),
		MaxIterations: s.cfg.MaxIterations, OverrideDays: s.cfg.OverrideDays, Now: s.env.Now,
		Prompts: prompts(s.cfg.Prompts), ContextFiles: slices.Concat(s.cfg.Context, context),
		Fresh: s.fresh, Reader: s.cfg.Reader,
		Policy:       s.cfg.Policy(),
		SaveRequests: s.cfg.SaveRequests, Brief: s.brief, Commands: s.cfg.Commands,
		Thresholds:         check.Thresholds{Line: s.cfg.Thresholds.Line, Branch: s.cfg.Thresholds.Branch},
		RequireTestResults: s.cfg.RequireTestResults, Block: sarif.Level(s.cfg.FindingsBlock),
	}
}

// run has the jobs of a round reviewed.
func (s *session) run(ctx context.Context, r *round) {
	go s.redactor.Prepare() // while the first answer is awaited
	opts := review.RunOptions{Progress: s.progress, Now: s.env.Now, Redact: s.redactor.Result}
	if r.told != nil {
		opts.Told = func(artifact string, x review.Exchange) { r.told[artifact] = x }
	}
	if s.given != nil {
		opts.Given = s.given(r)
	}
	r.results = review.Run(ctx, r.jobs, s.reviewer, opts)
	r.withhold()
	for i := range r.results {
		if !r.results[i].Cached {
			r.name(&r.results[i])
		}
		if a := r.results[i].Artifact; a.Advice != "" && r.results[i].Decision == workflow.Approved {
			r.notices = append(r.notices, workflow.Notice{Path: a.SpecPath, Text: "what is left to do for " + a.Feature + ": " + a.Advice})
		}
	}
	s.gather(r)
}

// withhold takes from the approval of an implementation what it does to a spec whose own
// review is in this run, and did not approve it.
func (r *round) withhold() {
	refused := slices.Clone(r.unreviewed)
	for _, res := range r.results {
		if res.Decision != workflow.Approved {
			refused = append(refused, res.Artifact.Name())
		}
	}
	for i := range r.results {
		a := &r.results[i].Artifact
		spec := workflow.Artifact{Type: workflow.Spec, Feature: a.Feature}
		if a.Type != workflow.Implementation || !slices.Contains(refused, spec.Name()) {
			continue
		}
		if r.results[i].Decision == workflow.Approved && (a.Move != nil || a.Mark != nil) {
			r.notices = append(r.notices, workflow.Notice{Path: a.SpecPath, Text: "stays as it is: its own review did not approve it"})
		}
		a.Move, a.Mark, a.Advice = nil, nil, ""
	}
}

// gather reads what the fix prompts quote beside the reviews.
func (s *session) gather(r *round) {
	r.materials = map[string]report.Material{}
	for i, res := range r.results {
		if res.Decision != workflow.NeedsChanges {
			continue
		}
		m := report.Material{Earlier: s.redactor.Result(workflow.Result{Issues: r.jobs[i].Earlier()}).Issues}
		if a := res.Artifact; a.SpecPath != "" && a.SpecPath != a.Path() {
			if text, err := r.set.HeadTree.ReadFile(a.SpecPath); err == nil {
				m.Spec = s.redactor.Text(string(text))
			}
		}
		r.materials[res.Artifact.Name()] = m
	}
}

// name gives a result its review file. A name that the head holds already, of a
// review in the same second, is not taken again: no review is rewritten.
func (r *round) name(res *workflow.Result) {
	path := record.Path(*res)
	for path != res.ReviewPath {
		if _, err := r.set.HeadTree.Stat(path); err != nil {
			res.ReviewPath = path
			return
		}
		res.Date = res.Date.Add(time.Second)
		path = record.Path(*res)
	}
}

// report is the account of a round as it stands.
func (s *session) report(ctx context.Context, r round, failure *workflow.Failure) report.Report {
	if failure == nil {
		failure = r.integrity.failure
	}
	if failure == nil && len(r.unreviewed) > 0 {
		failure = incomplete(r.unreviewed, s.gate, s.cfg.Commands)
	}
	return build(s.redactor, report.Run{
		Event: s.event, Head: r.set.Head, MergeBase: r.set.MergeBase,
		NewHead: r.newHead, Commits: r.commits,
		Results: r.results, Violations: r.violations, Weakened: r.integrity.outcome.Weakened,
		Issues: r.integrity.issues, Proof: r.integrity.outcome.Run.Proof(),
		Notices: slices.Concat(s.notices, r.notices), Failure: failure,
		Materials: r.materials, Prices: s.cfg.Prices, Label: s.cfg.ReReviewLabel, Commands: s.cfg.Commands,
		Version: s.env.Version, Duration: s.env.Now().Sub(s.started), Cancelled: ctx.Err() != nil,
		Dir: s.dir.there, ServerURL: s.env.server(), RunURL: runURL(s.env), Scope: s.scope.Part(), View: s.scope.View(),
	})
}

// build is the report of a run without the run's secrets; results are redacted as they come.
func build(r *redact.Redactor, run report.Run) report.Report {
	for i, n := range run.Notices {
		run.Notices[i] = r.Notice(n)
	}
	for _, vs := range []*[]workflow.Violation{&run.Violations, &run.Weakened} {
		*vs = slices.Clone(*vs)
		for i, v := range *vs {
			(*vs)[i] = r.Violation(v)
		}
	}
	told := r.Result(workflow.Result{Issues: run.Issues, Integrity: &workflow.Integrity{Proof: run.Proof}})
	run.Issues, run.Proof = told.Issues, told.Integrity.Proof
	if run.Failure != nil {
		f := r.Failure(*run.Failure)
		run.Failure = &f
	}
	return report.Build(run)
}

// runURL is the page of the workflow run, "" outside GitHub Actions.
func runURL(env Env) string {
	if env.server() == "" || env.get("GITHUB_RUN_ID") == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s/actions/runs/%s", env.server(), env.get("GITHUB_REPOSITORY"), env.get("GITHUB_RUN_ID"))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func short(sha string) string {
	return sha[:min(len(sha), 10)]
}
