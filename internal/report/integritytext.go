package report

import (
	"strings"

	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

// integrity prints what was compared with what, and what the reviewer was asked to examine.
func (t *terminal) integrity(res workflow.Result) {
	i := res.Integrity
	if i == nil {
		return
	}
	t.line("")
	t.text(2, "integrity: ", i.Verdict+". "+strings.Join(i.Compared, " "))
	if i.Proof != nil {
		t.text(4, "", i.Proof.String())
	}
	for _, f := range i.Findings {
		t.text(4, "? ", oneLine(record.Location(f.File, f.Line), 0)+" "+oneLine(f.Text, 0))
		t.evidence(6, f.Evidence)
	}
	questions := i.Questions
	if n := len(questions); n > 0 && i.Unapproved && res.ReviewedBy() == workflow.ByRules {
		t.text(4, "? ", workflow.Count(n, "question")+" about tests that nobody approved, and the code beside them: see the review file")
		questions = nil
	}
	for _, q := range questions {
		t.text(4, "? ", oneLine(record.Location(q.File, q.Line), 0)+" "+oneLine(q.Text, 0))
		t.evidence(6, q.Evidence)
		if q.Answer != "" {
			t.text(6, string(q.Answer)+": ", oneLine(q.Reason, 0))
		}
	}
	for _, v := range i.Excused {
		t.text(4, "excused: ", oneLine(record.Location(v.File, v.Line), 0)+" "+oneLine(v.Text, 0))
	}
	for _, s := range i.NotAnalysed {
		t.text(4, "not analysed: ", oneLine(s, 0))
	}
}
