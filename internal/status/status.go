// Package status says of each feature of a project how far it is, from the files of one tree:
// specs, reviews and records of approved tests.
package status

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// Schema names the format of the JSON.
const Schema = "workflow-reviewer/status@1"

// Status is where a project's features stand.
type Status struct {
	Schema   string          `json:"schema"             jsonschema:"enum=workflow-reviewer/status@1"`
	Commit   string          `json:"commit"`   // that is checked out; uncommitted work counts
	Features []Feature       `json:"features"` // sorted by name
	Tokens   workflow.Tokens `json:"tokens"`   // of all reviews on record
	CostUSD  *float64        `json:"cost_usd,omitempty"`
}

// Feature is one feature.
type Feature struct {
	Name    string          `json:"feature"`
	State   workflow.State  `json:"state,omitempty"` // of its spec
	Spec    string          `json:"spec,omitempty"`  // path
	Tests   *Tests          `json:"approved_tests,omitempty"`
	Reviews []Review        `json:"reviews"` // the newest of each type, the newest first
	Open    int             `json:"open"`    // findings of these that nobody dismissed
	Rounds  int             `json:"rounds"`  // reviews on record
	Tokens  workflow.Tokens `json:"tokens"`
	CostUSD *float64        `json:"cost_usd,omitempty"`
}

// Tests are a feature's approved tests.
type Tests struct {
	Record string `json:"record"`
	Review string `json:"review,omitempty"`
	Files  int    `json:"files"`           // test files, without what they load
	Count  int    `json:"count,omitempty"` // of tests, where the record says
}

// Review is one review on record.
type Review struct {
	Type       workflow.Type   `json:"type"`
	Decision   string          `json:"decision"` // OVERRIDDEN where a person answers for it
	Time       time.Time       `json:"time"`
	ReviewedBy workflow.Reader `json:"reviewed_by" jsonschema:"enum=rules,enum=model,enum=person"`
	By         string          `json:"by"` // the engine with its model, or the person
	Iteration  int             `json:"iteration"`
	Open       int             `json:"open"`
	Path       string          `json:"path"`
}

// Input is what a status is made of.
type Input struct {
	Commit    string
	Specs     []detect.SpecState
	Records   []record.Record            // oldest first
	Approvals map[string]approval.Record // by their paths
	Prices    workflow.Prices
}

// Build makes a status. Of each type the newest review stands for it; all rounds count for tokens
// and cost.
func Build(in Input) Status {
	s := Status{Schema: Schema, Commit: in.Commit, Features: []Feature{}}
	for _, spec := range in.Specs {
		f := s.feature(spec.Feature)
		f.State, f.Spec = spec.State, spec.Path
	}
	for path, a := range in.Approvals {
		t := &Tests{Record: path, Review: a.Review}
		for _, f := range a.Files {
			if f.Role == approval.Test {
				t.Files++
			}
		}
		if a.Tests != nil {
			t.Count = a.Tests.Count
		}
		s.feature(a.Feature).Tests = t
	}
	for _, r := range slices.Backward(in.Records) {
		if r.Feature == "" || r.Type == "" {
			continue
		}
		s.feature(r.Feature).add(r)
	}
	for i := range s.Features {
		s.Tokens = s.Tokens.Add(s.Features[i].Tokens)
		s.Features[i].CostUSD = cost(in.Prices, s.Features[i].Tokens)
	}
	s.CostUSD = cost(in.Prices, s.Tokens)
	slices.SortFunc(s.Features, func(a, b Feature) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// feature is the feature of a name, which it makes where there is none.
func (s *Status) feature(name string) *Feature {
	i := slices.IndexFunc(
		s.Features,
		func(f Feature) bool { return detect.SameFeature(f.Name, name) },
	)
	if i < 0 {
		i = len(s.Features)
		s.Features = append(s.Features, Feature{Name: name, Reviews: []Review{}})
	}
	return &s.Features[i]
}

// add takes in a review that is older than those before.
func (f *Feature) add(r record.Record) {
	f.Rounds++
	if r.Result != nil && r.Result.Amends == "" { // else the review that it amends has them
		f.Tokens = f.Tokens.Add(r.Result.Tokens)
	}
	if slices.ContainsFunc(f.Reviews, func(known Review) bool { return known.Type == r.Type }) {
		return
	}
	review := Review{
		Type: r.Type, Decision: r.Decision.String(), Time: r.Time, Iteration: r.Iteration,
		Path: r.Path, ReviewedBy: workflow.ByRules, By: "unknown",
	}
	if r.Result != nil {
		review.Decision, review.ReviewedBy = record.Outcome(*r.Result), r.Result.ReviewedBy()
		review.By = strings.TrimSpace(cmp.Or(r.Result.Engine, "unknown") + " " + r.Result.Model)
		if r.Result.Override != nil {
			review.By = r.Result.Override.By
		} else {
			review.Open = len(r.Result.Issues)
		}
	}
	f.Reviews = append(f.Reviews, review)
	f.Open += review.Open
}

// cost is the price of tokens in US dollars, nil without prices.
func cost(p workflow.Prices, t workflow.Tokens) *float64 {
	if usd, known := p.Of(t); known {
		return &usd
	}
	return nil
}

// JSON is the status for programs.
func (s Status) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(s, "", "  ")
	return append(data, '\n'), err
}
