package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/history"
	"workflow-reviewer/internal/workflow"
)

// historyOf is what earlier reviews of an artifact say, looked up once.
func (p *planner) historyOf(ctx context.Context, a workflow.Artifact) history.History {
	known, ok := p.histories[a.Name()]
	if !ok {
		known = history.Of(ctx, a, p.earlier[a.Name()], history.Source{
			Tree: p.Set.HeadTree, Canonical: p.Canonical, Blob: p.Blob,
			Believed: func(r record.Record) bool { return p.trusts(ctx, r) },
		})
		p.histories[a.Name()] = known
	}
	return known
}

// trusts reports whether somebody vouches for a record. Not being able to tell is no.
func (p *planner) trusts(ctx context.Context, r record.Record) bool {
	if p.Vouched == nil {
		return false
	}
	ok, _, err := p.Vouched(ctx, r)
	return ok && err == nil
}

// settle replaces a job by a verdict that still holds: of an earlier round of this run, or of a
// record. planned is what the job comes to otherwise, digestOf the digest of the artifact's context
// after a history.
func (p *planner) settle(
	ctx context.Context, planned Job, digestOf func([]record.Record) string,
) Job {
	base := planned.result
	if base.Decision == workflow.Error && base.Failure != nil {
		return planned
	}
	h := p.earlier[base.Artifact.Name()]
	carried, isCarried := p.findCarried(base)
	isCarried = isCarried && mayStand(carried, planned)
	// An earlier try of the same run may have committed it.
	isWritten := func(r record.Record) bool {
		return r.Path == carried.ReviewPath && p.trusts(ctx, r)
	}
	if isCarried && !slices.ContainsFunc(h, isWritten) {
		return planned.takeOver(Carried, carried)
	}
	recorded, why, ok := p.findRecorded(ctx, base, h, digestOf)
	switch {
	case ok && mayStand(recorded, planned):
		return planned.takeOver(Recorded, recorded)
	case isCarried:
		return planned.takeOver(Carried, carried)
	case why != "":
		planned.result.Warnings = append(planned.result.Warnings, why)
	}
	return planned
}

// mayStand keeps an approval from a job that has ended without one.
func mayStand(r workflow.Result, planned Job) bool {
	return planned.Kind != Ended || r.Decision != workflow.Approved
}

// takeOver is the job with a verdict that still holds; its gates stay.
func (j Job) takeOver(k Kind, r workflow.Result) Job {
	j.Kind, j.afresh, j.result, j.Request = k, j.result, r, Request{}
	return j
}

// findCarried finds the verdict of an earlier round on the same files in the same context. Reviews
// that did not run are not carried: they run again.
func (p *planner) findCarried(base workflow.Result) (workflow.Result, bool) {
	for _, c := range p.Carried {
		if c.Artifact.Name() != base.Artifact.Name() || c.Decision == workflow.Error || c.Cached {
			continue
		}
		if p.sameContext(c.Artifact, c.ContextDigest, base.ContextDigest) &&
			history.SameFiles(p.Canonical, c.Artifact.Files, base.Artifact.Files) {
			checks := c.Checks
			c = verdictOn(c, base)
			c.Checks = checks
			return c, true
		}
	}
	return workflow.Result{}, false
}

// verdictOn is a former verdict on what is known now of the same artifact in the same context.
func verdictOn(former, now workflow.Result) workflow.Result {
	r := former
	r.Artifact, r.Checks, r.Bundle = now.Artifact, now.Checks, now.Bundle
	r.Integrity, r.Questions = now.Integrity, now.Questions
	r.Dismissed = slices.Clone(former.Dismissed)
	for i, d := range r.Dismissed {
		isIt := func(o workflow.Dismissal) bool { return o.Issue.Key == d.Issue.Key }
		if k := slices.IndexFunc(now.Dismissed, isIt); k >= 0 {
			r.Dismissed[i] = now.Dismissed[k] // where it stands now
		}
	}
	r.Requirements = withStands(now.Requirements, former.Requirements)
	return withAnswers(r, former)
}

