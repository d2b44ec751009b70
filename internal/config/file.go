package config

import (
	"fmt"
	"reflect"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/workflow"
)

// File is .workflow/config.json as it is written. A nil field was not given. The json tags are its
// keys; minimum, maximum and enum of the jsonschema tags are enforced by ParseFile and published in
// schema/config.schema.json, whose descriptions are these comments.
type File struct {
	// Location of this schema, for editors; not read.
	Schema string `json:"$schema,omitempty"`
	// When and how reviews run and what follows from an approval.
	AutoReview AutoReview `json:"auto_review,omitzero"`
	// Glob patterns per artifact type, instead of the built-in ones of that type.
	Paths map[workflow.Type]Globs `json:"paths,omitempty"`
	// Folders or glob patterns of the files that belong to a feature, by feature name.
	Features map[Feature]Globs `json:"features,omitempty"`
	// Folders or glob patterns of files that are never artifacts.
	Ignore Globs `json:"ignore,omitempty"`
	// Layouts of documents in use: auto (the default), names of built-in ones, or own ones.
	Layouts []Layout `json:"layouts,omitempty"`
	// Glob patterns of folders that are projects of their own: their documents, features, reviews
	// and approvals are beside them.
	Roots Roots `json:"roots,omitempty"`
	// Project documents that every reviewer is shown, as paths, folders or glob patterns, instead
	// of CLAUDE.md, AGENTS.md, GUIDELINES.md, SYSTEM_MAP.md, REVIEW.md, GEMINI.md and
	// .github/copilot-instructions.md.
	Context Globs `json:"context,omitempty"`
	// Role prompt and criteria per artifact type, instead of the built-in ones.
	Prompts map[workflow.Type]Prompt `json:"prompts,omitempty"`
	// Coverage that a tests review asks for when a coverage report is given.
	Thresholds Thresholds `json:"thresholds,omitzero"`
	// What the test-integrity check enforces.
	Integrity Integrity `json:"integrity,omitzero"`
	// Who must have read an artifact of a type for its approval to count: rules, model or person;
	// "*" is for all other types. Default: a model with engine codex, rules with engine rules.
	Reviewers map[ReviewedType]workflow.Reader `json:"reviewers,omitempty"`
	// What an approval of tests records.
	Approvals Approvals `json:"approvals,omitzero"`
	// What results of other tools, which the input findings names, mean on changed lines.
	Findings Findings `json:"findings,omitzero"`
	// The commits that are written back.
	Commits Commits `json:"commits,omitzero"`
	// How often one artifact may be reviewed.
	Iterations Iterations `json:"iterations,omitzero"`
	// US dollars for a million tokens of the model, to show what a run cost.
	Prices Prices `json:"prices,omitzero"`
	// What the commands of comments begin with.
	Commands Commands `json:"commands,omitzero"`
	// How a person may overrule a review by a comment.
	Override Override `json:"override,omitzero"`
	// What a review that did not run means; fail is the only choice, as such a review is never
	// green.
	OnError string `json:"on_error,omitempty"             jsonschema:"enum=fail"`
	// Deprecated: the same as auto_review.require_test_results.
	RequireTestResults *bool `json:"require_test_results,omitempty"`
}

