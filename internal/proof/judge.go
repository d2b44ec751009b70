package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// File is evidence, and where it was read.
type File struct {
	Path string
	evidence.Evidence
}

// Known is what a reader of evidence knows without it.
type Known struct {
	Head string // the commit under review
	// Sets are the approved sets of tests, by feature.
	Sets map[string]Set
	// Demand is what the approved tests of features hold, by syntax; nothing where that is not
	// known.
	Demand func(features []string) evidence.Demand
}

// Set is one approved set of tests.
type Set struct {
	// Record is the blob id of the approval record; where there is none, the id of the commit that
	// approved the tests.
	Record string
	Files  []string // paths that were approved
	Differ []string // those of them that are not as they were approved
}

// Run is what the evidence for a head comes to. The zero Run is that of no evidence.
type Run struct {
	known  Known
	counts []judged  // for this head and these records
	red    []Outcome // of the head's new and changed tests on the merge base's sources
	// Ignored are the files that do not count, "path: why".
	Ignored []string
}

// judged is evidence with what it comes to, and why it did not pass.
type judged struct {
	File
	outcome Outcome
	why     string
}

// Judge says what evidence is worth for a head.
func Judge(files []File, known Known) Run {
	r := Run{known: known}
	for _, f := range files {
		switch why := known.ignores(f.Evidence); {
		case why != "":
			r.Ignored = append(r.Ignored, f.Path+": "+why)
		case f.Red:
			r.red = append(r.red, map[bool]Outcome{true: Failed, false: Passed}[f.FailsWithout()])
		default:
			f.Failures = known.placed(f.Failures)
			outcome, why := known.outcome(f.Evidence)
			if outcome == NotRun {
				r.Ignored = append(r.Ignored, f.Path+": "+why)
			}
			r.counts = append(r.counts, judged{f, outcome, why})
		}
	}
	return r
}

// ignores says why evidence is of something else than this head and its approved tests, "" if it is
// of these.
func (k Known) ignores(e evidence.Evidence) string {
	merged := len(e.Parents) > 1 && slices.Contains(e.Parents, k.Head)
	switch {
	case e.Head != k.Head && !merged:
		return fmt.Sprintf(
			"stale: it is of commit %s, and this head is %s",
			short(e.Head),
			short(k.Head),
		)
	case e.Red:
		return ""
	case len(k.Sets) == 0:
		return "no tests are approved that it could speak of"
	case len(e.Approved) == 0:
		return "it names no approved tests"
	}
	for _, a := range e.Approved {
		set, ok := k.Sets[a.Feature]
		switch {
		case !ok:
			return fmt.Sprintf(
				"it ran tests of %q, which nobody is known to have approved",
				a.Feature,
			)
		case set.Record != a.Record:
			return fmt.Sprintf(
				"stale: the approved tests of %q are those of %s, and it ran those of %s",
				a.Feature,
				short(set.Record),
				short(a.Record),
			)
		}
		for _, p := range set.Differ {
			if !slices.Contains(e.Restored, p) {
				return fmt.Sprintf(
					"%s differs from what was approved, and was not restored for the run",
					p,
				)
			}
		}
	}
	return ""
}

// placed are failures whose file is an approved one, or is not told.
func (k Known) placed(failures []evidence.Failure) []evidence.Failure {
	out := slices.Clone(failures)
	for i, f := range out {
		if !k.approves(f.File) {
			out[i].File = ""
		}
	}
	return out
}

func (k Known) approves(file string) bool {
	for _, set := range k.Sets {
		if slices.Contains(set.Files, file) {
			return true
		}
	}
	return false
}

// outcome derives what a run came to from what was observed, and says why it did not pass.
func (k Known) outcome(e evidence.Evidence) (Outcome, string) {
	marked := len(e.Failures) - len(e.Counting())
	if marked > 0 && (e.Before == nil || e.Before.Tests.Failed < marked) {
		return Failed, fmt.Sprintf(
			"%d tests are said to fail without the change as well, and no run shows it",
			marked,
		)
	}
	outcome, why := e.Judge(k.demand(e))
	switch outcome {
	case evidence.Passed:
		return Passed, ""
	case evidence.Failed:
		return Failed, why
	default:
		return NotRun, "inconclusive: " + why
	}
}

