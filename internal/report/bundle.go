package report

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// bundleFiles are the reports on specs in several documents, by their names below the report's
// folder: in its root, or where there are several bundles in a folder each.
func (r Report) bundleFiles() map[string]string {
	var with []workflow.Result
	for _, res := range r.Results {
		if res.Bundle != nil {
			with = append(with, res)
		}
	}
	out := map[string]string{}
	for _, res := range with {
		dir := ""
		if len(with) > 1 {
			dir = path.Join("bundles", record.Slug(res.Artifact.Feature))
		}
		out[path.Join(dir, "readiness-report.md")] = readinessReport(res)
		out[path.Join(dir, "spec-summary.md")] = specSummary(res)
	}
	return out
}

// bundleHead is the front matter of a report on a bundle.
func bundleHead(res workflow.Result, document string) string {
	session := "unknown"
	if res.Bundle.Session != "" {
		session = res.Bundle.Session
	}
	quoted, err := json.Marshal(session) // a JSON string is one of YAML
	if err != nil {
		quoted = []byte(`"unknown"`)
	}
	return fmt.Sprintf("---\nsession_id: %s\nphase: 6\ndocument_type: %s\nstatus: complete\ngenerated_at: %s\nversion: 1\n---\n\n",
		quoted, document, res.Date.UTC().Format(time.RFC3339))
}

// readinessReport says how ready a bundle is for its implementation.
func readinessReport(res workflow.Result) string {
	b := res.Bundle
	var w strings.Builder
	w.WriteString(bundleHead(res, "readiness-report"))
	fmt.Fprintf(&w, "# Readiness Report\n\n**Spec:** %s\n**Decision of the review:** %s\n\n## Quality Scores\n\n"+
		"| Dimension | Score | Weight |\n|---|---|---|\n",
		markdown.Code(b.Folder), res.Decision)
	for _, d := range b.Dimensions {
		fmt.Fprintf(&w, "| %s | %g%% | %d%% |\n", titled(d.Name), d.Score, 100/len(b.Dimensions))
	}
	fmt.Fprintf(&w, "| **Overall** | **%.1f%%** | **100%%** |\n\n## Quality Gate: %s\n\n%s\n\n## Issues Found\n\n", b.Score,
		workflow.ScoreGate(b.Score), gateMeans(res))
	w.WriteString(orNone(bundleIssues(*b)))
	w.WriteString("\n## Coverage of the Chain\n\n| Link | Covered |\n|---|---|\n")
	for _, s := range b.Chain.Stages {
		fmt.Fprintf(&w, "| %s | %s |\n", s.Name, share(s))
	}
	w.WriteString("\n" + chainTable(b.Chain) + "\n### Gaps\n\n")
	var gaps []string
	for _, g := range b.Chain.Gaps {
		gaps = append(gaps, fmt.Sprintf("%s %s (%s)", titled(g.Kind), markdown.Inline(strings.Join(g.IDs, ", ")), markdown.Code(g.File)))
	}
	w.WriteString(orNone(gaps))
	w.WriteString("\n## Document Inventory\n\n| Document | Found |\n|---|---|\n")
	for _, d := range b.Documents {
		fmt.Fprintf(&w, "| %s | %s |\n", markdown.CodeCell(d.Name), found(d))
	}
	return w.String()
}

// gateMeans says what the gate comes to in this review.
func gateMeans(res workflow.Result) string {
	switch gate := workflow.ScoreGate(res.Bundle.Score); {
	case gate == workflow.GatePass:
		return fmt.Sprintf("At least %d: the bundle is well formed and linked.", workflow.ScorePass)
	case gate == workflow.GateReview:
		return fmt.Sprintf("At least %d, below %d: good enough to go on, with points that are worth a look.",
			workflow.ScoreReview, workflow.ScorePass)
	case res.Decision == workflow.Approved:
		return fmt.Sprintf("Below %d. The reviewer was asked about it and approved all the same: see the review.", workflow.ScoreReview)
	default:
		return fmt.Sprintf("Below %d: the bundle needs work before anybody builds on it.", workflow.ScoreReview)
	}
}