// AutoReview is the section auto_review.
type AutoReview struct {
	// Whether pull requests are reviewed at all; default true.
	Enabled *bool `json:"enabled,omitempty"`
	// Whether approved artifacts move to their next folder; default false.
	DefaultAutoMove *bool `json:"default_auto_move,omitempty"`
	// Exceptions from default_auto_move, by artifact type.
	AutoMoveOverrides map[workflow.Type]bool `json:"auto_move_overrides,omitempty"`
	// Deprecated: the earlier form of the other two, one value for all types, or one by artifact
	// type.
	AutoMoveOnApproval *AutoMove `json:"auto_move_on_approval,omitempty"`
	// Model that reviews; default is codex's own default model.
	ReviewModel Word `json:"review_model,omitempty"`
	// Reasoning effort: none, minimal, low, medium, high (the default), xhigh, max or ultra; other
	// words are passed on to codex.
	ReasoningEffort Word `json:"reasoning_effort,omitempty"`
	// Whether review files are committed; default true.
	SaveReviews *bool `json:"save_reviews,omitempty"`
	// Whether the prompts are committed too, under review-requests/; default false.
	SaveRequests *bool `json:"save_requests,omitempty"`
	// Whether ERROR reviews are committed too; default false.
	CommitErrors *bool `json:"commit_errors,omitempty"`
	// Whether an implementation without test results needs changes; default false.
	RequireTestResults *bool `json:"require_test_results,omitempty"`
	// Seconds before the one retry after a transport failure; default 5.
	RetryDelay *float64 `json:"retry_delay_s,omitempty"         jsonschema:"minimum=0,maximum=300"`
}

// AutoMove is the value of auto_move_on_approval: a boolean for all types, or
// an object by type. Exactly one of the two is set.
type AutoMove struct {
	All   *bool
	Types map[workflow.Type]bool
}

// Layout is an entry of layouts: a name, or an object. Exactly one of the two is set.
type Layout struct {
	Name string
	Own  *layout.Layout
}

// Prompt names documents of the base commit that replace built-in ones.
type Prompt struct {
	// Document with the reviewer's role and instructions.
	Role RepoPath `json:"role,omitempty"`
	// Document with the criteria that the artifact is held to.
	Schema RepoPath `json:"schema,omitempty"`
	// Document with the form of what is specific to one review, with {{artifact}}, {{spec}},
	// {{diff}}, {{requirements}}, {{earlier_findings}}, {{context}}, {{title}} and {{description}}
	// in it.
	Template RepoPath `json:"template,omitempty"`
}

// Thresholds is the section thresholds, in percent.
type Thresholds struct {
	// Lowest line coverage in percent; default 80.
	Line *float64 `json:"line_coverage,omitempty"   jsonschema:"minimum=0,maximum=100"`
	// Lowest branch coverage in percent; default 70.
	Branch *float64 `json:"branch_coverage,omitempty" jsonschema:"minimum=0,maximum=100"`
}

// Integrity is the section integrity.
type Integrity struct {
	// semantic (the default) lets changes pass that provably do not weaken a test; strict none.
	Policy string `json:"policy,omitempty"              jsonschema:"enum=semantic,enum=strict"`
	// What counts where a feature has no approved tests: base (the default: what demands less than
	// in the merge base is a warning), enforce (it blocks) or none.
	Baseline string `json:"baseline,omitempty"            jsonschema:"enum=base,enum=enforce,enum=none"`
	// Whether tests approved under a branch's name, as no spec was found, are recorded as that
	// feature's approved tests; default false.
	RecordUnnamed *bool `json:"record_unnamed,omitempty"`
	// What approved tests that cannot be found mean for a feature with a spec in progress: fail
	// (the default) or warn.
	OnMissingBaseline string `json:"on_missing_baseline,omitempty" jsonschema:"enum=fail,enum=warn"`
	// Further files to protect, as folders or glob patterns.
	Protect Globs `json:"protect,omitempty"`
	// What code that only looks as if it passed the tests means: block (the default, once tests are
	// approved), warn or off.
	Workarounds string `json:"workarounds,omitempty"         jsonschema:"enum=block,enum=warn,enum=off"`
	// Whether code without evidence that its approved tests pass, as prove writes it, needs
	// changes; default false.
	RequireEvidence *bool `json:"require_evidence,omitempty"`
}

// Approvals is the section approvals.
type Approvals struct {
	// Whether tests that no model or person read are recorded as approved; default false.
	ByRules *bool `json:"by_rules,omitempty"`
}

// Findings is the section findings.
type Findings struct {
	// Level from which on a result blocks until a person dismisses it: error, warning, or none (the
	// default), where all are advice.
	Block string `json:"block,omitempty" jsonschema:"enum=error,enum=warning,enum=none"`
}