// demand is what the approved tests hold that evidence is about.
func (k Known) demand(e evidence.Evidence) evidence.Demand {
	var features []string
	for _, a := range e.Approved {
		features = append(features, a.Feature)
	}
	d := evidence.Demand{}
	if k.Demand != nil {
		d = k.Demand(features)
	}
	if d == (evidence.Demand{}) {
		d.Skipped = e.Tests.Skipped // it is not known how many were
	}
	return d
}

// String is the outcome as outputs spell it.
func (o Outcome) String() string {
	return [...]string{NotRun: "not run", Passed: "passed", Failed: "failed"}[o]
}

// Complete reports whether evidence that counts covers all approved sets.
func (r Run) Complete() bool {
	covered := map[string]bool{}
	for _, f := range r.counts {
		for _, a := range f.Approved {
			covered[a.Feature] = covered[a.Feature] || f.outcome != NotRun
		}
	}
	for feature := range r.known.Sets {
		if !covered[feature] {
			return false
		}
	}
	return len(covered) > 0
}

// Ran reports whether there is evidence that counts: a run that passed or failed.
func (r Run) Ran() bool {
	return slices.ContainsFunc(r.counts, func(f judged) bool { return f.outcome != NotRun })
}

// Outcome is the worst of all runs that count.
func (r Run) Outcome() Outcome {
	var all []Outcome
	for _, f := range r.counts {
		all = append(all, f.outcome)
	}
	return worst(all)
}

// Of is what the approved tests of features came to: the worst of the runs that were about them.
// Tests that fail without the change as well did not pass.
func (r Run) Of(features ...string) Outcome {
	return r.but(func(evidence.Failure) bool { return false }, features)
}

// OfFile is what those of a file came to, beside tests of others that fail without the change as
// well.
func (r Run) OfFile(file string, features ...string) Outcome {
	return r.but(func(f evidence.Failure) bool { return f.File != "" && f.File != file }, features)
}

// OfTest is what a test of an approved file came to, which names tells from others; NotRun where
// that is not known.
func (r Run) OfTest(file string, names func(name string) bool, features ...string) Outcome {
	isApproved := func(feature string) bool {
		return slices.Contains(r.known.Sets[feature].Files, file)
	}
	outcome := r.OfFile(file, features...)
	fails := func(f evidence.Failure) bool { return f.File == file && names(f.Name) }
	switch {
	case !slices.ContainsFunc(features, isApproved):
		return NotRun
	case outcome == Failed && !slices.ContainsFunc(r.Failures(), fails):
		return NotRun
	}
	return outcome
}

// but is what the approved tests of features came to, some that fail without the change as well
// left out.
func (r Run) but(leftOut func(evidence.Failure) bool, features []string) Outcome {
	var all []Outcome
	for _, feature := range features {
		var of []Outcome
		for _, f := range r.counts {
			if f.covers(feature) {
				of = append(of, f.outcome)
			}
		}
		if len(slices.DeleteFunc(r.Before(feature), leftOut)) > 0 {
			of = append(of, NotRun)
		}
		all = append(all, worst(of))
	}
	return worst(all)
}

// All is what the approved tests of all features came to.
func (r Run) All() Outcome { return r.Of(r.Features()...) }

// Features are those that have approved tests, sorted.
func (r Run) Features() []string { return slices.Sorted(maps.Keys(r.known.Sets)) }

// worst is the one that decides: a failure, then what decides nothing.
func worst(of []Outcome) Outcome {
	switch {
	case slices.Contains(of, Failed):
		return Failed
	case len(of) == 0 || slices.Contains(of, NotRun):
		return NotRun
	}
	return Passed
}

// Without reports whether every run was made without what the head has at a path: it was restored
// or set aside.
func (r Run) Without(p string) bool {
	return len(r.counts) > 0 && !slices.ContainsFunc(r.counts, func(f judged) bool {
		return !slices.Contains(f.Restored, p) && !slices.Contains(f.SetAside, p)
	})
}

// Failures are the tests that fail with this head alone, each once, and Why what is wrong with runs
// besides.
func (r Run) Failures() []evidence.Failure {
	var out []evidence.Failure
	for _, f := range r.counts {
		if f.outcome == Failed {
			out = append(out, f.Counting()...)
		}
	}
	return distinct(out)
}

// Why says of each run that failed what is wrong with it.
func (r Run) Why() []string {
	var out []string
	for _, f := range r.counts {
		if f.outcome == Failed {
			out = append(out, f.Path+": "+f.why)
		}
	}
	return out
}

