package prompt

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/workflow"
)

// IntegrityDocuments give the reviewer what the check of approved tests did not decide: findings to
// examine, and questions to answer. They are part of what a verdict depends on.
func IntegrityDocuments(i *workflow.Integrity) []Document {
	if i == nil {
		return nil
	}
	var out []Document
	add := func(heading, note, body string, most int) {
		if body != "" {
			body, _ = foreign.Cut(body, most)
			out = append(out, Document{Heading: heading, Note: note, Body: body})
		}
	}
	add("Findings", "Examine each in the code and say in your findings whether it is what it looks like.",
		findingsText(i.Findings), maxChecks)
	add(
		"Questions",
		"Answer each under `questions`, by its id: `honest` with the reason as it stands in the code, or `cheat`. "+
			"Lines with a minus are of the tests as they were, those with a plus of the head. "+
			"An approval needs an honest answer to each.",
		questionsText(i.Questions),
		maxQuestions,
	)
	return out
}

// CheckDocuments give the reviewer the High findings of built-in checks that it must judge.
func CheckDocuments(questions []workflow.Question) []Document {
	if len(questions) == 0 {
		return nil
	}
	return []Document{{
		Heading: "High findings",
		Note: "Checks look at form and may be wrong. Answer each under `questions`, by its id: `confirmed` if it is a problem of this " +
			"change, or `refuted` with the reason as it stands in the artifact. An approval needs each refuted.",
		Body: questionsText(questions),
	}}
}

// findingsText tells the reviewer of violations that somebody allowed.
func findingsText(findings []workflow.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(
			&b,
			"- %s at %s:%d (%s)\n",
			strings.ReplaceAll(f.Kind, "_", " "),
			foreign.Label(f.File),
			f.Line,
			sideWords(f.Side),
		)
		fmt.Fprintf(
			&b,
			"  %s\n%s  It does not decide: %s.\n",
			markdown.Line(f.Description, 500),
			indented(f.Evidence),
			markdown.Line(f.Why, 300),
		)
	}
	return b.String()
}

// questionsText lists the questions with ids, places and the text of both sides.
func questionsText(questions []workflow.Question) string {
	var b strings.Builder
	for _, q := range questions {
		fmt.Fprintf(
			&b,
			"- %s (%s) at %s:%d\n  %s\n%s",
			q.ID,
			strings.ReplaceAll(q.Kind, "_", " "),
			foreign.Label(q.File),
			q.Line,
			markdown.Line(q.Question, 600),
			indented(q.Evidence),
		)
	}
	return b.String()
}

// indented is evidence, a line each.
func indented(evidence string) string {
	var b strings.Builder
	for l := range strings.SplitSeq(evidence, "\n") {
		if l != "" {
			fmt.Fprintf(&b, "    %s\n", markdown.Line(l, 400))
		}
	}
	return b.String()
}

// sideWords says which file a line number is of.
func sideWords(side string) string {
	if side == "before" {
		return "line of the approved file"
	}
	return "line of the head"
}

// Unverified warns of a review whose tests nobody is known to have approved.
func Unverified(i *workflow.Integrity) []string {
	if i == nil || i.Verdict != unverifiable {
		return nil
	}
	return []string{"Approved tests could not be verified: " + strings.Join(i.Compared, " ")}
}

// unverifiable is the verdict of a check without anything to compare with.
const unverifiable = "unverifiable"