// Commits is the section commits.
type Commits struct {
	// Text before every subject, for repositories with rules for commit messages, such as "chore:".
	Prefix SubjectPrefix `json:"prefix,omitempty" jsonschema:"maxLength=50"`
}

// ReviewedType is an artifact type, or "*" for all that are not named.
type ReviewedType string

// Iterations is the section iterations.
type Iterations struct {
	// Reviews of one artifact without an approval after which no model is asked and a person must
	// decide; default 3.
	Max *int `json:"max,omitempty" jsonschema:"minimum=1,maximum=100"`
}

// Prices is the section prices.
type Prices struct {
	// For input tokens that were not cached.
	Input *float64 `json:"input,omitempty"  jsonschema:"minimum=0,maximum=100000"`
	// For input tokens that were cached; default is the price of input.
	Cached *float64 `json:"cached,omitempty" jsonschema:"minimum=0,maximum=100000"`
	// For output tokens.
	Output *float64 `json:"output,omitempty" jsonschema:"minimum=0,maximum=100000"`
}

// Commands is the section commands.
type Commands struct {
	// Word that comments put before each command, such as /wr for "/wr review"; default is none, as
	// in "/review".
	Prefix CommandWord `json:"prefix,omitempty" jsonschema:"pattern=^/[A-Za-z][A-Za-z0-9_-]*$,maxLength=32"`
}

// Override is the section override.
type Override struct {
	// Whether the author of a pull request may override or dismiss on it; default false.
	Author *bool `json:"author,omitempty"`
	// Days after which an override no longer counts; default 0, which is never: it ends when what
	// it covers changes.
	ExpiresDays *int `json:"expires_days,omitempty" jsonschema:"minimum=0,maximum=3650"`
}

// Feature is a feature's name as it appears in file names.
type Feature string

// ParseFile reads a config. Name is used in messages only. All problems come back joined, one line
// each, with line, column and the key's path. The notices tell what is valid but surely not meant.
func ParseFile(name string, data []byte) (File, []workflow.Finding, error) {
	data = bom.UTF8(data)
	root, err := parseJSON(data)
	if err != nil {
		return File{}, nil, fmt.Errorf("%s: %w", name, err)
	}
	var f File
	d := decoder{}
	d.decode(root, reflect.ValueOf(&f).Elem(), "", limits{})
	if err := d.err(name, data); err != nil {
		return File{}, nil, err
	}
	return f, append(fileNotices(name, f), deprecated(name, f)...), nil
}

// deprecated warns of keys that say in another form what an own key says. They are read all the
// same.
func deprecated(name string, f File) (out []workflow.Finding) {
	for _, key := range []struct {
		given    bool
		old, now string
	}{
		{f.RequireTestResults != nil, "require_test_results", "auto_review.require_test_results"},
		{
			f.AutoReview.AutoMoveOnApproval != nil, "auto_review.auto_move_on_approval",
			"auto_review.default_auto_move for all types and auto_review.auto_move_overrides for " +
				"single ones",
		},
	} {
		if key.given {
			out = append(out, workflow.Finding{
				Level: workflow.Warn, File: name,
				Text: fmt.Sprintf("%s is deprecated: write %s", key.old, key.now),
			})
		}
	}
	return out
}

// fileNotices tells of automatic moves of artifacts that have nowhere to go.
func fileNotices(name string, f File) []workflow.Finding {
	var out []workflow.Finding
	on := f.AutoReview.AutoMoveOnApproval
	for _, t := range workflow.Types() {
		switch t {
		case workflow.Spec, workflow.Implementation, workflow.BugFix:
			continue
		}
		if f.AutoReview.AutoMoveOverrides[t] || on != nil && on.Types[t] {
			out = append(out, workflow.Finding{
				File: name,
				Text: fmt.Sprintf(
					"auto-move of %s has no effect: they stay where they are",
					t.Plural(),
				),
			})
		}
	}
	return out
}
