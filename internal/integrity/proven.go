package integrity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// The kinds of question that come of running the approved tests, as outputs spell them.
const (
	askGained violation.Kind = "gained" // what an approved file gained
	// approved tests that fail without the change as well
	askBefore violation.Kind = "failed_before"
	// a source that may run in the place of what tests mean
	askShadowing violation.Kind = "shadowing"
)

// known is what evidence is held against: the approved sets, and which of their files are not as
// they were approved.
func (c *checker) known() proof.Known {
	k := proof.Known{Head: c.Set.Head, Demand: c.Demand, Sets: map[string]proof.Set{}}
	for _, b := range c.Baselines {
		if !b.Known() {
			continue
		}
		set := proof.Set{Record: cmp.Or(b.Blob, b.Commit)}
		for _, f := range b.Files {
			set.Files = append(set.Files, f.Path)
			if _, differs := c.entries[key{f.Path, f.Blob}]; differs {
				set.Differ = append(set.Differ, f.Path)
			}
		}
		k.Sets[b.Feature] = set
	}
	return k
}

// lifted asks about a violation instead, where the approved tests pass without what the head has
// there; a workflow is no part of their run. What makes the run decides what the evidence is worth,
// and is never answered by it; nor is a record.
func (c *checker) lifted(v workflow.Finding, owners []int) bool {
	if c.Strict || v.Category == violation.Tampering || !c.out.Run.Ran() ||
		c.makesEvidence(v.File) ||
		!runner.IsWorkflow(v.File) && !c.out.Run.Without(v.File) {
		return false
	}
	features := c.asked(owners)
	of := features
	if len(owners) == 0 {
		of = c.out.Run.Features()
	}
	// Tests of other files that fail without the change as well say nothing of this one, unless
	// they may load it.
	run := c.out.Run.OfFile(v.File, of...)
	if c.listed[v.File].Role == approval.Support {
		run = c.out.Run.Of(of...)
	}
	if violation.Kind(v.Kind).Standing().Of(run) != proof.Question {
		return false
	}
	for _, f := range features {
		c.ask(
			f,
			true,
			v,
			"The approved tests pass on this code as they were approved. Is what changed in them right "+
				"by the spec, and may it be the new approved version?",
		)
	}
	return true
}

// asked are the features whose tests reviews answer for a file. What belongs to no feature concerns
// all that the change has to do with.
func (c *checker) asked(owners []int) (features []string) {
	for i, f := range c.features {
		if f.Source != baseline.MergeBase && f.Known() &&
			(len(owners) == 0 || slices.Contains(owners, i)) {
			features = append(features, f.Feature)
		}
	}
	if len(owners)+len(features) == 0 {
		return []string{""}
	}
	return features
}

// ask makes a question of a violation. Open ones block where nobody can be asked.
func (c *checker) ask(feature string, open bool, about workflow.Finding, text string) {
	a := Ask{Finding: trick.Of(about, text), Feature: feature, Open: open, At: about.Line}
	if about.Side == violation.Before {
		a.At = 0
	}
	c.out.Asks = append(c.out.Asks, a)
}

// proven says what follows from running the approved tests for what is intact.
func (c *checker) proven() {
	for _, why := range c.out.Run.Ignored {
		c.out.Notices = append(c.out.Notices,
			workflow.Finding{Level: workflow.Warn, Text: "evidence does not count: " + why})
	}
	if c.out.Run.Ran() {
		c.out.Notices = append(c.out.Notices, workflow.Finding{Text: c.out.Run.Proof().String()})
	}
	c.failing()
	c.failedBefore()
	c.gained()
	for _, p := range c.out.Run.Shadowing() {
		if _, touched := c.touched[p]; !touched {
			continue // it was there before, or is not
		}
		v := violation.Added(askShadowing, violation.Place{Path: p, Line: 1},
			"A source may run in the place of what approved tests mean: the command names it, or it "+
				"bears the name of a module")
		c.out.Questions = append(c.out.Questions,
			trick.Of(v, "Do approved tests still run what they mean?"))
	}
}

