package record

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Location is "file:line", "file", or "" for an issue without a place.
func Location(file string, line int) string {
	if file == "" || line <= 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// issues are the numbered headings of a list of issues, at a level of Markdown, each with its text.
func issues(is []workflow.Finding, level int) string {
	var parts []string
	for n, i := range is {
		parts = append(
			parts,
			fmt.Sprintf(
				"%s %d. %s\n\n%s", strings.Repeat("#", level), n+1, markdown.Inline(i.Title),
				Issue(i),
			),
		)
	}
	return strings.Join(parts, "\n\n")
}

// Issue is one issue as Markdown blocks, without its title.
func Issue(i workflow.Finding) string {
	var facts []string
	for _, f := range []string{
		"**" + markdown.Inline(string(i.Level)) + "**", markdown.Inline(string(i.State)),
		markdown.Inline(string(i.Category)),
		markdown.Code(Location(i.File, i.Line)), markdown.Code(i.Kind), markdown.Code(i.Key),
	} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	parts := []string{strings.Join(facts, " · ")}
	if d := markdown.Block(i.Text); d != "" {
		parts = append(parts, d)
	}
	if t := markdown.Block(i.Trigger); t != "" {
		parts = append(parts, labelled("**Trigger:**", t))
	}
	if rec := markdown.Block(i.Fix); rec != "" {
		parts = append(parts, labelled("**Recommendation:**", rec))
	}
	if i.Suggestion != nil {
		parts = append(parts, suggestion(i))
	}
	return strings.Join(parts, "\n\n")
}

// labelled puts a label before a block, on its line where that is a paragraph.
func labelled(label, block string) string {
	if strings.ContainsAny(block[:1], "`-*+>0123456789") {
		return label + "\n\n" + block
	}
	return label + " " + block
}

// suggestion is the text that is to replace an issue's lines. An empty one deletes them.
func suggestion(i workflow.Finding) string {
	lines := fmt.Sprintf("line %d", i.Line)
	if i.EndLine > i.Line {
		lines = fmt.Sprintf("lines %d–%d", i.Line, i.EndLine)
	}
	if *i.Suggestion == "" {
		return "**Suggestion:** delete " + lines + "."
	}
	return "**Suggestion** for " + lines + ":\n\n" + markdown.Fence(
		markdown.Clean(*i.Suggestion), "",
	)
}

// checks renders the automated checks: a table of those that found something, and a line each for
// those that found nothing and for what was not looked at.
func checks(r workflow.Result) string {
	var b strings.Builder
	found, rest := workflow.Told(r.Checks)
	if len(found) > 0 {
		b.WriteString("| Check | Outcome | Result |\n|---|---|---|")
	}
	for _, c := range found {
		outcome := string(c.Outcome)
		if c.Outcome == workflow.Failed {
			outcome = "FAILED"
		}
		fmt.Fprintf(
			&b, "\n| %s | %s | %s |", markdown.CodeCell(c.ID), markdown.Cell(outcome),
			markdown.Cell(c.Summary),
		)
	}
	for _, line := range rest {
		b.WriteString("\n\n" + markdown.Inline(line))
	}
	if more := checkIssues(r); more != "" {
		b.WriteString("\n\n" + more)
	}
	return strings.TrimSpace(b.String())
}

// checkIssues lists what the checks found and the issues do not say already. Issues are the same
// by rule, place and title.
func checkIssues(r workflow.Result) string {
	type key struct {
		rule, file string
		line       int
		title      string
	}
	said := map[key]bool{}
	for _, i := range r.Issues {
		said[key{i.Kind, i.File, i.Line, i.Title}] = true
	}
	var lines []string
	for _, c := range r.Checks {
		for _, i := range c.Issues {
			if said[key{i.Kind, i.File, i.Line, i.Title}] {
				continue
			}
			l := "- " + markdown.Inline(string(i.Level)) + " · " + markdown.Inline(i.Title)
			if at := markdown.Code(Location(i.File, i.Line)); at != "" {
				l += " · " + at
			}
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}
