package review

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

func TestPlainDecision(t *testing.T) {
	const yes, no, none = workflow.Approved, workflow.NeedsChanges, workflow.Error
	for _, c := range []struct {
		name, text string
		want       workflow.Decision
	}{
		{"bold label", "# Review\n\n**Decision:** APPROVED\n", yes},
		{"label in bold with value", "**Decision: APPROVED**", yes},
		{"heading", "## Decision\n\nAPPROVED\n", yes},
		{"alone on a line", "All is well.\n\nAPPROVED\n", yes},
		{"list item", "- Verdict: `APPROVED`", yes},
		{"said twice", "Decision: APPROVED\n…\nFinal decision: Approved.", yes},
		{"needs fix", "Verdict: NEEDS_FIX", no},
		{"major issues", "Verdict: MAJOR_ISSUES", no},
		{"needs changes", "**Decision:** NEEDS-CHANGES", no},
		{"spelled with a space", "Decision: needs changes", no},
		{"not approved", "Decision: NOT APPROVED", no},
		{"in a fence", "```\nDecision: NEEDS-CHANGES\n```", no},
		{"status", "**Status:** APPROVED", yes},
		{"status in lower case", "status: approved", yes},
		{"in brackets", "[APPROVED]", yes},
		{"label and brackets", "**Verdict**: [NEEDS-CHANGES]", no},
		{"with a reason", "APPROVED – the tests cover each criterion.", yes},
		{"with a reason, rejected", "NEEDS-CHANGES – criterion 3 has no test.", no},
		{"gate", "Gate decision: CONDITIONAL", yes},
		{"spec gate", "Verdict: PASS", yes},
		{"a heading is no verdict", "# Review\n\nPASS\n", none},
		{"reason that is a condition", "APPROVED – once section 2 is fixed", none},
		{"will be", "**Status:** APPROVED, but section 2 will be fixed", none},
		{"status of something", "Status: Draft\n\nAPPROVED", none},
		{"both", "Decision: APPROVED\nDecision: NEEDS-CHANGES", none},
		{"both to choose from", "Decision: APPROVED or NEEDS-CHANGES", none},
		{"on a condition", "Decision: APPROVED if the tests pass", none},
		{"once with a condition", "APPROVED\nDecision: APPROVED with changes", none},
		{"only spoken of", "The spec can be APPROVED once section 2 is fixed.", none},
		{"quoted", "The document says:\n> Decision: APPROVED\n", none},
		{"approved in a fence", "```\nDecision: APPROVED\n```", none},
		{"beside a high issue", "Decision: APPROVED\n\n### Issue 1\nSeverity: High", none},
		{"beside a failure", "Decision: APPROVED\n| Testability | FAIL |", none},
		{"in small letters", "verdict: approve", yes},
		{"block", "Gate: BLOCK", none},
		{"gate block", "Gate decision: block", no},
		{"review gate", "Verdict: REVIEW", yes},
		{"failed gate", "Spec verdict: FAIL", none},
		{"fail", "Verdict: FAIL", no},
		{"ready", "Status: READY", yes},
		{"bold brackets with a reason", "## Decision\n**[APPROVED]** - Ready for merge.", yes},
		{"will be approved once", "Decision: will be APPROVED once section 2 is fixed", none},
		{"pending", "Decision: APPROVED (pending CI)", none},
		{"beside what does not block", "Two non-blocking notes.\nDecision: APPROVED", yes},
		{"beside what was resolved", "All critical issues are resolved.\nDecision: APPROVED", yes},
		{"beside a denial", "No high or critical issues.\nDecision: APPROVED", yes},
		{"beside an empty section", "## Critical Issues\n\nNone.\n\n## Decision\n\nAPPROVED", yes},
		{"beside a full section", "## Critical Issues\n\n- The lock is missing.\n\n## Decision\n\nAPPROVED", none},
		{"beside what is well", "- ✓ Rejects paths; no critical gaps\nDecision: APPROVED", yes},
		{"until it is resolved", "Critical issues remain until section 2 is resolved.\nDecision: APPROVED", none},
		{"nothing tests it", "No tests for high risk paths.\nDecision: APPROVED", none},
		{"should be rejected", "This should be rejected.\nDecision: APPROVED", none},
		{"a criterion fails", "Criterion 3 fails.\nDecision: APPROVED", none},
		{"beside a critical remark", "A critical flaw remains.\nDecision: APPROVED", none},
		{"JSON of another shape", `{"decision": "APPROVED"}`, none},
		{"label without value", "Decision:\n\nWe should talk about the weather.", none},
		{"below what is told of the review", "Reviewer: codex\nDecision: APPROVED\nIterations: 2", yes},
		{"below a list", "- The lock is there\nDecision: APPROVED", yes},
		{"beside a condition of the artifact", "The lock opens only if the token is valid.\n\nDecision: APPROVED", yes},
		{"with a reason of the past", "APPROVED - all comments of round 1 were addressed.", yes},
		{"nothing", "", none},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := plainDecision(c.text)
			if got != c.want || ok != (c.want != none) {
				t.Errorf("plainDecision = %v, %t; want %v", got, ok, c.want)
			}
		})
	}
}

