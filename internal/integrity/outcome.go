package integrity

import (
	"slices"

	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// Verdict is what a check came to.
type Verdict string

// The verdicts.
const (
	Clean Verdict = "clean"
	// approved tests, or the record of their approval, were tampered with
	Breach       Verdict = "breach"
	Failing      Verdict = "failing"      // the code fails approved tests that are intact
	Workaround   Verdict = "workaround"   // the implementation satisfies tests by a trick
	Unverifiable Verdict = "unverifiable" // it cannot be found out what was approved
	NoBaseline   Verdict = "no-baseline"  // there are no approved tests to compare with
)

// Outcome is what a check found.
type Outcome struct {
	Features []Feature // one a baseline that the change has to do with, by name
	// Untouched names the features whose approved tests the change leaves alone.
	Untouched []string
	// Common are violations in files that no single feature's record lists: new
	// files that the runner loads, configuration, protected files.
	Common []workflow.Finding
	// Weakened is what the change took away from tests that nobody is known to have approved. It
	// warns.
	Weakened []workflow.Finding
	// Suspected are workarounds of tests that nobody approved. They are asked about.
	Suspected   []workflow.Finding
	Workarounds []workflow.Finding
	Excused     []workflow.Finding // workarounds that the base allows
	Questions   []workflow.Finding // what cannot be decided of the implementation
	// Permitted are changes of approved tests that somebody entitled allowed.
	Permitted []Permitted
	// Run is what running the approved tests came to, by the evidence that counts. Failing says
	// what is wrong with the code by it, nil if nothing is. Asks are what it leaves to the tests
	// reviews.
	Run         proof.Run
	Failing     *proof.Failing
	Asks        []Ask
	Notices     []workflow.Finding
	Harmless    []string // a line each: what differs and why that is harmless
	NotAnalysed []string // "path: why", any difference counts there
}

// Feature is what became of one feature's approved tests.
type Feature struct {
	baseline.Baseline
	Asked      bool // the change has an artifact of this feature
	Compared   int  // files
	Violations []workflow.Finding
	Permitted  []Permitted
}

// Ask is a question to the review of a feature's tests.
type Ask struct {
	workflow.Finding
	Feature string // "" if no feature's tests can be asked
	// Open is set where nothing is decided until it is answered, by the review or by a person.
	Open bool
	At   int // line of the head, 0 if it is about none
}

// Permitted is a change of approved tests that is allowed, and by what.
type Permitted struct {
	workflow.Finding
	By string
}

// Verdict is that of the feature's tests alone.
func (f Feature) Verdict() Verdict {
	switch {
	case len(f.Violations) > 0:
		return Breach
	case f.Missing != "" && f.Strict:
		return Unverifiable
	default:
		return Clean
	}
}

// Verdict is that of the whole change: a proven breach counts first. With a file
// that could not be read it is not clean.
func (o Outcome) Verdict() Verdict {
	verdict := Clean
	switch {
	case !o.Approved():
		verdict = NoBaseline
	case o.Unread():
		verdict = Unverifiable
	}
	if len(o.Workarounds) > 0 {
		verdict = Workaround
	}
	for _, f := range o.Features {
		if f.Verdict() == Unverifiable {
			verdict = Unverifiable
		}
	}
	if o.Failing != nil {
		verdict = Failing
	}
	if len(o.Breaches()) > 0 {
		verdict = Breach
	}
	return verdict
}

// Unread reports whether a changed file of the implementation could not be read, and the base does
// not excuse it.
func (o Outcome) Unread() bool {
	return slices.ContainsFunc(o.Questions,
		func(q workflow.Finding) bool { return q.Kind == trick.NotRead })
}

// Approved reports whether there are approved tests, and none of the tests that
// the change has to do with lacks an approval.
func (o Outcome) Approved() bool {
	known := len(o.Untouched) > 0
	for _, f := range o.Features {
		if f.Source == baseline.MergeBase || f.Source == baseline.None {
			return false
		}
		known = known || f.Known()
	}
	return known
}

// Breaches are all violations but workarounds, each once.
func (o Outcome) Breaches() []workflow.Finding {
	var all []workflow.Finding
	for _, f := range o.Features {
		all = append(all, f.Violations...)
	}
	return workflow.Distinct(append(all, o.Common...))
}

// Remedy says how a breach ends. Of tests that nobody approved there is no approved version to go
// back to.
func (o Outcome) Remedy() string {
	tampered := func(v workflow.Finding) bool { return v.Category == violation.Tampering }
	switch all := o.Breaches(); {
	case len(all) > 0 && !slices.ContainsFunc(all,
		func(v workflow.Finding) bool { return !tampered(v) }):
		return "Take the named record or review back to what the base or the approving commit has, or have the tests reviewed " +
			"anew by the label re-review:tests."
	case !o.Approved():
		return "Have the tests demand what they demand in the merge base, or have the change of them approved first: by the label " +
			"re-review:tests. Nobody approved these tests; they block because the config enforces or protects them (integrity)."
	}
	return "Restore the approved tests, or have the change of them approved first: by an RFC in rfcs/approved/ on the base, or by " +
		"the label re-review:tests."
}

// Of is the outcome of a feature.
func (o Outcome) Of(feature string) (Feature, bool) {
	if k := slices.IndexFunc(o.Features,
		func(f Feature) bool { return f.Feature == feature }); k >= 0 {
		return o.Features[k], true
	}
	return Feature{}, false
}
