package report

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// SARIF is the report for code scanning and editors: issues, violations, and
// reviews that did not approve, as the Static Analysis Results Interchange
// Format 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/).
func (r Report) SARIF() ([]byte, error) {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "workflow-reviewer", Version: r.Version, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{Successful: r.Decision != workflow.Error}},
		Results:     []sarifResult{},
		Properties:  sarifRunProperties{Decision: r.Decision, figures: figuresOf(r.Results...)},
	}
	if r.Failure != nil {
		run.Invocations[0].Notifications = []sarifNotification{{"error", sarifText{r.Failure.Message + "\n\n" + r.Failure.Action}}}
	}
	for _, v := range r.AllViolations() {
		run.violation(v, "error")
	}
	for _, v := range r.Weakened {
		run.violation(v, "warning")
	}
	for _, res := range r.Results {
		of := sarifProperties{Type: res.Artifact.Type, Feature: res.Artifact.Feature}
		for _, is := range res.Issues {
			of.Category, of.Severity = is.Category, is.Severity
			run.add(issueRule(res, is), level(is.Severity), issueText(is),
				location(orPath(is.File, res), region(is.Line, is.EndLine)), is.ID, of)
		}
		if len(res.Issues) == 0 && len(res.Violations) == 0 && res.Decision < workflow.Approved {
			id := workflow.Fingerprint(string(res.Artifact.Type), res.Artifact.Feature, res.Decision.String())
			of.Category, of.Severity = "", ""
			run.add("review/"+string(res.Artifact.Type), "error", res.Decision.String()+": "+reason(res),
				location(orPath("", res), nil), id, of)
		}
	}
	return json.MarshalIndent(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	}, "", "  ")
}

func (r *sarifRun) violation(v workflow.Violation, level string) {
	id := workflow.Fingerprint(v.Type, v.Kind, v.File, v.Feature, v.Description, v.Evidence)
	of := sarifProperties{Feature: v.Feature, Category: workflow.Compliance}
	r.add("integrity/"+v.Kind, level, v.Description+"\n\n"+v.Evidence, location(v.File, violationRegion(v)), id, of)
}

// violationRegion is the line of a violation that the head has.
func violationRegion(v workflow.Violation) *sarifRegion {
	if v.Side == "before" {
		return nil
	}
	return region(v.Line, 0)
}

func issueRule(res workflow.Result, is workflow.Issue) string {
	if is.Rule != "" {
		return is.Rule
	}
	return "review/" + string(res.Artifact.Type)
}

func issueText(is workflow.Issue) string {
	return strings.Join(slices.DeleteFunc([]string{is.Title, is.Description, is.Recommendation}, func(s string) bool { return s == "" }),
		"\n\n")
}

// reason is why a review without issues did not approve.
func reason(res workflow.Result) string {
	if res.Failure != nil {
		return res.Failure.Message
	}
	return res.Summary
}

func orPath(file string, res workflow.Result) string {
	if fs.ValidPath(file) && file != "." {
		return file
	}
	if p := res.Artifact.Path(); p != "" {
		return p
	}
	return record.Path(res)
}

func level(s workflow.Severity) string {
	return [...]string{"error", "warning", "note"}[rank(s)]
}

func region(line, end int) *sarifRegion {
	if line <= 0 {
		return nil
	}
	return &sarifRegion{Start: line, End: max(line, end)}
}

func location(file string, at *sarifRegion) sarifLocation {
	return sarifLocation{sarifPhysical{sarifArtifact{URI: relativeURI(file), Base: "%SRCROOT%"}, at}}
}

// add appends a result, and its rule at the first time. The id stays the same
// while the finding does; code scanning tells alerts apart by the first
// fingerprint, which has a count behind the colon.
func (r *sarifRun) add(rule, level, text string, place sarifLocation, id string, of sarifProperties) {
	if !slices.ContainsFunc(r.Tool.Driver.Rules, func(s sarifRule) bool { return s.ID == rule }) {
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, sarifRule{ID: rule})
	}
	r.Results = append(r.Results, sarifResult{
		Rule: rule, Level: level, Message: sarifText{strings.TrimSpace(text)}, Locations: []sarifLocation{place},
		Fingerprints: map[string]string{"primaryLocationLineHash": id + ":1", "workflowReviewerFinding/v1": id}, Properties: of,
	})
}

// relativeURI is a path as a relative reference: a colon in its first segment
// would make that a scheme.
func relativeURI(file string) string {
	first, rest, nested := strings.Cut((&url.URL{Path: file}).EscapedPath(), "/")
	first = strings.ReplaceAll(first, ":", "%3A")
	if !nested {
		return first
	}
	return first + "/" + rest
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool          `json:"tool"`
	Invocations []sarifInvocation  `json:"invocations"`
	Results     []sarifResult      `json:"results"`
	Properties  sarifRunProperties `json:"properties"`
}

// sarifRunProperties are what of the run has no place in the standard.
type sarifRunProperties struct {
	Decision workflow.Decision `json:"decision"`
	figures
}

// sarifProperties are the same of a result.
type sarifProperties struct {
	Type     workflow.Type     `json:"type,omitempty"` // of the artifact
	Feature  string            `json:"feature,omitempty"`
	Category workflow.Category `json:"category,omitempty"`
	Severity workflow.Severity `json:"severity,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	Rule         string            `json:"ruleId"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   sarifProperties   `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	Start int `json:"startLine"`
	End   int `json:"endLine"`
}