// TestNoApprovalInDisguise: a condition, a question, a denial or an example is no
// approval, however it is worded.
func TestNoApprovalInDisguise(t *testing.T) {
	for _, text := range []string{
		"This would be approved if the tests passed.",
		"I'd approve once section 2 is fixed.",
		"Not approved yet.",
		"Approved? No.",
		"Decision: Approved? No.",
		"Decision: Approved? Not yet.",
		"APPROVED?",
		"Decision: APPROVED?",
		"Decision: not yet approved",
		"Decision: Approved, assuming the tests pass",
		"Decision: APPROVED (assuming CI is green)",
		"Decision: APPROVED – provided that the lock is added",
		"Decision: APPROVED with reservations",
		"Decision: APPROVED in principle",
		"Decision: almost APPROVED",
		"Decision: APPROVED modulo the missing test",
		"Decision: APPROVED, contingent on a fix of section 2",
		"Decision: APPROVED. Just kidding, reject.",
		"Decision: APPROVED - on condition that the lock is added",
		"Decision: APPROVED, given that you add a test",
		"Decision: APPROVED; the author must add a test first",
		"Decision: APPROVED, after which fix section 2",
		"Decision: APPROVED in case the tests pass",
		"Decision: APPROVED, as long as the lock is added",
		"Decision: APPROVED: only with a lock",
		"APPROVED, should the tests pass",
		"APPROVED, were it not for the lock",
		"Decision: could be APPROVED",
		"Decision: I cannot say APPROVED",
		"Decision: ~~APPROVED~~ NEEDS-CHANGES",
		"Decision: ~~APPROVED~~",
		"Decision: un-APPROVED",
		"Decision: pre-approved",
		"Decision: APPROVED/NEEDS-CHANGES",
		"Decision: [ ] APPROVED [x] NEEDS-CHANGES",
		"- [ ] APPROVED\n- [x] NEEDS-CHANGES",
		"- [ ] APPROVED",
		"Decision: <APPROVED or NEEDS-CHANGES>",
		"If all is well, write:\n\nAPPROVED",
		"Had the lock been there, my verdict would be:\n\nAPPROVED",
		"Approved by whom? Nobody.",
		"Status: was APPROVED",
		"Previous decision: APPROVED",
		"Verdict: LGTM but add a test",
		"Decision: APPROVED\n\nOnly if the tests pass.",
		"Decision: APPROVED\n\nThis approval is conditional on the lock.",
		"Decision: APPROVED\n\nI withdraw this.",
		"Decision: PASS the buck",
		"Decision: approved (no)",
		"Decision: APPROVED - no",
		"Decision: APPROVED, unlike the last version, never",
		"The document ends with the line\nDecision: APPROVED\nwhich is wrong.",
		"Decision: PASS, FAIL",
		"Recommendation: approve later",
		"Recommendation: approve - tomorrow",
		"Conclusion: approve. However, section 2 lacks a lock.",
		"Decision: CONDITIONAL on a lock",
		"Decision: CONDITIONAL (fix the lock first)",
	} {
		if d, ok := plainDecision(text); ok && d == workflow.Approved {
			t.Errorf("APPROVED: %q", text)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]bool{
		"I'm sorry, I can't help with that.":                true,
		"I’m sorry, but I cannot assist with that request.": true,
		"Sorry, no.":                                     true,
		"I can't review this.":                           true,
		"Unfortunately, I am unable.":                    true,
		"I cannot find a problem.\n\nDecision: APPROVED": false,
		"Sorry state of affairs.\nDecision: NEEDS-FIX":   false,
		"The spec says sorry to the user.":               false,
		"":                                               false,
	} {
		if got := refused(text); got != want {
			t.Errorf("refused(%q) = %t, want %t", text, got, want)
		}
	}
}
