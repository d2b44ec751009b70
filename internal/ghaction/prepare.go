package ghaction

import (
	"context"
	"errors"
	"fmt"
	"os"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// prepared is a run whose config is known: what its steps take. It is made once; of it only the
// event's head changes, when the branch moves.
type prepared struct {
	req    pipeline.Request
	engine engine.State
	writer writer
	work   string // folder for what the run keeps meanwhile
}

// review does the main job, or the mode's part of it: from the event to a report. The gate's check
// is opened meanwhile.
func (r *run) review(ctx context.Context) report.Report {
	decidesOrAsks := r.asked.onlyDecides() || r.asked.onlyAsks()
	if decidesOrAsks && !r.speaks() {
		r.asked.skip = "the comment asks for decisions or answers alone, which are given in the " +
			"mode report"
		return r.nothing(ctx)
	}
	if r.client != nil && !decidesOrAsks && r.in.Mode != config.Review {
		r.checks = newChecks(r.client, gateOf(r.host, r.subject))
	}
	r.checks.readFirst(ctx, r.ev.Head.SHA)
	r.openChecks(ctx, report.CheckName)
	if r.client != nil && r.speaks() {
		doBeside(func() error { _, err := r.client.Self(ctx); return err }) // asked for later
	}
	starting, err := r.prepare(ctx)
	if err != nil {
		return r.fail(ctx, err)
	}
	if err := r.checks.closePlanned(ctx, r.subject); err != nil {
		r.notice(workflow.Warn, "a check of an earlier head may be left in progress: %v", err)
	}
	if !r.main.req.Config.Enabled {
		r.asked.skip = pipeline.SwitchedOff
		return r.nothing(ctx)
	}
	if r.asked.onlyAsks() {
		return r.answerTestBugs(ctx, starting)
	}
	if len(r.asked.testBugs) > 0 && r.speaks() {
		r.askTestBugs(ctx, starting)
	}
	r.asked.commands = r.screen()
	if !r.asked.onlyDecides() {
		if err := r.readyEngine(ctx, starting); err != nil {
			return r.fail(ctx, err)
		}
	}
	switch r.in.Mode {
	case config.Plan:
		return r.plan(ctx)
	case config.Review:
		return r.reviewShard(ctx)
	default:
		return r.rounds(ctx)
	}
}

// prepare opens repository and config, and begins to start the engine.
func (r *run) prepare(ctx context.Context) (starting engine.Starting, err error) {
	work, err := os.MkdirTemp(r.Env.Temp(), "workflow-reviewer-work-")
	if err != nil {
		return nil, fmt.Errorf("make a working folder: %w", err)
	}
	r.later(func() { _ = os.RemoveAll(work) })
	if r.in.Mode == config.All && (!r.asked.onlyDecides() || len(r.asked.testBugs) > 0) {
		starting = engine.Start(ctx, r.Env, r.in, work)
		r.later(starting.Stop)
	}
	inErr := errors.Join(r.inErr, r.asked.err)
	repo, err := r.openRepo(ctx, work)
	if err != nil {
		return starting, errors.Join(inErr, err)
	}
	r.later(func() { _ = repo.Close() })
	cfg, notices, err := pipeline.LoadConfig(r.in, inErr, repo, r.ev.Base.SHA)
	r.Notices = append(r.Notices, notices...)
	if err != nil {
		return starting, err
	}
	r.main = &prepared{
		req: requested(r.subject, cfg), engine: engine.Rules(),
		writer: r.chooseWriter(cfg, repo), work: work,
	}
	r.main.req.Sources = pipeline.Sources{
		Repo: repo, Now: r.Env.Now,
		Witness: newTrust(r.Env, r.client, r.ev.Fork).witness(r.ev.Base.Branch),
	}
	return starting, nil
}

// requested is what the event and the config ask for.
func requested(s subject, cfg config.Config) pipeline.Request {
	req := pipeline.Request{
		Event: s.ev, Config: cfg, Types: s.asked.types, Fresh: s.asked.fresh,
		Again: s.asked.again,
	}
	if s.asked.baseline {
		req.Permit = fmt.Sprintf(
			"the label %q, set by %s for this head", s.asked.label, s.asked.writer,
		)
	}
	return req
}

// request is what a plan of the event's head is made of. Heads that the branch left during the run
// still show verdicts.
func (r *run) request(left []string) pipeline.Request {
	req := r.main.req
	req.Engine = r.main.engine.Name
	t := newTrust(r.Env, r.client, r.ev.Fork)
	if !r.main.req.Config.OverrideByAuthor {
		t.author = r.ev.Author
	}
	req.Vouched = t.voucher(req.Repo, r.ev.Base.SHA, r.ev.Head.SHA)
	if r.client != nil && (r.asked.onlyDecides() || r.in.Mode == config.Gate) {
		key, heads := r.scope().Key(), append([]string{r.ev.Head.SHA}, left...)
		shown := t
		if t.client == nil { // under act a verdict is still what is shown
			shown = &trust{client: r.client, listed: t.listed}
		}
		req.Standing = func(ctx context.Context, a workflow.Artifact) (workflow.Decision, bool) {
			return shown.standing(ctx, key, heads, a)
		}
	}
	return req
}

// readyEngine reads what was measured and waits for the engine; where none is asked, or not yet,
// it has its name alone.
func (r *run) readyEngine(ctx context.Context, starting engine.Starting) (err error) {
	m := r.main
	m.req.Measured, err = measured.Read(r.Env, r.Env.Get("GITHUB_WORKSPACE"), m.req.Config)
	switch {
	case err != nil:
		return err
	case starting != nil:
		r.use(ctx, starting)
	default:
		m.engine = engine.Named(ctx, r.Env, m.req.Config)
	}
	return nil
}

// use has the reviews done by an engine that was started.
func (r *run) use(ctx context.Context, e engine.Starting) {
	state, notices := e.Wait(ctx, r.Env, r.main.req.Config)
	r.main.engine = state
	r.Notices = append(r.Notices, notices...)
}
