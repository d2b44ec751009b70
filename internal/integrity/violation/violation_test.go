package violation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

func TestChanged(t *testing.T) {
	got := violation.Changed(violation.AssertionWeakened,
		violation.Place{Path: "t.py", Line: 3, Text: "  assert a == 1"},
		violation.Place{Path: "t.py", Line: 4, Text: "assert a\n\x1b[31m"}, "Test assertion weakened: equality became truth")
	want := workflow.Finding{
		Category: "test_weakening", Kind: "assertion_weakened", File: "t.py", Line: 4, Side: "after",
		Text: "Test assertion weakened: equality became truth", Evidence: "- assert a == 1\n+ assert a \uFFFD[31m",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Changed (-want +got):\n%s", diff)
	}
}

func TestOneSided(t *testing.T) {
	at := violation.Place{Path: "t.py", Text: strings.Repeat("x", 1000)}
	removed, added := violation.Removed(violation.TestDeleted, at, "d"), violation.Added(violation.RecordForged, at, "d")
	if removed.Side != "before" || !strings.HasPrefix(removed.Evidence, "- x") || removed.Line != 1 {
		t.Errorf("Removed = %+v", removed)
	}
	if added.Side != "after" || !strings.HasPrefix(added.Evidence, "+ x") || added.Category != "approval_tampering" {
		t.Errorf("Added = %+v", added)
	}
	if n := len([]rune(added.Evidence)); n > 310 {
		t.Errorf("evidence is %d runes long", n)
	}
}
