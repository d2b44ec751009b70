// Package config turns the action's inputs and the repository's .workflow/config.json into one
// validated Config. It reads neither the environment nor files itself: both are handed in, once,
// and every problem in them is reported together with the others.
package config

import (
	"cmp"
	"fmt"
	"time"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// Config is everything a run is told, valid and complete. Of its inputs Model and Effort are
// merged with the file's.
type Config struct {
	Inputs

	Enabled            bool // false: nothing is reviewed
	SaveReviews        bool
	SaveRequests       bool
	CommitErrors       bool
	RequireTestResults bool
	RetryDelay         time.Duration
	Globs              map[workflow.Type][]string // types whose built-in patterns are replaced
	Features           map[string][]string        // globs by feature
	Ignore             []string
	Layouts            []layout.Layout // complete; none means auto
	Roots              []string
	Context            []string // project documents for every prompt, as paths, folders or globs
	Prompts            map[workflow.Type]Prompt
	Thresholds         Coverage
	Integrity          IntegrityPolicy
	MaxIterations      int
	Prices             workflow.Prices
	Commands           workflow.Commands
	OverrideByAuthor   bool   // the author of a pull request may override and dismiss
	OverrideDays       int    // after which an override no longer counts, 0 means never
	ApprovalsByRules   bool   // tests that only the built-in checks read are recorded as approved
	FindingsBlock      string // from which other tools' results block: error, warning or none
	CommitPrefix       string // before every subject
	OnError            string // always "fail": a review that did not run is never green

	autoMove  map[workflow.Type]bool
	reviewers map[ReviewedType]workflow.Reader
}

// Reader returns the least reader of a type whose approval counts.
func (c Config) Reader(t workflow.Type) workflow.Reader {
	return cmp.Or(
		c.reviewers[ReviewedType(t)], c.reviewers["*"], workflow.ReaderOf(string(c.Engine)),
	)
}

// Coverage holds thresholds in percent; a figure below its threshold fails.
type Coverage struct {
	Line, Branch float64
}

// IntegrityPolicy says what the test-integrity check enforces.
type IntegrityPolicy struct {
	Policy            string   // semantic or strict
	Baseline          string   // base, enforce or none
	RecordUnnamed     bool     // records approvals under a branch's name
	OnMissingBaseline string   // fail or warn
	Protect           []string // globs of further protected files
	Workarounds       string   // block, warn or off
	RequireEvidence   bool     // code needs evidence that its approved tests pass
}

// AutoMove reports whether an approved artifact of the type is moved.
func (c Config) AutoMove(t workflow.Type) bool { return c.autoMove[t] }

// Policy is a text that differs when a setting differs that the same artifact
// may get another verdict by; it is part of what a recorded review is known by.
func (c Config) Policy() string {
	return fmt.Sprintf(
		"line_coverage=%v branch_coverage=%v require_test_results=%t iterations=%d integrity=%+v",
		c.Thresholds.Line, c.Thresholds.Branch, c.RequireTestResults, c.MaxIterations, c.Integrity,
	)
}
