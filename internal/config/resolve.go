package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// Efforts are the words that the pinned codex knows, from the least; a model may know fewer.
func Efforts() []string {
	return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"}
}

// DefaultPath is the config's path unless the input says otherwise.
const DefaultPath = ".workflow/config.json"

// Resolve merges the inputs over the config over the defaults. The notices tell which settings were
// taken although they are unusual or have no effect. Settings of the config that contradict each
// other are errors, joined: to guess which one was meant could move what should stay. in and f must
// have been parsed without error.
func Resolve(in Inputs, f File) (Config, []workflow.Finding, error) {
	if err := contradictions(in.ConfigPath, f); err != nil {
		return Config{}, nil, err
	}
	c := Config{Inputs: in}
	fromFile(&c, f)
	a := f.AutoReview
	c.Model = cmp.Or(in.Model, string(a.ReviewModel))
	c.Effort = cmp.Or(in.Effort, string(a.ReasoningEffort), "high")
	c.autoMove = autoMoves(in, a)
	c.RequireTestResults = or(a.RequireTestResults, or(f.RequireTestResults, false))
	return c, notices(c), nil
}

// fromFile takes over what only the file says, and the defaults of what it does not say.
func fromFile(c *Config, f File) {
	a := f.AutoReview
	c.Enabled = or(a.Enabled, true)
	c.SaveReviews = or(a.SaveReviews, true)
	c.SaveRequests = or(a.SaveRequests, false)
	c.CommitErrors = or(a.CommitErrors, false)
	c.RetryDelay = time.Duration(or(a.RetryDelay, 5) * float64(time.Second))
	c.Globs = globsOf[workflow.Type](f.Paths)
	c.Features = globsOf[string](f.Features)
	c.Ignore = f.Ignore
	c.Layouts, c.Roots = layoutsOf(f.Layouts), f.Roots
	c.Context = UsualContext()
	if f.Context != nil {
		c.Context = f.Context
	}
	c.Prompts = f.Prompts
	c.Thresholds = Coverage{Line: or(f.Thresholds.Line, 80), Branch: or(f.Thresholds.Branch, 70)}
	c.Integrity = IntegrityPolicy{
		Policy:            cmp.Or(f.Integrity.Policy, "semantic"),
		Baseline:          cmp.Or(f.Integrity.Baseline, "base"),
		RecordUnnamed:     or(f.Integrity.RecordUnnamed, false),
		OnMissingBaseline: cmp.Or(f.Integrity.OnMissingBaseline, "fail"),
		Protect:           f.Integrity.Protect,
		Workarounds:       cmp.Or(f.Integrity.Workarounds, "block"),
		RequireEvidence:   or(f.Integrity.RequireEvidence, false),
	}
	c.MaxIterations = or(f.Iterations.Max, 3)
	c.Prices = workflow.Prices{
		Input: or(f.Prices.Input, 0), Cached: or(f.Prices.Cached, or(f.Prices.Input, 0)),
		Output: or(f.Prices.Output, 0),
	}
	c.Commands = workflow.Commands(f.Commands.Prefix)
	c.OverrideByAuthor, c.OverrideDays = or(f.Override.Author, false), or(f.Override.ExpiresDays, 0)
	c.reviewers, c.ApprovalsByRules = f.Reviewers, or(f.Approvals.ByRules, false)
	c.FindingsBlock, c.CommitPrefix = cmp.Or(f.Findings.Block, "none"), string(f.Commits.Prefix)
	c.OnError = cmp.Or(f.OnError, "fail")
}

// UsualContext are the documents that projects keep for whoever works on them: the context where
// the config has none.
func UsualContext() []string {
	return []string{
		"CLAUDE.md", "AGENTS.md", "GUIDELINES.md", "SYSTEM_MAP.md", "REVIEW.md", "GEMINI.md",
		".github/copilot-instructions.md",
	}
}

