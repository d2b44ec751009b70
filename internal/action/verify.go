package action

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/record"
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
	i := inspection{
		repo: s.repo, policy: s.cfg.Integrity, set: set, lookup: lookup, asked: askedFeatures(artifacts),
		witness: s.witness, permit: permit, today: s.env.Now().UTC(),
	}
	out, err := i.run(ctx)
	if err != nil {
		return verified{}, fmt.Errorf("check approved tests: %w", err)
	}
	v := verified{outcome: out, role: lookup.Role, failure: unverified(out), details: map[string]*workflow.Integrity{}, ended: map[string]workflow.Result{}}
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

// compared says what was compared with what.
func compared(f integrity.Feature, known bool, o integrity.Outcome) []string {
	var out []string
	if known {
		out = append(out, "Compared with the approved tests: "+f.String())
		if !f.Known() {
			out[0] = f.String()
		}
		if f.Unauthenticated != "" {
			out = append(out, "Unauthenticated: "+f.Unauthenticated+".")
		}
	}
	var others []string
	for _, other := range o.Features {
		if other.Feature != f.Feature && other.Known() {
			others = append(others, other.Feature)
		}
	}
	if len(others) > 0 {
		out = append(out, "Compared too, as this change touches them: the approved tests of "+enumerate(others)+".")
	}
	if len(o.Untouched) > 0 {
		out = append(out, "This change leaves alone: the approved tests of "+enumerate(o.Untouched)+".")
	}
	return out
}

func enumerate(names []string) string {
	if n := len(names) - 5; n > 0 {
		return strings.Join(names[:5], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

// breachesOf are the violations that end a review: any for code, which is not
// measured by tests that were tampered with; for tests their own.
func breachesOf(o integrity.Outcome, a workflow.Artifact) []workflow.Violation {
	all := o.Breaches()
	var own []workflow.Violation
	for _, v := range all {
		if v.Feature == a.Feature || holds(a, v.File) {
			own = append(own, v)
		}
	}
	if len(own) > 0 || a.Type == workflow.Tests {
		return own
	}
	return all
}

func holds(a workflow.Artifact, path string) bool {
	return slices.ContainsFunc(a.Files, func(f workflow.File) bool { return f.Path == path })
}

// within are the violations in an artifact's files.
func within(vs []workflow.Violation, a workflow.Artifact) []workflow.Violation {
	var out []workflow.Violation
	for _, v := range vs {
		if holds(a, v.File) {
			out = append(out, v)
		}
	}
	return out
}

// rejection ends a review at once.
func rejection(vs []workflow.Violation, what, remedy string) workflow.Result {
	first := vs[0]
	more := ""
	if n := len(vs) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return workflow.Result{
		Decision: workflow.NeedsChanges, Violations: vs,
		Summary: fmt.Sprintf("AUTOMATIC REJECTION: %s in %s: %s%s.\n\nNo reviewer was asked. %s",
			what, record.Location(first.File, first.Line), strings.TrimRight(first.Description, "."), more, remedy),
	}
}

// cannotVerify ends a review that has nothing to hold the tests against.
func cannotVerify(f integrity.Feature) workflow.Result {
	return workflow.Result{Decision: workflow.Error, Summary: f.String(), Failure: &workflow.Failure{
		Class:   "integrity",
		Message: fmt.Sprintf("it cannot be verified which tests of %s were approved: %s", f.Feature, f.Missing),
		Action:  `Have the tests approved first (the label re-review:tests reviews them), check out with "fetch-depth: 0" if history is missing, or set "integrity": {"on_missing_baseline": "warn"} in the config.`,
	}}
}

// reviewedNow reports whether all tests that an implementation is measured by
// are under review in this very run.
func reviewedNow(a workflow.Artifact, all []workflow.Artifact) bool {
	return slices.ContainsFunc(all, func(t workflow.Artifact) bool {
		return t.Type == workflow.Tests && t.Feature == a.Feature && len(t.Tests) == 0
	})
}

// renewals are the tests reviews that an allowed change of approved tests, or
// the request for a first baseline, asks for where the change has none itself.
func (s *session) renewals(set change.Set, lookup *detect.Lookup, o integrity.Outcome, artifacts []workflow.Artifact) ([]workflow.Artifact, error) {
	if !slices.Contains(s.types(), workflow.Tests) {
		return nil, nil
	}
	var out []workflow.Artifact
	for _, f := range o.Features {
		has := slices.ContainsFunc(artifacts, func(a workflow.Artifact) bool { return a.Type == workflow.Tests && a.Feature == f.Feature })
		wanted := len(f.Permitted) > 0 || s.asked.baseline && f.Asked && f.Source == baseline.None
		if has || !wanted {
			continue
		}
		a, err := testsArtifact(set, lookup, f.Feature, artifacts)
		if err != nil {
			return nil, err
		}
		if len(a.Files) > 0 {
			out = append(out, a)
		}
	}
	return out, nil
}

// testsArtifact is all tests of a feature, as one artifact.
func testsArtifact(set change.Set, lookup *detect.Lookup, feature string, artifacts []workflow.Artifact) (workflow.Artifact, error) {
	a := workflow.Artifact{Type: workflow.Tests, Feature: feature, Why: []string{"the approval of these tests is to be renewed"}}
	paths, err := lookup.Tests(set.HeadTree, feature)
	if err != nil {
		return a, err
	}
	for _, p := range paths {
		e, err := set.HeadTree.Stat(p)
		if err != nil {
			return a, err
		}
		a.Files = append(a.Files, workflow.File{Path: p, Blob: e.Blob})
	}
	for _, other := range artifacts {
		if other.Feature == feature {
			a.SpecPath = cmp.Or(a.SpecPath, other.SpecPath)
		}
	}
	return a, nil
}