// gained asks about what stands in the head besides what was approved, once a file, unless the
// tests were run without it. What acts on others in an approved file is a violation.
func (c *checker) gained() {
	var last string
	for _, g := range c.gains {
		owners := c.owners(g.Path)
		features, run := c.asked(owners), c.out.Run.All()
		if len(owners) > 0 {
			run = c.out.Run.Of(features...)
		}
		if g.Path == last || g.Acts != "" && len(owners) > 0 || c.Permit(g.Path) != "" ||
			proof.Gained.Of(run) != proof.Asked {
			continue
		}
		last = g.Path
		text := "An approved test file gained " + g.What
		switch {
		case len(owners) == 0 && g.Acts != "":
			text = "Added to a test file that was not approved: " + g.What + ", which " + g.Acts
		case len(owners) == 0:
			text = "Not approved, and not there before or changed: " + g.What
		}
		for _, f := range features {
			c.ask(f, false, violation.Added(askGained, g.Place, text),
				"Is it right, and does it leave the approved tests as they are?")
		}
	}
}

// failing finds what code does not pass of the approved tests. Those that somebody allowed to
// change are not demanded any more; where it cannot be told which tests fail, the word of who
// allowed a change covers it.
func (c *checker) failing() {
	if c.out.Run.Outcome() != proof.Failed {
		return
	}
	f := proof.Failing{Tests: c.out.Run.Failures(), Why: c.out.Run.Why()}
	if len(c.out.Permitted) > 0 {
		f.Tests = slices.DeleteFunc(f.Tests, func(t evidence.Failure) bool {
			allowed := func(p Permitted) bool { return p.File == t.File }
			return len(c.featuresOf(t.File)) == 0 || slices.ContainsFunc(c.out.Permitted, allowed)
		})
		if len(f.Tests) == 0 {
			return
		}
	}
	c.out.Failing = &f
}

// featuresOf are the features whose approved files have a path.
func (c *checker) featuresOf(p string) (out []string) {
	for _, b := range c.Baselines {
		if b.Known() &&
			slices.ContainsFunc(b.Files, func(f approval.File) bool { return f.Path == p }) {
			out = append(out, b.Feature)
		}
	}
	return out
}

// failedBefore tells of approved tests that fail without the change as well. They are a question
// where the feature is built, and the change touches what both runs have in common.
func (c *checker) failedBefore() {
	touched := slices.ContainsFunc(slices.Collect(maps.Keys(c.touched)), isEnvironment)
	for _, b := range c.Baselines {
		tests := c.out.Run.Before(b.Feature)
		if len(tests) == 0 {
			continue
		}
		text := fmt.Sprintf("%s of %s failed on this head, and without the change as well: %s",
			workflow.Count(len(tests), "approved test"), b.Feature, proof.Names(tests))
		by := c.Permit(b.Path)
		if !touched || c.Doing(b.Feature) || by != "" {
			c.out.Notices = append(c.out.Notices,
				workflow.Finding{Level: workflow.Warn, Text: text})
			continue
		}
		v := violation.Added(askBefore, violation.Place{Path: place(tests[0], b), Line: 1}, text)
		c.ask(b.Feature, true, v,
			"The change touches what both runs are made of: is it not the reason?")
	}
}

// place is the approved file that a failing test is in, or the record where that is not known.
func place(t evidence.Failure, b baseline.Baseline) string {
	if slices.ContainsFunc(b.Files, func(f approval.File) bool { return f.Path == t.File }) {
		return t.File
	}
	return b.Path
}

// isEnvironment reports whether tests are run in what a file describes: manifests, lock files,
// images, CI.
func isEnvironment(p string) bool {
	return runner.IsConfig(p) || runner.IsWorkflow(p) || image.MatchString(p)
}

var image = lazyregexp.New(
	`(?i)(?:^|/)(?:(?:[\w.-]+\.)?(?:Docker|Container)file(?:\.[\w.-]+)?|(?:docker-)?compose[\w.-]*\.ya?ml|` +
		`\.devcontainer/.*)$`,
)
