package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// notCompleted says of an ERROR that the artifact has no verdict.
const notCompleted = "Review not completed. Artifact not moved."

// Body is the review as Markdown without its title, as it stands in the file,
// with its sections at the heading level given (2 in the file).
func Body(r workflow.Result, level int) string {
	var b strings.Builder
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n\n%s %s\n\n%s", strings.Repeat("#", level), title, text)
		}
	}
	b.WriteString(facts(r))
	section("Override", override(r.Override))
	section("Summary", summary(r))
	if r.Decision != workflow.Error {
		section("Requirements", Requirements(r.Requirements))
	}
	graded, none := "No criteria were graded.", "None."
	if r.Decision == workflow.Error || r.Unasked != "" {
		graded, none = "", "" // nobody looked
	}
	section("Evaluation", orElse(evaluation(r.Criteria), graded))
	section("Issues", orElse(issues(r.Issues, level+1), none))
	section("Dismissed", Dismissed(r.Dismissed))
	section("Test integrity", Integrity(r))
	questions := r.Questions
	if r.Integrity != nil {
		questions = slices.Concat(r.Integrity.Questions, questions)
	}
	section("Questions", Questions(questions))
	if r.Iteration > 1 && r.Decision != workflow.Error {
		section("Previous findings", orElse(previous(r.Previous), "None were carried over."))
	}
	section("Automated checks", orElse(checks(r), "None ran."))
	section("Not looked at in full", list(r.Omitted))
	return b.String()
}

// heading is a feature's name for a heading, in which a # would end it.
func heading(feature string) string {
	return strings.ReplaceAll(markdown.Inline(feature), "#", `\#`)
}

// facts are the lines below the title: artifact, reviewer, date, iteration, decision, warnings.
func facts(r workflow.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Artifact:** %s\n", artifactLine(r.Artifact))
	fmt.Fprintf(&b, "**Reviewer:** %s\n", markdown.Inline(Reviewer(r)))
	fmt.Fprintf(&b, "**Review Date:** %s\n", r.Date.UTC().Format("2006-01-02"))
	if p := Progress(r); p != "" {
		fmt.Fprintf(&b, "**Iteration:** %s\n", strings.TrimPrefix(p, "iteration "))
	}
	fmt.Fprintf(&b, "**Decision:** %s", Outcome(r))
	// Two spaces at its end make a line of its own of each.
	out := strings.ReplaceAll(b.String(), "\n", "  \n")
	for _, w := range r.Warnings {
		out += "\n\n**Warning:** " + markdown.Inline(w)
	}
	return out
}

const shownFiles = 8

// artifactLine names the files of an artifact, of more than shownFiles only the number.
func artifactLine(a workflow.Artifact) string {
	var names []string
	for i, f := range a.Files {
		if i == shownFiles {
			names = append(names, fmt.Sprintf("and %d more", len(a.Files)-i))
			break
		}
		names = append(names, markdown.Inline(f.Path))
	}
	return orElse(strings.Join(names, ", "), "none")
}

// Reviewer names who reviewed: "codex (gpt-5-codex)", "rules".
func Reviewer(r workflow.Result) string {
	name, _, _ := strings.Cut(r.Engine, " ")
	switch {
	case name == "":
		return "none"
	case name == "rules":
		return name
	case r.Model == "":
		return name + " (default model)"
	}
	return name + " (" + r.Model + ")"
}

// summary is the section of that name. A review that did not run says why and what to do, and that
// it is no verdict.
func summary(r workflow.Result) string {
	text := markdown.Block(r.Summary)
	if r.Decision != workflow.Error {
		return orElse(text, "The reviewer gave no summary.")
	}
	var parts []string
	if r.Failure != nil {
		parts = append(parts, "**ERROR:** "+markdown.Inline(r.Failure.Message))
		if r.Failure.Action != "" {
			parts = append(parts, "**What to do:** "+markdown.Inline(r.Failure.Action))
		}
	}
	parts = append(parts, notCompleted+" This is no verdict on the artifact.")
	if text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n")
}

// evaluation is the table of criteria with their grades, empty without criteria.
func evaluation(cs []workflow.Criterion) string {
	if len(cs) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Criterion | Result | Finding |\n|---|---|---|")
	for _, c := range cs {
		cell := markdown.Cell(c.Finding)
		for _, more := range []struct{ name, text string }{
			{"Evidence", c.Evidence}, {"Impact", c.Impact},
		} {
			if t := markdown.Cell(more.text); t != "" {
				cell += "<br>**" + more.name + ":** " + t
			}
		}
		fmt.Fprintf(
			&b, "\n| %s | %s | %s |", markdown.Cell(c.Name), grade(c.Grade),
			strings.TrimPrefix(cell, "<br>"),
		)
	}
	return b.String()
}

// grade is a grade for a cell, in bold unless it is a PASS.
func grade(g workflow.Grade) string {
	if g == workflow.Pass {
		return string(g)
	}
	return "**" + markdown.Cell(string(g)) + "**"
}

// previous lists what became of the findings of earlier reviews.
func previous(ps []workflow.Previous) string {
	var lines []string
	for _, p := range ps {
		l := "- **" + PreviousState(p) + ":** " + markdown.Inline(p.Title)
		if n := markdown.Inline(p.Note); n != "" {
			l += " – " + n
		}
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n")
}

// list is a Markdown list of one line an item.
func list(items []string) string {
	var lines []string
	for _, s := range items {
		lines = append(lines, "- "+markdown.Inline(s))
	}
	return strings.Join(lines, "\n")
}

func orElse(s, other string) string {
	return cmp.Or(s, other)
}