// Before are the tests of a feature that fail without the change as well. One whose file is not
// known may be of any feature that was run.
func (r Run) Before(feature string) []evidence.Failure {
	var out []evidence.Failure
	for _, f := range r.counts {
		for _, failure := range f.Failures {
			if failure.Before && f.covers(feature) && r.mayBeOf(failure, feature) {
				out = append(out, failure)
			}
		}
	}
	return distinct(out)
}

func (r Run) mayBeOf(f evidence.Failure, feature string) bool {
	return f.File == "" || slices.Contains(r.known.Sets[feature].Files, f.File)
}

// Tests are the counts of all runs; counted is false where one of them told its exit status alone.
func (r Run) Tests() (sum evidence.Tests, counted bool) {
	for _, f := range r.counts {
		sum.Run, sum.Passed = sum.Run+f.Tests.Run, sum.Passed+f.Tests.Passed
		sum.Failed, sum.Skipped = sum.Failed+f.Tests.Failed, sum.Skipped+f.Tests.Skipped
	}
	return sum, len(r.counts) > 0 &&
		!slices.ContainsFunc(r.counts, func(f judged) bool { return !f.Counted() })
}

// Shadowing are new sources that bear the name of a module that tests may have meant instead,
// sorted.
func (r Run) Shadowing() []string {
	all := map[string]bool{}
	for _, f := range r.counts {
		for _, p := range f.Shadowing {
			all[p] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Red is what the head's new and changed tests came to on the merge base's sources: Failed is what
// they are for.
func (r Run) Red() Outcome {
	if slices.Contains(r.red, Passed) {
		return Passed
	}
	return worst(r.red)
}

func (f File) covers(feature string) bool {
	return slices.ContainsFunc(
		f.Approved,
		func(a evidence.Approved) bool { return a.Feature == feature },
	)
}

func distinct(in []evidence.Failure) (out []evidence.Failure) {
	seen := map[evidence.Failure]bool{}
	for _, f := range in {
		key := evidence.Failure{Name: f.Name, File: f.File}
		if !seen[key] {
			seen[key] = true
			out = append(out, f)
		}
	}
	return out
}

func short(id string) string { return strings.TrimSpace(id[:min(len(id), 10)]) }

// maxTold and maxMessage bound what is told of failing tests.
const (
	maxTold    = 50
	maxMessage = 2000
)

// Proof is the account of the runs; nil if there was no evidence.
func (r Run) Proof() *workflow.Proof {
	if len(r.counts)+len(r.Ignored) == 0 {
		return nil
	}
	tests, counted := r.Tests()
	p := &workflow.Proof{
		Outcome: r.Outcome().
			String(),
		Counted: counted, Run: tests.Run, Passed: tests.Passed, Failed: tests.Failed,
		Skipped: tests.Skipped, Why: slices.Concat(r.Why(), r.Ignored),
	}
	for _, f := range slices.Concat(r.Failures(), r.before()) {
		if len(p.Failures) < maxTold {
			p.Failures = append(p.Failures, workflow.FailedTest{
				Name: markdown.Line(f.Name, maxName), File: f.File, Before: f.Before,
				Message: markdown.Clip(f.Message, maxMessage),
			})
		}
	}
	return p
}

// before are all tests that fail without the change as well.
func (r Run) before() (out []evidence.Failure) {
	for _, feature := range r.Features() {
		out = append(out, r.Before(feature)...)
	}
	return distinct(out)
}

// Rule is the rule of findings about approved tests that the code fails.
const Rule = "integrity/failing"

// Failing is what is wrong with code that does not pass the approved tests.
type Failing struct {
	Tests []evidence.Failure // by name, none where only the status of the command is known
	Why   []string           // of each run
}

// Named is how many failing tests are told by name, maxName how long a name may be.
const (
	Named   = 10
	maxName = 200
)

// String is the finding in a sentence.
func (f Failing) String() string {
	if len(f.Tests) == 0 {
		return "The approved tests do not pass: " + strings.Join(f.Why, "; ")
	}
	return "The code fails " + workflow.Count(len(f.Tests), "approved test") + ": " + Names(f.Tests)
}

// Names are the first tests by name, and how many more there are.
func Names(tests []evidence.Failure) string {
	var names []string
	for _, t := range tests[:min(len(tests), Named)] {
		name := cmp.Or(t.Name, t.File, "a test without a name")
		names = append(names, markdown.Line(name, maxName))
	}
	if more := len(tests) - len(names); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ")
}
