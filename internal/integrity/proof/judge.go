package proof

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/evidence"
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
}

// Set is one approved set of tests.
type Set struct {
	Record string   // blob id of the record, or the commit that approved the tests where there is none
	Files  []string // paths that were approved
	Differ []string // those of them that are not as they were approved
	Tests  int      // that the files hold, by syntax; 0 = unknown
	Skips  int      // those of them that are skipped
}

// Run is what the evidence for a head comes to. The zero Run is that of no evidence.
type Run struct {
	known   Known
	counts  []File    // for this head and these records
	outcome []Outcome // of each
	why     []string  // of each that did not pass
	red     []Outcome // of the head's new and changed tests on the merge base's sources
	// Ignored are the files that do not count, "path: why".
	Ignored []string
}

// Judge says what evidence is worth for a head.
func Judge(files []File, known Known) Run {
	r := Run{known: known}
	for _, f := range files {
		switch why := known.ignores(f.Evidence); {
		case why != "":
			r.Ignored = append(r.Ignored, f.Path+": "+why)
		case f.Red:
			r.red = append(r.red, redOutcome(f.Evidence))
		default:
			outcome, why := known.outcome(f.Evidence)
			if outcome == NotRun {
				r.Ignored = append(r.Ignored, f.Path+": "+why)
			}
			r.counts, r.outcome, r.why = append(r.counts, f), append(r.outcome, outcome), append(r.why, why)
		}
	}
	return r
}

// ignores says why evidence is of something else than this head and its approved tests, "" if it is of these.
func (k Known) ignores(e evidence.Evidence) string {
	merged := len(e.Parents) > 1 && slices.Contains(e.Parents, k.Head)
	switch {
	case e.Head != k.Head && !merged:
		return fmt.Sprintf("stale: it is of commit %s, and this head is %s", short(e.Head), short(k.Head))
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
			return fmt.Sprintf("it ran tests of %q, which nobody is known to have approved", a.Feature)
		case set.Record != a.Record:
			return fmt.Sprintf("stale: the approved tests of %q are those of %s, and it ran those of %s", a.Feature,
				short(set.Record), short(a.Record))
		}
		for _, p := range set.Differ {
			if !slices.Contains(e.Restored, p) {
				return fmt.Sprintf("%s differs from what was approved, and was not restored for the run", p)
			}
		}
	}
	return ""
}

// outcome derives what a run came to from what was observed, and says why it did not pass.
func (k Known) outcome(e evidence.Evidence) (Outcome, string) {
	marked := len(e.Failures) - len(e.Counting())
	tests, skips := k.approved(e)
	switch {
	case len(e.Counting()) > 0, e.Tests.Failed > len(e.Failures):
		return Failed, fmt.Sprintf("%d of %d tests failed", e.Tests.Failed-marked, e.Tests.Run)
	case marked > 0 && (e.Before == nil || e.Before.Tests.Failed < marked):
		return Failed, fmt.Sprintf("%d tests are said to have failed before, and no run shows it", marked)
	case e.Exit != 0 && marked == 0 && e.Before != nil && e.Before.Exit != 0:
		return NotRun, "inconclusive: the run fails on the merge base as well, and no results tell the tests apart"
	case e.Exit != 0 && marked == 0:
		return Failed, fmt.Sprintf("the command ended with exit status %d", e.Exit)
	case e.Counted() && e.Tests.Run < max(tests, 1):
		return Failed, fmt.Sprintf("%d tests ran, and at least %d were approved", e.Tests.Run, max(tests, 1))
	case e.Counted() && tests > 0 && e.Tests.Skipped > skips:
		return Failed, fmt.Sprintf("%d tests were skipped, and %d were approved as skipped", e.Tests.Skipped, skips)
	}
	return Passed, ""
}

