package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"workflow-reviewer/internal/workflow"
)

// JSONSchema names the format of report.json. Fields are only ever added to it.
const JSONSchema = "workflow-reviewer/report@1"

// document1 is report.json; schema/report.schema.json describes it.
type document1 struct {
	Schema     string            `json:"schema"`
	Version    string            `json:"version"`
	Decision   workflow.Decision `json:"decision"`
	ExitCode   int               `json:"exit_code"`
	Title      string            `json:"title"`
	Summary    string            `json:"summary"`
	Repository string            `json:"repository"`
	Event      string            `json:"event"`
	Number     int               `json:"pull_request"` // 0 without one
	Head       string            `json:"head"`
	MergeBase  string            `json:"merge_base"`
	NewHead    string            `json:"new_head"` // "" if nothing was committed
	Commits    []Commit          `json:"commits"`
	Reviews    []review1         `json:"reviews"`
	figures
	Violations workflow.Violations `json:"violations"`
	// tests that nobody is known to have approved; they warn
	Weakened workflow.Violations `json:"weakened"`
	// of the run, which no review shows; they block
	Issues []workflow.Finding `json:"issues"`
	// of running the approved tests, null without evidence
	Proof      *workflow.Proof   `json:"proof" jsonschema:"nullable"`
	Notices    workflow.Notices  `json:"notices"`
	Failure    *workflow.Failure `json:"failure" jsonschema:"nullable"` // of the whole run
	Cancelled  bool              `json:"cancelled"`
	Tokens     workflow.Tokens   `json:"tokens"` // spent in this run
	DurationMS int64             `json:"duration_ms"`
}

// review1 is a review in report.json. Its fields are published: they are only added to, and lists
// are never null.
type review1 struct {
	Output
	Files    []workflow.File      `json:"files"`
	Why      []string             `json:"why"`
	Summary  string               `json:"summary"`
	Warnings []string             `json:"warnings"`
	Criteria []workflow.Criterion `json:"criteria"`
	// of the built-in checks; those of test integrity stand there
	Questions workflow.Questions  `json:"questions"`
	Previous  []workflow.Previous `json:"previous"`
	Checks    []workflow.Check    `json:"checks"`
	figures
	Violations workflow.Violations `json:"violations"`
	// null where approved tests do not matter
	Integrity *workflow.Integrity `json:"integrity" jsonschema:"nullable"`
	// of a spec in several documents, null for any other
	Bundle     *workflow.Bundle  `json:"bundle" jsonschema:"nullable"`
	Omitted    []string          `json:"omitted"`
	Failure    *workflow.Failure `json:"failure" jsonschema:"nullable"`
	Engine     string            `json:"engine"`
	Model      string            `json:"model"`
	Effort     string            `json:"effort"`
	Context    string            `json:"context_digest"`
	Iteration  int               `json:"iteration"`
	Iterations int               `json:"max_iterations"`
	// why no reviewer was asked, "" if one was
	Unasked workflow.Unasked `json:"unasked"`
	// of a person, null without one
	Override *workflow.Override `json:"override" jsonschema:"nullable"`
	// findings that people set aside
	Dismissed  []workflow.Dismissal `json:"dismissed"`
	DurationMS int64                `json:"duration_ms"`
	Date       time.Time            `json:"date"`
}

// JSON is report.json, indented, with a newline at its end. Lists are never null.
func (r Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	err := r.writeJSON(&b)
	return b.Bytes(), err
}

// writeJSON writes report.json, one review after the other: of many they are never all there as
// text.
func (r Report) writeJSON(w io.Writer) error {
	d := document1{
		Schema: JSONSchema, Version: r.Version, Decision: r.Decision,
		ExitCode: r.Decision.ExitCode(),
		Title:    r.Title(), Summary: r.Summary(),
		Event: r.Event.Name, Number: r.Event.Number, Head: r.Head, MergeBase: r.MergeBase,
		NewHead: r.NewHead,
		Commits: nonNil(r.Commits), Reviews: []review1{}, Violations: nonNil(r.AllViolations()),
		Weakened: nonNil(r.Weakened),
		Issues:   nonNil(r.Issues), Proof: r.Proof, Notices: nonNil(r.Notices),
		figures: figuresOf(r.Results...), Failure: r.Failure, Cancelled: r.Cancelled,
		Tokens:     r.Tokens,
		DurationMS: r.Duration.Milliseconds(),
	}
	if r.Event.Owner != "" {
		d.Repository = r.Event.Owner + "/" + r.Event.Repo
	}
	err := writeListed(w, func() any { return d }, "\n  \"reviews\": ", func(put func(any)) {
		for _, res := range r.Results {
			put(jsonReview(res))
		}
	})
	if err = errors.Join(err, errorOf(io.WriteString(w, "\n"))); err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	return nil
}

// writeListed writes a document with a list in it, one entry after the other: of many they are
// never all there as text. key is how the list's line begins. In the document, which is asked for
// before the entries and after, the list is empty.
func writeListed(
	w io.Writer, document func() any, key string, entries func(put func(any)),
) error {
	begun := false
	var err error
	write := func(parts ...string) {
		for _, part := range parts {
			err = errors.Join(err, errorOf(io.WriteString(w, part)))
		}
	}
	// No text in it holds a line's end, so that the key is the document's own.
	cut := func() (before, after string) {
		out, failed := json.MarshalIndent(document(), "", "  ")
		err = errors.Join(err, failed)
		before, after, _ = strings.Cut(string(out), key+"[]")
		return before, after
	}
	before, _ := cut()
	write(before, key, "[")
	line, _, _ := strings.Cut(key, `"`)
	entries(func(entry any) {
		if begun {
			write(",")
		}
		begun = true
		one, failed := json.MarshalIndent(entry, line[1:]+"  ", "  ")
		err = errors.Join(err, failed)
		write(line, "  ", string(one))
	})
	if begun {
		write(line)
	}
	_, after := cut()
	write("]", after)
	return err
}

// jsonReview is a review as report.json has it. Lists are never null.
func jsonReview(res workflow.Result) review1 {
	return review1{
		Output: output(res), Files: nonNil(res.Artifact.Files), Why: nonNil(res.Artifact.Why),
		Summary:  res.Summary,
		Warnings: nonNil(res.Warnings), Criteria: nonNil(res.Criteria),
		Questions:  nonNil(res.Questions),
		Previous:   nonNil(res.Previous),
		Checks:     nonNil(res.Checks),
		figures:    figuresOf(res),
		Violations: nonNil(res.Violations), Integrity: res.Integrity, Bundle: res.Bundle,
		Omitted: nonNil(res.Omitted), Failure: res.Failure,
		Engine: res.Engine, Model: res.Model, Effort: res.Effort, Context: res.ContextDigest,
		Iteration:  res.Iteration,
		Iterations: res.MaxIterations, Unasked: res.Unasked, Override: res.Override,
		Dismissed:  nonNil(res.Dismissed),
		DurationMS: res.Duration.Milliseconds(), Date: res.Date.UTC(),
	}
}

// nonNil is the list, never nil.
func nonNil[S ~[]T, T any](in S) S {
	if in == nil {
		return S{}
	}
	return in
}