// bundleIssues are the issues of all dimensions of a bundle's score.
func bundleIssues(b workflow.Bundle) []string {
	var out []string
	for _, d := range b.Dimensions {
		for _, i := range d.Issues {
			out = append(out, titled(d.Name)+": "+markdown.Inline(i))
		}
	}
	return out
}

// chainTable has a row for each requirement.
func chainTable(c workflow.Chain) string {
	if len(c.Requirements) == 0 {
		return "No requirement was found.\n"
	}
	var w strings.Builder
	w.WriteString("| Requirement | Goals | Decisions | Epics | Acceptance criteria |\n|---|---|---|---|---|\n")
	for _, r := range c.Requirements {
		name := markdown.Cell(r.ID + " " + r.Title)
		if r.Excluded {
			name += " *(priority: won't)*"
		}
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %d |\n", name, ids(r.Goals), ids(r.Decisions), ids(r.Stories), r.Criteria)
	}
	return w.String()
}

// ids lists ids for a cell.
func ids(list []string) string {
	if len(list) == 0 {
		return "–"
	}
	return markdown.Cell(strings.Join(list, ", "))
}

// share tells how much of a link of the chain is covered, in numbers and percent.
func share(s workflow.ChainStage) string {
	if s.Of == 0 {
		return "none to cover"
	}
	return fmt.Sprintf("%d of %d (%d%%)", s.Covered, s.Of, (100*s.Covered+s.Of/2)/s.Of)
}

// found says for a cell whether a document is there, and how often.
func found(d workflow.BundleDocument) string {
	switch {
	case d.Name == "discussions":
		return fmt.Sprint(d.Count)
	case d.Count == 0:
		return "✗"
	case d.Count == 1:
		return "✓"
	default:
		return fmt.Sprintf("✓ (%d)", d.Count)
	}
}

// orNone is a list, or the word None.
func orNone(lines []string) string {
	if len(lines) == 0 {
		return "None\n"
	}
	return "- " + strings.Join(lines, "\n- ") + "\n"
}

// titled is a text with a capital first letter; it is not empty.
func titled(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// specSummary says in a page what a bundle is.
func specSummary(res workflow.Result) string {
	b := res.Bundle
	count := map[string]int{}
	for _, d := range b.Documents {
		count[d.Name] = d.Count
	}
	text := func(s string) string {
		if s == "" {
			return "N/A"
		}
		return markdown.Inline(s)
	}
	several := func(name, index, files, noun string) string {
		if count[files] == 0 {
			return "- " + name + ": ✗\n"
		}
		line := fmt.Sprintf("- %s: ✓ (%s)", name, workflow.Count(count[files], noun))
		if count[index] == 0 {
			line += ", without " + index
		}
		return line + "\n"
	}
	one := "✗"
	if count["product-brief.md"] > 0 {
		one = "✓"
	}
	gate := workflow.ScoreGate(b.Score)
	return bundleHead(res, "spec-summary") +
		fmt.Sprintf("# Specification Summary\n\n**Topic**: %s\n\n**Complexity**: %s\n\n**Quality Score**: %.1f%% (%s)\n\n"+
			"**Discussion Rounds**: %d\n\n**Review**: %s, %s\n\n",
			text(b.Topic), text(b.Complexity), b.Score, gate, count["discussions"], res.Decision, markdown.Code(res.ReviewPath)) +
		"## Key Deliverables\n\n- Product Brief: " + one + "\n" +
		several("Requirements (PRD)", "requirements/_index.md", "REQ-* files", "item") +
		several("Architecture", "architecture/_index.md", "ADR-* files", "decision") +
		several("Epics & Stories", "epics/_index.md", "EPIC-* files", "epic") +
		"\n## Next Steps\n\n- " + nextStep(res, gate) + "\n"
}

// nextStep says what follows from decision and gate.
func nextStep(res workflow.Result, gate string) string {
	switch {
	case res.Decision == workflow.Error:
		return "Run the review again: it did not come to its end"
	case res.Decision != workflow.Approved && gate != workflow.GateFail:
		return "Settle the findings of the review, then proceed to execution"
	case gate == workflow.GatePass:
		return "Ready for handoff to execution workflows"
	case gate == workflow.GateReview:
		return "Address review items, then proceed to execution"
	default:
		return "Fix critical issues before proceeding"
	}
}
