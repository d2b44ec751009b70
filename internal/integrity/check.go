// Package integrity answers whether approved tests are still what was approved, and whether the
// implementation satisfies them by other means than it should. It decides on trees alone: nothing
// is executed, nothing is asked.
package integrity

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// Input is what is to be checked.
type Input struct {
	Set       change.Set
	Baselines []baseline.Baseline
	Asked     []string // features that the change has artifacts of
	Only      string   // the one feature to check; "" for all
	Role      func(path string) detect.Role
	Names     func(path, feature string) bool // whether a path is a feature's by its name
	Strict    bool                            // every difference is a breach
	Protect   []string                        // globs of further files that must not change
	// Workarounds says whether the implementation is looked at.
	Workarounds bool
	Allow       []trick.Allowance
	Today       time.Time
	// MergeBase compares tests that nobody is known to have approved, Unapproved, and what steers
	// them, with the merge base. Enforce blocks what is shown to demand less there.
	MergeBase, Enforce bool
	Unapproved         []approval.File // that the change touches, as the merge base has them
	Untested           bool            // neither the merge base nor the head has tests
	// Evidence is what runs of the approved tests came to.
	Evidence []proof.File
	Demand   func(features []string) evidence.Demand // what approved tests hold, by syntax
	Doing    func(feature string) bool               // whether a feature is being worked on
	// Blob reads an approved content by its id, wherever it is.
	Blob func(ctx context.Context, id string) ([]byte, error)
	// Permit says by what a change of an approved file is allowed, "" if it is not. nil allows
	// none.
	Permit func(path string) string
}

// Check compares the head with what was approved. Errors are those of the
// trees and the context; whatever the head holds, it is no error.
func Check(ctx context.Context, in Input) (Outcome, error) {
	if in.Permit == nil {
		in.Permit = func(string) string { return "" }
	}
	if in.Doing == nil {
		in.Doing = func(string) bool { return false }
	}
	if in.Blob == nil {
		in.Blob = func(context.Context, string) ([]byte, error) { return nil, errNoBlobs }
	}
	c := &checker{Input: in, entries: map[key]*entry{}, touched: map[string]change.File{}}
	for _, f := range in.Set.Files {
		c.touched[f.Path] = f
		if f.OldPath != "" {
			c.touched[f.OldPath] = change.File{
				Path:    f.OldPath,
				Status:  change.Deleted,
				OldBlob: f.OldBlob,
				OldMode: f.OldMode,
			}
		}
	}
	// The order counts: what approved tests load must be known before it is compared, what was
	// compared before files that no record lists are judged, and all of these before the
	// implementation, whose literals are held against the approved tests. outcome places what the
	// steps found: it is there that a label permits a change, and that evidence turns a violation
	// into a question.
	for _, step := range []func(context.Context) error{
		c.gather, c.imply, c.unapproved, c.readTexts, c.compare, c.unlisted, c.acting,
		c.submodules, c.standIns, c.makeResults, c.protected,
		c.workarounds,
	} {
		if err := step(ctx); err != nil {
			return Outcome{}, err
		}
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
	}
	return c.outcome(), nil
}

// checker is the state of one Check.
type checker struct {
	Input
	touched  map[string]change.File // by path, both ends of a move
	features []Feature
	around   *runner.Surroundings // what configuration may know of the change
	entries  map[key]*entry       // that differ from what was approved
	intact   []string             // approved tests that the head has as they were
	taken    map[string]bool
	result   string // what make takes for that of a run of tests
	base     *runner.Tree
	listed   map[string]approval.File // what baselines list, by path
	texts    *texts                   // approved tests, for the names in them
	gone     map[string]bool          // words that the change takes away

	found []workflow.Finding
	gains []testdiff.Gain
	out   Outcome
}

// key is one approved version of a file.
type key struct{ path, blob string }

// outcome distributes what was found to the features that it belongs to.
func (c *checker) outcome() Outcome {
	c.out.Run = proof.Judge(c.Evidence, c.known())
	for _, v := range c.found {
		c.place(v)
	}
	c.proven()
	for i := range c.features {
		f := &c.features[i]
		for _, v := range f.Tampered {
			if by := c.Permit(v.File); by != "" {
				f.Permitted = append(f.Permitted, Permitted{v, by})
				c.out.Permitted = append(c.out.Permitted, Permitted{v, by})
			} else {
				f.Violations = append(f.Violations, v)
			}
		}
		c.sort(f.Violations)
		c.out.Notices = append(c.out.Notices, f.Notices...)
	}
	if (c.MergeBase || c.Untested) && !c.Enforce &&
		!c.hasApproved() { // honest code looks like a trick more often than a trick is one
		for _, v := range c.out.Workarounds {
			text := v.Text + "; no tests are approved, so this does not block"
			c.out.Notices = append(c.out.Notices, workflow.Finding{File: v.File, Text: text})
		}
		c.out.Suspected, c.out.Workarounds = append(c.out.Suspected, c.out.Workarounds...), nil
	}
	c.sort(c.out.Common)
	c.sort(c.out.Weakened)
	c.sort(c.out.Suspected)
	c.sort(c.out.Workarounds)
	c.out.Features = c.features
	slices.Sort(c.out.Harmless)
	slices.Sort(c.out.NotAnalysed)
	c.out.Harmless, c.out.NotAnalysed = slices.Compact(
		c.out.Harmless,
	), slices.Compact(c.out.NotAnalysed)
	return c.out
}

// place gives a violation to the features whose record lists its file.
func (c *checker) place(v workflow.Finding) {
	if v.Category == violation.Workaround { // of a file that the runner loads
		if c.Workarounds {
			c.out.Workarounds = append(c.out.Workarounds, v)
		}
		return
	}
	owners := c.owners(v.File)
	if len(owners) > 0 {
		v.Feature = c.features[owners[0]].Feature
	}
	if by := c.Permit(v.File); by != "" {
		p := Permitted{v, by}
		c.out.Permitted = append(c.out.Permitted, p)
		for _, i := range owners {
			c.features[i].Permitted = append(c.features[i].Permitted, p)
		}
		return
	}
	if c.passesUnapproved(v, owners) || c.lifted(v, owners) {
		return
	}
	for _, i := range owners {
		c.features[i].Violations = append(c.features[i].Violations, v)
	}
	if len(owners) == 0 {
		c.out.Common = append(c.out.Common, v)
	}
}

// sort orders violations by file, line and kind.
func (c *checker) sort(vs []workflow.Finding) {
	slices.SortStableFunc(vs, func(a, b workflow.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Kind, b.Kind))
	})
}
