package action

import (
	"context"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/workflow"
)

// verified is what the check of approved tests means for the reviews of a
// round.
type verified struct {
	outcome integrity.Outcome
	details map[string]*workflow.Integrity // by the artifact's name
	ended   map[string]workflow.Result     // reviews that are over before they begin
	added   []workflow.Artifact            // tests to review that the change itself does not touch
	notices []workflow.Notice
	role    func(path string) detect.Role // nil if nothing was checked
	stem    func(name string) string      // the feature that a name means; nil likewise
	failure *workflow.Failure             // of the run: what no single review can say
}

// violations are those that close the gate whatever the reviews say.
func (v verified) violations(policy string) []workflow.Violation {
	out := v.outcome.Breaches()
	if policy == "block" {
		out = append(out, v.outcome.Workarounds...)
	}
	return out
}

// verify checks approved tests and says what follows for the artifacts.
func (s *session) verify(ctx context.Context, set change.Set, artifacts []workflow.Artifact) (verified, error) {
	if set.Base == "" {
		return verified{notices: []workflow.Notice{{Text: "Approved tests are not checked: there is no base to compare with."}}}, nil
	}
	lookup, err := detect.NewLookup(set, s.detectOptions())
	if err != nil {
		return verified{}, err
	}
	permit, notices, err := s.permits(set)
	if err != nil {
		return verified{}, err
	}
	roots, err := detect.Roots(set, s.cfg.Roots)
	if err != nil {
		return verified{}, err
	}
	i := inspection{
		repo: s.repo, policy: s.cfg.Integrity, set: set, roots: roots, lookup: lookup, asked: askedFeatures(artifacts),
		witness: s.witness, permit: permit, today: s.env.Now().UTC(),
	}
	out, err := i.run(ctx)
	if err != nil {
		return verified{}, fmt.Errorf("check approved tests: %w", err)
	}
	v := verified{outcome: out, role: lookup.Role, stem: lookup.Stem, failure: unverified(out), details: map[string]*workflow.Integrity{}, ended: map[string]workflow.Result{}}
	v.notices = slices.Concat(notices, out.Notices)
	if v.added, err = s.renewals(set, lookup, out, artifacts); err != nil {
		return verified{}, err
	}
	for _, a := range slices.Concat(artifacts, v.added) {
		if slices.Contains(integrityTypes(), a.Type) {
			s.judge(&v, a, artifacts)
		}
	}
	return v, nil
}

// unverified is the failure of features that cannot be verified and that no
// artifact of the change belongs to.
func unverified(o integrity.Outcome) *workflow.Failure {
	for _, f := range o.Features {
		if !f.Asked && f.Verdict() == integrity.Unverifiable {
			return cannotVerify(f).Failure
		}
	}
	return nil
}

// judge says what an outcome means for one artifact.
func (s *session) judge(v *verified, a workflow.Artifact, all []workflow.Artifact) {
	f, known := v.outcome.Of(a.Feature)
	d := &workflow.Integrity{
		Verdict: string(integrity.Clean), Compared: compared(f, known, v.outcome),
		Harmless: v.outcome.Harmless, NotAnalysed: v.outcome.NotAnalysed,
	}
	v.details[a.Name()] = d
	d.Excused = within(v.outcome.Excused, a)
	for _, p := range v.outcome.Permitted {
		if a.Type == workflow.Tests && (p.Feature == a.Feature || p.Feature == "" || holds(a, p.File)) {
			d.Questions = append(d.Questions, workflow.Question{Violation: p.Violation, Why: "it is allowed by " + p.By})
		}
	}
	breaches := breachesOf(v.outcome, a)
	tricks := within(v.outcome.Workarounds, a)
	switch {
	case len(breaches) > 0:
		d.Verdict = string(integrity.Breach)
		v.ended[a.Name()] = rejection(breaches, "Test integrity violation", "Restore the approved tests, or have the change of them approved first: by an RFC in rfcs/approved/ on the base, or by the label re-review:tests.")
	case len(tricks) > 0 && s.cfg.Integrity.Workarounds == "block":
		d.Verdict = string(integrity.Workaround)
		v.ended[a.Name()] = rejection(tricks, "Test integrity violation, the implementation works around its tests", "Implement what the tests ask for. What is meant so can be excused on the base, in .workflow/integrity-allow.json.")
	case known && f.Missing != "" && a.Type != workflow.Tests && a.Type != workflow.Skeleton:
		d.Verdict = string(integrity.Unverifiable)
		if f.Strict && (f.Unknown || !reviewedNow(a, all)) {
			v.ended[a.Name()] = cannotVerify(f)
		}
	case len(tricks) > 0:
		d.Verdict = string(integrity.Workaround)
	}
	if _, over := v.ended[a.Name()]; !over {
		for _, t := range tricks {
			d.Questions = append(d.Questions, workflow.Question{Violation: t, Why: `the config says "workarounds": "warn"`})
		}
	}
}
