package report

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// SARIF is the report for code scanning and editors: issues, violations, and reviews that did not
// approve, as the Static Analysis Results Interchange Format 2.1.0 (OASIS,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/).
func (r Report) SARIF() ([]byte, error) {
	run := sarifRun{rules: []sarif{}, results: []sarif{}, docs: "https://github.com/" + cmp.Or(r.Source, "OWNER/workflow-reviewer")}
	invocation := sarif{"executionSuccessful": r.Decision != workflow.Error}
	if r.Failure != nil {
		message := sarif{"text": r.Failure.Message + "\n\n" + r.Failure.Action}
		invocation["toolExecutionNotifications"] = []sarif{{"level": "error", "message": message}}
	}
	for _, v := range r.AllViolations() {
		run.violation(v, "error")
	}
	for _, v := range r.Weakened {
		run.violation(v, "warning")
	}
	for _, is := range r.Issues {
		run.issue(is, location(cmp.Or(is.File, "."), region(is.Line, is.EndLine)), sarifProperties{})
	}
	for _, res := range r.Results {
		of := sarifProperties{Type: res.Artifact.Type, Feature: res.Artifact.Feature}
		for _, is := range res.Issues {
			is.Kind = cmp.Or(is.Kind, reviewRule(res.Artifact.Type, is.Category))
			run.issue(is, location(orPath(is.File, res), region(is.Line, is.EndLine)), of)
		}
		if len(res.Issues) == 0 && len(res.Violations) == 0 && res.Decision < workflow.Approved {
			id := workflow.Fingerprint(string(res.Artifact.Type), res.Artifact.Feature, res.Decision.String())
			of.Category, of.Severity = "", ""
			run.add("review/"+string(res.Artifact.Type), "error", res.Decision.String()+": "+reason(res),
				location(orPath("", res), nil), id, of)
		}
	}
	driver := sarif{"name": "workflow-reviewer", "rules": run.rules}
	if r.Version != "" {
		driver["version"] = r.Version
	}
	return json.MarshalIndent(sarif{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []sarif{{
			"tool": sarif{"driver": driver}, "invocations": []sarif{invocation}, "results": run.results,
			"properties": sarifRunProperties{Decision: r.Decision, figures: figuresOf(r.Results...)},
		}},
	}, "", "  ")
}

func (r *sarifRun) issue(is workflow.Finding, place sarif, of sarifProperties) {
	of.Category, of.Severity = is.Category, is.Level
	text := slices.DeleteFunc([]string{is.Title, is.Text, is.Fix}, func(s string) bool { return s == "" })
	r.add(is.Kind, level(is.Level), strings.Join(text, "\n\n"), place, is.Key, of)
}

func (r *sarifRun) violation(v workflow.Finding, level string) {
	of := sarifProperties{Feature: v.Feature, Category: workflow.Compliance}
	r.add("integrity/"+v.Kind, level, v.Text+"\n\n"+v.Evidence, location(v.File, violationRegion(v)), v.Identity(), of)
}

// violationRegion is the line of a violation that the head has.
func violationRegion(v workflow.Finding) sarif {
	if v.Side == "before" {
		return nil
	}
	return region(v.Line, 0)
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

func level(s workflow.Level) string {
	return [...]string{"error", "warning", "note"}[rank(s)]
}

func region(line, end int) sarif {
	if line <= 0 {
		return nil
	}
	return sarif{"startLine": line, "endLine": max(line, end)}
}

func location(file string, at sarif) sarif {
	physical := sarif{"artifactLocation": sarif{"uri": relativeURI(file), "uriBaseId": "%SRCROOT%"}}
	if at != nil {
		physical["region"] = at
	}
	return sarif{"physicalLocation": physical}
}

// add appends a result, and its rule at the first time. The id stays the same while the finding
// does; code scanning tells alerts apart by the first fingerprint, which has a count behind the
// colon.
func (r *sarifRun) add(rule, level, text string, place sarif, id string, of sarifProperties) {
	if !slices.ContainsFunc(r.rules, func(s sarif) bool { return s["id"] == rule }) {
		r.rules = append(r.rules, r.rule(rule, of))
	}
	r.results = append(r.results, sarif{
		"ruleId": rule, "level": level, "message": sarif{"text": strings.TrimSpace(text)}, "locations": []sarif{place},
		"partialFingerprints": sarif{"primaryLocationLineHash": id + ":1", "workflowReviewerFinding/v1": id}, "properties": of,
	})
}

// reviewRule is the rule of a reviewer's finding. Security is apart, as code scanning ranks it by a
// score of the rule.
func reviewRule(t workflow.Type, c workflow.Category) string {
	if c == workflow.Security {
		return "review/" + string(t) + "/security"
	}
	return "review/" + string(t)
}

// rule describes a rule: of the built-in checks as the catalogue does.
func (r *sarifRun) rule(id string, of sarifProperties) sarif {
	short, page := "Finding of a review", "results"
	help := "A reviewer found this. Correct it, or have somebody with write permission set it aside."
	family, kind, _ := strings.Cut(id, "/")
	entries := checks.Catalog()
	k := slices.IndexFunc(entries, func(e check.Entry) bool { return e.ID == id })
	switch {
	case k >= 0:
		short, help, page = cmp.Or(entries[k].Title, id), entries[k].Why+" "+entries[k].Fix, "checks"
	case family == "integrity":
		short, page = "Test integrity: "+strings.ReplaceAll(kind, "_", " "), "integrity"
		help = "Approved tests must not demand less. Put them back, or have the change of them approved."
	case family == "requirements":
		short, help, page = "A requirement is not met", "Do what the spec demands, or have the spec changed and approved.", "requirements"
	case family != "review":
		short, page = "Reported by "+family, "checks"
		help = "Another tool reported this. Correct it, or accept it by the means of that tool."
	}
	out := sarif{
		"id": id, "shortDescription": sarif{"text": short}, "help": sarif{"text": help},
		"helpUri": r.docs + "/blob/v1/docs/" + page + ".md",
	}
	if of.Category == workflow.Security {
		score := map[workflow.Level]string{workflow.Block: "8.0", workflow.Warn: "5.0"}[of.Severity]
		out["properties"] = sarif{"tags": []string{"security"}, "security-severity": cmp.Or(score, "2.0")}
	}
	return out
}

// relativeURI is a path as a relative reference: a colon in its first segment would make that a
// scheme.
func relativeURI(file string) string {
	first, rest, nested := strings.Cut((&url.URL{Path: file}).EscapedPath(), "/")
	first = strings.ReplaceAll(first, ":", "%3A")
	if !nested {
		return first
	}
	return first + "/" + rest
}

// sarif is an object of the format.
type sarif map[string]any

// sarifRun gathers what a run found.
type sarifRun struct {
	rules, results []sarif
	docs           string // address of the action's repository
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
	Severity workflow.Level    `json:"severity,omitempty"`
}
