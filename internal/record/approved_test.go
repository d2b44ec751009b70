package record_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/record"
	"workflow-reviewer/internal/workflow"
)

func TestApprovals(t *testing.T) {
	at := func(p string, day int, d workflow.Decision, files ...workflow.File) record.Record {
		return record.Record{Path: p, Decision: d, Time: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC), Files: files}
	}
	report, moved := workflow.File{Path: "bugs/fixing/x.md", Blob: "r1"}, workflow.File{Path: "bugs/fixed/x.md", Blob: "r1"}
	code, other := workflow.File{Path: "src/a.py", Blob: "c1"}, workflow.File{Path: "src/a.py", Blob: "c2"}
	builtin, _ := layout.BuiltinSet()
	legacy := at("legacy", 9, workflow.Approved, code)
	legacy.Legacy = true
	a := record.Approvals(builtin.Canonical,
		at("one", 1, workflow.Approved, report, code), at("three", 3, workflow.Approved, code), at("two", 2, workflow.Approved, code),
		at("refused", 5, workflow.NeedsChanges, code), at("none", 6, workflow.Approved, workflow.File{Path: "src/a.py"}), legacy,
	)
	for f, want := range map[workflow.File][]string{
		report: {"one"}, moved: {"one"}, code: {"three", "two", "one"}, other: nil, {Path: "src/a.py"}: nil,
		{Path: "src/b.py", Blob: "c1"}: nil,
	} {
		var got []string
		for _, r := range a(f.Path, f.Blob) {
			got = append(got, r.Path)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%v (-want +got):\n%s", f, d)
		}
	}
}
