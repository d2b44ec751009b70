package pipeline

import (
	"context"
	"fmt"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/inspect"
	"workflow-reviewer/internal/integrity"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Integrity is what the check of approved tests means for the reviews of a round.
type Integrity struct {
	Outcome integrity.Outcome
	details map[string]*workflow.Integrity // by the artifact's name
	ended   map[string]workflow.Result     // reviews that are over before they begin
	added   []workflow.Artifact            // tests to review that the change itself does not touch
	open    []integrity.Ask                // questions that decide, and that no review answers
	issues  []workflow.Finding             // findings that decide, and that no review tells
	notices []workflow.Finding
	Lookup  *detect.Lookup    // nil if nothing was checked
	failure *workflow.Failure // of the run: what no single review can say
}

// violations are those of the whole change that close the gate whatever the reviews say.
func (v Integrity) violations(policy string) []workflow.Finding {
	out := v.Outcome.Breaches()
	if policy == "block" {
		out = append(out, v.Outcome.Workarounds...)
	}
	return out
}

// named are records under the features that their names mean.
func (v Integrity) named(records []record.Record) []record.Record {
	if v.Lookup == nil {
		return records
	}
	return inspect.RenameLegacy(records, v.Lookup.Stem)
}

// verify checks approved tests and says what follows for the artifacts.
func verify(
	ctx context.Context, req Request, src Sources, set change.Set, artifacts []workflow.Artifact,
) (Integrity, error) {
	if set.Base == "" {
		return Integrity{
			notices: []workflow.Finding{
				{Text: "Approved tests are not checked: there is no base to compare with."},
			},
		}, nil
	}
	i, notices, err := Inspection(req, src, set, artifacts)
	if err != nil {
		return Integrity{}, err
	}
	out, err := i.Run(ctx)
	if err != nil {
		return Integrity{}, fmt.Errorf("check approved tests: %w", err)
	}
	v := Integrity{
		Outcome: out, Lookup: i.Lookup, failure: unverified(out),
		details: map[string]*workflow.Integrity{},
		ended:   map[string]workflow.Result{},
	}
	v.notices = slices.Concat(notices, out.Notices)
	if v.added, err = renewals(req, set, i.Lookup, out, artifacts); err != nil {
		return Integrity{}, err
	}
	all := slices.Concat(artifacts, v.added)
	v.open = unanswered(req.Config, out, all)
	v.issues = untoldIssues(v, all)
	for _, a := range all {
		if slices.Contains(inspect.Types(), a.Type) {
			judge(req.Config, &v, a, artifacts)
		}
	}
	if slices.ContainsFunc(all, isCode) {
		return v, nil // it is a question to the review of the code
	}
	failure, unread := unread(set, out, asksForCode(req.Config))
	if v.failure == nil {
		v.failure = failure
	}
	v.notices = append(v.notices, unread...)
	return v, nil
}

// Inspection prepares the check of approved tests, for CI, the commands and the tools alike: what
// was approved, on the base and later on the branch, and what permits a change of it.
func Inspection(
	req Request, src Sources, set change.Set, artifacts []workflow.Artifact,
) (i inspect.Inspection, notices []workflow.Finding, err error) {
	i = inspect.Inspection{
		Repo: src.Repo, Policy: req.Config.Integrity, Set: set, Artifacts: artifacts,
		Asked:   inspect.AskedFeatures(artifacts),
		Witness: src.Witness, Today: src.Now().UTC(), Proofs: src.Measured.Proofs,
	}
	if i.Lookup, err = detect.NewLookup(set, req.DetectOptions()); err != nil {
		return i, nil, err
	}
	if i.Roots, err = detect.Roots(set, req.Config.Roots, req.Config.Layouts); err != nil {
		return i, nil, err
	}
	i.Permit, notices, err = permits(req, set)
	return i, notices, err
}

// asksForCode reports whether reviews of the code that the change touches are asked for at all.
func asksForCode(c config.Config) bool {
	return len(c.Paths) == 0 && slices.ContainsFunc(c.Types, func(t workflow.Type) bool {
		return t == workflow.Skeleton || t == workflow.Implementation || t == workflow.BugFix
	})
}

// unread is what becomes of sources that could not be read and that no review looks at. One that
// was asked for, or that could answer approved tests, is a failure. What is vendored or generated
// by its name is left at a notice, and so is by the base's .gitattributes where nothing was
// approved.
func unread(
	set change.Set, o integrity.Outcome, asked bool,
) (failure *workflow.Failure, notices []workflow.Finding) {
	approved := len(o.Untouched) > 0 || slices.ContainsFunc(o.Features, integrity.Feature.Known)
	for _, q := range o.Questions {
		ignored := slices.ContainsFunc(
			set.Files, func(f change.File) bool { return f.Path == q.File && f.Ignored != "" },
		)
		switch {
		case q.Kind != trick.NotRead || detect.Foreign(q.File) != "" || ignored && !approved:
		case asked || approved:
			return &workflow.Failure{
				Class:   "integrity",
				Message: "A changed source could not be read, and no review looks at it: " + q.Text,
				Action: "Store the file as UTF-8 text that can be parsed, or excuse it on the " +
					"base, in .workflow/integrity-allow.json " +
					"(rule unread).",
			}, nil
		default:
			notices = append(notices, workflow.Finding{
				File: q.File,
				Text: "Not read, not reviewed, and no tests are approved that it could answer: " +
					q.Evidence,
			})
		}
	}
	return nil, notices
}

// unverified is the failure of features that cannot be verified and that no artifact of the change
// belongs to.
func unverified(o integrity.Outcome) *workflow.Failure {
	for _, f := range o.Features {
		if !f.Asked && f.Verdict() == integrity.Unverifiable {
			return cannotVerify(f).Failure
		}
	}
	return nil
}

// Neutral is the verdict of a review in which nothing was found.
func Neutral(o integrity.Outcome) integrity.Verdict {
	if o.Approved() {
		return integrity.Clean
	}
	return integrity.NoBaseline
}

const unapprovedWords = "Nobody is known to have approved these tests, and the change "

// judge says what an outcome means for one artifact. A review is over before it begins, by the
// first of these that holds:
//
//   - a breach of approved tests: of any for code, of its own for tests,
//   - a workaround in its files, where the config says that it blocks,
//   - what running the approved tests came to, or evidence that is required and missing,
//   - approved tests that cannot be found out, where the feature must have some.
//
// Else it goes on with the questions that its reviewer has to answer.
func judge(c config.Config, v *Integrity, a workflow.Artifact, all []workflow.Artifact) {
	f, known := v.Outcome.Of(a.Feature)
	d := &workflow.Integrity{
		Verdict: string(Neutral(v.Outcome)), Compared: compared(f, known, v.Outcome),
		Harmless: v.Outcome.Harmless, NotAnalysed: v.Outcome.NotAnalysed,
		Unapproved: !v.Outcome.Approved(),
		Proof:      v.Outcome.Run.Proof(),
	}
	v.details[a.Name()] = d
	d.Excused = within(v.Outcome.Excused, a)
	for _, p := range v.Outcome.Permitted {
		if a.Type == workflow.Tests &&
			(p.Feature == a.Feature || p.Feature == "" || Holds(a, p.File)) {
			d.Findings = append(d.Findings, withReason(p.Finding, "it is allowed by "+p.By))
		}
	}
	for _, w := range v.Outcome.Weakened {
		if asksOf(w.File, a, all) {
			q := trick.Of(w, unapprovedWords+"demands less than its merge base: is that right?")
			q.Shown = true
			d.Questions = append(d.Questions, q)
		}
	}
	for _, w := range v.Outcome.Suspected {
		if asksOf(w.File, a, all) {
			d.Questions = append(d.Questions, trick.Of(w, "Is that what it is for?"))
		}
	}
	for _, q := range v.Outcome.Asks {
		asks := q.Open ||
			c.Engine != config.Rules // where nobody reads it, what was only added is intact
		if asks && a.Type == workflow.Tests && q.Feature == a.Feature {
			d.Questions = append(d.Questions, q.Finding)
		}
	}
	breaches := breachesOf(v.Outcome, a)
	proven, endedByProof := endedByProof(c, v, a)
	tricks := within(v.Outcome.Workarounds, a)
	switch {
	case len(breaches) > 0:
		d.Verdict = string(integrity.Breach)
		v.ended[a.Name()] = rejection(breaches, "Test integrity violation", v.Outcome.Remedy())
	case len(tricks) > 0 && c.Integrity.Workarounds == "block":
		d.Verdict = string(integrity.Workaround)
		v.ended[a.Name()] = rejection(
			tricks,
			"Test integrity violation, the implementation works around its tests",
			"Implement what the tests ask for. What is meant so can be excused on the base, in "+
				".workflow/integrity-allow.json.",
		)
	case endedByProof:
		if isCode(a) && v.Outcome.Failing != nil {
			d.Verdict = string(integrity.Failing)
		}
		v.ended[a.Name()] = proven
	case known && f.Missing != "" && a.Type != workflow.Tests && a.Type != workflow.Skeleton:
		d.Verdict = string(integrity.Unverifiable)
		if f.Strict {
			v.ended[a.Name()] = cannotVerify(f)
		}
	case len(tricks) > 0:
		d.Verdict = string(integrity.Workaround)
	}
	if _, over := v.ended[a.Name()]; !over {
		for _, t := range tricks {
			d.Findings = append(d.Findings, withReason(t, `the config says "workarounds": "warn"`))
		}
		asked := questionsFor(v.Outcome.Questions, a, all)
		d.Questions = append(d.Questions, asked...)
		if d.Verdict == string(integrity.Clean) &&
			slices.ContainsFunc(
				asked, func(q workflow.Finding) bool { return q.Kind == trick.NotRead },
			) {
			d.Verdict = string(integrity.Unverifiable)
			d.Compared = append(
				d.Compared, "A changed file of the implementation could not be read.",
			)
		}
	}
}

// withReason is a violation that does not decide, and why.
func withReason(v workflow.Finding, why string) workflow.Finding {
	v.Reason = why
	return v
}
