package review

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// integrityDocument gives the reviewer what the check of approved tests found
// and did not decide; nil if there is nothing to examine. It is part of what a
// verdict depends on.
func integrityDocument(i *workflow.Integrity) *document {
	if i == nil || len(i.Questions) == 0 {
		return nil
	}
	var b strings.Builder
	for _, q := range i.Questions {
		fmt.Fprintf(&b, "- %s at %s:%d (%s)\n", strings.ReplaceAll(q.Kind, "_", " "), label(q.File), q.Line, sideWords(q.Side))
		fmt.Fprintf(&b, "  %s\n", line(q.Description, 500))
		for l := range strings.SplitSeq(q.Evidence, "\n") {
			if l != "" {
				fmt.Fprintf(&b, "    %s\n", line(l, 400))
			}
		}
		fmt.Fprintf(&b, "  It does not decide: %s.\n", line(q.Why, 300))
	}
	body, _ := cut(b.String(), maxChecks)
	return &document{heading: "Findings", body: body}
}

func sideWords(side string) string {
	if side == "before" {
		return "line of the approved file"
	}
	return "line of the head"
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