// approved counts the tests of the sets that evidence is about; tests is 0 where those of one are not known.
func (k Known) approved(e evidence.Evidence) (tests, skips int) {
	for _, a := range e.Approved {
		if k.Sets[a.Feature].Tests == 0 {
			return 0, 0
		}
		tests, skips = tests+k.Sets[a.Feature].Tests-k.Sets[a.Feature].Skips, skips+k.Sets[a.Feature].Skips
	}
	return tests, skips
}

// redOutcome is what the new and changed tests came to on the sources without the change.
func redOutcome(e evidence.Evidence) Outcome {
	if e.Exit != 0 || e.Tests.Failed > 0 {
		return Failed
	}
	return Passed
}

// Ran reports whether there is evidence that counts: a run that passed or failed.
func (r Run) Ran() bool {
	return slices.ContainsFunc(r.outcome, func(o Outcome) bool { return o != NotRun })
}

// Outcome is the worst of all runs that count.
func (r Run) Outcome() Outcome { return worst(r.outcome) }

// Of is what the approved tests of a feature came to: the worst of the runs that were about them. Tests that fail
// without the change as well did not pass.
func (r Run) Of(feature string) Outcome {
	var of []Outcome
	for i, f := range r.counts {
		if f.covers(feature) {
			of = append(of, r.outcome[i])
		}
	}
	if len(r.Before(feature)) > 0 {
		of = append(of, NotRun)
	}
	return worst(of)
}

// All is what the approved tests of all features came to.
func (r Run) All() Outcome {
	var of []Outcome
	for feature := range r.known.Sets {
		of = append(of, r.Of(feature))
	}
	return worst(of)
}

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

// Without reports whether every run was made without what the head has at a path: it was restored or set aside.
func (r Run) Without(p string) bool {
	return len(r.counts) > 0 && !slices.ContainsFunc(r.counts, func(f File) bool {
		return !slices.Contains(f.Restored, p) && !slices.Contains(f.SetAside, p)
	})
}

// Failures are the tests that fail with this head alone, each once, and Why what is wrong with runs besides.
func (r Run) Failures() []evidence.Failure {
	var out []evidence.Failure
	for i, f := range r.counts {
		if r.outcome[i] == Failed {
			out = append(out, f.Counting()...)
		}
	}
	return distinct(out)
}

// Why says of each run that failed what is wrong with it.
func (r Run) Why() []string {
	var out []string
	for i, f := range r.counts {
		if r.outcome[i] == Failed {
			out = append(out, f.Path+": "+r.why[i])
		}
	}
	return out
}

// Before are the tests of a feature that fail without the change as well. One whose file is not known may be of any
// feature that was run.
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
	known := false
	for _, set := range r.known.Sets {
		known = known || slices.Contains(set.Files, f.File)
	}
	return !known || slices.Contains(r.known.Sets[feature].Files, f.File)
}

// Tests are the counts of all runs; counted is false where one of them told its exit status alone.
func (r Run) Tests() (sum evidence.Tests, counted bool) {
	for _, f := range r.counts {
		sum.Run, sum.Passed = sum.Run+f.Tests.Run, sum.Passed+f.Tests.Passed
		sum.Failed, sum.Skipped = sum.Failed+f.Tests.Failed, sum.Skipped+f.Tests.Skipped
	}
	return sum, len(r.counts) > 0 && !slices.ContainsFunc(r.counts, func(f File) bool { return !f.Counted() })
}

// Shadowing are new sources that bear the name of a module that tests may have meant instead, sorted.
func (r Run) Shadowing() []string {
	all := map[string]bool{}
	for _, f := range r.counts {
		for _, p := range f.Shadowing {
			all[p] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Red is what the head's new and changed tests came to on the merge base's sources: Failed is what they are for.
func (r Run) Red() Outcome {
	if slices.Contains(r.red, Passed) {
		return Passed
	}
	return worst(r.red)
}

func (f File) covers(feature string) bool {
	return slices.ContainsFunc(f.Approved, func(a evidence.Approved) bool { return a.Feature == feature })
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
