package review

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// integrityDocument gives the reviewer the questions that the check of test
// integrity did not decide; nil if there are none. It is part of what a
// verdict depends on.
func integrityDocument(i *workflow.Integrity) *document {
	if i == nil || len(i.Questions) == 0 {
		return nil
	}
	var b strings.Builder
	for _, q := range i.Questions {
		fmt.Fprintf(&b, "- %s (%s) at %s:%d\n  %s\n", q.ID, strings.ReplaceAll(q.Kind, "_", " "), label(q.File), q.Line, line(q.Question, 600))
		for l := range strings.SplitSeq(q.Evidence, "\n") {
			if l != "" {
				fmt.Fprintf(&b, "    %s\n", line(l, 300))
			}
		}
	}
	body, _ := cut(b.String(), maxQuestions)
	return &document{heading: "Questions", body: body}
}

// unverified warns of a review whose tests nobody is known to have approved.
func unverified(i *workflow.Integrity) []string {
	if i == nil || i.Verdict != unverifiable {
		return nil
	}
	return []string{"Approved tests could not be verified: " + strings.Join(i.Compared, " ")}
}

// unverifiable is the verdict of a check without anything to compare with.
const unverifiable = "unverifiable"
