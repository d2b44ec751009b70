// Package recordtest holds finished reviews for tests: one of each kind that a
// user meets, and one that tries to do harm.
package recordtest

import (
	_ "embed"
	"encoding/json"

	"workflow-reviewer/internal/workflow"
)

// Commits of the samples.
const (
	Head = "4f1c2d3e5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d"
	Base = "9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b"
)

//go:embed results.json
var results []byte

// All are the samples by name, anew with each call.
func All() map[string]workflow.Result {
	var all map[string]workflow.Result
	if err := json.Unmarshal(results, &all); err != nil {
		panic("results.json: " + err.Error())
	}
	return all
}

// Approved is a spec that may move on, with one small remark.
func Approved() workflow.Result { return All()["approved"] }

// NeedsChanges is an implementation with findings of every severity.
func NeedsChanges() workflow.Result { return All()["needs-changes"] }

// Overridden is NeedsChanges, for which a person answers, with a finding that another set aside.
func Overridden() workflow.Result { return All()["overridden"] }

// Violated is an implementation whose author changed approved tests.
func Violated() workflow.Result { return All()["violated"] }

// Failed is a review that did not run to its end.
func Failed() workflow.Result { return All()["failed"] }

// Unclear is a review whose answer could not be read.
func Unclear() workflow.Result { return All()["unclear"] }

// Rules is a verdict of the built-in checks alone.
func Rules() workflow.Result { return All()["rules"] }

// Hostile holds in every text what a prompt injection would try.
func Hostile() workflow.Result { return All()["hostile"] }
