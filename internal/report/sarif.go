package report

import (
	"cmp"
	"io"
	"io/fs"
	"slices"
	"strings"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// sarif is an object of the format.
type sarif map[string]any

// sarifRun gathers what a run found.
type sarifRun struct {
	rules []sarif
	put   func(result any)
	docs  string // address of the action's documentation
}

// sarifProperties are what of a result has no place in the standard.
type sarifProperties struct {
	Type     workflow.Type     `json:"type,omitempty"` // of the artifact
	Feature  string            `json:"feature,omitempty"`
	Category workflow.Category `json:"category,omitempty"`
	Severity workflow.Level    `json:"severity,omitempty"`
}

// writeSARIF writes the report for code scanning and editors: issues, violations, and reviews that
// did not approve, as the Static Analysis Results Interchange Format 2.1.0 (OASIS,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/). Rules stand behind the results.
func (r Report) writeSARIF(w io.Writer) error {
	run := sarifRun{
		rules: []sarif{},
		docs: "https://github.com/" + cmp.Or(r.Source, "OWNER/workflow-reviewer") +
			"/blob/v1/docs/",
	}
	invocation := sarif{"executionSuccessful": r.Decision != workflow.Error}
	if f := r.Failure; f != nil {
		invocation["toolExecutionNotifications"] = []sarif{{
			"level":   "error",
			"message": textOf(f.Message, f.Action),
		}}
	}
	document := func() any {
		driver := sarif{"name": "workflow-reviewer", "rules": run.rules}
		if r.Version != "" {
			driver["version"] = r.Version
		}
		return sarif{
			"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
			"runs": []sarif{{
				"tool": sarif{"driver": driver}, "invocations": []sarif{invocation},
				"results": []sarif{},
				"properties": struct {
					Decision workflow.Decision `json:"decision"`
					figures
				}{r.Decision, figuresOf(r.Results...)},
			}},
		}
	}
	return writeListed(w, document, "\n      \"results\": ", func(put func(any)) {
		run.put = put
		run.addAll(r)
	})
}

// addAll adds all that a report found.
func (r *sarifRun) addAll(rep Report) {
	for _, v := range rep.AllViolations() {
		r.violation(v, "error")
	}
	for _, v := range rep.Weakened {
		r.violation(v, "warning")
	}
	for _, is := range rep.Issues {
		is.File = cmp.Or(is.File, ".")
		r.issue(is, sarifProperties{})
	}
	for _, res := range rep.Results {
		r.review(res)
	}
}

// textOf is a message in paragraphs.
func textOf(parts ...string) sarif {
	parts = filter(parts, func(s string) bool { return s != "" })
	return sarif{"text": strings.TrimSpace(strings.Join(parts, "\n\n"))}
}

// review adds the issues of a review, or that it did not approve for another reason.
func (r *sarifRun) review(res workflow.Result) {
	kind, of := "review/"+string(res.Artifact.Type),
		sarifProperties{Type: res.Artifact.Type, Feature: res.Artifact.Feature}
	file := cmp.Or(res.Artifact.Path(), record.Path(res))
	for _, is := range res.Issues {
		if !fs.ValidPath(is.File) || is.File == "." {
			is.File = file
		}
		// apart, as code scanning ranks it by a score of the rule
		if is.Kind == "" && is.Category == workflow.Security {
			is.Kind = kind + "/security"
		}
		is.Kind = cmp.Or(is.Kind, kind)
		r.issue(is, of)
	}
	if len(res.Issues)+len(res.Violations) > 0 || res.Decision >= workflow.Approved {
		return
	}
	why := res.Summary
	if res.Failure != nil {
		why = res.Failure.Message
	}
	r.add(workflow.Finding{
		Key:  workflow.Fingerprint(string(of.Type), of.Feature, res.Decision.String()),
		Kind: kind, File: file, Title: res.Decision.String() + ": " + why,
	}, "error", of)
}

func (r *sarifRun) issue(is workflow.Finding, of sarifProperties) {
	of.Category, of.Severity = is.Category, is.Level
	r.add(is, []string{"error", "warning", "note"}[is.Level.Rank()], of)
}

func (r *sarifRun) violation(v workflow.Finding, level string) {
	f := workflow.Finding{
		Key: v.Identity(), Kind: "integrity/" + v.Kind, File: v.File,
		Title: v.Text, Text: v.Evidence,
	}
	if v.Side != "before" {
		f.Line = v.Line
	}
	r.add(f, level, sarifProperties{Feature: v.Feature, Category: workflow.Compliance})
}

// add appends a result, and its rule at the first time. The key stays the same while the finding
// does; code scanning tells alerts apart by the first fingerprint, which has a count behind the
// colon.
func (r *sarifRun) add(f workflow.Finding, level string, of sarifProperties) {
	if !slices.ContainsFunc(r.rules, func(s sarif) bool { return s["id"] == f.Kind }) {
		r.rules = append(r.rules, r.rule(f.Kind, of))
	}
	place := sarif{"artifactLocation": sarif{"uri": escaped(f.File), "uriBaseId": "%SRCROOT%"}}
	if f.Line > 0 {
		place["region"] = sarif{"startLine": f.Line, "endLine": max(f.Line, f.EndLine)}
	}
	r.put(sarif{
		"ruleId": f.Kind, "level": level, "message": textOf(f.Title, f.Text, f.Fix),
		"properties": of,
		"locations":  []sarif{{"physicalLocation": place}},
		"partialFingerprints": sarif{
			"primaryLocationLineHash":    f.Key + ":1",
			"workflowReviewerFinding/v1": f.Key,
		},
	})
}

// rule describes a rule: of the built-in checks as the catalogue does.
func (r *sarifRun) rule(id string, of sarifProperties) sarif {
	short, page := "Finding of a review", "results"
	help := "A reviewer found this. Correct it, or have somebody with write permission " +
		"set it aside."
	family, kind, _ := strings.Cut(id, "/")
	for _, e := range checks.Catalog() {
		if e.ID == id {
			family, short, help, page = "", cmp.Or(e.Title, id), e.Why+" "+e.Fix, "checks"
		}
	}
	switch family {
	case "", "review":
	case "integrity":
		short, page = "Test integrity: "+strings.ReplaceAll(kind, "_", " "), "integrity"
		help = "Approved tests must not demand less. Put them back, or have the change of them " +
			"approved."
	case "requirements":
		short, help, page = "A requirement is not met",
			"Do what the spec demands, or have the spec changed and approved.", "requirements"
	default:
		short, page = "Reported by "+family, "checks"
		help = "Another tool reported this. Correct it, or accept it by the means of that tool."
	}
	out := sarif{
		"id": id, "shortDescription": textOf(short), "help": textOf(help),
		"helpUri": r.docs + page + ".md",
	}
	if of.Category == workflow.Security {
		score := map[workflow.Level]string{workflow.Block: "8.0", workflow.Warn: "5.0"}[of.Severity]
		out["properties"] = sarif{
			"tags":              []string{"security"},
			"security-severity": cmp.Or(score, "2.0"),
		}
	}
	return out
}