// layoutsOf are the layouts that a file names, complete.
func layoutsOf(in []Layout) []layout.Layout {
	var out []layout.Layout
	for _, l := range in {
		switch named, ok := layout.Named(l.Name); {
		case l.Own != nil:
			out = append(out, l.Own.Complete())
		case ok:
			out = append(out, named)
		default:
			out = append(out, layout.Layout{Name: layout.Auto})
		}
	}
	return out
}

// autoMoves decides for every type: the input, else the config's entry for the
// type in either spelling, else the config's value for all, else false.
func autoMoves(in Inputs, a AutoReview) map[workflow.Type]bool {
	out := map[workflow.Type]bool{}
	for _, t := range workflow.Types() {
		out[t] = autoMove(in, a, t)
	}
	return out
}

// autoMove decides for one type, in the order that autoMoves describes.
func autoMove(in Inputs, a AutoReview, t workflow.Type) bool {
	if in.MoveAll != nil {
		return *in.MoveAll
	}
	if b, ok := a.AutoMoveOverrides[t]; ok {
		return b
	}
	if on := a.AutoMoveOnApproval; on != nil {
		if b, ok := on.Types[t]; ok {
			return b
		}
		if on.All != nil {
			return *on.All
		}
	}
	return or(a.DefaultAutoMove, false)
}

// contradictions finds settings that the two accepted spellings set differently.
func contradictions(name string, f File) error {
	var errs []error
	disagree := func(path string, one *bool, other string, two *bool) {
		if one != nil && two != nil && *one != *two {
			errs = append(
				errs,
				fmt.Errorf(
					"%s: %s is %t but %s is %t; keep one of them",
					name, path, *one, other, *two,
				),
			)
		}
	}
	a := f.AutoReview
	disagree(
		"require_test_results", f.RequireTestResults, "auto_review.require_test_results",
		a.RequireTestResults,
	)
	if a.AutoMoveOnApproval == nil {
		return errors.Join(errs...)
	}
	disagree(
		"auto_review.auto_move_on_approval", a.AutoMoveOnApproval.All,
		"auto_review.default_auto_move", a.DefaultAutoMove,
	)
	for _, t := range workflow.Types() {
		one, ok1 := a.AutoMoveOnApproval.Types[t]
		two, ok2 := a.AutoMoveOverrides[t]
		if ok1 && ok2 {
			disagree(
				"auto_review.auto_move_on_approval."+t.Plural(), &one,
				"auto_review.auto_move_overrides."+string(t), &two,
			)
		}
	}
	return errors.Join(errs...)
}

// notices tells of settings that are taken although they are unusual, or that have no effect.
func notices(c Config) []workflow.Finding {
	var out []workflow.Finding
	warn := func(format string, args ...any) {
		out = append(
			out,
			workflow.Finding{Level: workflow.Warn, Text: fmt.Sprintf(format, args...)},
		)
	}
	if !slices.Contains(Efforts(), c.Effort) {
		warn(
			"effort %q is passed on to codex as it is; the known ones are %s", c.Effort,
			strings.Join(Efforts(), ", "),
		)
	}
	if !c.Endpoint.complete() {
		warn(
			"responses-api-endpoint %q does not end in /responses; it must be the full URL that "+
				"reviews are posted to",
			c.Endpoint,
		)
	}
	for _, unused := range []struct {
		name string
		is   bool
	}{
		{"results", c.Results != "" && c.Mode != Report},
		{"shard", c.Shard != 0 && c.Mode != Review},
	} {
		if unused.is {
			warn("input %q has no effect in mode %q", unused.name, c.Mode)
		}
	}
	return out
}

// or dereferences p, and returns otherwise for nil.
func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// globsOf is the same map without the types of its keys and patterns. A nil map stays nil.
func globsOf[L, K ~string](in map[K]Globs) map[L][]string {
	if in == nil {
		return nil
	}
	out := map[L][]string{}
	for k, v := range in {
		out[L(k)] = v
	}
	return out
}
