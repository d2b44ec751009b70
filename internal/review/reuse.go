package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// digests are those of an artifact's context after a history: of today, and as earlier versions
// recorded it.
type digests func(h []record.Record) (now, former string)

// settle replaces a job by a verdict that still holds: of an earlier round of
// this run, or of a record. planned is what the job would come to otherwise.
func (p *planner) settle(ctx context.Context, base workflow.Result, h []record.Record,
	digestOf digests, planned Job,
) Job {
	if base.Decision == workflow.Error && base.Failure != nil {
		return planned
	}
	if h == nil {
		h = history(p.Records, base.Artifact)
	}
	r, isCarried := p.carried(base)
	isCarried = isCarried && possible(r, planned)
	if isCarried && !p.written(ctx, r, h) {
		return planned.standing(Carried, r)
	}
	rec, why, ok := p.recorded(ctx, base, h, digestOf)
	switch {
	case ok && possible(rec, planned):
		return planned.standing(Recorded, rec)
	case isCarried:
		return planned.standing(Carried, r)
	}
	if why != "" {
		planned.result.Warnings = append(planned.result.Warnings, why)
	}
	return planned
}

// written reports whether the head holds a carried review already: an earlier try
// of the same run may have committed it.
func (p *planner) written(ctx context.Context, carried workflow.Result, h []record.Record) bool {
	return slices.ContainsFunc(
		h,
		func(rec record.Record) bool { return rec.Path == carried.ReviewPath && p.trusts(ctx, rec) },
	)
}

// possible keeps an approval from a job that has ended without one.
func possible(r workflow.Result, planned Job) bool {
	return planned.Kind != Ended || planned.limit || r.Decision != workflow.Approved
}

// standing is the job with a verdict that still holds; its gates stay.
func (j Job) standing(k Kind, r workflow.Result) Job {
	j.Kind, j.afresh, j.result, j.Request = k, j.result, r, Request{}
	return j
}

// carried finds the verdict of an earlier round on the same files in the same
// context. Reviews that did not run are not carried: they run again.
func (p *planner) carried(base workflow.Result) (workflow.Result, bool) {
	for _, c := range p.Carried {
		same := c.Artifact.Type == base.Artifact.Type && c.Artifact.Feature == base.Artifact.Feature &&
			p.sameContext(c.Artifact, c.ContextDigest, base.ContextDigest) && c.Decision != workflow.Error && !c.Cached
		if same && sameFiles(p.Canonical, c.Artifact.Files, base.Artifact.Files) {
			former := c
			c.Artifact, c.Integrity, c.Questions, c.Bundle = base.Artifact, base.Integrity, base.Questions, base.Bundle
			c.Requirements = withStands(base.Requirements, c.Requirements)
			return withAnswers(c, former), true
		}
	}
	return workflow.Result{}, false
}

// recorded finds the record whose verdict still holds. The newest record of the same files by the
// same kind of engine decides: an older one that would fit again never overrules it. why says why a
// record that fits was not believed.
func (p *planner) recorded(ctx context.Context, base workflow.Result, h []record.Record,
	digestOf digests,
) (r workflow.Result, why string, ok bool) {
	if p.opts.Fresh(base.Artifact.Type) {
		return r, "", false
	}
	for i := len(h) - 1; i >= 0; i-- {
		rec := h[i]
		if rec.Legacy || !sameEngine(rec.Engine, p.opts) || !sameFiles(p.Canonical, rec.Files, base.Artifact.Files) {
			continue
		}
		now, former := digestOf(before(h, i))
		if !p.sameContext(base.Artifact, rec.ContextDigest, now) &&
			!p.sameContext(base.Artifact, rec.ContextDigest, former) {
			return r, "", false
		}
		return p.believe(ctx, base, rec)
	}
	return r, "", false
}

// before is the history that the reviewer of h[i] was shown; what a person
// decided on a review was reviewed when that was.
func before(h []record.Record, i int) []record.Record {
	if h[i].Result == nil || h[i].Result.Amends == "" {
		return h[:i]
	}
	about := h[i].Result.Amends
	k := slices.IndexFunc(
		h[:i],
		func(r record.Record) bool { return r.Path == about || r.Result != nil && r.Result.Amends == about },
	)
	if k < 0 {
		return h[:i]
	}
	return h[:k]
}

// sameContext compares digests; a verdict that was lowered because the tests
// were not approved holds as long as they are not.
func (p *planner) sameContext(a workflow.Artifact, former, present string) bool {
	if former == present {
		return true
	}
	tests, ok := p.tests[a.Feature]
	return ok && a.Type == workflow.Implementation && tests.Settled() &&
		tests.result.Decision != workflow.Approved && former == withoutTests(present, tests.result.Decision)
}

// sameEngine compares kinds of engine, and versions where the engine's default
// model, which the version decides, was used.
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
	if err != nil {
		return r, fmt.Sprintf(
				"The recorded review %s was not used: it could not be verified: %s",
				foreign.Label(rec.Path),
				markdown.Line(err.Error(), 300),
			),
			false
	}
	if !vouched {
		return r, fmt.Sprintf(
			"The recorded review %s was not used: %s",
			foreign.Label(rec.Path),
			markdown.Line(why, 300),
		), false
	}
	if rec.Decision != workflow.Approved && rec.Decision != workflow.NeedsChanges || rec.Result == nil ||
		rec.Result.Decision != rec.Decision {
		return r, "", false
	}
	if why := p.expired(rec); why != "" {
		return r, why, false
	}
	overridden := rec.Result.Override != nil
	if rec.Decision == workflow.Approved && !overridden && !approves(*rec.Result) {
		return r, fmt.Sprintf(
			"The recorded review %s was not used: it approves beside a High issue or a failed criterion, or grades none",
			foreign.Label(rec.Path),
		), false
	}
	r = *rec.Result
	r.Artifact, r.Checks, r.Integrity, r.Questions, r.Bundle = base.Artifact, base.Checks, base.Integrity, base.Questions, base.Bundle
	r.Requirements = withStands(base.Requirements, rec.Result.Requirements)
	r = withAnswers(r, *rec.Result)
	if r.Decision == workflow.Approved && !overridden && unsettled(r) != "" {
		return workflow.Result{}, fmt.Sprintf(
			"The recorded review %s was not used: it leaves questions open",
			foreign.Label(rec.Path),
		), false
	}
	r.ReviewPath, r.Cached, r.Failure = rec.Path, true, nil
	r.Tokens, r.Duration = workflow.Tokens{}, 0
	return r, "", true
}

// approves reports whether a recorded approval is one: nothing stands against it, and a model
// graded something.
func approves(r workflow.Result) bool {
	graded := len(r.Criteria) > 0 || strings.HasPrefix(r.Engine, EngineRules)
	return graded && contradict(r, 0, r.Issues).Decision == workflow.Approved
}

// expired says that an override is too old to count, "" if it is not.
func (p *planner) expired(rec record.Record) string {
	o, days := rec.Result.Override, p.opts.OverrideDays
	if o == nil || days <= 0 || p.opts.Now().Before(rec.Time.AddDate(0, 0, days)) {
		return ""
	}
	return fmt.Sprintf(
		"The override %s was not used: it is older than override.expires_days, %d",
		foreign.Label(rec.Path),
		days,
	)
}

// withoutTests is the digest of an implementation's context while the tests of
// its feature stand at a decision other than approval.
func withoutTests(digest string, tests workflow.Decision) string {
	return extended(digest, "tests", tests.String())
}