// findRecorded finds the record whose verdict still holds. The newest record of the same files by
// the same kind of engine decides: an older one that would fit again never overrules it. why says
// why a record that fits was not believed.
func (p *planner) findRecorded(
	ctx context.Context,
	base workflow.Result,
	h []record.Record,
	digestOf func([]record.Record) string,
) (r workflow.Result, why string, ok bool) {
	if p.opts.Fresh(base.Artifact.Type) {
		return r, "", false
	}
	for i, rec := range slices.Backward(h) {
		if rec.Legacy || !sameEngine(rec.Result.Engine, p.opts) ||
			!history.SameFiles(p.Canonical, rec.Files, base.Artifact.Files) {
			continue
		}
		if !p.sameContext(base.Artifact, rec.Result.ContextDigest, digestOf(shownTo(h, i))) {
			return r, "", false
		}
		return p.believe(ctx, base, rec)
	}
	return r, "", false
}

// shownTo is the history that the reviewer of h[i] was shown; what a person decided on a review was
// reviewed when that was.
func shownTo(h []record.Record, i int) []record.Record {
	if h[i].Result == nil || h[i].Result.Amends == "" {
		return h[:i]
	}
	about := h[i].Result.Amends
	k := slices.IndexFunc(h[:i], func(r record.Record) bool {
		return r.Path == about || r.Result != nil && r.Result.Amends == about
	})
	if k < 0 {
		return h[:i]
	}
	return h[:k]
}

// sameContext compares digests; a verdict that was lowered because the tests were not approved
// holds as long as they are not.
func (p *planner) sameContext(a workflow.Artifact, former, present string) bool {
	if former == present {
		return true
	}
	if a.Type != workflow.Implementation {
		return false
	}
	a.Type = workflow.Tests
	tests, ok := p.planned[a.Name()]
	return ok && tests.Settled() && tests.result.Decision != workflow.Approved &&
		former == withoutTests(present, tests.result.Decision)
}

// withoutTests is the digest of an implementation's context while the tests of its feature stand at
// a decision other than approval.
func withoutTests(digest string, tests workflow.Decision) string {
	return extended(digest, "tests", tests.String())
}

// sameEngine compares kinds of engine, and versions where the engine's default model, which the
// version decides, was used.
func sameEngine(recorded string, o Options) bool {
	if o.Engine != EngineRules && o.Model == "" {
		return recorded == o.EngineName
	}
	kind, _, _ := strings.Cut(recorded, " ")
	return kind == o.Engine
}

// believe is the review of a record that somebody vouches for, made that of base. Else why says, as
// a warning, why the record is not used.
func (p *planner) believe(
	ctx context.Context,
	base workflow.Result,
	rec record.Record,
) (r workflow.Result, why string, ok bool) {
	if p.Vouched == nil {
		return r, "", false
	}
	vouched, why, err := p.Vouched(ctx, rec)
	isVerdict := rec.Result != nil && rec.Result.Decision == rec.Decision &&
		(rec.Decision == workflow.Approved || rec.Decision == workflow.NeedsChanges)
	switch {
	case err != nil:
		why = "it could not be verified: " + err.Error()
	case vouched && !isVerdict:
		return r, "", false
	case vouched:
		r = verdictOn(*rec.Result, base)
		why = p.invalid(rec, r)
	}
	if err != nil || !vouched || why != "" {
		return workflow.Result{}, fmt.Sprintf("The recorded review %s was not used: %s",
			foreign.Label(rec.Path), markdown.Line(why, 300)), false
	}
	r.ReviewPath, r.Cached, r.Failure = rec.Path, true, nil
	r.Tokens, r.Duration = workflow.Tokens{}, 0
	return r, "", true
}

// invalid says why a recorded verdict does not count any more, "" if it does: r is what it comes to
// now. What a person answers for stands until that is too old.
func (p *planner) invalid(rec record.Record, r workflow.Result) string {
	days := p.opts.OverrideDays
	isGraded := len(r.Criteria) > 0 || byRules(rec.Result.Engine)
	switch {
	case r.Override != nil && days > 0 && !p.opts.Now().Before(rec.Time.AddDate(0, 0, days)):
		return fmt.Sprintf("the override is older than override.expires_days, %d", days)
	case r.Override != nil || r.Decision != workflow.Approved:
		return ""
	case !isGraded || contradict(*rec.Result, 0, rec.Result.Issues).Decision != workflow.Approved:
		return "it approves beside a High issue or a failed criterion, or grades none"
	case unsettled(r) != nil:
		return "it leaves questions open"
	}
	return ""
}
