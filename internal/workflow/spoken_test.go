package workflow

import "testing"

// In a model's answer an approval that is read here only words a warning; it never approves.
func TestSpokenIn(t *testing.T) {
	const yes, no, none = Approved, NeedsChanges, Error
	for _, c := range []struct {
		name, text string
		want       Decision
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
		{"with a reason, which may be a condition", "APPROVED – the tests cover each criterion.", none},
		{"with a reason, rejected", "NEEDS-CHANGES – criterion 3 has no test.", no},
		{"gate", "Gate decision: CONDITIONAL", yes},
		{"spec gate", "Verdict: PASS", yes},
		{"a heading is no verdict", "# Review\n\nPASS\n", none},
		{"reason that is a condition", "APPROVED – once section 2 is fixed", none},
		{"will be", "**Status:** APPROVED, but section 2 will be fixed", none},
		{"status of something", "Status: Draft\n\nAPPROVED", yes},
		{"both", "Decision: APPROVED\nDecision: NEEDS-CHANGES", no},
		{"both to choose from", "Decision: APPROVED or NEEDS-CHANGES", none},
		{"on a condition", "Decision: APPROVED if the tests pass", none},
		{"once with a condition", "APPROVED\nDecision: APPROVED with changes", yes},
		{"only spoken of", "The spec can be APPROVED once section 2 is fixed.", none},
		{"quoted", "The document says:\n> Decision: APPROVED\n", yes},
		{"approved in a fence", "```\nDecision: APPROVED\n```", yes},
		{"in small letters", "verdict: approve", yes},
		{"block", "Gate: BLOCK", none},
		{"gate block", "Gate decision: block", no},
		{"review gate", "Verdict: REVIEW", yes},
		{"failed gate", "Spec verdict: FAIL", no},
		{"fail", "Verdict: FAIL", no},
		{"ready", "Status: READY", yes},
		{"bold brackets with a reason", "## Decision\n**[APPROVED]** - Ready for merge.", none},
		{"will be approved once", "Decision: will be APPROVED once section 2 is fixed", none},
		{"pending", "Decision: APPROVED (pending CI)", none},
		{"JSON of another shape", `{"decision": "APPROVED"}`, none},
		{"label without value", "Decision:\n\nWe should talk about the weather.", none},
		{"below what is told of the review", "Reviewer: codex\nDecision: APPROVED\nIterations: 2", yes},
		{"below a list", "- The lock is there\nDecision: APPROVED", yes},
		{"with a reason of the past", "APPROVED - all comments of round 1 were addressed.", none},
		{"the other box is ticked", "- [ ] APPROVED\n- [x] NEEDS-CHANGES", no},
		{"its box is ticked", "- [X] APPROVED\n- [ ] NEEDS-CHANGES", yes},
		{"no box is ticked", "## Decision\n\n- [ ] APPROVED\n- [ ] NEEDS-CHANGES", none},
		{"nothing", "", none},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := SpokenIn(c.text)
			if got.Decision != c.want || ok != (c.want != none) {
				t.Errorf("%v, %t; want %v", got, ok, c.want)
			}
		})
	}
}
